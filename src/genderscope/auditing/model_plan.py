"""Plans the questions of a model's audit before the model's weights are loaded."""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from genderscope.auditing.selection import BUDGETS, Selection, affordable_limit, widening
from genderscope.core.errors import UserError, naming_packages
from genderscope.core.journal_codec import question_key
from genderscope.core.network import NotHereError, offline
from genderscope.core.questions import Question
from genderscope.evaluation import (
    PreparedRun,
    RunSettings,
    SampleQuestions,
    UnableError,
    bind,
    config_of,
    read_finished,
    require_able,
    slug,
)
from genderscope.measures import AnyMeasure, Options, measure_plugins, measure_type, parse_options
from genderscope.models import KnownModel, Model, NotKnownError, PreviewedModel, ReplyModel, TranslationModel
from genderscope.runs import STARTED, Result, days_of, holds_answers, moment_of, recorded, state_of
from genderscope.samples import parse_cache
from genderscope.util import clock

#: options of measures that the audit also has, for all measures
SHARED = ("lang",)


def advice_for(measure: str, reason: str) -> str:
    """Return the reason with a measure's own options, such as `--to sk`, as `--option MEASURE.to=sk`."""
    try:
        options = set(measure_type(measure).options_type.model_fields) - set(SHARED)
    except UserError:  # the measure of a broken plugin, which the reason says
        return reason

    def with_measure(match: re.Match[str]) -> str:
        name = match["name"].replace("-", "_")
        return f"--option {measure}.{name}={match['value']}" if name in options else match[0]

    return re.sub(r"--(?P<name>[a-z][a-z-]*) (?P<value>[\w,.-]*\w)", with_measure, reason)


STARTER = "the built-in starter set, since the measure's own data is not on this machine"


@dataclass(frozen=True)
class PlannedMeasure:
    """One measure in an audit, executed as an ordinary run."""

    measure: str
    options: Mapping[str, Any]
    folder: Path
    #: name of the dataset
    data: str
    samples: int
    questions: int
    #: questions without an answer
    missing: Sequence[Question] = field(repr=False)
    finished: bool = False
    announces_cost: bool = False  # whether the user must confirm the cost; no questions are then asked for timing
    note: str | None = None  # a remark shown with the plan
    whole: int = 0  # number of samples without the budget
    wider: float = 1.0  # predicted width of intervals, relative to those with all samples
    seconds: float | None = None  # estimated time for the unanswered questions; None if not measured
    asked: tuple[date | None, ...] = ()  # days on which existing answers were given; None stands for an unknown day
    fresh: bool = False  # whether all questions are asked again, replacing an earlier run
    #: loads the result of a finished run
    again: Callable[[], Result | None] = field(default=lambda: None, repr=False, compare=False)


@dataclass(frozen=True)
class AuditPlan:
    """Plan for one model: the measures to run, and the reasons for leaving out the others."""

    model: Model
    folder: Path
    parts: tuple[PlannedMeasure, ...]
    left_out: Mapping[str, str]
    unable: frozenset[str] = frozenset()  # measures left out because this kind of model does not support them
    assumption: str | None = None  # a sentence about what was assumed because nothing was sent to a server
    measured: bool = False  # whether times were measured rather than predicted
    #: number of copies of the model that share the questions, used for the time estimate
    workers: int = 1
    selection: Selection = field(default_factory=Selection)
    settings: RunSettings = field(default_factory=RunSettings)

    @property
    def name(self) -> str:
        """The model's name in this audit, which is its folder's name."""
        return self.folder.name

    @property
    def missing(self) -> int:
        """Number of questions without an answer."""
        return sum(len(part.missing) for part in self.parts)

    @property
    def finished(self) -> bool:
        """Whether every measure is finished."""
        return all(part.finished for part in self.parts)

    @property
    def renewed(self) -> tuple[str, ...]:
        """Measures whose earlier runs are replaced."""
        return tuple(part.measure for part in self.parts if part.fresh)

    @property
    def announced(self) -> list[Question]:
        """Questions whose cost the user must confirm first."""
        return [question for part in self.parts if part.announces_cost for question in part.missing]

    @property
    def seconds(self) -> float | None:
        """Estimated time for all unanswered questions; None if not measured."""
        times = [part.seconds for part in self.parts if part.missing]
        return sum(s for s in times if s is not None) if times and None not in times else None


