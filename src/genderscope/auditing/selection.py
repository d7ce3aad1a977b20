"""What an audit measures: measures, options, languages, and the budget, by the work that questions cause."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from itertools import chain
from math import ceil
from typing import Any

from genderscope.core.errors import UserError, require_known
from genderscope.core.languages import LANGUAGES, language_code, require_language
from genderscope.core.questions import Choice, Completion, Question, Reply, ReplyStart, TokenLikelihood, Translation
from genderscope.measures import MEASURES, AnyMeasure, check_some_options, measure_plugins, measure_type

PER_TOKEN = 4  # average number of characters per token in English
#: tokens that a chat template adds to a conversation
TEMPLATE = 24
#: typical length of a reply as a share of its maximum (SmolLM2 in `decisions`: 233 of 300 tokens)
REPLY_SHARE = 0.78
#: Generating a token takes as much time as reading this many, because a model reads many tokens in one pass. SmolLM2 on
#: a CPU: 0.75 ms of CPU time to read a token, 15 to 21 ms to generate one in `decisions`.
GENERATING = 20.0
#: Completions of one text share their beginnings, and their tokens are scored together, so that they take this share of
#: the time of a reply's tokens (SmolLM2 in `honest`: 3.5 ms per token).
COMPLETION_SHARE = 0.25


@dataclass(frozen=True)
class Effort:
    """Numbers of tokens that a model reads and generates."""

    read: float = 0.0
    generated: float = 0.0

    def __add__(self, other: "Effort") -> "Effort":
        return Effort(self.read + other.read, self.generated + other.generated)

    @property
    def tokens(self) -> float:
        """The effort in tokens read."""
        return self.read + GENERATING * self.generated


def effort_of(question: Question, masked: bool = False) -> Effort:
    """Return the effort of one question; a masked model usually reads a text once for every token that it scores."""
    match question:
        case Choice():
            return Effort(_tokens(len(question.before) + len(question.after)))
        case TokenLikelihood():
            scored = sum(end - start for start, end in question.spans) if question.spans else len(question.text)
            passes = _tokens(scored) if masked and not question.together else 1
            return Effort(_tokens(len(question.text)) * passes)
        case Completion():
            new = 0.0 if masked else COMPLETION_SHARE * question.k * question.new_tokens
            return Effort(_tokens(len(question.before) + len(question.after)), new)
        case Translation():
            return Effort(_tokens(len(question.text)), _tokens(len(question.text)))
        case Reply():
            return Effort(_conversation(question), REPLY_SHARE * question.max_tokens)
        case ReplyStart():
            return Effort(_conversation(question))
    raise TypeError(f"unknown kind of question: {type(question).__name__}")


def total_effort(questions: Iterable[Question], masked: bool = False) -> Effort:
    """Return the effort of several questions."""
    return sum((effort_of(question, masked) for question in questions), Effort())


def _conversation(question: Reply | ReplyStart) -> float:
    return TEMPLATE + _tokens(sum(len(message.content) for message in question.messages))


def _tokens(characters: int) -> float:
    return 1 + characters / PER_TOKEN


#: maximum number of stratified samples per measure (or per language); None means no maximum
BUDGETS: dict[str, int | None] = {"quick": 160, "standard": 800, "full": None}
#: Maximum effort per measure, in tokens read, unless `FEWEST` samples need more. SmolLM2 takes about a minute of CPU
#: time for it, and at most ten minutes for all measures together.
EFFORT = {"quick": 80_000}
FEWEST = 48  # minimum number of samples: three per GEST stereotype


def affordable_limit(budget: str, limited: AnyMeasure, masked: bool = False) -> int | None:
    """Return a budget's limit, reduced if the samples that the measure keeps within it cause too much work.

    A limit may count samples per language or per probe, so that the whole set that it keeps is weighed. The work for
    controls does not depend on the limit.
    """
    most, allowed = BUDGETS[budget], EFFORT.get(budget)
    if most is None or allowed is None or not limited.samples:
        return most
    effort = total_effort(chain.from_iterable(map(limited.ask, limited.samples)), masked).tokens
    controls = total_effort(chain.from_iterable(limited.ask(case.sample) for case in limited.controls), masked).tokens
    fewest = ceil(most * min(1.0, FEWEST / len(limited.samples)))
    return max(fewest, min(most, int(most * max(0.0, allowed - controls) / max(1.0, effort))))


def widening(samples: Sequence[object], whole: Sequence[object], units: Mapping[str, float]) -> float:
    """Return the factor by which intervals are wider than with all samples.

    The variance of an estimate is that between units divided by their number, plus the rest divided by the number of
    samples. A limited set has fewer samples, but often nearly all units. `units` are those of the measure.
    """
    return (_variance(samples, units) / _variance(whole, units)) ** 0.5 if samples and whole else 1.0


def _variance(samples: Sequence[object], units: Mapping[str, float]) -> float:
    counts = {name: len({getattr(sample, name) for sample in samples}) for name in units}
    between = sum(share / counts[name] for name, share in units.items())
    return between + (1 - sum(units.values())) / len(samples)


#: adds the location in a recipe to an error message
At = Callable[[str], AbstractContextManager[None]]


@dataclass(frozen=True)
class Selection:
    """Measures of an audit, with their options and number of samples."""

    #: None selects every measure that the model supports
    measures: tuple[str, ...] | None = None
    without: tuple[str, ...] = ()
    budget: str = "standard"
    offline: bool = False
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # measure -> its options
    languages: tuple[str, ...] = ("en",)  # languages that the model supports, according to the user

    def __post_init__(self) -> None:
        object.__setattr__(self, "languages", tuple(map(language_code, self.languages)))

    def names(self) -> list[str]:
        """Return the selected measures, in registry order if none are named."""
        names = [*MEASURES, *measure_plugins()] if self.measures is None else dict.fromkeys(self.measures)
        return [name for name in names if name not in self.without]

    def check(self, at: At = lambda _: nullcontext()) -> None:
        """Raise on unknown names and values; `at` adds the location in a recipe to the error message."""
        with at("budget"):
            require_known("budget", self.budget, BUDGETS)
        with at("languages"):
            for code in self.languages:
                require_language("language", code, LANGUAGES)
            if not self.languages:
                raise UserError("No language given for the model; give at least one, e.g. en.")
        for place, names in (("measures", self.measures or ()), ("without", self.without)):
            with at(place):
                for name in names:
                    require_known("measure", name, [*MEASURES, *measure_plugins()])
                if not self.names():
                    raise UserError("No measure is left; add some or exclude fewer.")
        for name, options in self.options.items():
            with at(f"options.{name}"):
                require_known("measure", name, self.names())
                check_some_options(measure_type(name), options)
