"""Runs the command line in a process of its own."""

import subprocess
import sys


def genderscope(*arguments, **more):
    return subprocess.run(
        [sys.executable, "-m", "genderscope", *map(str, arguments)], capture_output=True, text=True, check=False, **more
    )
