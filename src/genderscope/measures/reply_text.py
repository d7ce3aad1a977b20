"""The text of a chat model's reply without its markup, what it was read as, and the columns of its row."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from genderscope.core.questions import FIELD, ReplyAnswer
from genderscope.util.text_normalization import normalized

FEMALE, MALE, NEITHER = "female", "male", "neither"
REFUSED, UNREADABLE = "refused", "unreadable"
#: how a reply ended -> the reason why it counts as refused
BY_THE_SERVER = {"filter": "stopped by a content filter", "refusal": "marked as a refusal by the server"}
CUT_OFF = "cut off before giving an answer"
#: variants of the apostrophe -> the plain one
APOSTROPHES = str.maketrans("’‘ʼ´", "''''")
NO_JSON = "not JSON: the server did not apply the schema"
OTHER_JSON = "JSON that names none of the options: the server did not apply the schema"

#: longer runs of punctuation and white space are shortened, to bound the running time of the patterns
_LONGEST_RUN = 40
#: twice the stored length of a reply; normalisation may turn one character into eighteen
_LONGEST_TEXT = 131_072
#: an answer is looked for in so many characters at either end of a reply
_EITHER_END = 16_384
_RUN = re.compile(rf"[\W_]{{{_LONGEST_RUN + 1},}}+")
_STRUCK = re.compile(r"~~[^~\n]{1,200}~~")
_MARKUP = re.compile(r"[*`~]+|(?<!\w)_+|(?<!_)_++(?!\w)|</?\w++[^>]{0,40}>|\$+|[\u200b-\u200f\u2060\ufeff]")
_BOXED = re.compile(r"\\(?:boxed|text|mathbf|textbf)\{([^{}]*+)\}")
#: the letters (a), (b), (c) in other alphabets; the Cyrillic "в" is left out: it looks like (b) and is the third letter
_LOOKALIKES = str.maketrans("абсАБСαβγΑΒΓ", "abcABCabcABC")
_FOREIGN = re.compile(r"(?<!\w)[абсαβγ](?=\s*[)\]}.:])|(?<=[(\[])[абсαβγ](?!\w)|\A\W*[абсαβγ]\W*\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Read:
    """A parsed choice, the letter it is based on, and the rule (or the reason, if unreadable)."""

    outcome: str
    letter: str | None
    rule: str


def ended_early(answer: ReplyAnswer) -> Read | None:
    """Return the outcome of a reply that the server refused, or that has no text; None for all others."""
    if answer.ended in BY_THE_SERVER:
        return Read(REFUSED, None, BY_THE_SERVER[answer.ended])
    if answer.text is None or (not answer.text.strip() and answer.ended == "length"):
        return Read(UNREADABLE, None, answer.unread or CUT_OFF)
    return None


def read_reply(answer: ReplyAnswer, read: Callable[[str], Read]) -> Read:
    """Parse a reply with a parser of texts; one that was refused by the server or cut off too early has no answer."""
    outcome = ended_early(answer) or read(answer.text or "")
    if outcome.outcome == UNREADABLE and answer.ended == "length":
        return Read(UNREADABLE, None, CUT_OFF)
    return outcome


def read_structured(reply: str, order: Sequence[str], letters: str = "abc") -> Read:
    """Parse a JSON object that names a letter; `order` is the option at each letter. Other replies are not read."""
    try:
        content = json.loads(reply)
    except (ValueError, RecursionError):
        return Read(UNREADABLE, None, NO_JSON)
    choice = content.get(FIELD) if isinstance(content, dict) else None
    choices = [f"({letter})" for letter in letters]
    if not isinstance(choice, str) or choice not in choices:
        return Read(UNREADABLE, None, OTHER_JSON)
    place = choices.index(choice)
    return Read(order[place], letters[place], "structured output")


def reply_columns(answer: ReplyAnswer, read: Read) -> dict[str, Any]:
    """Return the columns of a row that come from a reply and its reading; an unreadable one has no outcome."""
    unread = (answer.unread or read.rule) if read.outcome == UNREADABLE else None
    return {
        "letter": read.letter,
        "outcome": None if unread else read.outcome,
        "reply": answer.text,
        "thought": answer.thought,
        "ended": answer.ended,
        "served_by": answer.served_by,
        "rule": read.rule,
        "unread": unread,
    }


def plain(reply: str) -> str:
    """Strip markup and boxes, and normalise Unicode characters."""
    text = normalized("NFKC", reply)[:_LONGEST_TEXT]
    for _ in range(2):
        text = _BOXED.sub(lambda box: f" {box[1].strip()} ", text)
    text = _MARKUP.sub("", _STRUCK.sub(" ", text))
    return _RUN.sub(_shortened, text.replace("\\(", "(").replace("\\)", ")").strip())


def _shortened(run: re.Match[str]) -> str:
    """Shorten a run of punctuation and white space to its ends, keeping a line break if there was one in between."""
    half = _LONGEST_RUN // 2
    begin, middle, end = run[0][:half], run[0][half:-half], run[0][-half:]
    return f"{begin}\n{end}" if "\n" in middle else f"{begin}{end}"


def either_end(text: str) -> str:
    """Return the beginning and the end of a text, so that the time to read it is bounded."""
    return text if len(text) <= 2 * _EITHER_END else f"{text[:_EITHER_END]}\n{text[-_EITHER_END:]}"


def latin_letters(text: str) -> str:
    """Replace Cyrillic and Greek option letters, such as "(б)", by the letters of the prompt."""
    return _FOREIGN.sub(lambda letter: letter[0].translate(_LOOKALIKES), text)
