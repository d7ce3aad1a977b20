"""Encodes the next questions in a thread while the device works on others."""

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from genderscope.models.hf.found import Found, Rules, find
from genderscope.models.hf.token_spans import with_options
from genderscope.models.hf.tokenizer import encode, whole
from genderscope.questions import Choice

#: Freeing an encoding takes as long as locating a blank in it, so it is postponed until the CPU waits for the device.
_WINDOWS_KEPT = 3
_FREED_AT_ONCE = 64


class BlankLocator:
    """Locates the blanks of questions. Those announced with `begin` are encoded in a thread, which needs no GIL."""

    def __init__(self, tokenizer: Any, rules: Rules) -> None:
        self._tokenizer = tokenizer
        self._rules = rules
        self._thread = ThreadPoolExecutor(1)
        self._begun: deque[tuple[list[Choice], Future[list[Any]]]] = deque()
        self._used: deque[list[Any]] = deque(maxlen=_WINDOWS_KEPT)

    def begin(self, questions: Sequence[Choice]) -> None:
        """Start encoding these questions, after those announced before."""
        listed = list(questions)
        encode_batch = whole(self._tokenizer).encode_batch
        self._begun.append((listed, self._thread.submit(encode_batch, with_options(listed), add_special_tokens=True)))

    def of(self, questions: Sequence[Choice]) -> Found:
        """Return the blanks of these questions."""
        while self._begun:
            begun, encodings = self._begun.popleft()
            if begun == list(questions):
                self._used.append(encodings.result())
                return find(questions, self._used[-1], self._rules)
        return find(questions, encode(self._tokenizer, with_options(questions)), self._rules)

    def free_until(self, needed: Callable[[], bool]) -> None:
        """Free used encodings until `needed` returns true."""
        while self._used and not needed():
            del self._used[0][-_FREED_AT_ONCE:]
            if not self._used[0]:
                self._used.popleft()
