"""The command line inside the test's own process: fast, and with what it printed."""

import sys
from dataclasses import dataclass

import pytest


@dataclass(frozen=True)
class Done:
    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def cli(monkeypatch, capsys):
    """Run a command as a user would: cli('pairs', 'check', path)."""
    from genderscope.cli import main

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["genderscope", *map(str, arguments)])
        code = 0
        try:
            main()
        except SystemExit as ended:
            code = int(ended.code or 0)
        said = capsys.readouterr()
        return Done(code, said.out, said.err)

    return run
