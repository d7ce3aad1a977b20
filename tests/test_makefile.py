"""What make installs, and when: a demo needs little, the tests need all, and neither installs anything twice."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
#: stands in for the environment's Python: writes down what pip is asked for, and does nothing else
PYTHON = """#!/bin/sh
case "$*" in *"pip install"*) echo "$*" >> installed;; esac
"""
#: what the make that runs the tests hands down
OUTER = {"MAKEFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "MFLAGS", "CONSTRAINTS", "PYTHON", "VENV", "WORKERS"}
OUTER |= {"ALONE", "ARGS", "COVERAGE"}


@pytest.fixture
def make():
    """Run make in a clone whose environment only writes down what it is asked to install."""
    for name in ("Makefile", "pyproject.toml", "constraints.txt", "constraints-oldest.txt"):
        shutil.copy(ROOT / name, name)
    Path("src/genderscope/grammar").mkdir(parents=True)
    Path(".venv/bin").mkdir(parents=True)
    for name in ("python", "genderscope"):
        Path(".venv/bin", name).write_text(PYTHON)
        Path(".venv/bin", name).chmod(0o755)

    def run(*arguments):
        environment = {name: value for name, value in os.environ.items() if name not in OUTER}
        command = ["make", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        assert done.returncode == 0, done.stderr
        installed = Path("installed")
        calls = installed.read_text().splitlines() if installed.exists() else []
        installed.unlink(missing_ok=True)
        return done.stdout, [call.split(" --no-compile ")[1] for call in calls]

    return run


def test_the_demo_installs_what_it_needs_and_the_tests_the_rest(make):
    assert make("demo")[1] == ["-c constraints.txt -e .[hf]"]
    assert make("demo")[1] == []
    assert make("setup")[1] == ["-c constraints.txt -e .[dev]"]
    assert make("setup")[1] == []
    assert make("demo")[1] == [], "all that the tests need is more than a demo needs"


def test_each_test_is_run_by_one_of_two_commands(make):
    assert " -m 'not long'" in make("--dry-run", "test")[0]
    assert " -m long" in make("--dry-run", "test-all")[0]


def test_coverage_begins_anew_or_goes_on(make):
    begun, appended, plain = (
        make("--dry-run", *words)[0]
        for words in (("test", "COVERAGE=new"), ("test-all", "COVERAGE=append"), ("test", "COVERAGE="))
    )
    assert "genderscope-coverage && install" in begun
    assert " --cov " in begun
    assert "--cov-append" not in begun
    assert "genderscope-coverage && install" not in appended
    assert " --cov-append -m long" in appended
    assert "--cov" not in plain


def test_the_demo_tells_the_time_of_its_parts(make):
    printed, _ = make("demo")
    assert printed.splitlines()[-1].startswith("Time: ")
    assert " s to set up, " in printed


def test_other_requirements_are_installed_anew(make):
    make("setup")
    later = Path(".venv/.ready").stat().st_mtime + 10
    os.utime("pyproject.toml", (later, later))
    assert make("demo")[1] == ["-c constraints.txt -e .[hf]"]
    os.utime("pyproject.toml", (1, 1))
    assert make("setup")[1] == ["-c constraints.txt -e .[dev]"]


def test_other_versions_take_the_place_of_those_that_were_there(make):
    make("setup")
    assert make("setup", "CONSTRAINTS=constraints-oldest.txt")[1] == ["-c constraints-oldest.txt -e .[dev]"]
    assert make("demo", "CONSTRAINTS=constraints-oldest.txt")[1] == []
    assert make("setup", "CONSTRAINTS=")[1] == ["-e .[dev]"]
    assert make("setup")[1] == ["-c constraints.txt -e .[dev]"]
