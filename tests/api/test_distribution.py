"""The action and the image: their shape is as their readers want it, and their shell runs here as it stands."""

import os
import re
import shlex
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest
import yaml

from genderscope.judgement import short_verdict
from genderscope.report import number
from genderscope.version import __version__
from tests.prepared_program import prepared_program
from tests.support.viewer import configured, finish

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"] if "run" in step}

#: what is uploaded, below the folder of the run
ARTIFACTS = re.findall(r"/(\*\*/\S+)", ACTION["runs"]["steps"][-1]["with"]["path"])

SENTENCES = [
    ("I was crying.", 1, "plakala"),
    ("I tidied up.", 4, "upratala"),
    ("I led them.", 13, "viedol"),
    ("I lifted it.", 16, "zdvihol"),
]


def test_the_action_is_shaped_as_github_wants_it():
    assert {"name", "description", "inputs", "runs"} <= set(ACTION)
    assert ACTION["runs"]["using"] == "composite"
    for name, given in ACTION["inputs"].items():
        assert given["description"], name
        assert isinstance(given["default"], str), name
    for step in ACTION["runs"]["steps"]:
        assert ("run" in step) != ("uses" in step)
        if "uses" in step:
            assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", step["uses"])
        else:
            assert step["shell"] == "bash", step["name"]
            # What a user gives reaches the shell by the environment alone: in the script it would be run.
            assert "${{" not in step["run"], step["name"]
    used = set(re.findall(r"inputs\.([\w-]+)", (ROOT / "action.yml").read_text(encoding="utf-8")))
    assert used == set(ACTION["inputs"])


@pytest.fixture
def shell(tmp_path):
    """Run a script with this Python's genderscope, and with programs that only tell how they were called."""
    programs = tmp_path / "bin"
    programs.mkdir()
    called = tmp_path / "called"
    scripts = {name: f'echo {name} "$@" >> {shlex.quote(str(called))}' for name in ("pip", "useradd")}
    scripts["python"] = f'exec {shlex.quote(sys.executable)} "$@"'
    for name, script in scripts.items():
        (programs / name).write_text(f"#!/bin/sh\n{script}\n")
        (programs / name).chmod(0o755)
    environment = os.environ | {"PATH": os.pathsep.join([str(programs), os.environ["PATH"]])}

    def run(*command, **more):
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment | more)
        calls = called.read_text().splitlines() if called.exists() else []
        called.unlink(missing_ok=True)
        return done, calls

    with prepared_program(programs / "genderscope"):
        yield run


def step(shell, name, environment=None, **inputs):
    """Run a step as the runner does: bash that stops at the first failure, inputs in the environment."""

    def given(match):
        return inputs.get(match[1].replace("-", "_"), ACTION["inputs"][match[1]]["default"])

    told = {key: re.sub(r"\$\{\{ inputs\.([\w-]+) }}", given, value) for key, value in STEPS[name]["env"].items()}
    Path("summary.md").touch()
    bash = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c")
    return shell(*bash, STEPS[name]["run"], GITHUB_STEP_SUMMARY="summary.md", **told | (environment or {}))


def test_the_action_installs_what_it_is_told_to(shell):
    done, calls = step(shell, "Install", version="0.2.0", extras="grammar,hf")
    assert done.returncode == 0, done.stderr
    cpu, own = calls
    assert cpu.startswith("pip install torch --index-url https://")
    assert own == "pip install genderscope[grammar,hf]==0.2.0"
    assert step(shell, "Install", extras="grammar")[1] == ["pip install genderscope[grammar]"]
    assert step(shell, "Install", torch="default")[1] == ["pip install genderscope[hf,grammar]"]


