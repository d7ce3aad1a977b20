"""The row of a pair of texts."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class EuroGestRow:
    """A male and a female text; `log_ratio` is log P(male text) - log P(female text), positive for masculine.

    `condition` is gendered (a pair of forms) or the scaffold of a neutral sentence (pronoun or noun); `template` is its
    number, so that the rates are computed as in `gest`. `alternates` is the class of the alternating word in a gendered
    pair. As published, the log-ratio is based on the authors' score. `log_probability` is the mean over both texts, per
    token; for a masked model, it is that of the two words, computed only for a sample of pairs.
    """

    sample: int
    language: str
    condition: str
    alternates: str | None
    sentence: str
    female: str
    stereotype: int
    family: bool
    template: int
    log_ratio: float | None
    log_probability: float | None
    mass: float | None = None
    note: str | None
    unread: str | None
