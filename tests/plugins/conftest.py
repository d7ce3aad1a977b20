import subprocess
import sys
from pathlib import Path

import pytest

from tests.prepared import Prepared

EXAMPLE = Path(__file__).parents[2] / "examples" / "genderscope-example"


def install(target):
    """Install the example as a user would, without a network; its dependency is this very checkout."""
    offline = ("--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check")
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", *offline, "--target", str(target), str(EXAMPLE)], check=True
    )
    return target


@pytest.fixture(scope="session")
def example(tmp_path_factory):
    """The folder in which the example package is installed."""
    return install(tmp_path_factory.mktemp("example"))


@pytest.fixture
def genderscope(example, monkeypatch):
    """The command line in a process of its own, with the example installed."""
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(EXAMPLE / "mirror"))

    def run(*arguments, code=0, plugins=True, piped=""):
        done = Prepared(*arguments, path=[example] * plugins, piped=piped).done()
        assert done.returncode == code, done.stderr
        return done

    return run