@pytest.mark.long
def test_the_action_audits_by_a_recipe_and_its_gates_decide(shell):
    pytest.importorskip("simplemma", reason="the dictionaries are an extra: pip install 'genderscope[grammar]'")
    Path("data.csv").write_text("sentence,stereotype\n" + "".join(f"{s},{i}\n" for s, i, _ in SENTENCES))
    Path("said.csv").write_text("source,translation\n" + "".join(f"{s},Včera som {v}.\n" for s, _, v in SENTENCES))
    Path("my recipe.toml").write_text(
        'models = ["file:said.csv"]\nmeasures = ["gest-mt"]\n[options.gest-mt]\nto = ["sk"]\ndata = "data.csv"\n'
        '[gates]\ngest-mt = ["stereotype_rate < 0", "stereotype_rate > 0.5"]\n'
    )
    given = {"recipe": "my recipe.toml", "arguments": "--offline --jobs 1", "out": "it's"}
    failed, _ = step(shell, "Measure", **given)
    assert failed.returncode == 3, failed.stderr
    assert "Gate failed: file:said.csv, gest-mt: stereotype_rate > 0.5" in failed.stderr
    assert "Passed: stereotype_rate ≥ 0" in failed.stdout
    assert STEPS["Summary"]["if"] == "always()", "what a gate has stopped is what one wants to read"
    assert step(shell, "Summary", **given)[0].returncode == 0
    assert "stereotype\\_rate" in Path("summary.md").read_text(encoding="utf-8")
    kept = {path.name for pattern in ARTIFACTS for path in Path("it's").glob(pattern)}
    assert kept == {"scorecard.html", "report.html", "result.json"}
    assert step(shell, "Gates", **given)[0].returncode == 0, "those of the recipe were held already"
    doubled, _ = step(shell, "Gates", **given, fail_if="stereotype_rate > 9")
    assert doubled.returncode == 2
    assert "The gates of a recipe stand in the recipe" in doubled.stdout


@pytest.mark.long
def test_the_action_comments_on_the_pull_request_and_updates_its_comment(shell, tmp_path):
    found = configured("gest", "my/model", n=32)
    finish(Path("it's"), found)
    gh = tmp_path / "bin" / "gh"
    gh.write_text('#!/bin/bash\ncase "$*" in *--paginate*) cat comments;; *) printf "%s\\n" "$@" > call;; esac\n')
    gh.chmod(0o755)
    Path("comments").write_text("7 Looks good to me.\n")
    given = {"out": "it's", "comment": "true"}
    pull = {"REPOSITORY": "me/mine", "NUMBER": "3"}
    assert step(shell, "Comment", **given, environment=pull)[0].returncode == 0
    text = Path("it's/comment.md").read_text(encoding="utf-8")
    assert text.startswith("<!-- genderscope: genderscope -->\n")
    rate, verdict = number(found.estimate("stereotype_rate").value), short_verdict(found.judgements[0])
    for expected in ("my/model", "gest", rate, verdict):
        assert expected in text
    posted = Path("call").read_text().splitlines()
    assert posted == ["api", "repos/me/mine/issues/3/comments", "-F", "body=@it's/comment.md", "--silent"]
    Path("comments").write_text("7 Looks good to me.\n8 <!-- genderscope: genderscope -->\r\n")
    assert step(shell, "Comment", **given, environment=pull)[0].returncode == 0
    updated = Path("call").read_text().splitlines()
    assert updated[:4] == ["api", "--method", "PATCH", "repos/me/mine/issues/comments/8"]
    Path("call").unlink()
    done, _ = step(shell, "Comment", **given, environment=pull | {"NUMBER": ""})
    assert "This is not a pull request; the comment is in it's/comment.md." in done.stdout
    assert not Path("call").exists()
    gh.write_text("#!/bin/sh\nexit 1\n")
    refused, _ = step(shell, "Comment", **given, environment=pull)
    assert refused.returncode == 0
    assert "pull-requests: write" in refused.stdout
    unfinished, _ = step(shell, "Comment", out="nowhere", environment=pull)
    assert unfinished.returncode == 0
    assert "There is no finished run to comment on." in unfinished.stdout


@pytest.mark.long
def test_the_action_measures_checks_and_sums_up(shell):
    pytest.importorskip("simplemma", reason="the dictionaries are an extra: pip install 'genderscope[grammar]'")
    Path("data.csv").write_text("sentence,stereotype\n" + "".join(f"{s},{i}\n" for s, i, _ in SENTENCES))
    Path("said.csv").write_text("source,translation\n" + "".join(f"{s},Včera som {v}.\n" for s, _, v in SENTENCES))
    given = {"measure": "gest-mt", "model": "file:said.csv", "arguments": "--to sk --data 'data.csv'", "out": "it's"}
    done, _ = step(shell, "Measure", **given)
    assert done.returncode == 0, done.stderr
    assert Path("it's", "report.html").exists()
    assert step(shell, "Summary", **given)[0].returncode == 0
    assert "stereotype\\_rate" in Path("summary.md").read_text(encoding="utf-8")
    failed, _ = step(shell, "Gates", **given, fail_if="stereotype_rate < 0\n\nstereotype_rate > 0.5\n")
    assert failed.returncode == 3
    assert "Passed: stereotype_rate ≥ 0" in failed.stdout
    assert "stereotype_rate > 0.5" in failed.stdout
    assert step(shell, "Gates", **given)[0].returncode == 0
    wrong, _ = step(shell, "Measure", measure="gest-mtt", model="file:said.csv")  # and no argument
    assert "gest-mtt" in wrong.stderr
    missing, _ = step(shell, "Measure", measure="gest")
    assert missing.returncode == 2
    assert "Give the input recipe, or the inputs measure and model." in missing.stdout


