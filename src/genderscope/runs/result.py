"""Result of a measurement: estimates, the rows they were computed from, and identifying metadata."""

import math
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from genderscope.core.errors import UserError, did_you_mean, unknown
from genderscope.judgement import Judgement, Lead, Verdict, overall
from genderscope.runs.atomic_files import json_bytes
from genderscope.runs.run_record import age_of, days_of
from genderscope.statistics.estimate import COLUMNS, KEYS, Estimate, nested_keys
from genderscope.util.lazy_imports import HigherLayer

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

    from genderscope.runs.plot import Plot


class ResultDisplay(Protocol):
    """How results are shown."""

    def html(self, shown: "Result", /) -> str:
        """Render a result as HTML for a notebook."""

    def brief(self, result: "Result", /) -> str:
        """Summarise a result in one or two lines."""

    def text(self, result: "Result", form: str, /) -> str:
        """Render a result as Markdown or LaTeX."""

    def plot(self, shown: "Result", figure: str | None, /) -> "Plot":
        """Draw one of the report's figures."""


class ResultJudging(Protocol):
    """How results are judged."""

    def judge_result(self, result: "Result", /) -> list[tuple[Lead, Judgement]]:
        """Judge the leading estimates of a run."""

    def symbols_of(self, measure: str, /) -> Mapping[str, str]:
        """Return the papers' symbols of a measure's estimates; none if the measure is unknown."""


class _NextStep(Protocol):
    @property
    def command(self) -> str:
        """The command to run."""


class NextSteps(Protocol):
    """What to run if a result cannot be judged."""

    def next_step(self, result: "Result", judgement: Judgement, /) -> _NextStep | None:
        """Return what may give an answer if an estimate cannot be judged, otherwise None."""


DISPLAY: HigherLayer[ResultDisplay] = HigherLayer("display")
JUDGING: HigherLayer[ResultJudging] = HigherLayer("judging")
ALTERNATIVES: HigherLayer[NextSteps] = HigherLayer("alternatives")


class Counts(NamedTuple):
    """Number of rows in total, and number of rows that could be read."""

    rows: int
    read: int


