"""The first screen of a chat run: what is wrong with the run comes first, in whole sentences, and with a way on."""

import io
import re
from dataclasses import replace

import pytest

import genderscope
from genderscope.core.errors import SeriousCaution, once_each
from genderscope.report import SafeConsole, number, show
from tests.gest_chat.planted import Says, writes_stereotypes
from tests.support.chat_server import ChatServer

COUNT = iter(range(1_000_000))


@pytest.fixture
def wrong(monkeypatch):
    """A server that answers with another model than the one asked for, ignores the seed and is hard to read."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")

    def says(body):
        text = ("(a)", "(b)", f"hm {next(COUNT)}")[next(COUNT) % 3]
        choice = {"message": {"role": "assistant", "content": text}, "finish_reason": "length"}
        return {"model": "acme-other", "choices": [choice]}

    with ChatServer(says).running() as server:
        yield server


def screen(result, full=False, width=400):
    file = io.StringIO()
    show(result, SafeConsole(file=file, width=width, color_system=None), full=full)
    return file.getvalue()


def written(out):
    return genderscope.evaluate(
        "gest-chat", Says(writes_stereotypes), data="starter", limit=16, form="write", out=out / "run"
    )


def test_another_model_than_the_requested_one_is_said_first(wrong, tmp_path):
    result = genderscope.evaluate("gest-chat", wrong.spec, data="starter", limit=16, out=tmp_path / "run")
    assert len(result.cautions) > 3
    assert result.cautions[0] == (
        "The server says that 96 of 96 replies came from 'acme-other', not from the requested model."
    )
    cautions = [line for line in screen(result).splitlines() if line.startswith("Caution: ")]
    assert cautions[0].endswith("came from 'acme-other', not from the requested model.")
    assert not any("queried" in caution for caution in result.cautions)
    url = f"Queried at {wrong.url}/v1; method: replies (chat)."
    assert url in screen(result, full=True)
    assert url in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")


def test_serious_cautions_come_first_and_the_others_keep_their_order():
    given = ["b", "a", SeriousCaution("c"), "a", SeriousCaution("d")]
    assert once_each(given) == ("c", "d", "b", "a (2 times)")


@pytest.mark.parametrize(
    ("caution", "shown"),
    [
        (
            "22 of 96 answers could not be read, most often because: no letter 12, two letters 10.",
            "22 of 96 answers could not be read, most often because: no letter 12, two letters 10.",
        ),
        ("8 of 9 replies were cut off; raise --max-tokens.", "8 of 9 replies were cut off."),
        ("The server offers only chat. Nothing else.", "The server offers only chat."),
        ("Use a version before 1.1 e.g. the first.", "Use a version before 1.1 e.g. the first."),
    ],
)
def test_a_caution_is_cut_only_where_a_sentence_can_end(caution, shown, tmp_path):
    result = written(tmp_path)
    text = screen(replace(result, cautions=(caution,)))
    assert f"Caution: {shown}\n" in text


def test_an_order_effect_is_explained_with_a_next_step(tmp_path):
    result = genderscope.evaluate("gest-chat", Says(lambda _: "(a)"), data="starter", limit=16, out=tmp_path)
    verdict, step = screen(result).splitlines()[2:4]
    assert verdict.startswith("Cannot be judged: the model chooses an option by its place in the list rather than by")
    assert step == (
        "Let the model invent characters (one prompt per sentence, but longer replies): "
        "genderscope.evaluate('gest-chat', model, data='starter', form='write')"
    )
    assert "its answers say little about the content" in result.summary
    # with the control and the paths of the report and of more
    assert len(screen(result, width=80).strip().splitlines()) <= 17


def test_rounding_errors_are_shown_as_zero(tmp_path):
    assert number(-1.1e-16) == number(0.0) == "0.00"
    assert number(-2e-7) == "-2.0e-07"
    result = genderscope.evaluate("gest-chat", Says(lambda _: "(a)"), data="starter", limit=16, out=tmp_path)
    assert not re.search(r"e-1[5-9]", screen(result, full=True))


def test_the_page_names_forms_as_the_option_does(tmp_path):
    result = written(tmp_path)
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert "in the form &#39;write&#39;, the model writes" in page or "in the form 'write', the model writes" in page
    assert "'written'" not in page
    assert "&#39;written&#39;" not in page
    assert "hare of stereotypical minus counter-stereotypical answers" in page
    assert "share of stereotypical minus counter-stereotypical answers" in screen(result, full=True)
