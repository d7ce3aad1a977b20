"""Someone who follows a page: does one step after another, in one folder, and looks at what is printed."""

import glob
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from genderscope import evaluate
from genderscope.cli.app import main
from genderscope.core import plugins
from genderscope.report import SafeConsole, show
from genderscope.runs import load_run
from tests.docs.blocks import ROOT, steps
from tests.docs.outputs import missing_line
from tests.docs.stand_ins import stand_in

#: what a command says when the data it needs is neither here nor to be had
NO_DATA = "could not be downloaded"
#: what it says without a package; `make setup` installs all of them that have a wheel for this platform
NO_PACKAGE = re.compile(r"needs the package '(\w+)'")
#: what a command says when the step that would have made its run was left out
NO_RUN = "There is no run in 'runs/"
#: both show the embedded model; it is measured once for all pages
DEMO = ("make demo", "genderscope demo")
FULL = " --full"
#: the exit code of a gate that fails, which a page may show
GATE_FAILED, UNJUDGED = 3, 4


class Reader:
    """Runs the steps in this process where it can: starting Python and torch for every line would take minutes."""

    def __init__(self, places, monkeypatch, capfd, request):
        self.places, self.monkeypatch, self.capfd, self.request = places, monkeypatch, capfd, request
        self.names = {}
        self.left_out = []
        #: what the last block printed, and whether a model with real weights did
        self.said, self.by_a_model = "", False

    def follow(self, page):
        before = None
        for step in steps(page):
            where = f"{page.relative_to(ROOT)}:{step.line}"
            if step.kind in {"command", "python"} and before != (step.kind, step.shown):
                self.said, self.by_a_model = "", False
            before = (step.kind, step.shown)
            try:
                getattr(self, f"_{step.kind}")(step, where)
            except (Exception, pytest.skip.Exception) as problem:
                # A step may build on one that was left out; whatever else goes wrong is a fault of the page.
                if not (self.left_out or isinstance(problem, pytest.skip.Exception)):
                    raise
                self.left_out.append(f"{where} ({problem or type(problem).__name__})")
        if self.left_out:
            pytest.skip("left out: " + "; ".join(self.left_out))

    def _file(self, step, where):
        Path(step.name).parent.mkdir(parents=True, exist_ok=True)
        Path(step.name).write_text(step.text, encoding="utf-8")

    def _output(self, step, where):
        """Compare what the page shows with what was printed."""
        if step.name.removesuffix(FULL) in DEMO:
            self._demo(step.name.endswith(FULL))
        missing = missing_line(step.text, self.said, by_a_model=self.by_a_model)
        assert missing is None, f"{where} shows what is not printed there:\n{missing}\nprinted:\n{self.said}"

    def _demo(self, full):
        """The embedded model's run, made once a session; its folder is put where the demo would have put it."""
        printed, folder = self.request.getfixturevalue("demo")
        if not Path("runs", folder.name).exists():
            shutil.copytree(folder, Path("runs", folder.name))
        if full:
            file = io.StringIO()
            show(load_run(folder), SafeConsole(file=file, width=140, color_system=None), full=True)
            printed = file.getvalue()
        self.said, self.by_a_model = printed, True

    def _real(self):
        """Let `smollm2` be the embedded model itself."""
        self.monkeypatch.setenv("GENDERSCOPE_CACHE", str(self.request.getfixturevalue("fetched")))
        self.by_a_model = True
        return self.places | {"causal": "smollm2"}

    def _python(self, step, where):
        runs = sorted(Path("runs").glob("*"), key=os.path.getmtime) if Path("runs").exists() else []
        code = step.text.replace('"smollm2"', repr(self.places["causal"]))
        if runs:
            code = code.replace("runs/…", str(runs[-1])).replace("gest-smollm2-*", "gest-*")
        self.capfd.readouterr()
        exec(compile(code, where, "exec"), self.names)
        self.said += self.capfd.readouterr().out

    def _command(self, step, where):
        if step.shown and step.text.removesuffix(FULL) in DEMO:
            self._demo(step.text.endswith(FULL))
            return
        places = self._real() if step.shown and "smollm2" in step.text else self.places
        command = stand_in(step.text, **places)
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
        if code and (why := self._missing(said)):
            self.left_out.append(f"{where} ({why})")
            return
        gated = (step.shown and code == GATE_FAILED) or (code == UNJUDGED and "--fail-if" in step.text)
        assert code == 0 or gated, f"{where}: {step.text}\nrun as: {command}\n{said}"
        self.said += said

    def _missing(self, said):
        """Return why a command that failed could not succeed here, if that is so."""
        if NO_DATA in said and not os.environ.get("GENDERSCOPE_MIRROR"):
            return "no GENDERSCOPE_MIRROR"
        if package := NO_PACKAGE.search(said):
            return f"{package[1]} is not installed; it may have no wheel for this platform"
        return "needs a step that was left out" if NO_RUN in said and self.left_out else None

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
        code: str | int = 0
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
