"""Journal encoding: questions as hash keys, answers as JSON."""

import hashlib
import inspect
import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, replace

from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from genderscope.core.errors import UserError
from genderscope.core.questions import (
    ANSWER_TO,
    LONGEST_TEXT,
    Answer,
    ChoiceAnswer,
    CompletionAnswer,
    LikelihoodAnswer,
    Question,
    ReplyAnswer,
    TranslationAnswer,
)
from genderscope.util.safe_text import well_formed

#: reason for a missing answer if the system returned NaN or infinity
NOT_FINITE = "the system returned NaN or an infinite value"
CUT = "cut"  # `ended` value of truncated replies
#: note on truncated translations, and reason for missing completions
CUT_TRANSLATION = f"cut after {LONGEST_TEXT:,} characters"
TOO_LONG = f"a completion is longer than {LONGEST_TEXT:,} characters"


_MOST = 50_000  # maximum number of entries in each in-memory cache


def question_key(fingerprint: str, question: Question) -> bytes:
    """Return the journal key of a question to the model with this fingerprint."""
    lately = _KEYED.get(id(question))
    if lately is not None and lately[0] is question and lately[1] == fingerprint:
        return lately[2]
    # A dataclass's repr contains its name and every field, so different questions never have the same repr.
    text = f"{fingerprint} {_WRITTEN[type(question)](question)}"
    # Messages that a chat template renders differently (with another date or version) count as a different question.
    if (prompt := getattr(question, "prompt", None)) is not None:
        text = f"{text} {prompt_digest(prompt)}"
    key = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]
    if len(_KEYED) >= _MOST:
        _KEYED.clear()
    _KEYED[id(question)] = question, fingerprint, key
    return key


def prompt_digest(prompt: str) -> str:
    """Return the digest of a rendered prompt, as used in question keys."""
    return hashlib.sha256(prompt.encode("utf-8", "surrogatepass")).hexdigest()


#: keys of recent questions, reused when their answers are read; cached by identity, because equal questions may have
#: different reprs
_KEYED: dict[int, tuple[Question, str, bytes]] = {}

#: `repr` without its recursion guard, which questions never need, since they contain only text and numbers
_WRITTEN: dict[type[Question], Callable[[Question], str]] = {kind: inspect.unwrap(kind.__repr__) for kind in ANSWER_TO}


_ADAPTERS: dict[type[Answer], TypeAdapter[Answer]] = {kind: TypeAdapter(kind) for kind in ANSWER_TO.values()}

_CHOICES = TypeAdapter(list[ChoiceAnswer])


#: recent choice answers by their JSON, to avoid parsing those that are soon read back
_LATELY: dict[bytes, ChoiceAnswer] = {}


def answers_to_json(answers: Sequence[Answer]) -> list[bytes]:
    """Serialise each answer in a batch as JSON."""
    choices = [answer for answer in answers if type(answer) is ChoiceAnswer]
    if not choices or len(choices) < len(answers) or not all(map(_is_plain, choices)):
        return [answer_to_json(answer) for answer in answers]
    # Serialising the whole list takes half the time; without text fields, `},{` occurs only between answers.
    written = [b"{%b}" % body for body in _CHOICES.dump_json(choices)[2:-2].split(b"},{")]
    _remember(zip(written, choices, strict=True))
    return written


def _is_plain(answer: ChoiceAnswer) -> bool:
    return answer.note is None and answer.unread is None and _is_finite(answer)


def answer_to_json(answer: Answer) -> bytes:
    """Serialise an answer as JSON: floats exactly, NaN and infinity as unread, long texts truncated."""
    answer = _bounded(answer) if _is_finite(answer) else type(answer)(None, unread=NOT_FINITE)
    try:
        written = _ADAPTERS[type(answer)].dump_json(answer)
    except PydanticSerializationError:  # servers can send lone surrogates, which UTF-8 cannot encode
        return well_formed(json.dumps(asdict(answer), ensure_ascii=False)).encode()
    if isinstance(answer, ChoiceAnswer):
        _remember([(written, answer)])
    return written


def _bounded(answer: Answer) -> Answer:
    """Truncate texts that exceed the limit; applied to the answers of every model."""
    if isinstance(answer, TranslationAnswer) and len(answer.text or "") > LONGEST_TEXT:
        note = ", ".join(filter(None, (answer.note, CUT_TRANSLATION)))
        return replace(answer, text=_beginning(answer.text), note=note)
    if isinstance(answer, ReplyAnswer) and len(answer.text or "") + len(answer.thought or "") > LONGEST_TEXT:
        cut = len(answer.text or "") > LONGEST_TEXT and answer.ended in (None, "length")
        text, thought = _beginning(answer.text), _beginning(answer.thought)
        return replace(answer, text=text, thought=thought, ended=CUT if cut else answer.ended)
    if isinstance(answer, CompletionAnswer) and any(len(text) > LONGEST_TEXT for text in answer.texts or ()):
        return CompletionAnswer(None, unread=TOO_LONG)
    return answer


def _beginning(text: str | None) -> str | None:
    return None if text is None else text[:LONGEST_TEXT]


def _remember(written: Iterable[tuple[bytes, ChoiceAnswer]]) -> None:
    if len(_LATELY) >= _MOST:
        _LATELY.clear()
    _LATELY.update(written)


def _is_finite(answer: Answer) -> bool:
    numbers: tuple[float | None, ...] = ()
    if isinstance(answer, ChoiceAnswer):
        # Most answers are choices, and one sum is faster than checking each score; an overflow only triggers the check.
        if math.isfinite(sum(answer.scores or ()) + (answer.log_normaliser or 0.0)):
            return True
        numbers = (*(answer.scores or ()), answer.log_normaliser)
    elif isinstance(answer, LikelihoodAnswer):
        numbers = answer.log_probabilities or ()
    elif isinstance(answer, CompletionAnswer):
        numbers = answer.scores
    return all(number is None or math.isfinite(number) for number in numbers)


def answer_from_json(kind: type[Question], text: bytes) -> Answer:
    """Parse the answer to a question of this kind from JSON."""
    if ANSWER_TO[kind] is ChoiceAnswer and (lately := _LATELY.get(text)) is not None:
        return lately
    try:
        answer = _ADAPTERS[ANSWER_TO[kind]].validate_json(text)
    except ValidationError as error:
        reason = error.errors()[0]["msg"]
    else:
        if _is_finite(answer):
            return answer
        reason = NOT_FINITE
    raise UserError(
        f"An answer in the journal cannot be parsed ({reason}); use --fresh (Python: fresh=True) to ask again."
    )
