"""Commands that take runs also take logs."""

import json

import pytest

from tests.importing.logs import lm_eval


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


def test_the_report_and_the_tables_show_the_numbers_of_the_tool(cli, logs, tmp_path):
    cli("import", logs[0], "-o", "runs/strong")
    page = (tmp_path / "runs/strong/report.html").read_text(encoding="utf-8")
    markdown = cli("show", "runs/strong", "-f", "markdown").stdout
    for text in (page, markdown):
        assert "disamb_bias_score_Gender_identity" in text.replace("\\_", "_").replace("<wbr>", "")


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
