"""A finished run is shown at once, without torch or pandas, but never for another model, other data or options."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import genderscope
from genderscope.core.errors import UserError
from genderscope.runs import load_run
from tests.shown_again import without_age

#: runs a command in a process that can import neither torch and transformers nor what reads the rows
WITHOUT_TORCH = (
    "import sys; sys.modules.update(torch=None, transformers=None, pandas=None, pyarrow=None, scipy=None); "
    "from genderscope.cli.app import main; main()"
)


def without_torch(*arguments):
    command = [sys.executable, "-c", WITHOUT_TORCH, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


#: runs one command after the other in such a process, and tells how each ended and what it complained of
EACH = """
import contextlib, io, json, sys
sys.modules.update(torch=None, transformers=None)
from genderscope.cli.app import main
for arguments in json.loads(sys.argv[1]):
    sys.argv = ["genderscope", *arguments]
    said, code = io.StringIO(), 0
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
        try:
            main()
        except SystemExit as ended:
            code = ended.code or 0
        except BaseException as error:
            code = repr(error)
    print(json.dumps([code, said.getvalue()]))
"""


def each_without_torch(commands):
    command = [sys.executable, "-c", EACH, json.dumps([list(map(str, arguments)) for arguments in commands])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture
def finished(models, tmp_path, cli):
    """A model's folder of its own, and the command whose run in it is finished."""
    model = shutil.copytree(models("gpt2", "bytes"), tmp_path / "model")
    command = ["run", "gest", "--model", model, "--data", "starter", "--limit", 16]
    return model, command, cli(*command)


@pytest.mark.parametrize("out", [[], ["--out", "mine"]])
def test_it_is_shown_without_torch(finished, cli, monkeypatch, out):
    _, command, _ = finished
    monkeypatch.setenv("COLUMNS", "100")
    first = cli(*command, *out)
    again = without_torch(*command, *out)
    assert (again.returncode, again.stderr) == (0, "")
    assert "; nothing was asked this time. Use --fresh to ask again.\n" in again.stdout
    assert without_age(again.stdout) == without_age(first.stdout)


def test_it_is_shown_where_the_device_is_not(finished, cli):
    _, command, first = finished
    for device in ("cuda", "mps"):
        again = cli(*command, "--device", device)
        assert (again.returncode, without_age(again.stdout)) == (0, first.stdout), again.stderr


@pytest.fixture
def audited(finished, cli, monkeypatch):
    """The command of an audit that is finished, of a model that the recipe calls by another name, and what it said."""
    model, _, _ = finished
    monkeypatch.setenv("COLUMNS", "100")
    Path("audit.toml").write_text(
        f'models = [{{ spec = "{model}", name = "mine" }}]\nmeasures = ["gest", "gest-chat", "gest-mt"]\n'
        'budget = "quick"\noffline = true\nout = "out"\n[options.gest]\ndata = "starter"\n',
        encoding="utf-8",
    )
    command = ["audit", "-c", "audit.toml"]
    return command, cli(*command)


@pytest.mark.long
def test_an_audit_is_shown_without_torch(audited):
    command, first = audited
    written = {path: path.read_bytes() for path in Path("out").iterdir() if path.is_file()}
    again = without_torch(*command)
    assert (again.returncode, without_age(again.stdout)) == (0, first.stdout), again.stderr
    assert {path: path.read_bytes() for path in written} == written

    def told(done):
        return [line for line in done.stderr.splitlines() if line.startswith("Left out: ")]

    assert told(again) == told(first)
    assert len(told(first)) == 2, "it neither chats nor translates"


@pytest.mark.long
def test_what_an_audit_lacks_is_asked_of_the_model(audited, cli):
    command, first = audited
    Path("out/mine/gest/result.json").unlink()
    assert without_torch(*command).returncode != 0
    again = cli(*command)
    assert (again.returncode, again.stdout) == (0, first.stdout)
    assert "gest: 0 of " in again.stderr, "its answers are in the journal"


@pytest.mark.long
def test_runs_are_listed_and_a_lone_one_is_ranked_without_pandas(audited):
    for command in (["list", "runs", "out"], ["scorecard", "out"], ["show", "out/mine/gest"]):
        done = without_torch(*command)
        assert (done.returncode, done.stderr) == (0, ""), command
        assert "mine" in done.stdout


@pytest.mark.long
def test_any_other_run_needs_the_model(finished):
    model, command, _ = finished
    others = [[*command, *other] for other in (["--seed", 1], ["--limit", 24], ["--dtype", "bfloat16"], ["--rehash"])]
    others.append(["run", "honest", "--model", model])
    *told, itself = each_without_torch([*others, command])
    assert len(told) == len(others)
    assert all(code != 0 for code, _ in told), told
    assert itself == [0, ""], "the run itself does not need it"


def test_weights_that_changed_are_another_model(finished, models):
    model, _, _ = finished
    options: dict[str, Any] = {"data": "starter", "limit": 16, "out": "mine"}
    before = genderscope.evaluate("gest", str(model), **options)
    weights = model / "model.safetensors"
    changed = bytearray(weights.read_bytes())
    changed[-1] ^= 1
    weights.write_bytes(changed)
    with pytest.raises(UserError, match="contains a run with fingerprint"):
        genderscope.evaluate("gest", str(model), **options)
    assert load_run("mine").estimates.equals(before.estimates)


@pytest.mark.long
def test_data_that_changed_are_other_data(finished, cli, tmp_path):
    model, _, _ = finished
    data = tmp_path / "own.csv"
    data.write_text("sentence,stereotype\nI cried a lot.,1\nI fixed the car.,8\n")
    command = ["run", "gest", "--model", model, "--data", data, "--out", "own"]
    cli(*command)
    assert without_torch(*command).returncode == 0
    data.write_text("sentence,stereotype\nI cried a lot.,1\nI mended the car.,8\n")
    said = without_torch(*command)
    assert said.returncode == 2
    assert "contains a run with data_sha256" in said.stderr


def test_a_damaged_result_is_rebuilt_as_ever(finished, cli):
    _, command, first = finished
    (folder,) = Path("runs").iterdir()
    (folder / "result.json").write_text("{")
    again = cli(*command)
    assert again.returncode == 0
    assert again.stdout == first.stdout
    assert "rebuilding it" in again.stderr


BAD = {
    "--model /no/such/folder": "neither a model folder nor a hub id",
    "--model gguf:nothing": "There is no GGUF file at 'nothing'",
    "--model MODEL --dtype int3": "Unknown dtype 'int3'",
    "--model MODEL --device gpu!": "Unknown device 'gpu!'",
    "--model MODEL --limit 0": "--limit is 0",
    "--model MODEL --templates 9": "There is no template 9",
    "--model MODEL --data nothing.csv": "'nothing.csv' cannot be read",
    "--model server:nothing": "Name a model on the server:",
}


@pytest.mark.long
def test_bad_input_is_told_before_torch_is_imported(finished):
    lines = [["run", "gest", *line.replace("MODEL", str(finished[0])).split()] for line in BAD]
    told = each_without_torch(lines)
    assert [code for code, _ in told] == [2] * len(BAD), told
    for (_, said), sentence in zip(told, BAD.values(), strict=True):
        assert sentence in said
        assert len(said.splitlines()) == 1
