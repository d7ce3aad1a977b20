"""Rows: items with their scores."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemScoreRow:
    """The score of one item.

    `cluster` names the items that vary together, such as those about one occupation; `group` the people that the item
    is about; `draw` numbers the answers to the same item, from 0. `value` is None if the item was not scored: either
    the answer could not be read (`unread` says why), or it is an `outcome` that does not count.
    """

    sample: int
    item: str
    cluster: str
    group: str | None = None
    draw: int = 0
    value: float | None = None
    outcome: str | None = None
    text: str | None = None
    reply: str | None = None
    unread: str | None = None
