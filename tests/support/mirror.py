"""The local mirror of the datasets: hidden from every test but those that ask for it.

A test without the marker `mirror`, which the fixture `mirror` brings with it, may not look for it. It gives the same
result with and without a mirror, and needs to run only once.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

NAME = "GENDERSCOPE_MIRROR"
#: where the path is kept while it is hidden; processes that run tests inherit it
HIDDEN = "GENDERSCOPE_TEST_MIRROR"
#: whether the test that runs has the marker
running = SimpleNamespace(marked=False)


def hide() -> None:
    """Hide the mirror from this process and those that it starts."""
    if folder := os.environ.pop(NAME, ""):
        os.environ[HIDDEN] = folder


def mirror_folder() -> Path | None:
    """Return the folder of the mirror, if there is one."""
    assert running.marked, "a test that looks for the mirror needs the marker `mirror`"
    folder = os.environ.get(HIDDEN)
    return Path(folder) if folder else None


@contextlib.contextmanager
def shown() -> Iterator[Path]:
    """Show the mirror for a while; without one, skip the test."""
    folder = mirror_folder()
    if folder is None:
        pytest.skip(f"{NAME} names no mirror of the datasets")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(NAME, str(folder))
        yield folder
