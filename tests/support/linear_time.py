"""Checks that a function takes time linear in the length of a text, on a machine that others use too.

Even processor time is not the reader's alone: another process may take the caches, a host the core. Such a disturbance
passes, and quadratic time does not; so a text that took too long is read again, after ever longer pauses.
"""

import time

from benchmarks.soak_fuzz import timed

TRIES = 8


def assert_within(read, text, seconds, name=""):
    taken = _least(read, text, seconds)
    assert taken <= seconds, f"{name}: {taken:.2f} s for {len(text):,} characters, {seconds:.2f} s allowed"


def assert_grows_with_the_length(read, short, long):
    """Four times the text may take ten times as long; a quadratic reader takes sixteen."""
    for kind, text in long.items():
        if timed(read, text) > 0.2:  # however little a quarter of it takes
            base = min(timed(read, short[kind]) for _ in range(3))
            assert_within(read, text, 0.2 + 10 * base, kind)


def _least(read, text, seconds):
    """Return the shortest time; no more tries than needed."""
    taken = timed(read, text)
    for attempt in range(1, TRIES):
        if taken <= seconds:
            break
        time.sleep(0.1 * 2**attempt)
        taken = min(taken, timed(read, text))
    return taken