def plan_for(model: Model, selection: Selection, folder: Path, settings: RunSettings | None = None) -> AuditPlan:
    """Plan the audit of an opened model, without loading its weights.

    For a `KnownModel`, raises `NotKnownError` unless every run is finished. With `settings.fresh`, all existing answers
    are ignored.
    """
    settings = settings or RunSettings()
    parts: list[PlannedMeasure] = []
    left_out: dict[str, str] = {}
    unable: set[str] = set()
    for name in selection.names():
        try:
            with naming_packages(f"Measure '{name}'"), offline(selection.offline), parse_cache.parsed_once():
                prepared = _prepared(name, model, selection)
        except UserError as error:
            left_out[name] = advice_for(name, str(error))
            if isinstance(error, UnableError):
                unable.add(name)
        else:
            # Raise if the folder contains another run, rather than skip the measure: the user must choose another
            # folder.
            parts.append(_part(model, settings, folder / name, prepared))
    return AuditPlan(model, folder, tuple(parts), left_out, frozenset(unable), selection=selection, settings=settings)


@dataclass(frozen=True)
class _Prepared:
    bound: AnyMeasure
    options: dict[str, Any]
    chosen: Options
    note: str | None = None
    whole: int | None = None  # number of samples without the budget, if the budget reduces the number
    wider: float = 1.0


def _prepared(name: str, model: Model, selection: Selection) -> _Prepared:
    kind = measure_type(name)
    require_able(kind, model)
    given = dict(selection.options.get(name, {}))
    reason: UserError | None = None
    try:
        filled = kind.audited_with(model, selection.languages) | given
    except UserError as error:
        # A measure that the user names or gives options for is run whenever possible.
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
    except Exception as error:  # a plugin can raise anything
        if (plugin := measure_plugins().get(name)) is None:
            raise
        raise plugin.broken(f"{type(error).__name__}: {error}") from error


def _asked_with(
    kind: type[AnyMeasure], filled: dict[str, Any], given: dict[str, Any], model: Model, selection: Selection
) -> _Prepared:
    """Bind the measure with the model-specific and the user's options, or with the user's alone if they conflict."""
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
    """Bind the measure within the budget; if the budget covers all samples, set no limit."""
    whole = _bound(kind, options, model)
    most = BUDGETS[budget]
    if "limit" in options or model.free or most is None:
        return whole
    limited = _bound(kind, {**options, "limit": most}, model)
    if (limit := affordable_limit(budget, limited.bound, is_masked(model))) != most:
        limited = _bound(kind, {**options, "limit": limit}, model)
    if len(limited.bound.samples) < len(whole.bound.samples):
        wider = widening(limited.bound.samples, whole.bound.samples, kind.units)
        return replace(limited, whole=len(whole.bound.samples), wider=wider)
    # A model that expects the texts in advance was given the limited set and must now be given all texts.
    expects = isinstance(model, TranslationModel) and type(model).expect is not TranslationModel.expect
    return _bound(kind, options, model) if expects else whole


def is_masked(model: Model) -> bool:
    """Return whether a local model scores a token by masking it, which takes one pass per token."""
    return model.kind == "masked"


def _bound(kind: type[AnyMeasure], options: dict[str, Any], model: Model) -> _Prepared:
    parsed = parse_options(kind, options)
    return _Prepared(bind(kind, parsed, model), options, parsed)


def _part(model: Model, settings: RunSettings, folder: Path, prepared: _Prepared) -> PlannedMeasure:
    bound = prepared.bound
    config = config_of(bound, prepared.chosen, model, settings)
    renewed = settings.fresh and holds_answers(folder, config)
    finished, answered = (False, set()) if renewed else state_of(folder, config)
    if not finished and isinstance(model, KnownModel) and not isinstance(model, PreviewedModel):
        raise NotKnownError  # the model must be opened to ask the unanswered questions
    earlier = {} if renewed else recorded(folder)
    if isinstance(model, ReplyModel):
        model.set_date(moment_of(earlier.get(STARTED)) or clock.now())
    questions = list(SampleQuestions(bound).all())
    keyed: dict[Any, Question] = {}
    if isinstance(model, PreviewedModel):  # without a fingerprint, no answers are known, and keys only find duplicates
        keyed = dict(zip(questions, questions, strict=True))
    elif not finished:
        keyed = {question_key(model.fingerprint, question): question for question in questions}
    return PlannedMeasure(
        bound.id,
        prepared.options,
        folder,
        str(config["data"]["name"]),
        len(bound.samples),
        len(questions),
        tuple(question for key, question in keyed.items() if key not in answered),
        finished,
        model.announces_cost,
        prepared.note,
        whole=prepared.whole or len(bound.samples),
        wider=prepared.wider,
        asked=days_of(earlier) if finished or answered else (),
        fresh=renewed,
        again=partial(read_finished, PreparedRun(bound, model, config, folder)) if finished else lambda: None,
    )


def folder_names(models: Sequence[tuple[str, str]]) -> list[str]:
    """Return one folder name per (name, model string) pair; duplicate names get a digest of the model string."""
    names = [slug(name) for name, _ in models]
    return [
        name if names.count(name) == 1 else f"{name}-{hashlib.sha256(spec.encode()).hexdigest()[:6]}"
        for name, (_, spec) in zip(names, models, strict=True)
    ]
