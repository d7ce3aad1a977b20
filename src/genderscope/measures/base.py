"""The interface of a measure: it asks questions about samples, reads the answers into rows, and computes estimates.

An instance binds a measure to its options and to a model's abilities. Only the rows of the answers are kept; every
estimate and every interval is computed from rows, so no question is ever asked twice.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, model_validator

from genderscope.errors import UserError
from genderscope.judgement import COVERAGE, Lead, Margin, Phrase, ValidityCondition, summarise
from genderscope.languages import language_name
from genderscope.measures.effects import Spread
from genderscope.models import Remote
from genderscope.questions import Question
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.models import Model
    from genderscope.statistics.paired import Resampled

#: a row of a measure that declares no row type
Row = dict[str, Any]

#: Reserved names, which no option of a measure may have: the parameters of `evaluate` and of the command line, and the
#: other entries of a run's configuration.
RESERVED = frozenset(
    {
        *("measure", "model", "out", "device", "dtype", "batch_size", "beams", "engine", "workers", "address"),
        *(
            "gpus_per_worker",
            "allow_pickle",
            "rehash",
            "fresh",
            "report",
            "remote",
            "settings",
            "progress",
            "command",
            "started",
            "as_json",
        ),
        *("json", "help", "h", "m", "o", "log", "tokenizer"),
        *("fingerprint", "data_sha256"),
        *Remote.model_fields,
        *(f"no_{name}" for name, field in Remote.model_fields.items() if field.annotation is bool),
    }
)
#: the attributes a measure must define
TOLD = ("id", "title", "citation", "asks", "options_type", "headline")


class Options(BaseModel):
    """The options of every measure; a measure adds its own."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    limit: int | None = Field(None, ge=1, description="Use only this many samples, spread evenly over the strata.")
    seed: int = Field(0, ge=0, description="Set the seed of all resampling.")
    as_published: bool = Field(False, description="Report numbers on the paper's own scale (see the card).")
    # Affects the wording but no number, so it is not part of the configuration.
    margin: float | None = Field(
        None,
        exclude=True,
        description="Set the smallest effect of interest: a factor such as 1.1 for a ratio, otherwise a distance from "
        "neutral (default: see the card).",
    )

    def ineffective(self) -> str | None:
        """Say in one sentence which option has no effect given the others; None if all have one.

        Such a combination is refused: a signature must not name an option that did nothing.
        """
        return None

    @model_validator(mode="before")
    @classmethod
    def _lists(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Split a list that is written as text: to="sk,cs" is to=("sk", "cs")."""
        return {
            name: _parts(value) if isinstance(value, str) and _is_list(cls.model_fields[name].annotation) else value
            for name, value in values.items()
        }


def _is_list(annotation: Any) -> bool:
    return any(get_origin(part) is tuple for part in (annotation, *get_args(annotation)))


def _parts(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


@dataclass(frozen=True, slots=True)
class Leaning:
    """How to describe a model whose estimate lies above the neutral point, and one below."""

    above: str
    below: str


#: neutral point -> the default smallest effect of interest, for ratios and shares
_DEFAULT_MARGINS: dict[float | None, Margin] = {1.0: Margin(1.1, factor=True), 0.5: Margin(0.05, most=0.5)}

STEREOTYPICAL = Leaning("stereotypical", "anti-stereotypical")
MASCULINE = Leaning("masculine", "feminine")


@dataclass(frozen=True)
class Outcomes:
    """What the rows contribute to one headline estimate: one number per row, and the row's item."""

    items: "pd.Series[Any]"
    values: "pd.Series[float]"
    #: the width of the estimate's range if every outcome is 0 or 1 (1 for a share, 2 for a difference of two)
    reach: float | None = None


OptionsT = TypeVar("OptionsT", bound=Options)
SampleT = TypeVar("SampleT")
RowT = TypeVar("RowT")


class Measure(ABC, Generic[OptionsT, SampleT, RowT]):
    """A measure, ready to be run on a model: `Measure[Options, Sample, Row]`."""

    id: ClassVar[str]
    title: ClassVar[str]
    citation: ClassVar[str]
    asks: ClassVar[frozenset[type[Question]]]
    options_type: ClassVar[type[Options]]
    #: a frozen dataclass whose fields are the columns of rows.parquet; None if rows are dictionaries
    row_type: ClassVar[type | None] = None
    #: the estimates a reader looks at first
    headline: ClassVar[tuple[str, ...]]
    #: estimates without a neutral point that a line of scores shows too
    scored_too: ClassVar[tuple[str, ...]] = ()
    #: headline estimate -> what values above and below neutral mean
    leanings: ClassVar[Mapping[str, Leaning]] = {}
    #: headline estimate -> its smallest effect of interest, which the card justifies
    margins: ClassVar[Mapping[str, Margin]] = {}
    #: headline estimate -> how to put its value into words
    phrases: ClassVar[Mapping[str, Phrase]] = {}
    #: what must hold for the headline estimates to mean anything
    conditions: ClassVar[tuple[ValidityCondition, ...]] = (COVERAGE,)
    #: the typical spread of the leading estimate, for planning
    spread: ClassVar[Spread | None] = None
    #: estimates that are means of logarithms, which the papers take to base 10
    log_scores: ClassVar[frozenset[str]] = frozenset()
    #: headline estimates that must be read with the leading one: rankings use whichever is furthest from neutral
    ranked_with: ClassVar[tuple[str, ...]] = ()
    #: the columns that identify a row, by which the rows of two runs are paired
    row_key: ClassVar[tuple[str, ...]] = ()
    #: the languages that it can ask in; an audit puts it only to models that are said to know one of them
    asks_in: ClassVar[tuple[str, ...]] = ("en",)
    #: options that take a built-in set, for machines that lack the data
    starter: ClassVar[Mapping[str, Any]] = {}
    #: the view of a plugin's results, "module:Class" of a genderscope.report.View; None: one table of estimates
    view: ClassVar[str | None] = None

    @abstractmethod
    def __init__(self, options: OptionsT, model: "Model") -> None: ...

    #: the options
    options: OptionsT
    #: the samples, in the order of the data
    samples: Sequence[SampleT]

    @abstractmethod
    def data(self) -> dict[str, Any]:
        """Return the identity of the data: name, checksum, number of samples."""

    @abstractmethod
    def settings(self) -> dict[str, str]:
        """Return the options shown in a signature, as short strings."""

    @abstractmethod
    def ask(self, sample: SampleT) -> tuple[Question, ...]:
        """Return the questions about one sample."""

    @abstractmethod
    def read(self, sample: SampleT, answers: Sequence[Any]) -> Iterable[RowT]:
        """Turn the answers about one sample into rows; `unread` is the reason why it could not be read, or None."""

    @abstractmethod
    def estimates(self, rows: "pd.DataFrame") -> list[Estimate]:
        """Compute every estimate from the rows."""

    def summary(self, estimates: Sequence[Estimate]) -> str:
        """Summarise the result: for each leading estimate its size and what that shows."""
        # A plugin need not keep its options; the defaults are used then.
        chosen = getattr(self, "options", None) or self.options_type.model_construct()
        return summarise(type(self), estimates, chosen)

    @classmethod
    def leads(cls, estimates: Sequence[Estimate], options: OptionsT) -> list[Lead]:
        """Return the estimates of a summary: by default the first headline estimate, with the fewest keys."""
        named = [e for e in estimates if e.name == next(iter(cls.headline), None)]
        fewest = min((e.spans for e in named), default=0)
        return [Lead(e, where=f"{e.scope}: " if e.scope else "") for e in named if e.spans == fewest]

    @classmethod
    def phrase(cls, estimate: Estimate, options: OptionsT) -> Phrase | None:
        """Return how to put the value of an estimate into words, on the scale of the options; None: by its name."""
        return cls.phrases.get(estimate.name)

    def reached(self, rows: "pd.DataFrame") -> dict[str, str]:
        """Return the settings that could be read only in part, with that part: the templates the numbers are over.

        Two runs whose numbers are over different parts are compared only on what they share.
        """
        return {}

    def cautions(self, rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> list[str]:
        """Return what a reader of this result should be careful about, one sentence each."""
        return []

    @classmethod
    def audited_with(cls, model: Any, known: Sequence[str]) -> dict[str, Any]:
        """Return the options that an audit of this model needs beside the defaults; `known` are its languages.

        Where it cannot be asked, the reason is raised as a UserError.
        """
        if not set(cls.asks_in) & set(known):
            many = f"one of {len(cls.asks_in)} languages ({', '.join(cls.asks_in)})"
            named = many if len(cls.asks_in) > 3 else ", ".join(map(language_name, cls.asks_in))
            raise UserError(f"It needs {named}; if the model supports it, use --lang, e.g. --lang {cls.asks_in[0]}.")
        return {}

    # What a comparison of two runs needs. It has rows and options only, so these are methods of the class.

    @classmethod
    def leaning(cls, estimate: Estimate) -> Leaning:
        """Return what values of a headline estimate above and below neutral mean."""
        return cls.leanings.get(estimate.name, Leaning("far above neutral", "far below neutral"))

    @classmethod
    def margin(cls, estimate: Estimate, options: Any) -> Margin | None:
        """Return the smallest effect of interest of an estimate, on the scale of the options; None if unknown."""
        if options.margin is not None and estimate.name == next(iter(cls.headline), None):
            return Margin(options.margin, estimate.neutral == 1)
        known = cls.margins.get(estimate.name)
        if known is None:
            return _DEFAULT_MARGINS.get(estimate.neutral)
        # The papers exponentiate log10 ratios with base e.
        published = options.as_published and (known.factor or estimate.name in cls.log_scores)
        distance = known.distance / math.log(10) if published else known.distance
        return Margin(math.exp(distance), True) if estimate.neutral == 1 else Margin(distance, most=known.most)

    @classmethod
    def answered(cls, rows: "pd.DataFrame", options: OptionsT) -> "pd.Series[bool]":
        """Return which rows have an outcome that counts in the headline estimates."""
        return rows["unread"].isna()

    @classmethod
    def resampled(cls, rows: "pd.DataFrame", options: OptionsT) -> "Iterable[Resampled]":
        """Yield the headline estimates with the influence of each unit, or with replicates and the sizes of strata.

        The same rows and seed must give the same replicates.

        Comparisons, gates on differences, ranks, pooling and power analyses from a pilot use this.
        """
        raise UserError(f"Runs of '{cls.id}' cannot be compared: the measure does not define 'resampled'.")

    @classmethod
    def outcomes(cls, rows: "pd.DataFrame", estimate: Estimate, options: OptionsT) -> Outcomes:
        """Return what the rows contribute to a headline estimate; larger values must increase the estimate.

        A comparison counts the items in which one run lies above the other.
        """
        raise UserError(f"Runs of '{cls.id}' cannot be compared: the measure does not define 'outcomes'.")


#: a measure with unspecified types
AnyMeasure = Measure[Any, Any, Any]