@dataclass(frozen=True, repr=False)
class Result:
    """Result of a measurement. `estimates` and `rows` are tidy DataFrames."""

    measure: str
    estimates: "pd.DataFrame"
    rows: "pd.DataFrame"
    signature: str
    summary: str
    cautions: tuple[str, ...]
    config: dict[str, Any]
    folder: "Path | None" = None
    reused: bool = False  # whether it was loaded from its folder without asking anything
    #: rows of the controls, None if the run asked none; a factory, because stored results load them on first use
    controls: "pd.DataFrame | None" = field(default_factory=lambda: None)

    @classmethod
    def stored(
        cls,
        estimates: Sequence[Estimate],
        rows: "Callable[[], pd.DataFrame]",
        counts: "Counts | None",
        columns: Sequence[str] | None = None,
        controls: "Callable[[], pd.DataFrame | None]" = lambda: None,
        **attributes: Any,
    ) -> "Result":
        """Create a result whose tables are built on first use, so that showing its numbers does not need pandas."""
        result = cls.__new__(cls)
        told = {"counts": counts, "columns": columns and tuple(columns)}
        vars(result).update(
            attributes, _typed=tuple(estimates), **{name: value for name, value in told.items() if value}
        )
        frame = partial(estimates_to_frame, estimates)
        vars(result)["_later"] = {"estimates": frame, "rows": rows, "controls": controls}
        return result

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            make = vars(self).get("_later", {}).get(name)
            if make is None:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            table = make()
            object.__setattr__(self, name, table)
            return table

    def load_rows(self) -> "pd.DataFrame":
        """Return the rows; if they are still in their file, load them without keeping them in memory."""
        make = vars(self).get("_later", {}).get("rows")
        return self.rows if make is None or "rows" in vars(self) else make()

    def selecting(self, select: "Callable[[pd.DataFrame], pd.DataFrame]") -> "Result":
        """Return the result with some of its rows, which are selected when they are first used."""
        result = copy(self)
        entries = vars(result)
        entries["_later"] = {**entries.get("_later", {}), "rows": lambda: select(self.rows)}
        entries.pop("rows", None)
        entries.pop("counts", None)
        return result

    def configured(self, config: dict[str, Any]) -> "Result":
        """Return the result with another configuration, without building its tables."""
        result = copy(self)
        object.__setattr__(result, "config", config)
        return result

    def estimated(self, estimates: Sequence[Estimate]) -> "Result":
        """Return the result with other estimates, without building its tables."""
        result = copy(self)
        entries = vars(result)
        entries["_typed"] = tuple(estimates)
        entries["_later"] = {**entries.get("_later", {}), "estimates": partial(estimates_to_frame, estimates)}
        entries.pop("estimates", None)
        entries.pop("_judged", None)
        return result

    def just_asked(self) -> "Result":
        """Return a copy marked as new, for a loaded result whose questions another process has just asked."""
        result = copy(self)
        object.__setattr__(result, "reused", False)
        return result

    @cached_property
    def _judged(self) -> list[tuple[Lead, Judgement]]:
        return JUDGING().judge_result(self)

    @property
    def judgements(self) -> "tuple[Judgement, ...]":
        """Judgement of each headline estimate: verdict, threshold and failed validity conditions."""
        return tuple(judgement for _, judgement in self._judged)

    @property
    def verdict(self) -> "Verdict":
        """Overall verdict, one of five; inconclusive if languages disagree."""
        return overall([judgement for lead, judgement in self._judged if not lead.second])

    def _judgement(self) -> dict[str, Any]:
        """Return the verdict as JSON-serialisable entries; empty for a measure whose package is not installed."""
        try:
            return {"verdict": str(self.verdict), "judgements": [judgement.to_json() for judgement in self.judgements]}
        except UserError:
            return {}

    @cached_property
    def counts(self) -> "Counts":
        """Number of rows in total, and number of rows that could be read."""
        return Counts(len(self.rows), int(self.rows["unread"].isna().sum()))

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Column names of the rows."""
        return tuple(map(str, self.rows.columns))

    @property
    def asked(self) -> tuple[str, ...]:
        """Days on which answers were given, such as 2026-11-14; `unknown` stands for a day that is not recorded."""
        return tuple("unknown" if day is None else day.isoformat() for day in days_of(self.config))

    @property
    def age(self) -> str | None:
        """Sentence on when the answers were given; None if all are new."""
        return age_of(self.config, self.reused)

    @property
    def coverage(self) -> float:
        """Share of rows that could be read."""
        return self.counts.read / self.counts.rows if self.counts.rows else math.nan

    def estimate(self, name: str, **keys: int | str) -> Estimate:
        """Return one estimate by its name (or the paper's symbol) and its exact set of keys."""
        allowed = list(dict.fromkeys([*KEYS, *(key for e in self.as_estimates() for key in e.keys)]))
        for key in keys:
            if key not in allowed:
                raise UserError(
                    f"An estimate has no key '{key}'; its keys are {', '.join(allowed)}.{did_you_mean(key, allowed)}"
                )
        if isinstance(stereotype := keys.get("stereotype"), str):
            from genderscope.samples.gest import stereotype_of

            keys["stereotype"] = stereotype_of(stereotype, f"Estimate '{name}'")
        named = [e for e in self.as_estimates() if e.is_called(name)]
        if not named:
            names = {called for e in self.as_estimates() for called in (e.name, e.symbol) if called}
            raise unknown(f"{self.measure} estimate", name, names)
        matching = [e for e in named if e.keys == {key: value for key, value in keys.items() if value is not None}]
        if not matching:
            raise UserError(f"There is no estimate '{name}' for {_keys(keys)}; {_offered(named, keys)}.")
        if len(matching) > 1:
            raise UserError(
                f"There are {len(matching)} estimates named '{name}' for {_keys(keys)}; no key distinguishes them."
            )
        return matching[0]

    def as_estimates(self) -> list[Estimate]:
        """Return the estimates as typed objects."""
        return list(self._typed)

    @cached_property
    def _typed(self) -> tuple[Estimate, ...]:
        return tuple(estimates_from_frame(self.estimates))

    def to_json(self) -> str:
        """Return everything but the rows as JSON; `next` is the command to run if an estimate cannot be judged."""
        stored = self.as_stored()
        if "judgements" in stored:
            for entry, judgement in zip(stored["judgements"], self.judgements, strict=True):
                step = ALTERNATIVES().next_step(self, judgement)
                entry["next"] = None if step is None else step.command
        return json_bytes({**stored, "asked": self.asked, "reused": self.reused}).decode()

    def as_stored(self) -> dict[str, Any]:
        """Return the content of result.json as JSON-serialisable types."""
        return {
            "measure": self.measure,
            "signature": self.signature,
            "summary": self.summary,
            **self._judgement(),
            "coverage": self.coverage,
            "cautions": list(self.cautions),
            "estimates": [e.flat() for e in self.as_estimates()],
        }

    def to_markdown(self) -> str:
        """Return the report's tables (except collapsed ones), findings, coverage and signature as Markdown."""
        return DISPLAY().text(self, "markdown")

    def to_latex(self) -> str:
        """Return the report's tables (except collapsed ones) as LaTeX (booktabs)."""
        return DISPLAY().text(self, "latex")

    def plot(self, figure: str | None = None) -> "Plot":
        """Draw one of the report's figures; notebooks display it, and `save` writes it as SVG, PDF or PNG.

        Args:
            figure: Title of the figure; None selects the measure's first.
        """
        return DISPLAY().plot(self, figure)

    def __repr__(self) -> str:
        return DISPLAY().brief(self)

    def _repr_html_(self) -> str:
        return DISPLAY().html(self)


def _keys(keys: Mapping[str, object]) -> str:
    """Format keys the way the user passes them."""
    return ", ".join(f"{key}={value!r}" for key, value in keys.items() if value is not None) or "all (no key)"


def _offered(named: Sequence[Estimate], keys: Mapping[str, object]) -> str:
    """List the available estimates of this name; if several match the keys, name the keys in which they differ."""
    given = {key: value for key, value in keys.items() if value is not None}
    fitting = [e for e in named if e.keys.items() >= given.items()]
    if len(fitting) < 2:
        return f"there is one for: {_some(named)}"
    apart = list(dict.fromkeys(key for e in fitting for key in e.keys if key not in given))
    return f"{len(fitting)} match and differ in {' and '.join(apart)}; choose one: {_some(fitting)}"


def _some(estimates: Sequence[Estimate], most: int = 8) -> str:
    told = [_keys(e.keys) for e in estimates]
    return "; ".join(told[:most]) + (f"; and {len(told) - most:,} more" if len(told) > most else "")


_COUNTS = ("n", "unread")
#: columns that pandas may have converted to floats
_WHOLE = (*_COUNTS, *(key for key, kind in KEYS.items() if kind is int))
_NUMBERS = (
    *("value", "low", "high", "neutral", "p", "wide_low", "wide_high", "p_adjusted", "unread_low", "unread_high"),
    *("freedom", "wide_freedom", "skewness"),
)


def estimates_to_frame(estimates: Sequence[Estimate]) -> "pd.DataFrame":
    """Convert estimates to a DataFrame with one column per key; absent keys become missing values."""
    import pandas as pd

    keys = _kinds_of_keys(estimates)
    kinds = dict.fromkeys(_NUMBERS, "float64") | dict.fromkeys(_COUNTS, "Int64")
    kinds |= dict.fromkeys(("wide_over", "remark", "symbol"), "string")
    kinds |= {key: "Int64" if kind is int else "string" for key, kind in keys.items()}
    rows = [e.flat() for e in estimates]
    columns: dict[str, Any] = {}
    for name in ("name", *keys, *COLUMNS[1:]):  # typed on creation, since casting later would double the time
        values = [row.get(name) for row in rows]
        columns[name] = pd.array(values, dtype=kinds[name]) if name in kinds else pd.Series(values)  # type: ignore[call-overload]
    return pd.DataFrame(columns)


def _kinds_of_keys(estimates: Sequence[Estimate]) -> dict[str, type]:
    """Return the type of each key, with known keys first; raise if a key has values of two types."""
    types: dict[str, type] = dict(KEYS)
    for estimate in estimates:
        for key, value in estimate.keys.items():
            if types.setdefault(key, type(value)) is not type(value):
                raise UserError(
                    f"The key '{key}' is text in one estimate and a number in another ({value!r}); use one type."
                )
    return types


def estimates_from_frame(frame: "pd.DataFrame") -> list[Estimate]:
    """Convert a DataFrame back to estimates."""
    columns = {
        str(name): column.to_numpy(dtype=object, na_value=None).tolist()  # type: ignore[call-overload]
        for name, column in frame.items()
    }
    for name in _WHOLE:
        if name in columns:
            columns[name] = [None if value is None else int(value) for value in columns[name]]
    names = list(columns)
    return [Estimate(**nested_keys(dict(zip(names, row, strict=True)))) for row in zip(*columns.values(), strict=True)]
