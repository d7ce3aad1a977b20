"""Locates the blanks of many questions at once; encodes upcoming questions while the device is busy."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np

from genderscope.core.questions import Choice
from genderscope.models.hf.blanks import Blanks, one_token_each
from genderscope.models.hf.passes.texts import Array
from genderscope.models.hf.token_spans import Located, locate, with_options
from genderscope.models.hf.tokenizer import encode, without_truncation

#: Freeing an encoding takes as long as locating its blank, so encodings are freed while the CPU waits for the device.
_WINDOWS_KEPT = 3
_FREED_AT_ONCE = 64


@dataclass(frozen=True)
class LocatedBlanks:
    """Blanks by question index: `single_token` contains those whose options are single tokens, `others` the rest.

    Single-token blanks are grouped by number of options. In `others`, a string is the reason why a question cannot be
    scored.
    """

    single_token: tuple[tuple[Array, Blanks], ...]
    others: tuple[tuple[int, Located | str], ...]


class BlankLocator:
    """Locates blanks. `start_encoding` encodes questions in a background thread, without holding the GIL."""

    def __init__(self, tokenizer: Any, longest: int, sees_after: bool) -> None:
        self._tokenizer, self._longest, self._sees_after = tokenizer, longest, sees_after
        self._unknown_id: int | None = tokenizer.unk_token_id
        self._thread = ThreadPoolExecutor(1)
        self._started: deque[tuple[list[Choice], Future[list[Any]]]] = deque()
        self._used: deque[list[Any]] = deque(maxlen=_WINDOWS_KEPT)

    def start_encoding(self, questions: Sequence[Choice]) -> None:
        """Start encoding these questions in the background, after any submitted earlier."""
        listed = list(questions)
        encode_batch = without_truncation(self._tokenizer).encode_batch
        self._started.append((listed, self._thread.submit(encode_batch, with_options(listed), add_special_tokens=True)))

    def locate(self, questions: Sequence[Choice]) -> LocatedBlanks:
        """Return the blanks of these questions, using background encodings if available."""
        while self._started:
            announced, encodings = self._started.popleft()
            if announced == list(questions):
                self._used.append(encodings.result())
                return self._locate(questions, self._used[-1])
        return self._locate(questions, encode(self._tokenizer, with_options(questions)))

    def free_until(self, is_needed: Callable[[], bool]) -> None:
        """Free used encodings until `is_needed` returns true."""
        while self._used and not is_needed():
            del self._used[0][-_FREED_AT_ONCE:]
            if not self._used[0]:
                self._used.popleft()

    def _locate(self, questions: Sequence[Choice], encodings: Sequence[Any]) -> LocatedBlanks:
        """Locate blanks, given the encodings of each sentence with each option; vectorised if possible."""
        starts = [0, *accumulate(len(question.options) for question in questions)]
        single_token = []
        is_left = np.ones(len(questions), dtype=bool)
        for indices, group, encoded in _by_option_count(questions, encodings, starts):
            chosen, blanks = one_token_each(group, encoded, self._unknown_id, self._longest, self._sees_after)
            if len(chosen):
                single_token.append((indices[chosen], blanks))
                is_left[indices[chosen]] = False
        others = [
            (k, locate(questions[k], encodings[starts[k] : starts[k + 1]], self._unknown_id, self._sees_after))
            for k in np.flatnonzero(is_left).tolist()
        ]
        return LocatedBlanks(tuple(single_token), tuple(others))


def _by_option_count(
    questions: Sequence[Choice], encodings: Sequence[Any], starts: Sequence[int]
) -> Iterator[tuple[Array, Sequence[Choice], Sequence[Any]]]:
    """Yield groups of questions with the same number of options: indices, questions and encodings."""
    counts = np.diff(starts)
    for count in dict.fromkeys(counts.tolist()):
        indices = np.flatnonzero(counts == count)
        if len(indices) == len(questions):
            yield indices, questions, encodings
            return
        numbers = indices.tolist()
        encoded = [encoding for k in numbers for encoding in encodings[starts[k] : starts[k + 1]]]
        yield indices, [questions[k] for k in numbers], encoded
