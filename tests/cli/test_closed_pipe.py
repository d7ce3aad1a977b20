"""`genderscope … | head` ends quietly."""

import os
import subprocess
import sys

import pytest

from genderscope.cli.output import BROKEN_PIPE


@pytest.mark.skipif(sys.platform == "win32", reason="Windows reports a closed pipe as an invalid argument")
@pytest.mark.parametrize("source", ["file", "standard input"])
def test_a_closed_pipe_is_no_error(tmp_path, source):
    text = tmp_path / "sentences.txt"
    text.write_text("Bola som unavená.\n" * 20_000, encoding="utf-8")
    command = [sys.executable, "-m", "genderscope", "read", "speaker", "--lang", "sk"]
    with text.open() as piped:
        process = subprocess.Popen(
            [*command, str(text)] if source == "file" else command,
            stdin=subprocess.DEVNULL if source == "file" else piped,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdout.readline().startswith("feminine\t")
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait() == BROKEN_PIPE


@pytest.mark.long_but("--help")
@pytest.mark.skipif(sys.platform == "win32", reason="Windows reports a closed pipe as an invalid argument")
@pytest.mark.parametrize(
    "command", ["--help", "run gest --help", "list", "card gest", "data sources gest-mt --data starter", "power gest"]
)
def test_every_command_ends_quietly_if_nobody_reads(command):
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "genderscope", *command.split()], stdout=writing, stderr=subprocess.PIPE, check=False
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (BROKEN_PIPE, b"")
