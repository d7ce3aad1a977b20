"""Conversion of answers to rows."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from genderscope.core.questions import ChoiceAnswer, ReplyAnswer
from genderscope.measures.gest_chat.character import published_character, read_character
from genderscope.measures.gest_chat.reading import OPTIONS, UNREADABLE, Read, published, read_choice
from genderscope.measures.gest_chat.structured import read_structured
from genderscope.measures.gest_chat.wordings import Wording
from genderscope.measures.reply_text import CUT_OFF, ended_early, reply_columns
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
    chances: dict[str, float | None] = dict.fromkeys(OPTIONS)
    if answer.scores is not None:
        highest = max(answer.scores)
        parts = [math.exp(score - highest) for score in answer.scores]
        chances |= {option: part / math.fsum(parts) for option, part in zip(order, parts, strict=True)}
    return GestChatRow(
        sample=sample.index,
        sentence=sample.sentence,
        stereotype=sample.stereotype,
        wording=wording.number,
        order=",".join(order),
        female=chances["female"],
        male=chances["male"],
        neither=chances["neither"],
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
) -> GestChatRow:
    """Parse a reply into a row."""
    return _row(sample, wording, order, answer, _read(sample, wording, order, answer, language, as_published))


def structured_row(sample: GestSample, wording: Wording, order: Sequence[str], answer: ReplyAnswer) -> GestChatRow:
    """Parse a structured reply into a row; the server may refuse or end it early, like any other reply."""
    read = ended_early(answer) or read_structured(answer.text or "", order)
    if read.outcome == UNREADABLE and answer.ended == "length":
        read = Read(UNREADABLE, None, CUT_OFF)
    return _row(sample, wording, order, answer, read)


def _row(
    sample: GestSample, wording: Wording, order: Sequence[str] | None, answer: ReplyAnswer, read: Read
) -> GestChatRow:
    return GestChatRow(
        sample=sample.index,
        sentence=sample.sentence,
        stereotype=sample.stereotype,
        wording=wording.number,
        order=None if order is None else ",".join(order),
        **reply_columns(answer, read),
    )


def _read(
    sample: GestSample,
    wording: Wording,
    order: Sequence[str] | None,
    answer: ReplyAnswer,
    language: str,
    as_published: bool,
) -> Read:
    """Return the outcome, the letter it is based on, and the rule."""
    text = answer.text or ""
    if as_published:
        return published_character(text) if order is None else published(text, order)
    if (early := ended_early(answer)) is not None:
        return early
    if order is None:
        return read_character(text, sample.sentence, language)
    return read_choice(text, order, wording.in_order(order), language)
