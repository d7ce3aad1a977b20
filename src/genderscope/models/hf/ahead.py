"""Finds the blanks of the next questions while the device works on others."""

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import torch

from genderscope.models.hf.found import Found, Rules, find
from genderscope.models.hf.helpers import Helpers
from genderscope.models.hf.locate import with_options
from genderscope.models.hf.tokenizing import encode, whole
from genderscope.questions import Choice

#: Freeing an encoding takes as long as finding a blank in it, so it is left for when the device must be waited for.
_WINDOWS_KEPT = 3
_FREED_AT_ONCE = 64
#: at most so many helpers, and so many cores for each
MOST_HELPERS = 4
CORES_A_HELPER = 4
#: fewer questions are found sooner than sent
_WORTH_SENDING = 200


class LocatedAhead:
    """Finds blanks in helper processes once they are there; until then a thread encodes, which hardly needs Python."""

    def __init__(self, tokenizer: Any, rules: Rules) -> None:
        self._tokenizer = tokenizer
        self._rules = rules
        self._thread = ThreadPoolExecutor(1)
        self._begun: deque[tuple[list[Choice], Callable[[], Found | None]]] = deque()
        self._used: deque[list[Any]] = deque(maxlen=_WINDOWS_KEPT)
        self._helpers: Helpers | None = None

    def get_help(self) -> None:
        """Start helpers, unless they were, if there are cores to spare."""
        count = min(MOST_HELPERS, torch.get_num_threads() // CORES_A_HELPER)
        if count and self._helpers is None:
            self._helpers = Helpers(whole(self._tokenizer), self._rules, count)

    def begin(self, questions: Sequence[Choice]) -> None:
        """Begin to find these, after those that were begun before."""
        listed = list(questions)
        helpers = self._helpers
        if helpers is not None and len(listed) >= _WORTH_SENDING and helpers.ready():
            self._begun.append((listed, helpers.begin(listed)))
            return
        encodings = self._thread.submit(
            whole(self._tokenizer).encode_batch, with_options(listed), add_special_tokens=True
        )
        self._begun.append((listed, lambda: self._found(listed, encodings)))

    def _found(self, questions: Sequence[Choice], encodings: "Future[list[Any]]") -> Found:
        self._used.append(encodings.result())
        return find(questions, self._used[-1], self._rules)

    def of(self, questions: Sequence[Choice]) -> Found:
        """Return the blanks of these questions."""
        while self._begun:
            begun, ended = self._begun.popleft()
            found = ended()
            if found is not None and begun == list(questions):
                return found
        return find(questions, encode(self._tokenizer, with_options(questions)), self._rules)

    def free_until(self, needed: Callable[[], bool]) -> None:
        """Free encodings that were used, for as long as there is nothing else to do."""
        while self._used and not needed():
            del self._used[0][-_FREED_AT_ONCE:]
            if not self._used[0]:
                self._used.popleft()

    def close(self) -> None:
        """Let the helpers go."""
        if self._helpers is not None:
            self._helpers.close()
            self._helpers = None
