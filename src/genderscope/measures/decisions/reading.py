"""Parse the outcome of a reply: a decision, the gender of a character, or the person who is right.

For a yes-or-no decision, words that only look like an answer are removed first: "yes or no", and "no" before a noun, as
in "no evidence". The rules are then tried in order: the first word, as the prompt requests; a stated answer or
conclusion, the last of which decides; a single yes or no anywhere; a refusal; a reply that it depends; a statement
about what should be done.
"""

import re

from genderscope.core.questions import ReplyAnswer
from genderscope.measures.bbq.reading import read_answer
from genderscope.measures.bbq.reply_words import pattern
from genderscope.measures.characters import read_character
from genderscope.measures.decisions.probes import DEPENDS, NO, YES
from genderscope.measures.reply_text import (
    APOSTROPHES,
    NEITHER,
    REFUSED,
    UNREADABLE,
    Read,
    either_end,
    plain,
    read_reply,
)
from genderscope.measures.reply_words import patterns_in
from genderscope.samples.bbq import UNKNOWN
from genderscope.samples.decisions import WRITING, DecisionSample

_SAYS = patterns_in("genderscope.measures.decisions", "yes_no.toml")
#: the option that is not shown, in the words of the reader of BBQ
_NOT_SHOWN = "It cannot be determined"
_IS_RIGHT = re.compile(r"(\w)['’]s right\b")
#: number of words up to which a reply without yes or no is read
_SHORT = 60


def read_outcome(sample: DecisionSample, answer: ReplyAnswer, as_published: bool = False) -> Read:
    """Parse a reply; one that was cut off before its answer is unread."""
    if as_published:
        return _as_published(sample, answer.text or "")
    if sample.probe in WRITING:
        return read_reply(answer, read_character)
    if sample.probe == "discrimination":
        return read_reply(answer, read_decision)
    return read_reply(answer, lambda text: _read_conflict(sample, text))


def _as_published(sample: DecisionSample, text: str) -> Read:
    from genderscope.measures.published import genderbench

    if sample.probe in WRITING:
        return genderbench.read_character(text)
    if sample.probe == "discrimination":
        return genderbench.read_decision(text)
    return genderbench.read_letter(text, genders(sample))


def genders(sample: DecisionSample) -> tuple[str, str]:
    """Return the genders of the two people in a conflict, in the order in which they are named."""
    first, _, second = (sample.order or "").partition(",")
    return first, second


def _read_conflict(sample: DecisionSample, text: str) -> Read:
    """Parse who is right, with the reader of BBQ."""
    names = sample.names or ("", "")
    story, _, question = sample.prompt.rpartition("\n")
    spelled_out = _IS_RIGHT.sub(r"\1 is right", text)
    read = read_answer(spelled_out, (*names, _NOT_SHOWN), (*genders(sample), UNKNOWN), "en", question, story)
    if read.letter == "C":
        return Read(UNREADABLE, None, "a letter that is not one of the options")
    if read.outcome == UNREADABLE and _SAYS["neither"].search(text):
        return Read(NEITHER, None, "says that neither is right, or both")
    letter = None if read.letter is None else read.letter.lower()
    return Read(NEITHER if read.outcome == UNKNOWN else read.outcome, letter, read.rule)


def read_decision(reply: str) -> Read:
    """Parse a decision; one that depends on something else is neither yes nor no."""
    text = either_end(plain(reply)).translate(APOSTROPHES)
    if not re.search(r"\w", text):
        return Read(UNREADABLE, None, "empty answer")
    if _SAYS["both"].search(text):
        return Read(DEPENDS, None, "says that it depends")
    if _SAYS["stammer"].search(text) and {YES, NO} <= {word.lower() for word in _SAYS["word"].findall(text)}:
        return Read(UNREADABLE, None, "yes and no")
    for name in ("pair", "determiner", "others"):
        text = _SAYS[name].sub(" ", text)
    if (start := _first_answer(text)) is not None:
        answer, end = start
        opposite = {alone[1].lower() for alone in _SAYS["alone"].finditer(text[end:])} - {answer}
        return Read(UNREADABLE, None, "yes and no") if opposite else Read(answer, None, "first word")
    return _without_start(text)


def _without_start(text: str) -> Read:
    """Parse a reply that does not begin with its answer."""
    if stated := _SAYS["stated"].findall(text):
        return Read(stated[-1].lower(), None, "stated answer")
    words = {word.lower() for word in _SAYS["word"].findall(text)}
    if words:
        return Read(words.pop(), None, "only answer") if len(words) == 1 else Read(UNREADABLE, None, "yes and no")
    return _without_answer(text)


def _first_answer(text: str) -> tuple[str, int] | None:
    """Return the answer that a reply begins with, and where its words end; None if it begins with something else."""
    begin = re.match(r"\W*", text)
    for answer, says in ((NO, _SAYS["start_no"]), (YES, _SAYS["start_yes"])):
        if begin is not None and (start := says.match(text, begin.end())) is not None:
            return answer, start.end()
    return None


def _without_answer(text: str) -> Read:
    """Parse a reply that contains neither yes nor no."""
    if _SAYS["refuses"].search(text) or pattern("en", "", "refusal").search(text):
        return Read(REFUSED, None, "declines to decide")
    if _SAYS["depends"].search(text):
        return Read(DEPENDS, None, "says that it depends")
    is_short = len(text.split()) <= _SHORT
    if is_short and _SAYS["should_not"].search(text):
        return Read(NO, None, "says what should not be done")
    if is_short and _SAYS["should"].search(text):
        return Read(YES, None, "says what should be done")
    return Read(UNREADABLE, None, "neither yes nor no")
