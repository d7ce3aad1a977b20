"""The interface of a measure: ask questions about samples, parse the answers into rows, and compute estimates.

An instance combines a measure with its options and a model's capabilities. Only the rows are stored; every estimate and
interval is computed from them, so no question is asked twice.
"""

import math
import tomllib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.resources import files
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Self, TypeVar, cast, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, model_validator

from genderscope.core.errors import UserError
from genderscope.core.languages import language_name
from genderscope.core.questions import Question
from genderscope.judgement import COVERAGE, Criterion, Lead, Margin, Phrase, ValidityCondition, summarise
from genderscope.measures.typical_spread import Spread
from genderscope.models import Remote
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.estimate import Outcomes as Outcomes  # noqa: PLC0414 - measures import it from here

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.measures.controls import ControlCase
    from genderscope.models import Model
    from genderscope.statistics.declared_rates import RateTable
    from genderscope.statistics.paired_comparison import Resampled

#: the row of a measure that declares no row type
Row = dict[str, Any]

#: Reserved names that no measure option may use: the parameters of `evaluate` and the command line, and the other
#: entries of a run's configuration.
RESERVED = frozenset(
    {
        *("measure", "model", "out", "device", "dtype", "batch_size", "beams", "engine", "workers", "address"),
        *("gpus_per_worker", "allow_pickle", "rehash", "fresh", "report", "remote", "settings", "progress"),
        *("command", "started", "as_json", "full"),
        *("json", "help", "h", "m", "o", "log", "tokenizer"),
        *("fingerprint", "data_sha256"),
        *Remote.model_fields,
        *(f"no_{name}" for name, field in Remote.model_fields.items() if field.annotation is bool),
    }
)
#: attributes that every measure must define
REQUIRED_ATTRIBUTES = ("id", "title", "citation", "asks", "options_type", "headline")


class Options(BaseModel):
    """Options common to all measures."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    limit: int | None = Field(None, ge=1, description="Use only this many samples, spread evenly across strata.")
    seed: int = Field(0, ge=0, description="Set the random seed for all resampling.")
    # Affects the wording but not the numbers, so it is not part of the configuration.
    margin: float | None = Field(
        None,
        exclude=True,
        description="Set the smallest effect of interest: a factor such as 1.1 for a ratio, otherwise a distance from "
        "neutral (default: see the card).",
    )

    def ineffective(self) -> str | None:
        """Return a sentence naming an option that has no effect given the others, or None.

        Such combinations are rejected, because a signature must not list an option that had no effect.
        """
        return None

    @model_validator(mode="before")
    @classmethod
    def _lists(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Split comma-separated strings for list options: to="sk,cs" becomes to=("sk", "cs")."""
        return {
            name: _parts(value) if isinstance(value, str) and _is_list(cls.model_fields[name].annotation) else value
            for name, value in values.items()
        }


class PublishedOptions(Options):
    """Options of a measure that can also reproduce a paper's published numbers."""

    as_published: bool = Field(False, description="Report numbers on the paper's own scale (see the card).")


def _is_list(annotation: Any) -> bool:
    return any(get_origin(part) is tuple for part in (annotation, *get_args(annotation)))


