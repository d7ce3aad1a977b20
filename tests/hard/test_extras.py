"""Without an extra, every command that needs it says which one to install, in one sentence."""

import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from genderscope.core.errors import EXTRAS

#: hides packages as if they were not installed (from imports, from those who look for them, from the metadata), then
#: gives commands one after the other and tells how each ended
WITHOUT = textwrap.dedent(
    """
    import contextlib, io, json, sys
    from importlib.machinery import PathFinder

    hidden, commands = map(json.loads, sys.argv[1:])
    gone = lambda name: name.partition(".")[0].replace("-", "_").lower() in hidden

    class Without(PathFinder):
        @classmethod
        def find_spec(cls, name, path=None, target=None):
            return None if gone(name) else super().find_spec(name, path, target)

        @classmethod
        def find_distributions(cls, *context):
            return (d for d in super().find_distributions(*context) if not gone(d.metadata["Name"] or ""))

    sys.meta_path[:] = [Without if finder is PathFinder else finder for finder in sys.meta_path]
    from genderscope.cli.app import main

    for arguments in commands:
        sys.argv = ["genderscope", *arguments]
        said, code = io.StringIO(), 0
        with contextlib.redirect_stderr(said):
            try:
                main()
            except SystemExit as ended:
                code = ended.code
        print(json.dumps([code, said.getvalue()]))
    """
)
TRANSLATED = ("run", "gest-mt", "--to", "sk", "--data", "data.csv", "--model")
LOCAL = ("run", "gest", "--data", "starter", "--model")
#: extra -> commands that need it
NEED: dict[str, list[tuple[str, ...]]] = {
    "hf": [("demo",), (*LOCAL, "MODEL"), (*LOCAL, "hf:org/name"), (*LOCAL, "gguf:model.gguf")],
    "grammar": [
        (*TRANSLATED, "file:data.csv"),
        ("read", "speaker", "--lang", "sk", "lines.txt"),
        ("read", "speaker", "--lang", "ru", "lines.txt"),
        ("pairs", "check", "data.csv", "--lang", "sk"),
        ("pairs", "build", "--model", "file:data.csv", "--to", "sk", "--out", "pairs.csv"),
    ],
    "mt": [(*TRANSLATED, "ct2:MODEL")],
    "marian": [("run", "gest-mt", "--to", "pt", "--data", "data.csv", "--model", "marian:en-pt")],
    "server": [(*LOCAL, "server:http://127.0.0.1:9/v1#m"), (*LOCAL, "anthropic:m"), (*LOCAL, "gemini:m")],
    "deepl": [(*TRANSLATED, "deepl"), ("translate", "lines.txt", "--model", "deepl", "--to", "sk", "--out", "t.csv")],
    "google": [(*TRANSLATED, "google")],
    "amazon": [(*TRANSLATED, "amazon")],
    "mlflow": [(*LOCAL, "MODEL", "--log", "mlflow")],
    "tensorboard": [(*LOCAL, "MODEL", "--log", "tensorboard")],
    "wandb": [(*LOCAL, "MODEL", "--log", "wandb")],
}
#: extras that nothing fails without: a run does without them and says so; `ray` has its sentence in tests/engine,
#: `honest` in tests/honest
DONE_WITHOUT = {"wordfill", "dialogue", "ray", "honest"}


def without(packages, commands, folder):
    """Give the commands where these packages are missing; return exit code and complaint of each."""
    (folder / "MODEL").mkdir()
    header = "sentence,stereotype,source,translation,male,female"
    Path("data.csv").write_text(f"{header}\nI cried.,1,I cried.,Plakala som.,a,b\n")
    Path("lines.txt").write_text("Plakala som.\n")
    Path("model.gguf").write_bytes(b"GGUF")
    given = [[a.replace("MODEL", str(folder / "MODEL")) for a in arguments] for arguments in commands]
    command = [sys.executable, "-c", WITHOUT, json.dumps(packages), json.dumps(given)]
    environment = {**os.environ, "GENDERSCOPE_CACHE": str(folder / "none")}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_every_extra_is_walked_and_knows_its_packages():
    assert {*NEED, *DONE_WITHOUT} == set(EXTRAS)
    declared = Path(__file__).parents[2].joinpath("pyproject.toml").read_text()
    optional = declared.partition("[project.optional-dependencies]")[2].partition("\nall = ")[0]
    names = {name.replace("-", "_") for name in re.findall(r'"([a-z][\w-]*)>=', optional)}
    known = {package for brought in EXTRAS.values() for package in brought} | {"mlflow_skinny"}  # brings mlflow
    unknown = {name for name in names - known if not name.startswith("google_")}  # all of them are in `google`
    assert not unknown, "an extra brings a package that no sentence knows"


def test_a_missing_extra_is_one_sentence_that_names_it(tmp_path):
    commands = [(extra, command) for extra, given in NEED.items() for command in given]
    packages = [package for brought in EXTRAS.values() for package in brought]
    found = without(packages, [command for _, command in commands], tmp_path)
    for (extra, command), (code, said) in zip(commands, found, strict=True):
        assert code == 2, (command, said)
        assert len(said.splitlines()) == 1, said
        assert re.search(rf"needs? the package.*pip install '?genderscope\[{extra}\]", said), (command, said)


@pytest.mark.long_but("torch")
@pytest.mark.parametrize("package", ["torch", "tokenizers"])
def test_a_package_that_is_missing_alone_is_named(package, tmp_path):
    [(code, said)] = without([package], [(*LOCAL, "MODEL")], tmp_path)
    assert code == 2
    assert said.endswith(f"needs the package '{package}'; install it with: pip install 'genderscope[hf]'\n")
    assert len(said.splitlines()) == 1
