"""Whatever becomes of a file of a run: every command says so in one sentence, and the run's own command rebuilds it."""

import json
import os
import shutil
from pathlib import Path

import pandas as pd
import pytest

import genderscope
from genderscope.errors import UserError
from genderscope.models.spec import open_model

OPTIONS = {"data": "starter", "limit": 32}


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


def commands(run, other):
    yield ("show", run)
    yield ("show", run, "--format", "latex", "-o", "table.tex")
    yield ("report", run)
    yield ("compare", other, run)
    yield ("gate", run, "--fail-if", "g_s > 9")
    yield ("figures", run)
    yield ("validity", other, run)


@pytest.fixture
def damaged(whole, tmp_path):
    """Return a copy of the run with a file damaged."""

    def damage(name, how):
        copy = tmp_path / "run"
        shutil.copytree(whole[0].folder, copy)
        DAMAGES[name][how](copy / name)
        return copy

    return damage


@pytest.mark.parametrize(("name", "how"), CASES, ids=[f"{n} {h}" for n, h in CASES])
def test_every_command_says_in_one_sentence_what_is_damaged(whole, damaged, cli, name, how):
    run = damaged(name, how)
    for arguments in commands(run, whole[0].folder):
        done = cli(*arguments)
        assert done.returncode == 2, (arguments, done)
        assert len(done.stderr.splitlines()) == 1, done.stderr
        assert str(run) in done.stderr
        assert name in done.stderr
        assert (how == "missing" and name == "run.json") or "the 64 answers in the journal" in done.stderr
        assert not done.stdout
    assert not list(Path().iterdir()), "something was written"
    board = cli("leaderboard", run.parent)
    assert board.returncode == 0, board.stderr
    assert (f"cannot be read ({name} is damaged" in board.stdout) or how == "missing"
    with pytest.raises(UserError):
        genderscope.load_run(run)


@pytest.mark.parametrize(("name", "how"), CASES, ids=[f"{n} {h}" for n, h in CASES])
def test_the_command_that_made_the_run_rebuilds_it_without_asking(whole, damaged, monkeypatch, name, how):
    result, spec = whole
    run = damaged(name, how)
    model = open_model(spec)
    monkeypatch.setattr(model, "load", lambda: pytest.fail("the model was asked again"))
    again = genderscope.evaluate("gest", model, out=run, **OPTIONS)
    assert again.to_json() == result.to_json()
    pd.testing.assert_frame_equal(again.rows, result.rows)
    for kept in ("rows.parquet", "report.html"):
        assert (run / kept).read_bytes() == (result.folder / kept).read_bytes()
    assert genderscope.load_run(run).to_json() == result.to_json()
