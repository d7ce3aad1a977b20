"""Where no figure can be drawn, results are complete without them and say why."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import genderscope
from tests.report.examples import result, save
from tests.shown_again import without_age

LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv.pop(1)),) * 2)
from genderscope.cli.app import main
main()
"""
GIGABYTE = 10**9
REASON = "the drawing process was killed by SIG"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere, address space cannot be limited")


def limited(*arguments, gigabytes=8, **more):
    """Run a command under a limit on address space, under which no JavaScript engine starts."""
    command = [sys.executable, "-c", LIMITED, str(gigabytes * GIGABYTE), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, **more)


def run_gest(models):
    return ["run", "gest", "--model", models("gpt2", "bytes"), "--data", "starter", "--limit", 16, "--out", "mine"]


@pytest.fixture
def command(models, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    return run_gest(models)


@pytest.fixture(scope="module")
def bare_run(models, tmp_path_factory):
    """A folder with a run that was made where nothing can be drawn, and what the command printed."""
    folder = tmp_path_factory.mktemp("bare")
    return folder, limited(*run_gest(models), cwd=folder, env={**os.environ, "COLUMNS": "100"})


@pytest.fixture
def bare(bare_run, command):
    """The same in the folder of the test."""
    folder, made = bare_run
    shutil.copytree(folder / "mine", "mine")
    return made


@pytest.mark.long
@pytest.mark.parametrize("gigabytes", [5, 40])
def test_a_run_under_a_limit_is_complete_but_for_its_figures(command, gigabytes, cli):
    made = limited(*command, gigabytes=gigabytes)
    assert made.returncode == 0, made.stderr
    assert made.stderr.count(REASON) == 1
    assert f"limit of {gigabytes} GB (ulimit -v)" in made.stderr
    page = Path("mine/report.html").read_text(encoding="utf-8")
    assert page.count(REASON) == 1
    assert "<figure" not in page
    assert "<table" in page
    whole = cli(*[*command[:-1], "whole"])
    assert whole.stdout.replace("whole", "mine") == made.stdout
    assert genderscope.load_run("mine").rows.equals(genderscope.load_run("whole").rows)


@pytest.mark.long
def test_running_again_draws_what_was_missing(command, bare, cli):
    again = limited(*command)
    assert (again.returncode, without_age(again.stdout)) == (0, bare.stdout)
    assert REASON in again.stderr, "still not"
    assert "undrawn" in json.loads(Path("mine/result.json").read_bytes())
    mended = cli(*command)
    assert (mended.returncode, without_age(mended.stdout)) == (0, bare.stdout)
    assert REASON not in mended.stderr
    cli(*[*command[:-1], "whole"])
    pages = [Path(run, "report.html").read_text(encoding="utf-8").replace("whole", "mine") for run in ("mine", "whole")]
    assert pages[0].count("<figure") == pages[1].count("<figure") > 0
    assert "undrawn" not in json.loads(Path("mine/result.json").read_bytes())


@pytest.mark.long
def test_a_report_of_runs_lacks_figures_and_says_why_once(bare):
    done = limited("report", "mine", "--out", "page.html")
    assert done.returncode == 0
    assert done.stderr.count(REASON) == Path("page.html").read_text(encoding="utf-8").count(REASON) == 1


@pytest.fixture
def mine():
    """A run whose figures are yet to be drawn."""
    return save(result("gest", "one", n=64), Path("mine"))


def test_commands_for_figures_alone_end_with_one_sentence(mine):
    for form in ("svg", "pdf", "png"):
        done = limited("figures", "mine", "--format", form)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("Error: The figure cannot be drawn: the drawing process was killed by SIG")
        assert len(done.stderr.splitlines()) == 1


@pytest.mark.long
def test_pages_without_charts_are_as_ever(bare):
    for arguments in (
        ["compare", "mine", "mine", "--html", "page.html"],
        ["scorecard", "mine", "--html", "page.html"],
    ):
        Path("page.html").unlink(missing_ok=True)
        done = limited(*arguments)
        assert (done.returncode, done.stderr) == (0, ""), arguments
        assert "<table" in Path("page.html").read_text(encoding="utf-8")


NOTEBOOK = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (8 * 10**9,) * 2)
import genderscope
from genderscope.core.errors import UserError
run = genderscope.load_run("mine")
print("<table" in run._repr_html_(), run.plot()._repr_svg_())
try:
    run.plot().save("plot.png")
except UserError as error:
    print(error)
"""


def test_a_notebook_shows_the_rest(mine):
    done = subprocess.run([sys.executable, "-c", NOTEBOOK], capture_output=True, text=True, check=False)
    first, sentence = done.stdout.splitlines()
    assert first == "True None"
    assert sentence.startswith("The figure cannot be drawn: ")
    assert "Traceback" not in done.stderr
    assert not Path("plot.png").exists()


SCORE = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (8 * 10**9,) * 2)
import scipy.special  # an older numpy asks lscpu for the processor here
import subprocess
subprocess.Popen = None  # nothing is started either
import genderscope
from genderscope.evaluation import score, sources
result = score("gest-mt", sources("gest-mt", data="starter"), "sk", data="starter")
print(result.measure, "vl_convert" in sys.modules)
"""


@pytest.mark.long
def test_scoring_draws_nothing():
    done = subprocess.run([sys.executable, "-c", SCORE], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "gest-mt False", done.stderr
