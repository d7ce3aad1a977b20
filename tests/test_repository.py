"""The repository: versions agree, packages contain what they should, workflows are safe and their commands run."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from genderscope.version import __version__

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
WORKFLOWS = {path.name: yaml.safe_load(path.read_text(encoding="utf-8")) for path in ROOT.glob(".github/workflows/*")}
JOBS = [
    pytest.param(job, id=f"{file}-{name}") for file, each in WORKFLOWS.items() for name, job in each["jobs"].items()
]
STEPS = [
    pytest.param(step, id=f"{file}-{name}-{number}")
    for file, each in WORKFLOWS.items()
    for name, job in each["jobs"].items()
    for number, step in enumerate(job["steps"])
]
SCRIPTS = sorted(ROOT.glob(".github/scripts/*.sh"))
TARGETS = set(re.search(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)[1].split())


# Versions


def test_version_citation_and_changelog_agree():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == __version__
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## (\S+) \((?:unreleased|\d{4}-\d{2}-\d{2})\)$", changelog, re.MULTILINE)
    assert newest[1] == __version__
    assert citation["license"] == PROJECT["license"]
    assert citation["repository-code"] == PROJECT["urls"]["Repository"]


@pytest.mark.parametrize(
    ("tag", "heading", "problem"),
    [
        (f"v{__version__}", f"## {__version__} (2030-01-31)", None),
        (f"v{__version__}", f"## {__version__} (unreleased)", "no dated entry"),
        ("v99.0.0", f"## {__version__} (2030-01-31)", "version.py has another version"),
        (__version__, f"## {__version__} (2030-01-31)", "does not begin with v"),
    ],
)
def test_only_the_tag_of_a_dated_version_is_released(tmp_path, tag, heading, problem):
    for name in (".github/scripts/check-version.sh", "src/genderscope/version.py", "CITATION.cff", "CHANGELOG.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n{heading}\n", encoding="utf-8")
    command = [str(tmp_path / ".github/scripts/check-version.sh"), tag]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == (problem is not None), done
    assert (problem or "") in done.stdout


def requirements():
    """Return what users may install: the core and the extras, without what only development needs."""
    extras = PROJECT["optional-dependencies"]
    listed = [*PROJECT["dependencies"], *(each for name in extras.keys() - {"dev", "docs"} for each in extras[name])]
    parsed = [Requirement(each) for each in listed]
    return {canonicalize_name(each.name): each for each in parsed if each.name != PROJECT["name"]}


def constraints(name):
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    pairs = [line.split("==") for line in lines if line and not line.startswith("#")]
    return {canonicalize_name(package): Version(version) for package, version in pairs}


def test_the_oldest_constraints_are_the_lower_bounds():
    bounds = {
        name: min(Version(each.version) for each in requirement.specifier if each.operator in {">=", "=="})
        for name, requirement in requirements().items()
    }
    assert constraints("constraints-oldest.txt") == bounds


def test_the_pinned_constraints_are_allowed():
    pinned = constraints("constraints.txt")
    for name, requirement in requirements().items():
        assert pinned[name] in requirement.specifier, name


# What is built


@pytest.fixture(scope="module")
def dist(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    assert sorted(path.name for path in folder.iterdir()) == [
        f"genderscope-{__version__}-py3-none-any.whl",
        f"genderscope-{__version__}.tar.gz",
    ]
    return folder


def sources():
    """Return the files of the package, as they lie below src."""
    files = (path for path in (ROOT / "src" / "genderscope").rglob("*") if path.is_file())
    return {path.relative_to(ROOT / "src").as_posix() for path in files if "__pycache__" not in path.parts}


@pytest.mark.long
def test_the_wheel_holds_the_package_and_nothing_else(dist):
    (wheel,) = dist.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    described = {name for name in names if ".dist-info/" in name}
    assert names - described == sources()
    assert {name.partition("/")[2] for name in described} == {
        "METADATA",
        "RECORD",
        "WHEEL",
        "entry_points.txt",
        "licenses/LICENSE",
    }
    assert {Path(name).suffix for name in names - described} <= {
        *(".py", ".pyi", ".typed", ".csv", ".tsv", ".md", ".toml", ".txt", ".css", ".js", ".j2")
    }
    assert wheel.stat().st_size < 3_000_000


def test_the_source_distribution_holds_what_it_is_built_from(dist):
    (archive,) = dist.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    beside = {"CHANGELOG.md", "CITATION.cff", "LICENSE", "README.md", "pyproject.toml", "PKG-INFO", ".gitignore"}
    assert names == {f"src/{name}" for name in sources()} | beside


def test_the_metadata_names_the_versions_that_are_tested(dist):
    (wheel,) = dist.glob("*.whl")
    archive = zipfile.ZipFile(wheel)
    metadata = archive.read(next(name for name in archive.namelist() if name.endswith("METADATA"))).decode()
    assert "\nLicense-Expression: Apache-2.0\n" in metadata
    assert "Classifier: License" not in metadata, "a licence expression takes its place"
    classified = re.findall(r"Programming Language :: Python :: (3\.\d+)", metadata)
    assert classified == WORKFLOWS["ci.yml"]["jobs"]["tests"]["strategy"]["matrix"]["python"]
    assert PROJECT["requires-python"] == f">={classified[0]}"


@pytest.mark.long
def test_the_wheel_measures_in_an_empty_environment(dist, tmp_path):
    """As the workflow does it, but with the packages of this environment instead of downloads."""
    pytest.importorskip("simplemma", reason="the dictionaries are an extra: pip install 'genderscope[grammar]'")
    packages = tmp_path / "packages"
    packages.mkdir()
    for folder in {path for path in map(Path, sys.path) if path.name == "site-packages"}:
        for path in folder.iterdir():
            if "genderscope" not in path.name and not (packages / path.name).exists():
                (packages / path.name).symlink_to(path)
    (wheel,) = dist.glob("*.whl")
    environment = os.environ | {"PYTHONPATH": str(packages), "PYTHON": sys.executable}
    command = [str(ROOT / ".github/scripts/smoke-test.sh"), str(wheel), "--no-deps"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{__version__}\n")


# Workflows


@pytest.mark.parametrize("workflow", WORKFLOWS.values(), ids=WORKFLOWS)
def test_a_workflow_may_only_read(workflow):
    assert workflow["permissions"] == {"contents": "read"}
    assert "concurrency" in workflow
    assert "pull_request_target" not in workflow[True]  # YAML reads the key `on` as true


@pytest.mark.parametrize("job", JOBS)
def test_a_job_ends_and_only_publishing_may_more(job):
    assert job["timeout-minutes"] <= 90
    publishes = any("gh-action-pypi-publish" in step.get("uses", "") for step in job["steps"])
    assert job.get("permissions") == ({"id-token": "write"} if publishes else None)
    assert ("environment" in job) == publishes


@pytest.mark.parametrize("step", STEPS)
def test_a_step_is_pinned_or_runs_what_is_there(step):
    if "uses" in step:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", step["uses"])
        if step["uses"].startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False
        return
    assert "${{" not in step["run"], "a value reaches the shell by the environment: in the script it would be run"
    subprocess.run(["bash", "-n", "-c", step["run"]], check=True)
    for target in re.findall(r"\bmake (\w+)", step["run"]):
        assert target in TARGETS
    for script in re.findall(r"\S+\.sh\b", step["run"]):
        assert ROOT / script in SCRIPTS


def test_every_action_has_one_version():
    """A pin is followed by the tag that it stands for, and the same action is the same everywhere."""
    pins: dict[str, set[str]] = {}
    for path in (*ROOT.glob(".github/workflows/*"), ROOT / "action.yml"):
        for action, rest in re.findall(r"uses: ([\w/-]+)@(.*)", path.read_text(encoding="utf-8")):
            assert re.fullmatch(r"[0-9a-f]{40} # v\d+\.\d+\.\d+", rest), (path.name, action)
            pins.setdefault(action, set()).add(rest)
    assert {action: len(versions) for action, versions in pins.items() if len(versions) > 1} == {}


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_script_of_the_workflows_can_be_run(script):
    assert os.access(script, os.X_OK)
    subprocess.run(["bash", "-n", str(script)], check=True)


def test_zizmor_finds_nothing_in_workflows_and_action():
    zizmor = shutil.which("zizmor", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    if zizmor is None:
        pytest.skip("zizmor is not installed")
    command = [zizmor, "--offline", "--quiet", "--no-progress", "--persona=pedantic", ".github", "action.yml"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
