"""Conversion of answers to rows."""

import math
from collections.abc import Sequence

from genderscope.core.questions import ChoiceAnswer, ReplyAnswer
from genderscope.measures.gest_chat.character import published_character, read_character
from genderscope.measures.gest_chat.reading import OPTIONS, REFUSED, UNREADABLE, published, read_choice
from genderscope.measures.gest_chat.row import GestChatRow
from genderscope.measures.gest_chat.wordings import Wording
from genderscope.samples.gest import GestSample

#: how a reply ended -> the reason why it counts as refused
BY_THE_SERVER = {"filter": "stopped by a content filter", "refusal": "marked as a refusal by the server"}
CUT_OFF = "cut off before giving an answer"


def letter_row(sample: GestSample, wording: Wording, order: Sequence[str], answer: ChoiceAnswer) -> GestChatRow:
    """Convert the probabilities of the three letters to those of the options they label."""
    chances: dict[str, float | None] = dict.fromkeys(OPTIONS)
    mass = answer.mass
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
        letter=None,
        outcome=None,
        female=chances["female"],
        male=chances["male"],
        neither=chances["neither"],
        mass=mass,
        reply=None,
        thought=None,
        ended=None,
        served_by=None,
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
    outcome, letter, rule = _read(sample, wording, order, answer, language, as_published)
    unread = (answer.unread or rule) if outcome in (None, UNREADABLE) else None
    return GestChatRow(
        sample=sample.index,
        sentence=sample.sentence,
        stereotype=sample.stereotype,
        wording=wording.number,
        order=None if order is None else ",".join(order),
        letter=letter,
        outcome=None if unread else outcome,
        female=None,
        male=None,
        neither=None,
        mass=None,
        reply=answer.text,
        thought=answer.thought,
        ended=answer.ended,
        served_by=answer.served_by,
        rule=rule,
        unread=unread,
    )


def _published(text: str, order: Sequence[str] | None) -> tuple[str | None, str | None, str | None]:
    if order is None:
        written = published_character(text)
        return written.outcome, None, written.rule
    chosen = published(text, order)
    return chosen.outcome, chosen.letter, chosen.rule


def _read(
    sample: GestSample,
    wording: Wording,
    order: Sequence[str] | None,
    answer: ReplyAnswer,
    language: str,
    as_published: bool,
) -> tuple[str | None, str | None, str | None]:
    """Return the outcome, the letter it is based on, and the rule; no outcome if there is nothing to parse."""
    if as_published:
        return _published(answer.text or "", order)
    if answer.ended in BY_THE_SERVER:
        return REFUSED, None, BY_THE_SERVER[answer.ended]
    if answer.text is None or (not answer.text.strip() and answer.ended == "length"):
        return None, None, answer.unread or CUT_OFF
    if order is None:
        found = read_character(answer.text, sample.sentence, language)
        return found.outcome, None, found.rule
    read = read_choice(answer.text, order, wording.in_order(order), language)
    return read.outcome, read.letter, read.rule
