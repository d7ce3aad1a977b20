"""Draws specifications, in a process of its own where there is time to start one.

What draws is a JavaScript engine that takes half a second to start and holds Python's lock meanwhile. Beside the
questions another process starts it, so that nobody waits for it; the drawings are the same.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any, cast

#: a line of JSON in, a line of JSON out; the first call starts the engine, before anything is to be drawn
_PROGRAM = """
import json, sys, vl_convert
vl_convert.get_themes()
for line in sys.stdin:
    print(json.dumps(vl_convert.vegalite_to_svg(json.loads(line))), flush=True)
"""


class _Aside:
    """The process; it ends when its input does, however this one dies."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is the parent's to handle
        )

    def draw(self, specification: str) -> str | None:
        """Return the drawing; None where the process is gone or could not make it."""
        into, out = self._process.stdin, self._process.stdout
        assert into is not None
        assert out is not None
        try:
            into.write(f"{specification}\n".encode())
            into.flush()
            return cast(str, json.loads(out.readline()))
        except (OSError, ValueError):
            return None

    def end(self) -> None:
        """End the process, which has nothing left to do."""
        self._process.kill()
        with suppress(OSError):  # what was not read by it
            self._process.communicate()


#: where a process may be started: what holds it
_aside: ContextVar[list[_Aside] | None] = ContextVar("aside", default=None)


@contextmanager
def drawing_aside() -> Iterator[None]:
    """Within: as soon as there will be something to draw, a process gets ready for it."""
    processes: list[_Aside] = []
    before = _aside.set(processes)
    try:
        yield
    finally:
        _aside.reset(before)
        for process in processes:
            process.end()


def ready_to_draw() -> None:
    """Say that something will have to be drawn; where a process may be started, it is."""
    processes = _aside.get()
    if processes is None or processes or "vl_convert" in sys.modules:
        return
    with suppress(OSError):  # no more processes: then it is drawn here
        processes.append(_Aside())


def draw(specification: dict[str, Any]) -> str:
    """Draw a specification as SVG."""
    for process in _aside.get() or ():
        if (found := process.draw(json.dumps(specification))) is not None:
            return found
    import vl_convert

    # Given as text, numbers would be read to fewer digits.
    return vl_convert.vegalite_to_svg(specification)
