"""An estimate: a value with its interval, its sample size and its neutral point (no bias)."""

import operator
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, cast

from genderscope.errors import UserError

#: the keys used by the built-in measures, with their types; every table of estimates has a column for each
KEYS: dict[str, type[str] | type[int]] = {
    "stereotype": int,
    "template": int,
    "language": str,
    "subset": str,
    "category": str,
    "group": str,
}


class Keys(Mapping[str, str | int]):
    """An immutable, hashable mapping. The known keys come first, then the others by name."""

    __slots__ = ("_items",)

    def __init__(self, given: Mapping[str, Any] | None = None) -> None:
        known = {key: _checked(key, value) for key, value in given.items()} if given else {}
        own = sorted(known.keys() - KEYS.keys())
        self._items = {key: known[key] for key in (*KEYS, *own) if key in known} if len(known) > 1 else known

    def __getitem__(self, key: str) -> str | int:
        return self._items[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        return hash(tuple(self._items.items()))

    def __repr__(self) -> str:
        return repr(self._items)


def _checked(key: str, value: Any) -> str | int:
    """Return the value of a key as text or as a plain number; both must fit into a table."""
    if key in COLUMNS:
        raise UserError(f"An estimate cannot have the key '{key}': its tables have a column of that name; rename it.")
    wanted = KEYS.get(key)
    try:
        found = str(value) if isinstance(value, str) else operator.index(value)
    except TypeError:
        found = None
    if found is None or (wanted is not None and not isinstance(found, wanted)):
        kind = {str: "text", int: "a whole number", None: "text or a whole number"}[wanted]
        raise UserError(f"The key '{key}' of an estimate is {value!r}; it must be {kind}.")
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """One number of a result. `keys` says what it is for; an absent key means that the estimate is over all its values.

    `low` and `high` bound the value over other samples of the same stereotypes and templates; `wide_low` and
    `wide_high`, if a measure gives them, over other stereotypes (occupations) and templates too.
    `unread_low` and `unread_high` bound the value if answers of one gender went unread up to twice as often as those of
    the other (`statistics.unread`); None where everything was read.
    `remark` says why a value, an interval or a neutral point is missing or doubtful. `p` is the p-value of the test
    that the value differs from its neutral point, if the measure has one.
    """

    name: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int
    unread: int
    neutral: float | None
    method: str
    keys: Mapping[str, str | int] = Keys()
    p: float | None = None
    wide_low: float | None = None
    wide_high: float | None = None
    unread_low: float | None = None
    unread_high: float | None = None
    remark: str | None = None

    def __post_init__(self) -> None:
        """Make the keys immutable."""
        if not isinstance(self.keys, Keys):
            object.__setattr__(self, "keys", Keys(self.keys))

    def at(self, **keys: str | int | None) -> "Estimate":
        """Return the estimate with further keys; None removes a key."""
        both = {**self.keys, **keys}
        return replace(self, keys=Keys({key: value for key, value in both.items() if value is not None}))

    @property
    def stereotype(self) -> int | None:
        """The number of the stereotype."""
        return cast("int | None", self.keys.get("stereotype"))

    @property
    def template(self) -> int | None:
        """The number of the template, as in the paper."""
        return cast("int | None", self.keys.get("template"))

    @property
    def language(self) -> str | None:
        """The code of the language."""
        return cast("str | None", self.keys.get("language"))

    @property
    def subset(self) -> str | None:
        """The part of the data."""
        return cast("str | None", self.keys.get("subset"))

    @property
    def category(self) -> str | None:
        """What is counted, where an estimate counts several things."""
        return cast("str | None", self.keys.get("category"))

    @property
    def group(self) -> str | None:
        """The group of people, or of samples."""
        return cast("str | None", self.keys.get("group"))

    @property
    def scope(self) -> str:
        """What the estimate is for, in words, without the stereotype; empty if it has no keys."""
        parts = [str(self.keys[key]) for key in ("language", "subset", "category", "group") if self.keys.get(key)]
        parts += [f"template {self.template}"] if self.template else []
        return ", ".join([*parts, *(f"{key}={value}" for key, value in self.keys.items() if key not in KEYS)])

    @property
    def spans(self) -> int:
        """How many keys the estimate has; 0 if it is over everything."""
        return len(self.keys)

    def flat(self) -> dict[str, Any]:
        """Return the estimate as one row of a table: all known keys, missing or not, and its other keys."""
        before, after = _AROUND
        row = {name: getattr(self, name) for name in before} | dict.fromkeys(KEYS)
        row.update(self.keys)
        row.update({name: getattr(self, name) for name in after})
        return row


_FIELDS = tuple(field.name for field in fields(Estimate))
_AROUND = _FIELDS[: _FIELDS.index("keys")], _FIELDS[_FIELDS.index("keys") + 1 :]
#: the columns of a table of estimates other than the keys
COLUMNS = tuple(name for name in _FIELDS if name != "keys")


def joined(*remarks: str | None) -> str | None:
    """Join remarks; None if there are none."""
    return "; ".join(remark for remark in remarks if remark) or None


def nested_keys(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a flat row as the arguments of an Estimate: a column that is not one of its fields is a key."""
    found: dict[str, Any] = {}
    keys = found["keys"] = {}
    for name, value in row.items():
        if name in _COLUMNS:
            found[name] = value
        elif value is not None:
            keys[name] = value
    return found


_COLUMNS = frozenset(COLUMNS)