def _parts(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


@dataclass(frozen=True, slots=True)
class Leaning:
    """Adjectives for models whose estimates lie above and below the neutral point."""

    above: str
    below: str


#: neutral point -> default smallest effect of interest, for ratios and proportions
_DEFAULT_MARGINS: dict[float | None, Margin] = {1.0: Margin(1.1, factor=True), 0.5: Margin(0.05, most=0.5)}

STEREOTYPICAL = Leaning("stereotypical", "anti-stereotypical")
MASCULINE = Leaning("masculine", "feminine")


def read_symbols(package: str, file: str = "symbols.toml") -> dict[str, str]:
    """Read the papers' symbols of estimates from a file of a package."""
    return tomllib.loads(files(package).joinpath(file).read_text(encoding="utf-8"))


class Declared(NamedTuple):
    """What a measure declares about its estimates, by name: the attributes of `Measure` with these names."""

    leanings: dict[str, Leaning]
    margins: dict[str, Margin]
    phrases: dict[str, Phrase]


def read_estimates(package: str) -> Declared:
    """Read what a measure declares about its estimates from the file `estimates.toml` of its package."""
    tables: dict[str, dict[str, Any]] = tomllib.loads(files(package).joinpath("estimates.toml").read_text("utf-8"))
    leanings = {name: Leaning(*table.pop("leaning")) for name, table in tables.items() if "leaning" in table}
    margins = {name: Margin(**table.pop("margin")) for name, table in tables.items() if "margin" in table}
    return Declared(leanings, margins, {name: Phrase(**table) for name, table in tables.items() if table})


#: an estimate, and the settings that it was measured with where they differ from the run's
PublishedForm = tuple[Estimate, dict[str, str]]

OptionsT = TypeVar("OptionsT", bound=Options)
SampleT = TypeVar("SampleT")
RowT = TypeVar("RowT")


class Measure(ABC, Generic[OptionsT, SampleT, RowT]):
    """A measure, ready to run on a model: `Measure[Options, Sample, Row]`."""

    id: ClassVar[str]
    title: ClassVar[str]
    citation: ClassVar[str]
    asks: ClassVar[frozenset[type[Question]]]
    options_type: ClassVar[type[Options]]
    #: frozen dataclass whose fields are the columns of rows.parquet; None if rows are dictionaries
    row_type: ClassVar[type | None] = None
    #: the main estimates, most important first
    headline: ClassVar[tuple[str, ...]]
    #: estimates without a neutral point that are also shown on the score line
    scored_too: ClassVar[tuple[str, ...]] = ()
    #: estimate -> its symbol in the papers, which tables show next to the name; gates accept either
    symbols: ClassVar[Mapping[str, str]] = {}
    #: headline estimate -> adjectives for values above and below neutral
    leanings: ClassVar[Mapping[str, Leaning]] = {}
    #: headline estimate -> smallest effect of interest, justified in the card
    margins: ClassVar[Mapping[str, Margin]] = {}
    #: headline estimate -> wording of its value
    phrases: ClassVar[Mapping[str, Phrase]] = {}
    #: names of estimates whose verdicts are corrected together: all of them are right in 95 % of the cases
    judged_together: ClassVar[frozenset[str]] = frozenset()
    #: conditions that must be met before the headline estimates can be interpreted
    conditions: ClassVar[tuple[ValidityCondition, ...]] = (COVERAGE,)
    #: typical spread of the leading estimate, for power analysis
    spread: ClassVar[Spread | None] = None
    #: estimates that are mean log-ratios, reported to base 10 in the papers
    log_scores: ClassVar[frozenset[str]] = frozenset()
    #: headline estimates to interpret together with the leading one; rankings use whichever is furthest from neutral
    ranked_with: ClassVar[tuple[str, ...]] = ()
    #: module that declares rates, `rate_tables(rows, options)`, or defines `resampled(rows, options)` and
    #: `outcomes(rows, estimate, options)`, and for the criteria `outcome_table(rows, options)`; imported on first use
    analysis: ClassVar[str | None] = None
    #: module that defines `outcome_table`, if another one
    outcomes_module: ClassVar[str | None] = None
    #: what makes one run better than another; if empty, it is being nearer to neutral in the leading estimates
    criteria: ClassVar[tuple[Criterion, ...]] = ()
    #: leading estimate -> what is compared, and what the better run does, for measures without criteria
    better_words: ClassVar[Mapping[str, tuple[str, str]]] = {}
    #: conditions without which runs cannot be compared by criteria, which handle the others themselves
    blocking: ClassVar[tuple[ValidityCondition, ...]] = ()
    #: share of usable outputs that must have been interpreted for criteria to be compared
    least_read: ClassVar[float] = 0.5
    #: what a comparison counts
    compared_noun: ClassVar[str] = "questions"
    #: what comparisons by criteria generalise over as well: the wider units of the outcomes, in the plural
    compared_over: ClassVar[str | None] = None
    #: estimates that are reported where headline estimates have no value or no interval
    pooled: ClassVar[tuple[str, ...]] = ()
    #: columns with the source and the reading of a translation; None if the rows are not translations
    translation_columns: ClassVar[tuple[str, str] | None] = None
    #: columns that identify a row, used to pair the rows of two runs
    row_key: ClassVar[tuple[str, ...]] = ()
    #: attribute of a sample that identifies a unit of the leading interval, such as its occupation -> typical share of
    #: an outcome's variance that lies between these units; empty if every sample is a unit. An audit predicts from them
    #: how much fewer samples widen intervals.
    units: ClassVar[Mapping[str, float]] = {}
    #: supported languages; an audit skips the measure unless the model is known to support one of them
    asks_in: ClassVar[tuple[str, ...]] = ("en",)
    #: options that select a built-in dataset, for machines without the released data
    starter: ClassVar[Mapping[str, Any]] = {}
    #: a plugin's own class of view, "module:Class" of a genderscope.report.View; by default, `view.toml` next to the
    #: measure declares how results are shown
    view: ClassVar[str | None] = None

    @abstractmethod
    def __init__(self, options: OptionsT, model: "Model") -> None: ...

    @classmethod
    def for_rows(cls, options: OptionsT) -> Self:
        """Return the measure without a model, for rows from another tool's log; it asks nothing."""
        raise UserError(f"A log cannot be imported as a run of '{cls.id}'.")

    #: the measure's options
    options: OptionsT
    #: samples, in dataset order
    samples: Sequence[SampleT]
    #: samples with a known answer, asked in the same run; empty if the measure's own samples serve, or the model can
    #: answer nothing else
    controls: "Sequence[ControlCase[SampleT]]" = ()

    @abstractmethod
    def data(self) -> dict[str, Any]:
        """Return the identity of the data: name, checksum and number of samples."""

    @abstractmethod
    def settings(self) -> dict[str, str]:
        """Return the options to include in the signature, as short strings."""

    @abstractmethod
    def ask(self, sample: SampleT) -> tuple[Question, ...]:
        """Return the questions to ask about one sample."""

    @abstractmethod
    def read(self, sample: SampleT, answers: Sequence[Any]) -> Iterable[RowT]:
        """Parse the answers about one sample into rows; `unread` gives the reason why there is no reading, or None."""

    def estimates(self, rows: "pd.DataFrame") -> list[Estimate]:
        """Compute all estimates from the rows: by default, the declared rates."""
        from genderscope.statistics.declared_rates import estimates_of

        return estimates_of(self._rate_tables(rows, self.options))

    def control_estimates(self, rows: "pd.DataFrame", controls: "pd.DataFrame") -> list[Estimate]:
        """Compute the estimates that show whether the instrument responds (see `measures/controls.py`).

        By default, the rows of the controls have log-ratios, and their pairs are put in order by these.
        """
        if controls.empty:
            return []
        from genderscope.measures.controls import estimates_by_language

        return estimates_by_language(controls, controls["log_ratio"])

    def control_cautions(self, controls: "pd.DataFrame") -> list[str]:
        """Return caveats that follow from the controls, one sentence each."""
        return []

    def summary(self, estimates: Sequence[Estimate]) -> str:
        """Return a summary of the size and verdict of each leading estimate."""
        # Plugins need not store their options; fall back to the defaults.
        options = getattr(self, "options", None) or self.options_type.model_construct()
        return summarise(type(self), estimates, options)

    @classmethod
    def leads(cls, estimates: Sequence[Estimate], options: OptionsT) -> list[Lead]:
        """Return the estimates to summarise: by default, the first headline estimate with the fewest keys.

        A verdict says what it refers to only if there are several.
        """
        named = [e for e in estimates if e.name == next(iter(cls.headline), None)]
        fewest = min((e.number_of_keys for e in named), default=0)
        leading = [e for e in named if e.number_of_keys == fewest]
        return [Lead(e, where=f"{e.scope}: " if e.scope and len(leading) > 1 else "") for e in leading]

    @classmethod
    def phrase(cls, estimate: Estimate, options: OptionsT) -> Phrase | None:
        """Return the wording of an estimate's value, on the scale set by the options; None to use its name."""
        return cls.phrases.get(estimate.name)

    @classmethod
    def published_form(cls, estimate: Estimate, estimates: Sequence[Estimate]) -> PublishedForm | None:
        """Return the form of an estimate that published values may be compared with; None for the estimate itself."""
        return None

    @classmethod
    def main_estimates(cls, estimates: Sequence[Estimate]) -> Sequence[Estimate]:
        """Return the estimates that a gate without keys tests: by default, all of them."""
        return estimates

    def covered_options(self, rows: "pd.DataFrame") -> dict[str, str]:
        """Return the options that the answers cover only in part, each with the covered part, e.g. the templates read.

        Runs with different coverage are compared only on the part that both cover.
        """
        return {}

    def cautions(self, rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> list[str]:
        """Return caveats about this result, one sentence each."""
        return []

    @classmethod
    def needs(cls, model: Any) -> frozenset[type[Question]]:
        """Return the kinds of questions that the model must answer: all of `asks`, unless the measure has a choice."""
        return cls.asks

    @classmethod
    def audited_with(cls, model: Any, model_languages: Sequence[str]) -> dict[str, Any]:
        """Return the non-default options needed to audit this model; `model_languages` lists its languages.

        Raises a UserError with the reason if the measure does not apply to the model.
        """
        if not set(cls.asks_in) & set(model_languages):
            many = f"one of {len(cls.asks_in)} languages ({', '.join(cls.asks_in)})"
            named = many if len(cls.asks_in) > 3 else ", ".join(map(language_name, cls.asks_in))
            lang = ",".join((*model_languages, cls.asks_in[0]))
            raise UserError(f"It needs {named}; if the model supports it, use --lang, e.g. --lang {lang}.")
        return {}

    @classmethod
    def leading_estimate_names(cls) -> tuple[str, ...]:
        """Return the leading estimate, those to be interpreted with it, and those that replace missing ones."""
        return tuple(dict.fromkeys((*cls.headline[:1], *cls.ranked_with, *cls.pooled)))

    # Comparisons of two runs have only rows and options, no instance, so these are class methods.

    @classmethod
    def leaning(cls, estimate: Estimate) -> Leaning:
        """Return the adjectives for values of a headline estimate above and below neutral."""
        return cls.leanings.get(estimate.name, Leaning("far above neutral", "far below neutral"))

    @classmethod
    def margin(cls, estimate: Estimate, options: Any) -> Margin | None:
        """Return an estimate's smallest effect of interest, on the scale set by the options, or None if unknown."""
        if options.margin is not None and estimate.name == next(iter(cls.headline), None):
            return Margin(options.margin, estimate.neutral == 1)
        declared = cls.margins.get(estimate.name)
        if declared is None:
            return _DEFAULT_MARGINS.get(estimate.neutral)
        # The papers exponentiate log10 ratios with base e.
        published = getattr(options, "as_published", False) and (declared.factor or estimate.name in cls.log_scores)
        distance = declared.distance / math.log(10) if published else declared.distance
        return Margin(math.exp(distance), True) if estimate.neutral == 1 else Margin(distance, most=declared.most)

    @classmethod
    def answered(cls, rows: "pd.DataFrame", options: OptionsT) -> "pd.Series[bool]":
        """Return a mask of the rows that count towards the headline estimates."""
        return rows["unread"].isna()

    @classmethod
    def resampled(cls, rows: "pd.DataFrame", options: OptionsT) -> "Iterable[Resampled]":
        """Yield the headline estimates with each unit's influence, or with bootstrap replicates and stratum sizes.

        The same rows and seed must give the same replicates.

        Used for comparisons, gates on differences, rankings, pooling and power analyses from a pilot.
        """
        if tables := cls._rate_tables(rows, options):
            return (one for table in tables for one in table.resampled(cls.headline))
        return cast("Iterable[Resampled]", cls._analysis("resampled")(rows, options))

    @classmethod
    def outcomes(cls, rows: "pd.DataFrame", estimate: Estimate, options: OptionsT) -> Outcomes:
        """Return the rows' contributions to a headline estimate; larger values must increase the estimate.

        A comparison counts the items on which one run scores higher than the other.
        """
        for table in cls._rate_tables(rows, options):
            if table.keys.items() <= estimate.keys.items():
                return table.outcomes(estimate)
        return cast("Outcomes", cls._analysis("outcomes")(rows, estimate, options))

    @classmethod
    def compares_by_criteria(cls, options: Any) -> bool:
        """Return whether runs with these options are compared by criteria, as published estimates never are."""
        return bool(cls.criteria) and not getattr(options, "as_published", False)

    @classmethod
    def outcome_table(cls, rows: "pd.DataFrame", options: OptionsT) -> "pd.DataFrame":
        """Return the outcomes that the criteria refer to, one line per row (see `measures/outcome_tables.py`)."""
        if cls.outcomes_module is not None:
            return cast("pd.DataFrame", import_module(cls.outcomes_module).outcome_table(rows, options))
        return cast("pd.DataFrame", cls._analysis("outcome_table")(rows, options))

    @classmethod
    def _rate_tables(cls, rows: "pd.DataFrame", options: OptionsT) -> "Sequence[RateTable]":
        """Return the declared rates of the rows; none if the measure computes its estimates itself."""
        declared = None if cls.analysis is None else getattr(import_module(cls.analysis), "rate_tables", None)
        return () if declared is None else declared(rows, options)

    @classmethod
    def _analysis(cls, function: str) -> Callable[..., Any]:
        defined = None if cls.analysis is None else getattr(import_module(cls.analysis), function, None)
        if defined is None:
            raise UserError(f"Runs of '{cls.id}' cannot be compared: the measure does not define '{function}'.")
        return cast("Callable[..., Any]", defined)


#: a measure with unspecified types
AnyMeasure = Measure[Any, Any, Any]
