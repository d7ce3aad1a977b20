"""Shell completion: what it offers, and that it imports nothing large."""

import os
import subprocess
import sys

import pytest

LARGE = ("torch", "transformers", "pandas", "scipy", "numpy", "pyarrow", "ray")
CODE = f"""
import sys
from genderscope.cli.app import main
try: main()
finally: print([m for m in {LARGE!r} if m in sys.modules], file=sys.stderr)
"""


def complete(*words):
    line = {"COMP_WORDS": " ".join(["genderscope", *words]), "COMP_CWORD": str(len(words))}
    environment = os.environ | line | {"_GENDERSCOPE_COMPLETE": "complete_bash"}
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=False, env=environment)
    assert done.stderr.strip() == "[]"
    return done.stdout.split()


@pytest.mark.long_but("run gest-", "data fetch gest-p-")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("sc",), {"scorecard", "score"}),
        (("run", "gest"), {"gest", "gest-chat", "gest-mt", "gest-slavic"}),
        (("card", "wino"), {"winobias", "winomt"}),
        (("run", "gest", "--model", "g"), {"gguf:", "gemini:", "google"}),
        (("run", "gest", "--scale", ""), {"ratio", "log"}),
        (("run", "gest", "--data-"), {"--data-version"}),
        (("run", "gest-mt", "--to", "sk,c"), {"sk,ca", "sk,cs"}),
        (("read", "speaker", "--lang", "s"), {"sk", "sl", "sr", "sv"}),
        (("data", "fetch", "gest-p"), {"gest-predictions", "gest-pairs"}),
        (("show", "runs/a", "--format", "m"), {"markdown"}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_names_are_completed(words, expected):
    assert set(complete(*words)) == expected


@pytest.mark.long
def test_runs_are_completed(tmp_path):
    for run in ("runs/one", "runs/deep/two", "audit/quick/gpt2/gest", "elsewhere/three"):
        folder = tmp_path / "work" / run
        folder.mkdir(parents=True)
        (folder / "run.json").touch()
    (tmp_path / "work" / "runs" / "no-run").mkdir()
    assert complete("compare", "") == ["audit/quick/gpt2/gest", "runs/deep/two", "runs/one"]
    assert complete("show", "runs/d") == ["runs/deep/two"]
    assert complete("show", "elsewhere/") == ["elsewhere/three"]
