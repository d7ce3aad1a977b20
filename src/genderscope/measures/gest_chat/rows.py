"""Conversion of answers to rows."""

from collections.abc import Sequence
from dataclasses import dataclass

from genderscope.core.questions import ChoiceAnswer, ReplyAnswer
from genderscope.measures.characters import read_character
from genderscope.measures.gest_chat.reading import read_choice
from genderscope.measures.gest_chat.wordings import Wording
from genderscope.measures.reply_measure import option_probabilities
from genderscope.measures.reply_text import Read, ended_early, read_reply, read_structured, reply_columns
from genderscope.samples.gest import GestSample


@dataclass(frozen=True, slots=True, kw_only=True)
class GestChatRow:
    """An answer about a sentence, for one wording and one order of the options (None in the writing task).

    `draw` numbers the replies to the same prompt, from 0. `outcome` is the parsed outcome. If letters were requested,
    `female`, `male` and `neither` are the options' probabilities, and `mass` is the combined probability of the three
    letters. `judge_outcome` is the reading of a judge, if there is one, and `judge_agrees` says whether it is that of
    the rules.
    """

    sample: int
    sentence: str
    stereotype: int
    wording: int
    order: str | None = None
    draw: int = 0
    letter: str | None = None
    outcome: str | None = None
    female: float | None = None
    male: float | None = None
    neither: float | None = None
    mass: float | None = None
    reply: str | None = None
    thought: str | None = None
    ended: str | None = None
    served_by: str | None = None
    rule: str | None = None
    unread: str | None = None
    judge_outcome: str | None = None
    judge_reply: str | None = None
    judge_unread: str | None = None
    judge_agrees: bool | None = None


def letter_row(sample: GestSample, wording: Wording, order: Sequence[str], answer: ChoiceAnswer) -> GestChatRow:
    """Convert the probabilities of the three letters to those of the options they label."""
    chances = {} if answer.scores is None else option_probabilities(dict(zip(order, answer.scores, strict=True)))
    return GestChatRow(
        sample=sample.index,
        sentence=sample.sentence,
        stereotype=sample.stereotype,
        wording=wording.number,
        order=",".join(order),
        female=chances.get("female"),
        male=chances.get("male"),
        neither=chances.get("neither"),
        mass=answer.mass,
        rule=answer.note,
        unread=answer.unread,
    )


def reply_row(
    sample: GestSample,
    wording: Wording,
    order: Sequence[str] | None,
    answer: ReplyAnswer,
    language: str,
    as_published: bool,
    structured: bool = False,
    draw: int = 0,
) -> GestChatRow:
    """Parse a reply into a row; without an order of options, it is a text about a character."""
    text = answer.text or ""
    if as_published:
        read = _as_published(text, order)
    elif structured:
        read = read_reply(answer, lambda reply: read_structured(reply, order or ()))
    elif order is None:
        read = ended_early(answer) or read_character(text, sample.sentence, language)
    else:
        read = ended_early(answer) or read_choice(text, order, wording.in_order(order), language)
    return GestChatRow(
        sample=sample.index,
        sentence=sample.sentence,
        stereotype=sample.stereotype,
        wording=wording.number,
        order=None if order is None else ",".join(order),
        draw=draw,
        **reply_columns(answer, read),
    )


def _as_published(text: str, order: Sequence[str] | None) -> Read:
    from genderscope.measures.published import genderbench

    return genderbench.read_character(text) if order is None else genderbench.read_letter(text, order)
