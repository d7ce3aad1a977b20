"""Several draws: independent replies to the same prompt, each with its own seed."""

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


def seed_of(seed: int, draw: int) -> int:
    """Return the seed of a draw: the run's own seed for the first draw, otherwise a number derived from both."""
    if draw == 0:
        return seed
    digest = hashlib.sha256(f"{seed} {draw}".encode()).digest()
    return int.from_bytes(digest[:4], "big") >> 1  # 31 bits: some servers reject larger seeds


def has_draws(rows: "pd.DataFrame") -> bool:
    """Return whether prompts were asked several times."""
    return "draw" in rows and bool((rows["draw"] > 0).any())  # earlier versions have no such column
