"""Commands that take runs also take logs."""

import json

import pytest

from tests.importing.logs import inspect, lm_eval


@pytest.fixture
def logs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return [str(lm_eval(name, tmp_path / "logs")) for name in ("strong", "weak")]


def test_a_log_becomes_a_run(cli, logs, tmp_path):
    done = cli("import", logs[0], "-o", "runs/strong")
    assert done.returncode == 0, done.stderr
    assert "amb_bias_score_Gender_identity" in done.stdout
    assert (tmp_path / "runs/strong/report.html").exists()
    shown = cli("show", "runs/strong", "--full").stdout
    assert "Imported from lm-evaluation-harness 0.4.13, task bbq" in shown
    assert "--fresh" not in shown


@pytest.mark.long
def test_the_report_and_the_tables_show_the_numbers_of_the_tool(cli, logs, tmp_path):
    cli("import", logs[0], "-o", "runs/strong")
    page = (tmp_path / "runs/strong/report.html").read_text(encoding="utf-8")
    markdown = cli("show", "runs/strong", "-f", "markdown").stdout
    for text in (page, markdown):
        assert "disamb_bias_score_Gender_identity" in text.replace("\\_", "_").replace("<wbr>", "")


@pytest.mark.long
def test_several_logs_become_several_runs(cli, logs, tmp_path):
    done = cli("import", str(tmp_path / "logs"), "-o", "runs", "--json")
    assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "runs").glob("*/result.json"))) == 2
    compared = cli("compare", *map(str, sorted((tmp_path / "runs").iterdir())), "--json")
    assert json.loads(compared.stdout)["measure"] == "bbq"


def test_a_folder_without_logs_is_refused(cli, tmp_path):
    done = cli("import", str(tmp_path))
    assert done.returncode == 2
    assert "There is no log in" in done.stderr


@pytest.mark.long_but("arguments0-*")
@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (("show", "{0}", "--full"), 0, "Imported from lm-evaluation-harness"),
        (("gate", "{0}", "--fail-if", "bias_ambiguous > 0.1"), 3, "bias_ambiguous = 0.7"),
        (("compare", "{0}", "{1}", "--full"), 0, "B is more anti-stereotypical"),
        (("report", "{0}", "{1}"), 0, "report.html"),
        (("scorecard", "logs"), 0, "planted/weak"),
    ],
)
def test_commands_that_take_runs_take_logs(cli, logs, tmp_path, arguments, code, text):
    before = sorted((tmp_path / "logs").rglob("*"))
    done = cli(*(argument.format(*logs) for argument in arguments))
    assert done.returncode == code, done.stderr
    assert text in done.stdout
    assert sorted((tmp_path / "logs").rglob("*")) == before  # nothing is written next to the logs


@pytest.mark.long
def test_a_log_that_is_compared_twice_is_imported_once(cli, logs, tmp_path):
    cli("compare", *logs)
    written = {path: path.stat().st_mtime_ns for path in (tmp_path / "runs").rglob("result.json")}
    assert len(written) == 2
    cli("compare", *logs)
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "runs").rglob("result.json")} == written


@pytest.mark.long
def test_logs_of_different_tools_are_not_compared(cli, logs, tmp_path):
    done = cli("compare", logs[0], str(inspect("strong.eval", tmp_path)))
    assert done.returncode == 2
    assert "cannot be compared" in done.stderr


@pytest.mark.long
def test_other_tasks_in_a_folder_are_skipped_with_a_warning(cli, logs, tmp_path):
    other = tmp_path / "logs" / "strong" / logs[0].rpartition("/")[2].replace("_bbq_", "_arc_easy_")
    other.write_bytes(b"{}\n")
    done = cli("import", "logs", "-o", "runs")
    assert done.returncode == 0, done.stderr
    assert "Skipped:" in done.stderr
    assert len(list((tmp_path / "runs").iterdir())) == 2
