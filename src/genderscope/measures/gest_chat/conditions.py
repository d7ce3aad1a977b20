"""Numbers that say whether chat answers can show a bias at all; each from the rows of a run."""

from typing import TYPE_CHECKING

from genderscope.measures.gest_chat.reading import FEMALE, MALE

if TYPE_CHECKING:
    import pandas as pd


def order_effect(rows: "pd.DataFrame", form: str) -> float | None:
    """Return how far the place of an option decides: 0 not at all, 1 alone; None without orders."""
    from genderscope.measures.gest_chat.orders import order_estimates

    return next((e.value for e in order_estimates(rows, form) if e.name == "order_effect"), None)


def place_share(rows: "pd.DataFrame", form: str) -> float | None:
    """Return the share of the most frequent place, from 1/3 to 1 (always the same letter); None without orders."""
    from genderscope.measures.gest_chat.shares import by_place

    if form == "write" or rows["order"].isna().all():
        return None
    _, places, _ = by_place(rows, form)
    return float(places.mean(axis=0).max()) if len(places) else None


def outcome_share(rows: "pd.DataFrame", form: str) -> float | None:
    """Return the share of the most frequent outcome among the answers read, up to 1 (always the same answer)."""
    from genderscope.measures.gest_chat.shares import vectors

    shares = vectors(rows, form).dropna().mean()
    return float(shares.max()) if len(shares) and shares.notna().all() else None


def gendered_share(rows: "pd.DataFrame", form: str) -> float | None:
    """Return the share of answers read that name a gender, from 0 (all refuse or choose neither) to 1."""
    from genderscope.measures.gest_chat.shares import vectors

    shares = vectors(rows, form).dropna()[[FEMALE, MALE]].sum(axis=1)
    return float(shares.mean()) if len(shares) else None


def letter_mass(rows: "pd.DataFrame") -> float | None:
    """Return the mean probability that the three letters hold together; None where letters were not asked for."""
    known = rows["mass"].dropna()
    return float(known.mean()) if len(known) else None
