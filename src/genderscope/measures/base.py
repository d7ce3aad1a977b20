"""What a measure is: it asks questions about samples, reads the answers into rows, and turns rows into estimates.

An instance binds a measure to its options and to what the model can see. Rows are all that is kept of the answers;
every estimate and every interval is arithmetic on rows, so nothing is ever asked twice.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, model_validator

from genderscope.errors import UserError
from genderscope.languages import language_name
from genderscope.measures.effects import Margin, Spread
from genderscope.models import Remote
from genderscope.questions import Question
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.models import Model
    from genderscope.statistics.paired import Resampled

#: a row of a measure that declares no type of its own
Row = dict[str, Any]

#: What `evaluate` and the command line take themselves, and what else run.json keeps beside the options: an option of a
#: measure cannot have such a name.
RESERVED = frozenset(
    {
        *("measure", "model", "out", "device", "dtype", "batch_size", "beams", "engine", "workers", "address"),
        *("gpus_per_worker", "allow_pickle", "rehash", "remote", "progress", "command", "started", "as_json"),
        *("json", "help", "h", "m", "o"),
        *("fingerprint", "data_sha256"),
        *Remote.model_fields,
        *(f"no_{name}" for name, field in Remote.model_fields.items() if field.annotation is bool),
    }
)
#: what a measure must say of itself
TOLD = ("id", "title", "citation", "asks", "options_type", "headline")


class Options(BaseModel):
    """What every measure lets the user choose; a measure adds its own."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    limit: int | None = Field(None, ge=1, description="Use only this many samples, spread over the strata of the set.")
    seed: int = Field(0, ge=0, description="Seed of all resampling.")
    as_published: bool = Field(
        False, description="Report numbers on the paper's own scale; the card says how it differs."
    )
    # Only what is said of the numbers, none of them: no part of the configuration.
    margin: float | None = Field(
        None,
        exclude=True,
        description="Smallest effect of interest of the leading estimate: a factor such as 1.1 for a ratio, else a "
        "distance from neutral; the card says the default and why.",
    )

    def ineffective(self) -> str | None:
        """Say in one sentence which option would change nothing beside the others; None where all have an effect.

        Such a combination is refused: a run must not be signed with what it did not do.
        """
        return None

    @model_validator(mode="before")
    @classmethod
    def _lists(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Take a list that is written as text apart: to="sk,cs" is to=("sk", "cs")."""
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
    """What a model is called whose estimate lies above the neutral point, and what one below."""

    above: str
    below: str


#: neutral point -> the smallest effect of interest of an estimate whose measure names none: ratios, shares
_DEFAULT_MARGINS: dict[float | None, Margin] = {1.0: Margin(1.1, factor=True), 0.5: Margin(0.05, most=0.5)}

STEREOTYPICAL = Leaning("stereotypical", "anti-stereotypical")
MASCULINE = Leaning("masculine", "feminine")


@dataclass(frozen=True)
class Outcomes:
    """What the rows contribute to one headline estimate: one number for each row, and the item the row is about."""

    items: "pd.Series[Any]"
    values: "pd.Series[float]"
    #: how far the estimate reaches where every outcome is 0 or 1 (1 for a share, 2 for a difference of two)
    reach: float | None = None
    #: whether the estimate is the plain mean of the outcomes
    plain: bool = False


OptionsT = TypeVar("OptionsT", bound=Options)
SampleT = TypeVar("SampleT")
RowT = TypeVar("RowT")


class Measure(ABC, Generic[OptionsT, SampleT, RowT]):
    """One measure of the table of measures, ready to be put to a model: `Measure[Options, Sample, Row]`."""

    id: ClassVar[str]
    title: ClassVar[str]
    citation: ClassVar[str]
    asks: ClassVar[frozenset[type[Question]]]
    options_type: ClassVar[type[Options]]
    #: a frozen dataclass, whose fields are the columns of rows.parquet; None where rows are dictionaries
    row_type: ClassVar[type | None] = None
    #: the estimates a reader looks at first
    headline: ClassVar[tuple[str, ...]]
    #: headline estimate -> what its sides mean
    leanings: ClassVar[Mapping[str, Leaning]] = {}
    #: headline estimate -> its smallest effect of interest, which the card justifies
    margins: ClassVar[Mapping[str, Margin]] = {}
    #: how much the leading estimate typically varies, for planning
    spread: ClassVar[Spread | None] = None
    #: estimates that are means of logarithms, which the papers take to base 10
    log_scores: ClassVar[frozenset[str]] = frozenset()
    #: headline estimates without which the leading one must not be read: rankings go by whichever is the furthest off
    ranked_with: ClassVar[tuple[str, ...]] = ()
    #: the columns that tell rows apart, by which those of two runs are paired
    row_key: ClassVar[tuple[str, ...]] = ()
    #: the languages that it can ask in; an audit puts it only to models that are said to know one of them
    asks_in: ClassVar[tuple[str, ...]] = ("en",)
    #: options that take a built-in set, for machines that lack the data
    starter: ClassVar[Mapping[str, Any]] = {}
    #: how a plugin's results are laid out, "module:Class" of a report.views.base.View; None: one table of estimates
    view: ClassVar[str | None] = None

    @abstractmethod
    def __init__(self, options: OptionsT, model: "Model") -> None: ...

    #: what the user chose
    options: OptionsT
    #: the samples, in the order of the data
    samples: Sequence[SampleT]

    @abstractmethod
    def data(self) -> dict[str, Any]:
        """Return what identifies the data: name, checksum, number of samples."""

    @abstractmethod
    def settings(self) -> dict[str, str]:
        """Return the options that a signature shows, as short strings."""

    @abstractmethod
    def ask(self, sample: SampleT) -> tuple[Question, ...]:
        """Return the questions about one sample."""

    @abstractmethod
    def read(self, sample: SampleT, answers: Sequence[Any]) -> Iterable[RowT]:
        """Turn the answers about one sample into rows; `unread` holds the reason why nothing was read, or None."""

    @abstractmethod
    def estimates(self, rows: "pd.DataFrame") -> list[Estimate]:
        """Compute every estimate from the rows."""

    def summary(self, estimates: Sequence[Estimate]) -> str:
        """Say in a sentence or two what was found: the size of the leading estimate, then what that shows."""
        from genderscope.measures.findings import in_words

        found = next((e for e in estimates if e.name == next(iter(self.headline), None)), None)
        # A plugin need not keep its options: then the defaults stand for them.
        chosen = getattr(self, "options", None) or self.options_type.model_construct()
        return "There is nothing to tell." if found is None else in_words(found, self.margin(found, chosen))

    def reached(self, rows: "pd.DataFrame") -> dict[str, str]:
        """Return the settings of which only a part was read, with that part: the templates that the numbers are over.

        Two runs whose numbers are over different parts are compared on what they share only.
        """
        return {}

    def cautions(self, rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> list[str]:
        """Return what a reader of this result should be careful about, one sentence each."""
        return []

    @classmethod
    def audited_with(cls, model: "Model", known: Sequence[str]) -> dict[str, Any]:
        """Return the options that an audit of this model needs beside the defaults; `known` are its languages.

        Where it cannot be asked, the reason is raised as a UserError.
        """
        if not set(cls.asks_in) & set(known):
            raise UserError(
                f"It asks in {', '.join(map(language_name, cls.asks_in))}; "
                f"where the model knows that, give --lang {cls.asks_in[0]}."
            )
        return {}

    # What a comparison of two runs needs. It has rows and options only, so these are methods of the class.

    @classmethod
    def leaning(cls, estimate: Estimate) -> Leaning:
        """Return what the sides of a headline estimate mean."""
        return cls.leanings.get(estimate.name, Leaning("far above neutral", "far below neutral"))

    @classmethod
    def margin(cls, estimate: Estimate, options: Any) -> Margin | None:
        """Return the smallest effect of interest of an estimate, on the scale that the options show; None: unknown."""
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
        """Tell which rows hold an outcome that the headline estimates count."""
        return rows["unread"].isna()

    @classmethod
    def resampled(cls, rows: "pd.DataFrame", options: OptionsT) -> "Iterable[Resampled]":
        """Yield the headline estimates with their replicates; the same rows and seed must give the same draws.

        Comparisons, gates on differences, ranks, pooling and plans from a pilot resample through this.
        """
        raise UserError(f"Runs of '{cls.id}' cannot be compared: the measure does not define 'resampled'.")

    @classmethod
    def outcomes(cls, rows: "pd.DataFrame", estimate: Estimate, options: OptionsT) -> Outcomes:
        """Return what the rows contribute to a headline estimate, larger where the estimate grows.

        A comparison counts the items in which one run lies above the other.
        """
        raise UserError(f"Runs of '{cls.id}' cannot be compared: the measure does not define 'outcomes'.")


#: a measure of which only the name is known
AnyMeasure = Measure[Any, Any, Any]
