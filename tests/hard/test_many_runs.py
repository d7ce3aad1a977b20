"""One unfinished or damaged run never blocks a command over many: it is skipped and counted."""

import shutil
from pathlib import Path

import pytest

import genderscope


@pytest.fixture
def runs(models, tmp_path, monkeypatch):
    """Folders of three finished runs, an unfinished and a damaged one, and one that holds no run."""
    monkeypatch.chdir(tmp_path)
    measured = {"gpt2": "bytes", "bert": "wordpiece-cased"}
    for name, tokenizer in measured.items():
        genderscope.evaluate("gest", str(models(name, tokenizer)), data="starter", limit=16, out=f"runs/{name}")
    shutil.copytree("runs/gpt2", "runs/again")
    shutil.copytree("runs/gpt2", "runs/half")
    Path("runs/half/result.json").unlink()
    shutil.copytree("runs/gpt2", "runs/torn")
    Path("runs/torn/rows.parquet").write_bytes(b"torn")
    Path("runs/notes").mkdir()
    return [f"runs/{name}" for name in ("again", "gpt2", "half", "notes", "torn")]


SENTENCE = (
    "Skipped 2 of 4 runs: runs/half is not finished (resume it with: genderscope.evaluate('gest', model=…)), "
    "runs/torn is damaged (rows.parquet: its checksum does not match; 'genderscope show runs/torn' explains how to "
    "repair it)."
)


def skipped(stderr):
    """The one sentence, with the command of the run cut short."""
    (line,) = stderr.splitlines()
    before, _, rest = line.partition("model='")
    return f"{before}model=…{rest[rest.index(')') :]}"


@pytest.mark.long_but("pool RUNS")
@pytest.mark.parametrize(
    "command",
    ["report RUNS --out page.html", "figures RUNS --out figures", "pool RUNS", "compare RUNS", "reproduce honest RUNS"],
)
def test_it_is_skipped_and_counted_in_one_sentence(runs, cli, command):
    arguments = [each for word in command.split() for each in (runs if word == "RUNS" else [word])]
    done = cli(*arguments)
    if command.startswith("reproduce"):  # which has nothing to do with runs of gest
        assert skipped(done.stderr.splitlines()[0]) == SENTENCE
        return
    assert done.returncode == 0, done.stderr
    assert skipped(done.stderr) == SENTENCE


@pytest.mark.long
def test_so_it_is_where_folders_are_searched(runs, cli):
    done = cli("scorecard", "runs")
    assert done.returncode == 0, done.stderr
    assert skipped(done.stderr) == SENTENCE.replace("2 of 4", "2 of 5").replace("runs/half is", "half is").replace(
        "runs/torn is", "torn is"
    )


def test_a_listing_lists_them_all(runs, cli):
    done = cli("list", "runs", "runs")
    assert (done.returncode, done.stderr) == (0, "")
    assert "half is not finished" in done.stdout
    assert "torn is damaged (rows.parquet: its checksum does not match)" in done.stdout


@pytest.mark.long_but("show runs/half-*", "gate runs/half *")
@pytest.mark.parametrize(
    ("command", "sentence"),
    {
        "report runs/half": "is not finished",
        "report runs/half runs/torn": "The run in 'runs/half' is not finished",
        "report runs/gpt2 runs/typo": "There is no run in 'runs/typo'",
        "pool runs/gpt2 runs/half": "The run in 'runs/half' is not finished",
        "validity runs/torn runs/half runs/gpt2": "rows.parquet' is damaged",
        "compare runs/half runs/gpt2 runs/again": "The run in 'runs/half' is not finished",
        "compare runs/gpt2 runs/again runs/half --fail-if g_s>9": "The run in 'runs/half' is not finished",
        "gate runs/half --fail-if g_s>9": "is not finished",
        "show runs/half": "is not finished",
        "scorecard runs/notes": "There is no finished run in 'runs/notes'",
        "list runs runs/notes": "There is no run in 'runs/notes'",
    }.items(),
)
def test_what_the_command_is_about_is_never_skipped(runs, cli, command, sentence):
    done = cli(*command.split())
    assert done.returncode == 2
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.long
def test_many_are_counted_and_a_few_named(runs, cli):
    more = [str(shutil.copytree("runs/half", f"runs/half-{k}")) for k in range(9)]
    done = cli("report", "runs/gpt2", *more, "--out", "page.html")
    assert done.returncode == 0
    assert done.stderr.startswith("Skipped 9 of 10 runs: runs/half-0 is not finished")
    assert done.stderr.endswith(", and 4 more.\n")
