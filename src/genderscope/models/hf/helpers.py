"""Processes that encode questions and find their blanks, while this one feeds the device.

What they do is nearly half of what Python does between a question and its row, and needs nothing of the model but its
tokenizer. They find what this process would: the same code, the same tokenizer.
"""

import gc
import os
import sys
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from typing import Any

from genderscope.child import Child, cores, environment_of, tasks_from
from genderscope.models.hf.found import Found, Rules, find
from genderscope.models.hf.locate import with_options
from genderscope.questions import Choice

#: in a helper, how long a thread may keep others waiting, so that questions are taken from the pipe at once
_SECONDS_A_TURN = 0.0005


class Helpers:
    """Some helper processes; each has a part of every window. Whoever has none, or loses one, finds blanks itself."""

    def __init__(self, tokenizer: Any, rules: Rules, count: int) -> None:
        threads = str(max(1, cores() // count))
        environment = {**environment_of(count), "RAYON_NUM_THREADS": threads}
        self._helpers: list[Child] = []
        # In a thread: a large tokenizer takes a while to write, and helpers take as long to start.
        introducing = threading.Thread(target=_introduce, args=(self._helpers, tokenizer, rules), daemon=True)
        self.close = weakref.finalize(self, _end, self._helpers, introducing)
        self._lost = False
        self._windows = 0
        try:
            for _ in range(count):
                self._helpers.append(Child(__name__, "help_out", environment))
            introducing.start()
        except (OSError, RuntimeError):  # no process or thread is to be had here
            self._lost = True
        self._starting = list(self._helpers)

    def ready(self) -> bool:
        """Tell whether all have started and none was lost."""
        try:
            while not self._lost and self._starting and self._starting[-1].pipe.poll():
                self._starting[-1].pipe.recv()
                self._starting.pop()
        except (EOFError, OSError):
            self._lost = True
        return not self._lost and not self._starting

    def begin(self, questions: Sequence[Choice]) -> Callable[[], Found | None]:
        """Give every helper its part; what is returned waits for the blanks, and returns None if a helper was lost."""
        size = -(-len(questions) // len(self._helpers))
        starts = range(0, len(questions), size)
        busy = self._helpers[: len(starts)]
        self._windows = number = self._windows + 1
        # They take what comes at once, however busy they are: sending does not wait for them.
        with self._whole_or_lost():
            _give(busy, number, [questions[start : start + size] for start in starts])

        def received() -> Found | None:
            if self._lost:
                return None
            with suppress(EOFError, OSError), self._whole_or_lost():
                numbers, parts = zip(*(each.pipe.recv() for each in busy), strict=True)
                if set(numbers) != {number}:
                    raise EOFError
                return Found.together(parts, starts)
            return None

        return received

    @contextmanager
    def _whole_or_lost(self) -> Iterator[None]:
        """Do without helpers from now on if this ends early, by Ctrl-C for instance: half a message may be left."""
        self._lost = True
        yield
        self._lost = False


def _introduce(helpers: Sequence[Child], tokenizer: Any, rules: Rules) -> None:
    try:
        written = tokenizer.to_str(), tokenizer.encode_special_tokens
    except Exception:  # a part of it was made in Python
        return
    for each in helpers:
        each.send((*written, rules))


def _give(helpers: Sequence[Child], number: int, parts: Sequence[Sequence[Choice]]) -> None:
    """Send the number of a window and the fields of its questions: objects take longer to send than to make."""
    for each, part in zip(helpers, parts, strict=True):
        each.send(
            (
                number,
                [question.before for question in part],
                [question.after for question in part],
                [question.options for question in part],
                [question.want_mass for question in part],
            )
        )


def _end(helpers: Sequence[Child], introducing: threading.Thread) -> None:
    for each in helpers:
        each.kill()
    if introducing.ident is not None and introducing is not threading.current_thread():
        introducing.join()  # it must not write where a pipe was
    for each in helpers:
        each.end()


def help_out(descriptor: int) -> None:
    """Run as a helper: find the blanks of the questions from the pipe until it closes."""
    from tokenizers import Tokenizer

    sys.setswitchinterval(_SECONDS_A_TURN)
    gc.disable()  # nothing here forms a cycle
    pipe: Connection[Any, Any] = Connection(descriptor)
    written, splits_special, rules = pipe.recv()
    tokenizer = Tokenizer.from_str(written)
    tokenizer.encode_special_tokens = splits_special  # the only setting that is not written
    tasks = tasks_from(pipe)
    sending = ThreadPoolExecutor(1)
    sending.submit(_send, pipe, None)
    while True:
        number, *columns = tasks.get()
        questions = [Choice(*fields) for fields in zip(*columns, strict=True)]
        encodings = tokenizer.encode_batch(with_options(questions), add_special_tokens=True)
        sending.submit(_send, pipe, (number, find(questions, encodings, rules)))
        del questions, encodings  # while nobody waits


def _send(pipe: "Connection[Any, Any]", found: tuple[int, Found] | None) -> None:
    try:
        pipe.send(found)
    except BaseException:
        os._exit(1)