@pytest.mark.parametrize("arguments", ["--to sk --system it's --seed 7", '--to "sk --seed 7', "--to sk\\"])
def test_the_action_refuses_arguments_with_an_open_quote(shell, arguments):
    failed, _ = step(shell, "Measure", measure="gest-mt", model="file:said.csv", arguments=arguments)
    assert failed.returncode == 2
    assert failed.stdout.startswith("::error::The input arguments is not quoted as a shell expects")
    assert arguments in failed.stdout
    assert not Path("runs").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("", []),
        (" \n ", []),
        ("--seed 7\n  --to 'sk,cs'", ["--seed", "7", "--to", "sk,cs"]),
        (
            """--system "it's" --data 'my data.csv' --note ''""",
            ["--system", "it's", "--data", "my data.csv", "--note", ""],
        ),
        (r"--data $HOME --note `id` --where a\ b", ["--data", "$HOME", "--note", "`id`", "--where", "a b"]),
    ],
)
def test_the_action_passes_on_every_word_of_its_arguments_and_runs_none(shell, tmp_path, arguments, words):
    told = tmp_path / "bin" / "genderscope"
    told.unlink()
    told.write_text("#!/bin/sh\nprintf '%s\\0' \"$@\" > words\n")
    told.chmod(0o755)
    done, _ = step(shell, "Measure", measure="gest", model="smollm2", arguments=arguments)
    assert done.returncode == 0, done.stderr
    expected = ["run", "gest", "--model", "smollm2", "--out", "runs/genderscope", *words]
    assert Path("words").read_text().split("\0")[:-1] == expected


def instructions():
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    return [line.split(maxsplit=1) for line in lines if line and not line.startswith("#")]


@pytest.mark.long
def test_the_image_is_built_by_a_script_that_runs(shell):
    runs = [words for name, words in instructions() if name == "RUN"]
    assert all(words.startswith("/opt/genderscope/docker/install.sh ") for words in runs)
    called = []
    for words in runs:
        command = words.replace("/opt/genderscope/docker", str(ROOT / "docker")).replace('"$EXTRAS"', "hf,grammar")
        done, calls = shell("sh", "-c", command)
        assert done.returncode == 0, done.stderr
        called += calls
    torch, own, user = called
    first = "pip install --no-cache-dir -c /opt/genderscope/constraints.txt --index-url https://"
    assert torch.startswith(first)
    assert torch.endswith("/cpu torch")
    assert own == "pip install --no-cache-dir -c /opt/genderscope/constraints.txt /opt/genderscope[hf,grammar]"
    assert user.startswith("useradd --uid 1000")
    assert __version__ in done.stdout


def test_the_image_does_not_run_as_root_and_holds_only_the_package():
    names = [name for name, _ in instructions()]
    assert re.fullmatch(r"python:3\.12-slim@sha256:[0-9a-f]{64}", dict(instructions())["FROM"])
    assert names.index("USER") < names.index("ENTRYPOINT")
    assert dict(instructions())["USER"] == "genderscope"
    kept = [line[1:].strip("/") for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    assert {path.name for path in ROOT.iterdir() if any(fnmatch(path.name, each) for each in kept)} == set(kept)
    assert {"constraints.txt", "docker", "pyproject.toml", "README.md", "LICENSE", "src"} == set(kept)


@pytest.mark.long
def test_the_shell_completes_commands_measures_and_options(shell):
    def completed(words):
        told = {"_GENDERSCOPE_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
        return shell("genderscope", **told)[0].stdout.split()

    assert completed("genderscope pu") == ["push"]
    assert completed("genderscope run gest-m") == ["gest-mt"]
    assert "--data-version" in completed("genderscope run gest --data")
