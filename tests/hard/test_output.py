"""Readers that go away, disks that are full, Ctrl-C: one sentence at the most, never a traceback."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from genderscope.core.errors import UserError
from genderscope.runs import csv_file, write_whole
from genderscope.runs.run_files import result_bytes
from tests.report.examples import result, save

FULL = Path("/dev/full")


def started(*arguments, **more):
    command = [sys.executable, "-m", "genderscope", *map(str, arguments)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, **more)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A finished run whose JSON is larger than what a pipe holds."""
    found = result("dialogue")
    found.config["versions"] = {"genderscope": "0.1.0"}
    folder = save(found, tmp_path_factory.mktemp("output") / "run")
    (folder / "report.html").touch()
    (folder / "result.json").write_bytes(result_bytes(found, folder))  # with checksums, it is shown without pandas
    return folder


@pytest.mark.long_but("table")
@pytest.mark.parametrize("form", ["table", "json"])
def test_a_reader_that_goes_away_is_no_mistake(run, form):
    process = started("show", run, "--format", form, stdout=subprocess.PIPE)
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait(60) != 0


@pytest.mark.long
@pytest.mark.parametrize(
    "command",
    [
        "read speaker --lang sk sentences.txt",
        "read speaker --lang sk -",
        "read adjectives sentences.txt --lang es --suite suite.csv",
        "data sources gest-mt --data sources.csv",
        "show RUN --format json --out /dev/stdout",
        "list",
    ],
)
def test_it_is_no_mistake_for_any_command_that_streams(run, command, tmp_path):
    Path("sentences.txt").write_text("Bola som unavená a šla som domov.\n" * 3000, encoding="utf-8")
    Path("suite.csv").write_text(
        "source\n" + "".join(f'"She said {k} times that you are tall."\n' for k in range(3000)), encoding="utf-8"
    )
    Path("sources.csv").write_text(
        "sentence,stereotype\n" + "".join(f"I cried {k} times that day.,1\n" for k in range(3000)), encoding="utf-8"
    )
    with Path("sentences.txt").open() as piped:
        arguments = [run if word == "RUN" else word for word in command.split()]
        process = started(*arguments, stdin=piped, stdout=subprocess.PIPE)
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.wait(60) not in (0, 2)


@pytest.mark.long
@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")
def test_a_full_disk_behind_what_is_read_is_not_blamed_on_the_text():
    Path("sentences.txt").write_text("Bola som unavená a šla som domov.\n" * 3000, encoding="utf-8")
    with FULL.open("w") as full:
        process = started("read", "speaker", "--lang", "sk", "sentences.txt", stdout=full)
        assert process.stderr.read() == "Error: The output cannot be read or written (No space left on device).\n"
    assert process.wait(60) == 2


def test_a_reader_that_is_gone_when_the_last_line_is_written_ends_the_command_as_the_shell_expects():
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    process = started("--version", stdout=subprocess.PIPE, env=buffered)  # so little is written at the end only
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait(60) == 128 + signal.SIGPIPE


@pytest.mark.long_but("json")
@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("form", ["table", "json"])
def test_a_full_disk_behind_the_output_is_one_sentence(run, form):
    with FULL.open("w") as full:
        process = started("show", run, "--format", form, stdout=full)
        said = process.stderr.read()
    assert process.wait(60) == 2
    assert said == "Error: The output cannot be read or written (No space left on device).\n"


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")
def test_a_full_disk_behind_a_file_is_one_sentence_and_the_device_stays(run, cli):
    for arguments in (
        ("show", run, "--format", "csv", "-o", FULL),
        ("report", run, "-o", FULL),
        ("scorecard", run.parent, "--html", FULL),
    ):
        done = cli(*arguments)
        assert done.returncode == 2
        assert "Cannot write '/dev/full' (No space left on device)" in done.stderr
        assert len(done.stderr.splitlines()) == 1
        assert FULL.is_char_device()


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_stream_that_is_closed_is_done_without(run, stream):
    closed = {"stdout": 1, "stderr": 2}[stream]
    code = f"import os, sys; os.close({closed}); os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
    command = [sys.executable, "-c", code, "-m", "genderscope", "show", str(run if stream == "stdout" else "nothing")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == (0 if stream == "stdout" else 2)
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.long
def test_an_encoding_without_our_letters_stops_nothing(run):
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = started("show", run, "--full", stdout=subprocess.PIPE, env=environment)
    out, err = done.communicate(timeout=60)
    assert (done.returncode, err) == (0, "")
    assert "dialogue \\xb7 example" in out


def test_ctrl_c_is_one_word(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    process = started("read", "speaker", "--lang", "sk", tmp_path / "pipe", stdout=subprocess.DEVNULL)
    with (tmp_path / "pipe").open("w"):  # it has begun to read when this is open
        process.send_signal(signal.SIGINT)
        assert process.stderr.read() == "Interrupted.\n"
    assert process.wait(60) == 130


def test_a_link_stays_and_its_target_is_written(tmp_path):
    (tmp_path / "target").write_text("before")
    (tmp_path / "link").symlink_to("target")
    write_whole(tmp_path / "link", b"after")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text() == "after"
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == ["link", "target"]


def test_what_is_no_file_is_written_to_as_it_is(tmp_path):
    read, write = os.pipe()
    write_whole(Path(f"/dev/fd/{write}"), lambda target: target.write_text("all"))
    os.close(write)
    assert os.read(read, 10) == b"all"
    os.close(read)
    with pytest.raises(UserError, match=r"Cannot write .* \(Is a directory\)"):
        write_whole(tmp_path, b"x")


def test_a_table_is_written_when_all_its_rows_are_there(tmp_path):
    def half():
        with csv_file(tmp_path / "t.csv") as writer:
            writer.writerow(["half"])
            raise RuntimeError

    (tmp_path / "t.csv").write_text("before")
    with pytest.raises(RuntimeError):
        half()
    assert (tmp_path / "t.csv").read_text() == "before"
