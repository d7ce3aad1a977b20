"""Another model behind the same URL: old answers are dated, `fresh` asks again, and nothing is lost on the way."""

import json
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import genderscope
from genderscope.core.errors import UserError
from genderscope.runs import without_earlier
from tests.support.chat_server import ChatServer
from tests.support.progress import stop_at

SATURDAY, MONDAY, TUESDAY = (f"2026-11-{day}T09:30:00+01:00" for day in (14, 16, 17))
ASKED = 16 * 6
OPTIONS: dict[str, Any] = {"data": "starter", "limit": 16, "controls": "none"}
AGE = "These answers were given on 14 November 2026; nothing was asked this time."


@pytest.fixture
def server():
    """A chat server whose model answers with the letter `server.letter`."""
    fake: Any = ChatServer(lambda body: f"({fake.letter})", delay=0)
    fake.letter = "a"
    with fake.running():
        yield fake


def letters(result):
    return Counter(reply.strip("()") for reply in result.rows["reply"])


def run(server, **more):
    return genderscope.evaluate("gest-chat", server.spec, out="run", **OPTIONS, **more)


def test_a_finished_run_says_when_its_answers_were_given(server, at):
    at(SATURDAY)
    first = run(server)
    assert (first.reused, first.asked, first.age) == (False, ("2026-11-14",), None)
    assert first.signature.endswith("|asked:2026-11-14")
    server.letter = "b"
    at(MONDAY)
    count = len(server.asked())
    again = run(server)
    assert len(server.asked()) == count, "nothing is asked"
    assert letters(again) == {"a": ASKED}
    assert (again.reused, again.asked, again.age) == (True, ("2026-11-14",), AGE)
    assert again.signature == first.signature
    assert AGE in repr(again)
    assert AGE in again._repr_html_()
    held = json.loads(again.to_json())
    assert (held["asked"], held["reused"]) == (["2026-11-14"], True)
    assert "These answers were given on 14 November 2026." in Path("run/report.html").read_text()


@pytest.mark.long
def test_every_command_about_a_finished_run_says_it_in_the_same_words(cli, server, at):
    at(SATURDAY)
    command = (
        "run",
        "gest-chat",
        "--model",
        server.spec,
        "--data",
        "starter",
        "--limit",
        "16",
        "--controls",
        "none",
        "--out",
        "run",
    )
    assert "answers were given" not in cli(*command).stdout
    at(MONDAY)
    assert f"\n{AGE} Use --fresh to ask again.\n" in cli(*command).stdout
    told = cli("show", "run").stdout
    assert f"\n{AGE} To ask again, add --fresh to: genderscope run gest-chat --model " in told
    assert json.loads(cli("show", "run", "--json").stdout)["reused"] is True
    assert json.loads(cli(*command, "--json").stdout)["asked"] == ["2026-11-14"]
    fresh = cli(*command, "--fresh")
    assert "The earlier run is kept in 'run.2026-11-14T0930'." in fresh.stderr
    assert "answers were given" not in fresh.stdout
    assert "--fresh" not in json.loads(Path("run/run.json").read_text())["command"], "the same command resumes it"


@pytest.mark.long
def test_fresh_asks_the_new_model_and_keeps_the_old_run(server, at):
    at(SATURDAY)
    run(server)
    server.letter = "b"
    at(MONDAY)
    fresh = run(server, fresh=True)
    assert letters(fresh) == {"b": ASKED}
    assert (fresh.reused, fresh.signature.rpartition("|")[2]) == (False, "asked:2026-11-16")
    old = genderscope.load_run("run.2026-11-14T0930")
    assert letters(old) == {"a": ASKED}
    at(TUESDAY)
    assert letters(run(server)) == {"b": ASKED}, "the same call without it finds the new run"
    compared = genderscope.compare("run.2026-11-14T0930", "run")
    assert not [caution for caution in compared.cautions if "asked" in caution], "the date is no difference in method"
    run(server, fresh=True)
    server.letter = "c"
    run(server, fresh=True)  # in the same minute
    assert sorted(path.name for path in Path().iterdir()) == [
        "run", "run.2026-11-14T0930", "run.2026-11-16T0930", "run.2026-11-17T0930",
    ]  # fmt: skip
    run(server, fresh=True)
    assert Path("run.2026-11-17T0930-2").is_dir()


@pytest.mark.long
def test_a_fresh_run_that_ends_early_is_resumed_without_fresh(server, at):
    at(SATURDAY)
    run(server)
    server.letter = "b"
    at(MONDAY)
    with pytest.raises(KeyboardInterrupt):
        run(server, fresh=True, progress=stop_at(40))
    assert letters(genderscope.load_run("run.2026-11-14T0930")) == {"a": ASKED}
    count = len(server.asked())
    resumed = run(server)
    assert letters(resumed) == {"b": ASKED}, "no old answer is mixed in"
    assert len(server.asked()) - count < ASKED, "and none of the new ones is asked twice"


def test_answers_of_several_days_are_dated_from_the_first_to_the_last(server, at):
    at(SATURDAY)
    with pytest.raises(KeyboardInterrupt):
        run(server, progress=stop_at(40))
    at(MONDAY)
    result = run(server)
    assert result.age == "These answers were given from 14 to 16 November 2026."
    assert result.asked == ("2026-11-14", "2026-11-16")
    assert result.signature.endswith("|asked:2026-11-14..2026-11-16")
    told = "The answers were given on several days (14 to 16 November 2026), between which the model may have changed."
    assert told in result.cautions
    assert run(server).reused, "another signature does not hide the run"


