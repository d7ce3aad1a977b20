"""Progress of an unfinished run, read from its journal without changing it."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from genderscope.runs.atomic_files import MISSING, what_is_there
from genderscope.runs.journal_salvage import log_of
from genderscope.runs.run_files import JOURNAL

#: run.json entry with the number of questions
QUESTIONS = "questions"


@dataclass(frozen=True)
class RunProgress:
    """Answers so far, questions in total and the time of the last answer; None stands for an unknown number or time."""

    answers: int | None
    questions: int | None
    last: datetime | None


def progress_of(folder: Path, config: Mapping[str, Any]) -> RunProgress:
    """Count the answers in a run's journal."""
    journal = folder / JOURNAL
    total = config.get(QUESTIONS)
    questions = total if type(total) is int and total > 0 else None
    there = what_is_there(journal)
    if there is not None:
        return RunProgress(0 if there == MISSING else None, questions, None)
    answers = _count(journal)
    times = []
    for path in (journal, log_of(journal)) if answers else ():
        with suppress(FileNotFoundError):  # SQLite deletes the log when the run ends
            times.append(path.stat().st_mtime)
    return RunProgress(answers, questions, datetime.fromtimestamp(max(times)).astimezone() if times else None)


def _count(journal: Path) -> int | None:
    """Return the number of answers; None if the journal cannot be read."""
    # Without a log, no process is writing; SQLite would create a log to open the file in the usual way.
    mode = "mode=ro" if log_of(journal).exists() else "mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(f"{journal.absolute().as_uri()}?{mode}", uri=True)) as opened:
            return int(opened.execute("SELECT count(*) FROM answers").fetchone()[0])
    except sqlite3.Error:
        return None
