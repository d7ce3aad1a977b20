"""What an audit will ask a model: found out from what measures ask and what the model answers, before its weights."""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from genderscope import clock
from genderscope.auditing.budgets import limit_of
from genderscope.auditing.selection import Selection
from genderscope.errors import UserError, naming_packages
from genderscope.evaluation import PreparedRun, RunSettings, UnableError, bind, config_of, read_finished, require_able
from genderscope.measures import AnyMeasure, Options, measure_plugins, measure_type, parse_options
from genderscope.models import KnownModel, Model, NotKnownError, ReplyModel, TranslationModel
from genderscope.network import NotHereError, offline
from genderscope.questions import Question
from genderscope.runs import STARTED, Result, days_of, holds_answers, moment_of, recorded, state_of
from genderscope.samples import parse_cache
from genderscope.written import question_key

STARTER = "the built-in starter set, since the measure's own data is not on this machine"


@dataclass(frozen=True)
class Part:
    """One measure of an audit: an ordinary run."""

    measure: str
    options: Mapping[str, Any]
    folder: Path
    #: the name of its data
    data: str
    samples: int
    questions: int
    #: what has no answer yet
    missing: Sequence[Question] = field(repr=False)
    finished: bool = False
    #: whether the user is told what asking costs before it begins, so that nothing is asked on trial
    announces: bool = False
    #: what a reader of the plan should know
    note: str | None = None
    #: how many samples there are without the budget
    whole: int = 0
    #: how long its missing questions will take, as far as that was measured
    seconds: float | None = None
    #: the days of the answers that it has already; None stands for an unknown day
    asked: tuple[date | None, ...] = ()
    #: whether all of it is asked again, so that an earlier run in its folder has to be kept elsewhere
    fresh: bool = False
    #: reads what is finished
    again: Callable[[], Result | None] = field(default=lambda: None, repr=False, compare=False)


@dataclass(frozen=True)
class Plan:
    """What will be asked of one model, and what not, with the reason."""

    model: Model
    folder: Path
    parts: tuple[Part, ...]
    left_out: Mapping[str, str]
    #: those left out because such a model never answers them
    unable: frozenset[str] = frozenset()
    #: copies of the model that share the questions, in the estimate of time
    workers: int = 1
    selection: Selection = field(default_factory=Selection)
    settings: RunSettings = field(default_factory=RunSettings)

    @property
    def name(self) -> str:
        """The model's name in this audit, which is that of its folder."""
        return self.folder.name

    @property
    def missing(self) -> int:
        """How many questions have no answer yet."""
        return sum(len(part.missing) for part in self.parts)

    @property
    def finished(self) -> bool:
        """Whether every part of it was done before."""
        return all(part.finished for part in self.parts)

    @property
    def renewed(self) -> tuple[str, ...]:
        """The measures whose earlier runs make way for new ones."""
        return tuple(part.measure for part in self.parts if part.fresh)

    @property
    def announced(self) -> list[Question]:
        """What the user is told the cost of before it is asked."""
        return [question for part in self.parts if part.announces for question in part.missing]

    @property
    def seconds(self) -> float | None:
        """How long all of it will take, where that was measured."""
        known = [part.seconds for part in self.parts if part.missing]
        return sum(s for s in known if s is not None) if known and None not in known else None


def plan_for(model: Model, selection: Selection, folder: Path, settings: RunSettings | None = None) -> Plan:
    """Plan the audit of an opened model; its weights are not needed for that.

    For a KnownModel, raises NotKnownError unless every run is finished. With `settings.fresh`, nothing counts as
    answered.
    """
    settings = settings or RunSettings()
    parts: list[Part] = []
    left_out: dict[str, str] = {}
    unable: set[str] = set()
    for name in selection.names():
        try:
            with naming_packages(f"Measure '{name}'"), offline(selection.offline), parse_cache.parsed_once():
                prepared = _prepared(name, model, selection)
        except UserError as error:
            left_out[name] = str(error)
            if isinstance(error, UnableError):
                unable.add(name)
        else:
            # A folder that holds another run is no reason to leave a measure out: the user must choose another.
            parts.append(_part(model, settings, folder / name, prepared))
    return Plan(model, folder, tuple(parts), left_out, frozenset(unable), selection=selection, settings=settings)


@dataclass(frozen=True)
class _Prepared:
    bound: AnyMeasure
    options: dict[str, Any]
    chosen: Options
    note: str | None = None
    #: how many samples there are without the budget, where it leaves some out
    whole: int | None = None


