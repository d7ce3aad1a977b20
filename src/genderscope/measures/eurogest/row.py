"""What is kept of a pair of texts."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class EuroGestRow:
    """A man's text and a woman's; `log_ratio` is log P(male text) - log P(female text): positive is masculine.

    `condition` is gendered (a pair of forms), pronoun or noun (what a neutral sentence was put into); `template` is its
    number, so that the rates are those of `gest`. `alternates` says what alternates in a gendered pair. As published,
    the log-ratio is that of the authors' score. `log_probability` is that of both texts on average, per token; for
    a masked model it is that of the two words, computed for some pairs only.
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
