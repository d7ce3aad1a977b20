"""Runs that are interrupted, and how much they had answered."""

import contextlib
import sqlite3
import time


def answered(out):
    try:
        with contextlib.closing(sqlite3.connect(f"file:{out}/journal.sqlite?mode=ro", uri=True)) as db:
            return db.execute("SELECT count(*) FROM answers").fetchone()[0]
    except sqlite3.OperationalError:
        return 0


def run_until(process, out, count, deadline=120):
    """Wait until the run has answered so many questions; return whether it is still running."""
    end = time.monotonic() + deadline
    while process.poll() is None and time.monotonic() < end:
        if answered(out) >= count:
            return True
        time.sleep(0.005)
    return False
