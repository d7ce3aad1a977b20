"""A program that scripts call as `genderscope`: it has a prepared process do what it is told, and repeats its words."""

import contextlib
import json
import shlex
import socket
import sys
import tempfile
import threading
from pathlib import Path

from tests.prepared import Prepared

CALL = """
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as ours:
    ours.connect(ADDRESS)
    with ours.makefile("rw", encoding="utf-8") as talk:
        talk.write(json.dumps([sys.argv[1:], dict(os.environ)]) + "\\n")
        talk.flush()
        code, out, err = json.loads(talk.readline())
sys.stdout.buffer.write(out.encode())
sys.stderr.buffer.write(err.encode())
sys.exit(1 if code is None else code)
"""


@contextlib.contextmanager
def prepared_program(path):
    """Write the program; it works in this process's folder, in the environment of whoever calls it."""
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
        address = str(Path(folder) / "calls")
        listener.bind(address)
        listener.listen()
        call = (sys.executable, "-IS", "-c", CALL.replace("ADDRESS", repr(address)))
        path.write_text(f'#!/bin/sh\nexec {shlex.join(call)} "$@"\n')
        path.chmod(0o755)
        answering = threading.Thread(target=_answer, args=(listener,))
        answering.start()
        try:
            yield
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            answering.join()


def _answer(listener):
    """Run one command after the other, until nobody listens any more."""
    while True:
        try:
            call, _ = listener.accept()
        except OSError:
            return
        with call, call.makefile("rw", encoding="utf-8") as talk:
            arguments, environment = json.loads(talk.readline())
            done = Prepared(*arguments, environment=environment).done()
            talk.write(json.dumps([done.returncode, done.stdout, done.stderr]) + "\n")
