"""A model without weights for workers to open: it starts at once, notes what it is asked, and dies where told to."""

import os
import signal
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from genderscope.core.errors import UserError
from genderscope.core.questions import Choice, ChoiceAnswer
from genderscope.models import Batch, Plan, Settings, WordModel

DEADLY, MISTAKEN, FAULTY, LARGE, UNREAD = "deadly", "mistaken", "faulty", "large", "unread"


@dataclass(frozen=True)
class PlantedOpening:
    """Opens the model; `place` is a folder where every process keeps a list of what it was asked."""

    place: Path
    seconds: float = 0.0
    #: how many copies must be there before any answers, so that none has done all before the next has started
    company: int = 1
    fingerprint: str = "planted"
    #: as a model on a GPU does
    overlaps: bool = False
    #: its weights cannot be read
    broken: bool = False
    settings: Settings = field(default_factory=Settings)

    def open(self):
        return Planted(self)

    def asked(self):
        """All questions put to any copy of the model, as often as they were put."""
        return [line for file in self.place.glob("*.asked") for line in file.read_text().splitlines()]

    def workers(self):
        """The processes that were asked, the last to be asked first."""
        files = sorted(self.place.glob("*.asked"), key=lambda file: file.stat().st_mtime, reverse=True)
        return [int(file.stem) for file in files]


class Planted(WordModel):
    kind = "planted"
    answers = frozenset({Choice})
    scales = True
    loaded = False

    def __init__(self, opening):
        super().__init__("planted")
        self.opening: Any = opening

    @property
    def fingerprint(self):
        return self.opening.fingerprint

    @property
    def overlaps(self):
        return self.opening.overlaps

    def describe(self):
        return {"name": self.name, "fingerprint": self.fingerprint, "loaded": self.loaded}

    def load(self):
        if self.opening.broken:
            raise UserError("The weights of 'planted' cannot be read.")
        self.loaded = True
        self._notes().touch()

    def plan(self, questions, batch_size):
        assert self.loaded
        unread = [k for k, q in enumerate(questions) if q.before == UNREAD]
        asked = [k for k, q in enumerate(questions) if q.before != UNREAD]
        size = batch_size or 2
        groups = [tuple(asked[k : k + size]) for k in range(0, len(asked), size)]
        batches = tuple(Batch(group, tuple(questions[k] for k in group)) for group in groups)
        return Plan(tuple((k, ChoiceAnswer(None, unread="because")) for k in unread), batches)

    def _notes(self):
        return self.opening.place / f"{os.getpid()}.asked"

    def _wait_for_company(self):
        deadline = time.monotonic() + 60
        while len(self.opening.workers()) < self.opening.company and time.monotonic() < deadline:
            time.sleep(0.01)

    def answer(self, batch):
        texts = [question.before for question in batch.items]
        if LARGE in texts and len(texts) > 1:
            raise MemoryError
        self._wait_for_company()
        with self._notes().open("a") as file:
            file.writelines(f"{question.after}\n" for question in batch.items)
        time.sleep(self.opening.seconds)
        if DEADLY in texts:
            os.kill(os.getpid(), signal.SIGKILL)
        if MISTAKEN in texts:
            raise UserError("This one sentence is for the user.")
        if FAULTY in texts:
            raise ZeroDivisionError("a fault of the program")
        # Like floating-point sums, an answer depends a little on what else is in the batch.
        others = sum(float(question.after) for question in batch.items)
        return [ChoiceAnswer((float(question.after), others)) for question in batch.items]


def questions(count, **special):
    """Numbered questions; `special` says which of them are deadly, large, …: deadly=[7]."""
    kinds = {number: kind for kind, numbers in special.items() for number in numbers}
    return [Choice(kinds.get(number, "plain"), str(number), ("a", "b")) for number in range(count)]


def gone(pid):
    """Whether a process has ended."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    # A child that nobody has waited for yet is dead all the same.
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"


def soon(true, seconds=30):
    """Wait until something is true; return whether it came to be."""
    deadline = time.monotonic() + seconds
    while not true() and time.monotonic() < deadline:
        time.sleep(0.05)
    return true()
