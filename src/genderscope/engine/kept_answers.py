"""Progress of resumed runs: the answers that are already in the journal count from the start."""

from collections.abc import Iterable

from genderscope.core.journal_codec import question_key
from genderscope.core.questions import Question
from genderscope.engine.local_engine import WINDOW, Progress, windows
from genderscope.runs import Journal


def count_kept_first(progress: Progress, fingerprint: str, questions: Iterable[Question], journal: Journal) -> Progress:
    """Return a callback that reports all kept answers at its first call, and none of them again.

    The engine meets the kept answers one window at a time, but the remaining time depends only on the others.
    """
    left = kept_answers(fingerprint, questions, journal)
    is_first = True

    def count(done: int) -> None:
        nonlocal left, is_first
        if is_first:
            is_first = False
            progress(left)
        known = min(left, done)
        left -= known
        progress(done - known)

    return count


def kept_answers(fingerprint: str, questions: Iterable[Question], journal: Journal) -> int:
    """Return how many of the questions, counting duplicates, the journal answers."""
    count = 0
    for window in windows(questions, (WINDOW,)) if journal else ():
        keys = [question_key(fingerprint, question) for question in window]
        count += sum(map(journal.known(keys).__contains__, keys))
    return count
