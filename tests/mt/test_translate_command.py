"""`genderscope translate`: what is a line, who may write, and why a line was not translated."""

import csv
import json
import subprocess
import sys

import pytest

from genderscope.core.errors import UserError
from genderscope.runs import output_locked

#: what Unicode calls the end of a line, and a text file does not
INSIDE = "\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\r"


def translated(cli, tmp_path, content, table):
    (tmp_path / "in.txt").write_bytes(content)
    lines = (json.dumps({"source": source, "translation": text}) for source, text in table.items())
    (tmp_path / "sk.jsonl").write_text("\n".join(lines))
    model = f"file:{tmp_path / 'sk.jsonl'}"
    return cli("translate", "--model", model, "--to", "sk", tmp_path / "in.txt", "-o", tmp_path / "out.csv")


def test_a_line_ends_at_a_line_break_only(cli, tmp_path):
    texts = [f"I cried{mark}there." for mark in INSIDE] + ["I led."]
    content = "\ufeff" + "\r\n".join(texts[:4]) + "\r\n" + "\n".join(texts[4:])
    done = translated(cli, tmp_path, content.encode(), {text: f"sk {k}" for k, text in enumerate(texts)})
    assert done.returncode == 0, done.stderr
    with (tmp_path / "out.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["source"] for row in rows] == texts
    assert len(rows) == len(texts) == 8


def test_lines_that_were_not_translated_are_counted_by_reason(cli, tmp_path):
    done = translated(cli, tmp_path, b"I cried.\nI led.\n", {"I cried.": "Plakala som."})
    assert "1 of 2 lines translated" in done.stdout
    assert "1 not translated: no translation was given" in done.stderr


def test_a_file_is_made_by_one_process_at_a_time(cli, tmp_path):
    out = tmp_path / "out.csv"
    with output_locked(out):
        done = translated(cli, tmp_path, b"I cried.\n", {"I cried.": "Plakala som."})
        assert done.returncode == 2
        assert done.stderr.startswith(
            f"Error: Another process is writing to '{out}'; wait for it to finish or choose another file"
        )
        assert not out.exists()
    assert translated(cli, tmp_path, b"I cried.\n", {"I cried.": "Plakala som."}).returncode == 0
    assert list(tmp_path.glob("*.journal")) == list(tmp_path.glob(".*.lock")) == []


def test_who_dies_holds_nothing(tmp_path):
    held = f"with output_locked(Path({str(tmp_path)!r}) / 'a'):\n import os; os._exit(1)"
    code = f"from pathlib import Path\nfrom genderscope.runs.atomic_files import output_locked\n{held}"
    subprocess.run([sys.executable, "-c", code], check=False)
    assert (tmp_path / ".a.lock").exists()
    out = tmp_path / "a"
    with output_locked(out), pytest.raises(UserError, match="Another process is writing"), output_locked(out):
        pass
    assert not (tmp_path / ".a.lock").exists()


def test_endless_text_is_one_sentence(cli, tmp_path):
    done = cli("translate", "--model", "file:x.txt", "--to", "sk", "/dev/zero", "-o", tmp_path / "out.csv")
    assert done.returncode == 2
    assert done.stderr == "Error: The text '/dev/zero' cannot be read: it is a device; give a file.\n"
