"""Checks that a function takes time linear in the length of a text."""

from benchmarks.soak_fuzz import timed


def assert_grows_with_the_length(read, short, long):
    """Four times the text may take eight times as long on a busy machine; a quadratic reader takes sixteen."""
    for kind, text in long.items():
        taken = timed(read, text)
        if taken <= 0.2:
            continue  # however little a quarter of it takes
        base = min(timed(read, short[kind]) for _ in range(2))
        if taken > 0.2 + 10 * base:
            again = min(timed(read, text) for _ in range(2))
            assert again <= 0.2 + 10 * base, f"{kind}: {base:.3f} s, then {again:.3f} s for four times the text"
