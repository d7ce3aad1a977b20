"""A finished run is shown again at once: without torch, but never for another model, other data or other options."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import genderscope
from genderscope.errors import UserError
from genderscope.runs import load_run

#: runs a command in a process that cannot import torch or transformers
WITHOUT_TORCH = (
    "import sys; sys.modules.update(torch=None, transformers=None); from genderscope.cli.app import main; main()"
)


def without_torch(*arguments):
    command = [sys.executable, "-c", WITHOUT_TORCH, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


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
    assert again.stdout == first.stdout


def test_any_other_run_needs_the_model(finished):
    model, command, _ = finished
    for other in (["--seed", 1], ["--limit", 24], ["--dtype", "bfloat16"], ["--rehash"]):
        assert without_torch(*command, *other).returncode != 0
    assert without_torch("run", "honest", "--model", model).returncode != 0


def test_weights_that_changed_are_another_model(finished, models):
    model, _, _ = finished
    options = {"data": "starter", "limit": 16, "out": "mine"}
    before = genderscope.evaluate("gest", str(model), **options)
    weights = model / "model.safetensors"
    changed = bytearray(weights.read_bytes())
    changed[-1] ^= 1
    weights.write_bytes(changed)
    with pytest.raises(UserError, match="holds a run with fingerprint"):
        genderscope.evaluate("gest", str(model), **options)
    assert load_run("mine").estimates.equals(before.estimates)


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
    assert "holds a run with data_sha256" in said.stderr


def test_a_damaged_result_is_rebuilt_as_ever(finished, cli):
    _, command, first = finished
    (folder,) = Path("runs").iterdir()
    (folder / "result.json").write_text("{")
    again = cli(*command)
    assert again.returncode == 0
    assert again.stdout == first.stdout
    assert "it is rebuilt" in again.stderr


BAD = {
    "--model /no/such/folder": "neither a model folder nor a hub id",
    "--model gguf:nothing": "There is no GGUF file at 'nothing'",
    "--model MODEL --dtype int3": "Unknown dtype 'int3'",
    "--model MODEL --device gpu!": "Unknown device 'gpu!'",
    "--model MODEL --limit 0": "--limit is 0",
    "--model MODEL --templates 9": "There is no template 9",
    "--model MODEL --data nothing.csv": "'nothing.csv' cannot be read",
    "--model server:nothing": "Which model of the server?",
}

#: runs `gest` with each line of its arguments, in a process that cannot import torch or transformers
EACH = """
import sys
sys.modules.update(torch=None, transformers=None)
from genderscope.cli.app import main
for line in sys.argv[1:]:
    sys.argv = ["genderscope", "run", "gest", *line.split()]
    try:
        main()
    except SystemExit as ended:
        print(ended.code, file=sys.stderr)
"""


def test_bad_input_is_told_before_torch_is_imported(finished):
    lines = [line.replace("MODEL", str(finished[0])) for line in BAD]
    done = subprocess.run([sys.executable, "-c", EACH, *lines], capture_output=True, text=True, check=False)
    told = done.stderr.splitlines()
    assert told[1::2] == ["2"] * len(BAD), done.stderr
    for line, sentence in zip(told[::2], BAD.values(), strict=True):
        assert sentence in line