@pytest.mark.long
def test_a_server_that_is_down_costs_the_old_run_nothing(server, at):
    at(SATURDAY)
    run(server)
    spec = server.spec
    server.faults = ["503"] * 50
    with pytest.raises(UserError):
        genderscope.evaluate("gest-chat", spec.replace("127.0.0.1", "127.0.0.2"), out="run", fresh=True, **OPTIONS)
    assert [path.name for path in Path().iterdir()] == ["run"], "a run of another configuration is never renamed"
    gone = ChatServer()
    with gone.running():
        genderscope.evaluate("gest-chat", gone.spec, out="gone", **OPTIONS)
    with pytest.raises(UserError):
        genderscope.evaluate("gest-chat", gone.spec, out="gone", fresh=True, retries=0, **OPTIONS)
    assert genderscope.load_run("gone").reused
    assert not list(Path().glob("gone.*"))


def test_the_journal_knows_the_day_where_run_json_is_lost(server, at):
    at(SATURDAY)
    first = run(server)
    Path("run/run.json").unlink()
    at(MONDAY)
    result = run(server)
    assert (result.asked, result.signature) == (("2026-11-14",), first.signature)
    assert result.age == "These answers were given on 14 November 2026."


@pytest.mark.long
def test_where_the_journal_does_not_know_it_either_that_is_said(server, at):
    at(SATURDAY)
    run(server)
    Path("run/run.json").unlink()
    with sqlite3.connect("run/journal.sqlite") as journal:
        journal.execute("DROP TABLE notes")
    at(MONDAY)
    result = run(server)
    assert letters(result) == {"a": ASKED}
    assert result.asked == ("unknown",)
    assert result.signature.endswith("|asked:unknown")
    assert run(server).age == "The run does not record when its answers were given; nothing was asked this time."


def test_a_run_of_an_earlier_version_does_not_record_when(server, at):
    run(server)
    path = Path("run/run.json")
    content = {key: value for key, value in json.loads(path.read_text()).items() if key not in ("asked", "started")}
    path.write_text(json.dumps(content))
    assert run(server).age == "The run does not record when its answers were given; nothing was asked this time."
    assert json.loads(path.read_text()) == content, "a finished run stays as it is"


@pytest.mark.long
def test_walks_leave_out_an_earlier_run_and_a_path_names_it(cli, server, at):
    at(SATURDAY)
    genderscope.evaluate("gest-chat", server.spec, out="runs/one", **OPTIONS)
    at(MONDAY)
    genderscope.evaluate("gest-chat", server.spec, out="runs/one", fresh=True, **OPTIONS)
    told = cli("list", "runs").stdout
    assert "one.2026-11-14T0930 is an earlier run of one (give its folder to include it)" in " ".join(told.split())
    both = cli("list", "runs", "runs/one.2026-11-14T0930").stdout
    assert "gest-chat" in both
    compared = cli("compare", "runs/one.2026-11-14T0930", "runs/one")
    assert compared.returncode == 0, compared.stderr


@pytest.mark.long
def test_an_audit_says_what_it_reuses_and_from_when(cli, server, at):
    command: tuple[str, ...] = (
        "audit",
        "--model",
        server.spec,
        "--measure",
        "gest-chat",
        "--budget",
        "quick",
        "--offline",
    )
    command += (
        "--option",
        "gest-chat.data=starter",
        "--option",
        "gest-chat.limit=16",
        "--option",
        "gest-chat.controls=none",
        "--out",
        "audit",
    )
    at(SATURDAY)
    first = cli(*command)
    assert first.returncode == 0, first.stderr
    assert "eused" not in first.stderr + first.stdout
    server.letter = "b"
    at(MONDAY)
    again = cli(*command)
    assert "Reused: gest-chat (14 November 2026); not asked again. Use --fresh to ask again." in again.stderr
    assert "reused gest-chat (14 November 2026); asked this time: nothing. Use --fresh to ask again." in again.stdout
    assert json.loads(cli(*command, "--json").stdout)["models"][0]["results"]["gest-chat"]["reused"] is True
    planned = cli(*command, "--fresh", "--plan")
    assert "Asked again: gest-chat; the earlier runs are kept next to the new ones." in planned.stdout
    [model] = [path for path in Path("audit").iterdir() if path.is_dir()]
    assert [path.name for path in model.iterdir()] == ["gest-chat"], "a plan renames nothing"
    count = len(server.asked())
    fresh = cli(*command, "--fresh")
    assert fresh.returncode == 0, fresh.stderr
    assert len(server.asked()) - count == ASKED
    assert sorted(path.name for path in model.iterdir()) == ["gest-chat", "gest-chat.2026-11-14T0930"]
    assert letters(genderscope.load_run(model / "gest-chat")) == {"b": ASKED}
    found = genderscope.audit(server.spec, ["gest-chat"], "quick", offline=True, out="audit", fresh=True,
                              options={"gest-chat": OPTIONS})  # fmt: skip
    assert found.results["gest-chat"].asked == ("2026-11-16",)
    assert Path(found.folder, "gest-chat.2026-11-16T0930").is_dir()


@pytest.mark.long
def test_of_an_earlier_run_and_its_later_one_a_pattern_means_the_later(server, at):
    at(SATURDAY)
    for name in ("one", "two"):
        genderscope.evaluate("gest-chat", f"{server.spec}-{name}", out=f"runs/{name}", **OPTIONS)
    at(MONDAY)
    genderscope.evaluate("gest-chat", f"{server.spec}-one", out="runs/one", fresh=True, **OPTIONS)
    both = [genderscope.load_run(folder) for folder in sorted(Path("runs").iterdir())]
    assert [run.folder.name for run in both] == ["one", "one.2026-11-14T0930", "two"]
    assert [run.folder.name for run in without_earlier(both)] == ["one", "two"]
    assert len(without_earlier(both[1:2])) == 1, "an earlier run that is given by itself is wanted"
