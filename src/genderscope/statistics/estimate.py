"""Estimates: values with their intervals, sample sizes and neutral points (the values without bias)."""

import operator
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, cast

from genderscope.core.errors import UserError

if TYPE_CHECKING:
    import pandas as pd

#: keys used by the built-in measures, with their types; every table of estimates has a column for each of them
KEYS: dict[str, type[str] | type[int]] = {
    "stereotype": int,
    "template": int,
    "language": str,
    "subset": str,
    "category": str,
    "group": str,
}

#: beginning of the remark on an estimate that is not needed, because the model did nothing that it could be about
NOTHING_TO_RATE = "nothing to rate: "


class Keys(Mapping[str, str | int]):
    """Immutable, hashable mapping with the built-in keys first, then the others sorted by name."""

    __slots__ = ("_items",)

    def __init__(self, given: Mapping[str, Any] | None = None) -> None:
        items = {key: _checked(key, value) for key, value in given.items()} if given else {}
        own = sorted(items.keys() - KEYS.keys())
        self._items = {key: items[key] for key in (*KEYS, *own) if key in items} if len(items) > 1 else items

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
    """Return a key's value as a str or int; raise if its type is wrong or the key clashes with a column."""
    if key in COLUMNS:
        raise UserError(f"The estimate key '{key}' is also the name of a table column; rename the key.")
    wanted = KEYS.get(key)
    try:
        converted = str(value) if isinstance(value, str) else operator.index(value)
    except TypeError:
        converted = None
    if converted is None or (wanted is not None and not isinstance(converted, wanted)):
        kind = {str: "text", int: "a whole number", None: "text or a whole number"}[wanted]
        raise UserError(f"The estimate key '{key}' is {value!r}; it must be {kind}.")
    return converted