def _prepared(name: str, model: Model, selection: Selection) -> _Prepared:
    kind = measure_type(name)
    require_able(kind, model)
    given = dict(selection.options.get(name, {}))
    reason: UserError | None = None
    try:
        filled = kind.audited_with(model, selection.languages) | given
    except UserError as error:
        # Whoever names the measure or its options wants it, if only it can be asked.
        if not given and name not in (selection.measures or ()):
            raise
        filled, reason = given, error
    try:
        return _asked_with(kind, filled, given, model, selection)
    except UserError:
        if reason is not None and not given:
            raise reason from None
        raise
    except NotKnownError:
        raise
    except Exception as error:  # whatever a stranger's measure does
        if (plugin := measure_plugins().get(name)) is None:
            raise
        raise plugin.broken(f"{type(error).__name__}: {error}") from error


def _asked_with(
    kind: type[AnyMeasure], filled: dict[str, Any], given: dict[str, Any], model: Model, selection: Selection
) -> _Prepared:
    """Bind the measure with the options that the model needs, or with the user's own where the two do not combine."""
    try:
        prepared = _with_data(kind, filled, model, selection)
    except UserError as error:
        if not given or filled == given:
            raise
        try:
            prepared = _with_data(kind, given, model, selection)
        except UserError:
            raise error from None
    bound = prepared.bound
    model.check_questions([question for sample in bound.samples[:1] for question in bound.ask(sample)])
    return prepared


def _with_data(kind: type[AnyMeasure], options: dict[str, Any], model: Model, selection: Selection) -> _Prepared:
    try:
        return _within_budget(kind, options, model, selection.budget)
    except NotHereError:
        if not kind.starter or set(kind.starter) & set(options):
            raise
    return replace(_within_budget(kind, {**options, **kind.starter}, model, selection.budget), note=STARTER)


def _within_budget(kind: type[AnyMeasure], options: dict[str, Any], model: Model, budget: str) -> _Prepared:
    """Bind the measure; a budget that would leave nothing out is no option, so that the run is the plain one."""
    whole = _bound(kind, options, model)
    if "limit" in options or model.free or (limit := limit_of(budget, whole.bound)) is None:
        return whole
    limited = _bound(kind, {**options, "limit": limit}, model)
    if len(limited.bound.samples) < len(whole.bound.samples):
        return replace(limited, whole=len(whole.bound.samples))
    # A file of translations was told to expect the limited set.
    expects = isinstance(model, TranslationModel) and type(model).expect is not TranslationModel.expect
    return _bound(kind, options, model) if expects else whole


def _bound(kind: type[AnyMeasure], options: dict[str, Any], model: Model) -> _Prepared:
    chosen = parse_options(kind, options)
    return _Prepared(bind(kind, chosen, model), options, chosen)


def _part(model: Model, settings: RunSettings, folder: Path, prepared: _Prepared) -> Part:
    bound = prepared.bound
    config = config_of(bound, prepared.chosen, model, settings)
    renewed = settings.fresh and holds_answers(folder, config)
    finished, known = (False, set()) if renewed else state_of(folder, config)
    if not finished and isinstance(model, KnownModel):
        raise NotKnownError  # what is missing will be asked of the model itself, so it has to be opened anyway
    earlier = {} if renewed else recorded(folder)
    if isinstance(model, ReplyModel):
        model.set_date(moment_of(earlier.get(STARTED)) or clock.now())
    questions = list(chain.from_iterable(map(bound.ask, bound.samples)))
    keyed = {} if finished else {question_key(model.fingerprint, question): question for question in questions}
    return Part(
        bound.id,
        prepared.options,
        folder,
        str(config["data"]["name"]),
        len(bound.samples),
        len(questions),
        tuple(question for key, question in keyed.items() if key not in known),
        finished,
        model.announces,
        prepared.note,
        whole=prepared.whole or len(bound.samples),
        asked=days_of(earlier) if finished or known else (),
        fresh=renewed,
        again=partial(read_finished, PreparedRun(bound, model, config, folder)) if finished else lambda: None,
    )


def folder_names(models: Sequence[tuple[str, str]]) -> list[str]:
    """Return a folder's name for each model's name and model string; equal names are told apart by the string."""
    names = [slug(name) for name, _ in models]
    return [
        name if names.count(name) == 1 else f"{name}-{hashlib.sha256(spec.encode()).hexdigest()[:6]}"
        for name, (_, spec) in zip(names, models, strict=True)
    ]


def slug(name: str) -> str:
    """Write a model's name as that of a folder."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[-60:] or "model"
