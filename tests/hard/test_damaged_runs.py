"""Whatever becomes of a file of a run: every command says so in one sentence, and the run's own command rebuilds it."""

import json
import multiprocessing
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import genderscope
from genderscope.comparison import find_runs
from genderscope.core.errors import UserError
from genderscope.models import open_model
from genderscope.runs import Journal
from tests.shown_again import without_age

OPTIONS: dict[str, Any] = {"data": "starter", "limit": 32}


@pytest.fixture(scope="module")
def whole(tmp_path_factory, models):
    """A finished run and its model."""
    model = str(models("gpt2", "bytes"))
    return genderscope.evaluate("gest", model, out=tmp_path_factory.mktemp("whole") / "run", **OPTIONS), model


def changed(change):
    def damage(path):
        content = json.loads(path.read_bytes())
        change(content)
        path.write_text(json.dumps(content))

    return damage


def written(content):
    return lambda path: path.write_bytes(content)


def replaced(make):
    def damage(path):
        path.unlink()
        make(path)

    return damage


def cut(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def a_bit_flipped(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def a_digit_changed(path):
    text = path.read_text(encoding="utf-8")
    at = next(k for k, c in enumerate(text) if c in "1234567" and k > len(text) // 2)
    path.write_text(text[:at] + str(int(text[at]) + 1) + text[at + 1 :], encoding="utf-8")


ANY = {
    "empty": written(b""),
    "cut": cut,
    "garbage": written(bytes(range(256)) * 40),
    "zeros": written(bytes(5000)),
    "a folder": replaced(lambda path: (path / "x").mkdir(parents=True)),
    "a pipe": replaced(os.mkfifo),
}
JSON = {
    "null": written(b"null"),
    "a list": written(b"[1]"),
    "an empty object": written(b"{}"),
    "nested too deep": written(b"[" * 200_000),
    "not UTF-8": written(b'{"command": "\xff\xfe"}'),
}
DAMAGES = {
    "run.json": {
        **ANY,
        **JSON,
        "missing": Path.unlink,
        "no command": changed(lambda c: c.pop("command")),
        "model is text": changed(lambda c: c.update(model="gpt2")),
        "model has no name": changed(lambda c: c["model"].pop("name")),
        "configuration is a list": changed(lambda c: c.update(configuration=[])),
        "data is a number": changed(lambda c: c.update(data=3)),
        "versions is text": changed(lambda c: c.update(versions="new")),
    },
    "result.json": {
        **ANY,
        **JSON,
        "a digit": a_digit_changed,
        "no estimates": changed(lambda c: c.pop("estimates")),
        "an estimate is text": changed(lambda c: c["estimates"].__setitem__(0, "x")),
        "a value is text": changed(lambda c: c["estimates"][0].update(value="1.2")),
        "a name is missing": changed(lambda c: c["estimates"][0].pop("name")),
        "of another run": changed(lambda c: c.update(signature="gest|other")),
        "cautions are numbers": changed(lambda c: c.update(cautions=[1])),
        "checksums are a list": changed(lambda c: c.update(checksums=[1])),
    },
    "rows.parquet": {
        **ANY,
        "missing": Path.unlink,
        "a bit": a_bit_flipped,
        "other columns": lambda path: pd.DataFrame({"a": [1]}).to_parquet(path),
        "no rows": lambda path: pd.DataFrame({"unread": []}).to_parquet(path),
        "other types": lambda path: pd.read_parquet(path).astype(str).to_parquet(path),
        "other values": lambda path: pd.read_parquet(path).assign(log_ratio=0.0).to_parquet(path),
        "a CSV file": written(b"sample,unread\n1,\n"),
    },
}
CASES = [(name, how) for name, damages in DAMAGES.items() for how in damages]
#: what is no damage, or of a file that nobody needs to show the run
OTHERS = {**ANY, "missing": Path.unlink, "as it is": lambda path: None, "not for others": lambda path: path.chmod(0)}
OTHERS["without checksums"] = changed(lambda c: c.pop("checksums"))


#: one of each kind; all the others are noticed in the same place
EACH = [
    *(("run.json", how) for how in ("missing", "cut", "a folder")),
    *(("result.json", how) for how in ("a digit", "of another run", "a pipe")),
    *(("rows.parquet", how) for how in ("missing", "other values", "a folder")),
]


def commands(run, other):
    yield ("report", run)
    yield ("compare", other, run)
    yield ("gate", run, "--fail-if", "g_s > 9")
    yield ("figures", run)
    yield ("validity", other, run)
    yield ("reproduce", "honest", run)


@pytest.fixture
def damaged(whole, tmp_path):
    """Return a copy of the run with a file damaged."""

    def damage(name, how):
        copy = tmp_path / "run"
        shutil.copytree(whole[0].folder, copy)
        DAMAGES.get(name, OTHERS).get(how, OTHERS.get(how))(copy / name)
        return copy

    return damage


@pytest.mark.parametrize(("name", "how"), CASES, ids=[f"{n} {h}" for n, h in CASES])
def test_a_damaged_file_is_named_with_what_gives_it_back(whole, damaged, cli, name, how):
    run = damaged(name, how)
    done = cli("show", run)
    assert done.returncode == 2
    assert not done.stdout
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert f"{run}" in done.stderr
    assert name in done.stderr
    if (name, how) != ("run.json", "missing"):  # then nothing tells that this is a run
        assert "rebuild it from the 136 answers in the journal" in done.stderr
        assert f"is damaged ({name}: " in find_runs(run.parent).others["run"]


@pytest.mark.parametrize(("name", "how"), EACH, ids=[f"{n} {h}" for n, h in EACH])
def test_every_command_says_so_and_writes_nothing(whole, damaged, cli, name, how):
    run = damaged(name, how)
    said = cli("show", run).stderr
    for arguments in commands(run, whole[0].folder):
        done = cli(*arguments)
        assert (done.returncode, done.stdout, done.stderr) == (2, "", said), arguments
    assert not list(Path().iterdir()), "something was written"


@pytest.fixture
def again(whole, monkeypatch):
    """Give the command that made the run again, in this folder; the model may be asked or not."""

    def run(folder, asks=False):
        model = open_model(whole[1])
        if not asks:
            monkeypatch.setattr(model, "load", lambda: pytest.fail("the model was asked again"))
        return genderscope.evaluate("gest", model, out=folder, **OPTIONS)

    return run


def is_equal(found, result):
    assert without_age(found.to_json()) == without_age(result.to_json())
    pd.testing.assert_frame_equal(found.rows, result.rows)
    assert (found.folder / "rows.parquet").read_bytes() == (result.folder / "rows.parquet").read_bytes()
    # Which way the questions were asked stands in run.json only, and goes with it.
    pages = [
        re.sub(rb"<dt>Inference</dt>.*\n", b"", (run.folder / "report.html").read_bytes()) for run in (found, result)
    ]
    assert pages[0] == pages[1]
    assert without_age(genderscope.load_run(found.folder).to_json()) == without_age(result.to_json())


@pytest.mark.long_but("run.json cut", "result.json a digit")
@pytest.mark.parametrize(("name", "how"), EACH, ids=[f"{n} {h}" for n, h in EACH])
def test_the_command_that_made_the_run_rebuilds_it_without_asking(whole, damaged, again, name, how):
    run = damaged(name, how)
    is_equal(again(run), whole[0])
    kept = [path.name for path in run.iterdir() if "corrupt" in path.name]
    assert how == "missing" or f"{name}.corrupt-1" in kept


@pytest.mark.parametrize("how", ["cut", "a folder", "missing"])
def test_where_the_journal_is_lost_too_its_questions_are_asked_again(whole, damaged, again, how, cli):
    run = damaged("rows.parquet", "cut")
    {**ANY, "missing": Path.unlink}[how](run / "journal.sqlite")
    said = cli("show", run).stderr
    assert "journal" in said
    assert "without asking" not in said
    is_equal(again(run, asks=True), whole[0])


@pytest.mark.parametrize("how", ["missing", "cut", "a folder"])
def test_a_damaged_report_is_drawn_again(whole, damaged, again, how, caplog):
    run = damaged("report.html", how)
    is_equal(again(run), whole[0])
    assert "report.html' was damaged or missing and has been rewritten" in caplog.text


def test_a_folder_in_the_place_of_the_lock_is_set_aside(whole, damaged, again):
    run = damaged(".lock", "a folder")
    is_equal(again(run), whole[0])


def test_a_lost_configuration_is_not_taken_from_another_run(damaged, models):
    run = damaged("run.json", "cut")
    before = {path.name: path.read_bytes() for path in run.iterdir()}
    with pytest.raises(UserError, match=r"belongs to another run .* choose another folder with --out"):
        genderscope.evaluate("gest", str(models("llama", "bytes")), out=run, **OPTIONS)
    assert {
        path.name: path.read_bytes() for path in run.iterdir() if not path.name.endswith(("-shm", "-wal"))
    } == before


def test_a_result_beside_a_lost_configuration_is_not_taken_for_this_run(damaged, models):
    run = damaged("run.json", "missing")
    (run / "journal.sqlite").unlink()
    with pytest.raises(UserError, match="belongs to another run"):
        genderscope.evaluate("gest", str(models("llama", "bytes")), out=run, **OPTIONS)


def test_runs_of_before_there_were_checksums_are_read(damaged, whole, again):
    run = damaged("result.json", "without checksums")
    assert without_age(genderscope.load_run(run).to_json()) == whole[0].to_json()
    assert without_age(again(run).to_json()) == whole[0].to_json()


@pytest.mark.parametrize(
    "change",
    [
        lambda c: c["data"].pop("sha256"),
        lambda c: c.pop("versions"),
        lambda c: c.pop("data"),
    ],
    ids=["no checksum of the data", "no versions", "no data"],
)
def test_a_configuration_that_was_changed_by_hand_is_one_sentence(whole, damaged, cli, change):
    run = damaged("run.json", "as it is")
    changed(change)(run / "run.json")
    done = cli("compare", whole[0].folder, run)
    assert done.returncode == 2
    assert "was changed by hand" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_run_is_found_by_a_file_in_it(whole, cli):
    for name in ("report.html", "run.json", "result.json"):
        shown = cli("show", whole[0].folder / name, "--json").stdout
        assert without_age(shown).strip() == whole[0].to_json()


@pytest.mark.skipif(os.geteuid() != 0, reason="only a superuser can become someone who may not read a file")
@pytest.mark.parametrize("name", ["run.json", "result.json", "rows.parquet", "journal.sqlite", "."])
def test_what_may_not_be_read_is_one_sentence_and_stays(damaged, again, name):
    run = damaged(name, "not for others")
    os.chmod(run.parent, 0o755)  # noqa: PTH101
    context = multiprocessing.get_context("fork")
    said = context.Queue()
    process = context.Process(target=_as_nobody, args=(run, name, said))
    process.start()
    process.join(60)
    assert process.exitcode == 0
    sentence = said.get(timeout=10)
    assert "Permission denied" in sentence or "permission" in sentence
    assert not list(run.glob("*corrupt*"))


def _as_nobody(run, name, said):
    for folder in (*run.parents, run):
        if folder.stat().st_uid == 0 and folder != Path("/") and not folder.samefile("/tmp"):
            folder.chmod(folder.stat().st_mode | 0o055 if folder != run or name != "." else 0o000)
    os.setuid(65534)
    try:
        if name == "journal.sqlite":
            Journal(run / name)
        else:
            genderscope.load_run(run)
    except UserError as error:
        said.put(str(error))