#: ends the part of a method that names the units
AS_UNITS = " as units"


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """One estimate of a result. `keys` identify its subset of the data; an absent key means all values of that key.

    The interval from `low` to `high` generalises to other samples of the same stereotypes and templates. The interval
    from `wide_low` to `wide_high`, if the measure provides it, also generalises over the factors in `wide_over`, which
    are joined by a plus sign: `stereotypes`, `stereotypes+languages`, `occupations`. `remark` explains a missing value,
    interval or neutral point. `p` is the p-value of the test against the neutral point, if the measure has one;
    `p_adjusted` is corrected for all stereotypes in the same table (Holm). `unread_low` and `unread_high` bound the
    value if answers of one gender went unread up to twice as often as those of the other (`statistics.unread`); they
    are None if all answers were read. `freedom` is the number of degrees of freedom of a Student's t interval, and
    `wide_freedom` that of the wide one. `symbol` is the paper's name for the estimate. `skewness` is that of the value
    (on the log scale for a ratio), if the interval is corrected for it.
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
    wide_over: str | None = None
    p_adjusted: float | None = None
    unread_low: float | None = None
    unread_high: float | None = None
    remark: str | None = None
    freedom: float | None = None
    symbol: str | None = None
    wide_freedom: float | None = None
    skewness: float | None = None

    def __post_init__(self) -> None:
        """Make the keys immutable."""
        if not isinstance(self.keys, Keys):
            object.__setattr__(self, "keys", Keys(self.keys))

    def with_keys(self, **keys: str | int | None) -> "Estimate":
        """Return the estimate with further keys; None removes a key."""
        both = {**self.keys, **keys}
        return replace(self, keys=Keys({key: value for key, value in both.items() if value is not None}))

    def with_value(self, value: float | None, bounds: Iterable[float] | None, **more: Any) -> "Estimate":
        """Return the estimate with this value, interval and other fields; without an interval if `bounds` is None."""
        low, high = (None, None) if bounds is None else bounds
        return replace(self, value=value, low=low, high=high, **more)

    def is_called(self, name: str) -> bool:
        """Return whether the estimate has this name or symbol."""
        return name in (self.name, self.symbol)

    @property
    def is_needless(self) -> bool:
        """Whether the model did nothing that the estimate could be about, so that a limit on it cannot be exceeded."""
        return self.remark is not None and self.remark.startswith(NOTHING_TO_RATE)

    @property
    def label(self) -> str:
        """The name, with the paper's symbol in brackets."""
        return f"{self.name} ({self.symbol})" if self.symbol else self.name

    @property
    def in_words(self) -> str:
        """The name as words, followed by the paper's symbol: "stereotype rate f_s"."""
        return " ".join(filter(None, (self.name.replace("_", " "), self.symbol)))

    @property
    def stereotype(self) -> int | None:
        """The stereotype's number."""
        return cast("int | None", self.keys.get("stereotype"))

    @property
    def template(self) -> int | None:
        """The template's number, as in the paper."""
        return cast("int | None", self.keys.get("template"))

    @property
    def language(self) -> str | None:
        """The language code."""
        return cast("str | None", self.keys.get("language"))

    @property
    def subset(self) -> str | None:
        """The subset of the data."""
        return cast("str | None", self.keys.get("subset"))

    @property
    def category(self) -> str | None:
        """The category counted, for measures that count several."""
        return cast("str | None", self.keys.get("category"))

    @property
    def group(self) -> str | None:
        """The group of people or of samples."""
        return cast("str | None", self.keys.get("group"))

    @property
    def scope(self) -> str:
        """The keys other than the stereotype, as text; empty if there are none."""
        parts = [str(self.keys[key]) for key in ("language", "subset", "category", "group") if self.keys.get(key)]
        parts += [f"template {self.template}"] if self.template else []
        return ", ".join([*parts, *(f"{key}={value}" for key, value in self.keys.items() if key not in KEYS)])

    @property
    def wide_units(self) -> str:
        """The units that the wide interval generalises over: "stereotypes and languages"."""
        return (self.wide_over or "samples").replace("+", " and ")

    @property
    def units(self) -> str:
        """The units of the interval, if the method names them: "templates"; otherwise "samples"."""
        named = [part.removesuffix(AS_UNITS) for part in self.method.split(", ") if part.endswith(AS_UNITS)]
        return named[0] if named else "samples"

    @property
    def number_of_keys(self) -> int:
        """The number of keys; 0 for an estimate over all data."""
        return len(self.keys)

    def flat(self) -> dict[str, Any]:
        """Return the estimate as a table row, with a column for every built-in key and each of its other keys."""
        before, after = _AROUND
        row = {name: getattr(self, name) for name in before} | dict.fromkeys(KEYS)
        row.update(self.keys)
        row.update({name: getattr(self, name) for name in after})
        return row


@dataclass(frozen=True)
class Outcomes:
    """The rows' contributions to one headline estimate: one value per row, with the row's item."""

    items: "pd.Series[Any]"
    values: "pd.Series[float]"
    #: width of the estimate's range if every outcome is 0 or 1 (1 for a proportion, 2 for a difference of proportions)
    reach: float | None = None


_FIELDS = tuple(field.name for field in fields(Estimate))
_AROUND = _FIELDS[: _FIELDS.index("keys")], _FIELDS[_FIELDS.index("keys") + 1 :]
#: non-key columns of a table of estimates
COLUMNS = tuple(name for name in _FIELDS if name != "keys")


def joined(*remarks: str | None) -> str | None:
    """Join remarks with semicolons; return None if there are none."""
    return "; ".join(remark for remark in remarks if remark) or None


def nested_keys(row: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a flat row to keyword arguments for Estimate; columns that are not fields become keys."""
    arguments: dict[str, Any] = {}
    keys = arguments["keys"] = {}
    for name, value in row.items():
        if name in _COLUMNS:
            arguments[name] = value
        elif value is not None:
            keys[name] = value
    return arguments


_COLUMNS = frozenset(COLUMNS)
