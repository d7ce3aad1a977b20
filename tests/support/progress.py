"""Progress callbacks for tests."""

from collections import Counter


def stop_at(most):
    """Return a progress bar that stops the run once so many questions are answered."""

    def begin(total):
        done: Counter[str] = Counter()

        def advance(count):
            done["answered"] += count
            if done["answered"] >= most:
                raise KeyboardInterrupt

        return advance

    return begin
