"""Every command and every Python block of README, docs, cards and example runs."""

import glob
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from genderscope import evaluate, plugins
from genderscope.cli.app import app, main
from tests.docs.blocks import PAGES, ROOT, spans, steps
from tests.docs.stand_ins import ELSEWHERE, STAND_INS, stand_in

NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
#: what a command says when the data it needs is neither here nor to be had
NO_DATA = "could not be fetched"


@pytest.fixture
def reader(desk, places, monkeypatch, capfd, request):
    """Someone who follows a page: does one step after another, in one folder."""
    return Reader(places, monkeypatch, capfd, request)


class Reader:
    """Runs the steps in this process where it can: starting Python and torch for every line would take minutes."""

    def __init__(self, places, monkeypatch, capfd, request):
        self.places, self.monkeypatch, self.capfd, self.request = places, monkeypatch, capfd, request
        self.names = {}
        self.left_out = []

    def follow(self, page):
        for step in steps(page):
            where = f"{page.relative_to(ROOT)}:{step.line}"
            try:
                getattr(self, f"_{step.kind}")(step, where)
            except AssertionError:
                if not self.left_out:
                    raise
                self.left_out.append(f"{where} (needs a step that was left out)")
        if self.left_out:
            pytest.skip("left out: " + "; ".join(self.left_out))

    def _file(self, step, where):
        Path(step.name).parent.mkdir(parents=True, exist_ok=True)
        Path(step.name).write_text(step.text, encoding="utf-8")

    def _python(self, step, where):
        runs = sorted(Path("runs").glob("*"), key=os.path.getmtime) if Path("runs").exists() else []
        code = step.text.replace('"smollm2"', repr(self.places["causal"]))
        if runs:
            code = code.replace("runs/…", str(runs[-1])).replace("gest-smollm2-*", "gest-*")
        exec(compile(code, where, "exec"), self.names)

    def _command(self, step, where):
        command = stand_in(step.text, **self.places)
        if command is None:
            self._prepared_elsewhere(step.text)
            return
        words = shlex.split(command.replace("gest-smollm2-*", "gest-*"), comments=True)
        if "apertium:" in command and shutil.which("apertium") is None:
            self.left_out.append(f"{where} (Apertium is not installed)")
            return
        if words[0] == "export":
            for assignment in words[1:]:
                self.monkeypatch.setenv(*assignment.split("=", 1))
            return
        while "=" in words[0]:
            self.monkeypatch.setenv(*words.pop(0).split("=", 1))
        if "ready/" in command:
            self._make_ready()
        if "runs/old" in command:
            self._make_two_runs()
        code, said = self._shell(command) if "|" in words else self._here(words)
        if code and NO_DATA in said and not os.environ.get("GENDERSCOPE_MIRROR"):
            self.left_out.append(f"{where} (no GENDERSCOPE_MIRROR)")
            return
        assert code == 0, f"{where}: {step.text}\nrun as: {command}\n{said}"

    def _make_ready(self):
        """Three models measured, which is what a correlation over models needs at least."""
        build = self.request.getfixturevalue("models")
        for name in ("gpt2", "gpt-neox", "llama"):
            evaluate("gest", str(build(name, "bytes")), data="starter", limit=32, out=f"ready/{name}")

    def _make_two_runs(self):
        for name, model in (("old", "file:outputs/{lang}.csv"), ("new", "file:my-translations.csv")):
            evaluate("gest-mt", model, to=("sk",), data="my.csv", out=f"runs/{name}")

    def _prepared_elsewhere(self, command):
        """What pip would have installed is put on the path, so that the lines below it can use it."""
        if "examples/genderscope-example" in command:
            self._with_example()

    def _with_example(self):
        folder = self.request.getfixturevalue("example")
        self.monkeypatch.syspath_prepend(str(folder))
        self.monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")]))
        plugins._all_points.cache_clear()
        self.request.addfinalizer(plugins._all_points.cache_clear)

    def _here(self, words):
        assert words[0] == "genderscope", f"no test runs '{words[0]}': add a stand-in or say where it is run"
        expanded = [name for word in words for name in (sorted(glob.glob(word)) or [word])]  # noqa: PTH207 - as a shell
        self.monkeypatch.setattr(sys, "argv", expanded)
        self.capfd.readouterr()
        code = 0
        try:
            main()
        except SystemExit as ended:
            code = ended.code or 0
        return code, "".join(self.capfd.readouterr())

    def _shell(self, line):
        """A line with a pipe needs a shell, in which genderscope is this Python's."""
        folder = Path("bin")
        folder.mkdir(exist_ok=True)
        program = folder / "genderscope"
        program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m genderscope "$@"\n')
        program.chmod(0o755)
        path = os.pathsep.join([str(folder.resolve()), os.environ["PATH"]])
        strict = ["bash", "-o", "pipefail", "-c", line]
        done = subprocess.run(strict, capture_output=True, text=True, check=False, env=os.environ | {"PATH": path})
        return done.returncode, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_the_steps_of_a_page_run(reader, page):
    if "it --data" in page.read_text() or "--lang it" in page.read_text():
        reader._with_example()
    reader.follow(page)


def commands():
    return [step.text for page in PAGES for step in steps(page) if step.kind == "command"]


def test_the_pages_hold_commands_at_all():
    assert len(commands()) > 50
    assert sum(step.kind == "python" for page in PAGES for step in steps(page)) >= 5


@pytest.mark.parametrize("number", range(len(STAND_INS)), ids=[each.pattern for each in STAND_INS])
def test_every_stand_in_is_needed(number):
    def run(table):
        return [stand_in(command, table) for command in commands()]

    assert run(STAND_INS) != run([*STAND_INS[:number], *STAND_INS[number + 1 :]])


@pytest.mark.parametrize("pattern", ELSEWHERE)
def test_what_runs_elsewhere_is_on_a_page(pattern):
    assert any(re.match(pattern, command) for command in commands())


def test_a_command_that_no_one_thought_of_fails(reader, tmp_path):
    page = ROOT / "docs" / "tutorial.md"
    for line in ("genderscope run gest --model hf:someone/new-model", "genderscope run gets", "curl https://x.example"):
        step = next(s for s in steps(page) if s.kind == "command")
        with pytest.raises(AssertionError):
            reader._command(type(step)("command", 1, line), "here")


def options_of(words):
    """Walk down the commands that a line in prose names; return the last one's options, or None for an unknown one."""
    command = typer.main.get_command(app)
    for word in words:
        context = command.context_class(command, info_name="genderscope")
        if not hasattr(command, "list_commands"):
            break
        if word not in command.list_commands(context):
            return {"--help", "--version"} if word.startswith("--") or word.isupper() else None
        command = command.get_command(context, word)
    return {name for each in command.params for name in (*each.opts, *each.secondary_opts)} | {"--help", "-h"}


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_commands_in_prose_name_what_there_is(page):
    for span in spans(page):
        words = [word for word in span.replace("…", " ").split()[1:] if word != "occupations"]
        known = options_of(words)
        assert known is not None, span
        assert {word for word in words if re.match(r"--?[a-z]", word)} <= known, span
