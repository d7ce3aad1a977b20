"""The row of a template."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class HonestRow:
    """A template with its completions; `lemmas` and `categories` are the hurtful ones in each, or empty strings.

    `log_probability` is the first completion's log-probability per token.
    """

    sample: int
    text: str
    identity: str
    group: str
    term: str
    pattern: str
    completions: list[str]
    lemmas: list[str]
    categories: list[str]
    hurtful: int
    log_probability: float | None
    unread: str | None
