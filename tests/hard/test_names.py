"""A name is text, whatever it holds: in every view and every command it is shown letter by letter."""

import json
import re
from pathlib import Path

import pytest

import genderscope
from genderscope.measures import MEASURES
from genderscope.report import SafeConsole
from tests.report.examples import result, save
from tests.shown_again import without_age

#: markup that would crash, style or vanish, an emoji code, a link, an escape sequence, a letter that no UTF-8 has
NAME = "pairs[v2][/x][red] :100: [link=x]y[/link] \\[z] 'q' \udcff"
SHOWN = NAME.replace("\udcff", "\ufffd")
ROOT = Path(genderscope.__file__).parent


def named(measure, folder, model, seed=0):
    """A finished run whose model, data and options have such names."""
    found = result(measure, f"{model}{NAME}", seed)
    found.config["data"]["name"] = NAME
    found.config["versions"] = {"genderscope": "0.1.0"}
    found.config["settings"] = {"set": NAME}
    return save(found, folder)


@pytest.fixture
def flat(monkeypatch):
    """Tables wide enough that no name is folded."""
    made = SafeConsole.__init__
    monkeypatch.setattr(SafeConsole, "__init__", lambda self, **o: made(self, **{**o, "width": 1000}))


@pytest.mark.long_but("gest", "honest", "gate")
@pytest.mark.parametrize("measure", MEASURES)
def test_every_view_shows_a_name_as_it_is(measure, tmp_path, cli, flat):
    run = named(measure, tmp_path / NAME.replace("/", "|").encode(errors="replace").decode(), "m")
    done = cli("show", run)
    assert done.returncode == 0, done.stderr
    assert f"m{SHOWN} on {SHOWN}" in done.stdout
    done = cli("show", run, "--format", "table", "-o", "table.txt")
    assert done.returncode == 0, done.stderr
    assert f"m{SHOWN} · {SHOWN}" in Path("table.txt").read_text(encoding="utf-8")


@pytest.mark.long
def test_every_command_about_runs_shows_a_name_as_it_is(tmp_path, cli, flat):
    runs = [named("gest", tmp_path / "runs" / f"[/{k}] :{k}00:".replace("/", "|"), f"m{k}", k) for k in range(3)]
    others = [named("winobias", tmp_path / "other" / str(k), f"m{k}", k) for k in range(3)]
    for arguments in (
        ("compare", *runs[:2], "--fail-if", "g_s > 99"),
        ("scorecard", tmp_path / "runs"),
        ("validity", *runs, *others, "--plot", "plot[red] :100:.svg"),
        ("report", *runs, "-o", "report[red] :100:.html"),
        ("figures", *runs[:1], "-o", "figures[red] :100:"),
    ):
        done = cli(*arguments)
        assert done.returncode == 0, (arguments, done.stderr)
        if arguments[0] in {"compare", "scorecard", "validity"}:
            assert f"m0{SHOWN}" in done.stdout, arguments[0]
        if arguments[0] in {"report", "figures"}:
            assert "[red] :100:" in done.stdout
    assert Path("plot[red] :100:.svg").is_file()


def test_errors_quote_a_name_as_it_is(cli):
    for arguments in (
        ("show", NAME),
        ("run", "gest-mt", "--model", f"file:{NAME}", "--to", "sk", "--data", "starter"),
        ("run", "gest", "--model", NAME),
        ("list", NAME),
        ("data", "fetch", NAME),
        ("translate", NAME, "--model", "deepl", "--to", "sk", "--out", "x.csv"),
        ("pairs", "check", NAME),
    ):
        done = cli(*arguments)
        assert done.returncode == 2
        assert SHOWN in done.stderr, (arguments, done.stderr)
        assert len(done.stderr.splitlines()) == 1


def test_a_run_on_data_with_such_a_name_is_kept_and_found_again(models, cli):
    data = NAME.replace("/", "|")
    Path(data).write_text("sentence,stereotype\n" + "".join(f"I led {k}.,{k}\n" for k in range(1, 17)))
    arguments = ("run", "gest", "--model", models("gpt2", "bytes"), "--data", data, "--out", "run[v2]")
    first, second = cli(*arguments), cli(*arguments)
    assert first.returncode == 0, first.stderr
    assert first.stdout == without_age(second.stdout)
    assert SHOWN.replace("/", "|") in first.stdout
    assert json.loads(Path("run[v2]/run.json").read_bytes().decode("utf-8"))["data"]["name"] == data
    assert genderscope.load_run("run[v2]").config["data"]["name"] == data


def test_nothing_is_printed_on_another_kind_of_console():
    """One place makes consoles; who made another would have to escape every name."""
    for path in ROOT.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert re.search(r"\b(Console|from_markup|rprint)\(|markup=True", text) is None, path
