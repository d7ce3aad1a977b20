"""`genderscope.audit`: runs all measures that the models support, sequentially or concurrently; scorecard and gates."""

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from genderscope.auditing.jobs import Job, JobsWatcher, require_jobs, run_jobs
from genderscope.auditing.model_plan import AuditPlan
from genderscope.auditing.plan_execution import Outcome, Watcher, announce, keep_earlier_runs, run
from genderscope.auditing.recipe_plans import plans_of
from genderscope.auditing.recipes import AuditedModel, Recipe, build_recipe, read_recipe
from genderscope.auditing.selection import Selection
from genderscope.auditing.times import with_predicted_times, with_time_estimates
from genderscope.comparison import RunChecks
from genderscope.core.errors import UserError, did_you_mean, naming_packages, option_name
from genderscope.engine import all_announced, gpus_here, one_cluster
from genderscope.evaluation import SETTING_NAMES, RunSettings
from genderscope.models import Model, split_spec
from genderscope.runs import Result, require_room
from genderscope.util import clock

if TYPE_CHECKING:
    from genderscope.auditing.gate_checks import GateOutcome
    from genderscope.comparison import Scorecard


class AuditDisplay:
    """Progress display for an audit; the base class shows nothing."""

    #: whether models are loaded and timed before the first question, instead of predicting the time
    timed: bool = False

    def opening(self, model: str) -> AbstractContextManager[None]:
        """Return a context manager that is active while a model is opened."""
        return nullcontext()

    def plans(self, plans: Sequence[AuditPlan]) -> None:
        """Show the plans for several models before the first audit begins."""

    def watch_models(self, count: int) -> AbstractContextManager[Watcher]:
        """Return a watcher for `count` models that are audited one after another."""
        return nullcontext(Watcher())

    def watch_jobs(self, missing: int) -> AbstractContextManager[JobsWatcher]:
        """Return a watcher for models that are audited concurrently, with `missing` unanswered questions in total."""
        return nullcontext(JobsWatcher())


@dataclass(frozen=True)
class Audit:
    """Outcome of an audit: each model's results, and the reason for each measure without a result."""

    outcomes: Mapping[str, Outcome]
    #: scorecard files, which cover every run in the audit's folder
    scorecard: tuple[Path, ...] = ()
    gates: "tuple[GateOutcome, ...]" = ()
    card: "Scorecard | None" = field(default=None, repr=False)

    @property
    def model(self) -> str:
        """Name of the model, if the audit has just one."""
        return self._only.plan.model.name

    @property
    def folder(self) -> Path:
        """Folder with the model's runs, if the audit has just one model."""
        return self._only.plan.folder

    @property
    def results(self) -> Mapping[str, Result]:
        """The model's results by measure, if the audit has just one model."""
        return self._only.results

    @property
    def left_out(self) -> Mapping[str, str]:
        """Reasons why measures were skipped or failed, if the audit has just one model."""
        return {**self._only.plan.left_out, **self._only.failed}

    @property
    def passed(self) -> bool:
        """Whether no measure failed and every gate passed."""
        return all(held.gate.passed for held in self.gates) and not any(o.failed for o in self.outcomes.values())

    @property
    def _only(self) -> Outcome:
        if len(self.outcomes) != 1:
            raise UserError(f"The audit has {len(self.outcomes)} models; select one of its outcomes by name.")
        return next(iter(self.outcomes.values()))

    def __repr__(self) -> str:
        lines = []
        for outcome in self.outcomes.values():
            plan, left_out = outcome.plan, len(outcome.plan.left_out) + len(outcome.failed)
            left = f", {left_out} left out" if left_out else ""
            done = ", ".join(outcome.results) or "nothing"
            lines.append(f"Audit({plan.model.name!r}: {done}{left}; {str(plan.folder)!r})")
        return "\n".join(lines)


def plan_audit(recipe: Recipe, display: AuditDisplay | None = None, preview: bool = False) -> dict[str, AuditPlan]:
    """Plan the audit of every model in a recipe, keyed by its name in the recipe; nothing is asked or written.

    For a `preview`, nothing is sent to a server either, and local models are opened only if necessary.
    """
    remote = recipe.models[0].settings.remote
    limited = (remote.max_requests, remote.max_cost) != (None, None)
    if recipe.jobs > 1 and limited:
        raise UserError("Spending limits cannot be shared by several processes; omit --jobs or the limits.")
    if display is not None and display.timed and limited:
        raise UserError("--time sends requests that would count towards the spending limit; omit --time or the limit.")
    if display is not None and display.timed and recipe.jobs > 1:
        raise UserError("--time times one model after another; omit --time or --jobs.")
    require_jobs(recipe.jobs)
    require_room(recipe.root)
    return plans_of(recipe, (display or AuditDisplay()).opening, preview)


def run_audit(recipe: Recipe, plans: Mapping[str, AuditPlan], display: AuditDisplay | None = None) -> Audit:
    """Ask the unanswered questions, write the scorecard and check the gates."""
    started = clock.now()
    outcomes = _outcomes(recipe, plans, display or AuditDisplay())
    card, files = None, list[Path]()
    if any(outcome.results for outcome in outcomes.values()):
        from genderscope.report import scorecard_of, write_card

        card = scorecard_of([recipe.root], None if recipe.baseline is None else plans[recipe.baseline].model.name)
        files = write_card(card, recipe.root)
    return Audit(outcomes, tuple(files), tuple(_checked(recipe, outcomes, started)), card)


def _checked(recipe: Recipe, outcomes: Mapping[str, Outcome], started: datetime) -> "Iterator[GateOutcome]":
    """Yield the outcome of each check of a run and of each gate."""
    if not recipe.gates and not recipe.run_checks:
        return
    from genderscope.auditing.gate_checks import check_gates, check_runs  # imports the comparison code

    yield from check_runs(recipe.run_checks, outcomes, recipe.baseline, started)
    how = recipe.min_coverage, recipe.allow_unjudged, recipe.over
    yield from check_gates(recipe.gates, outcomes, recipe.baseline, *how)


def remove_scorecard(recipe: Recipe) -> None:
    """Remove the scorecard of an earlier audit, so that an audit that fails does not leave an outdated one behind."""
    if any(recipe.root.glob("scorecard.*")):
        from genderscope.report import remove_card

        remove_card(recipe.root)


def _outcomes(recipe: Recipe, plans: Mapping[str, AuditPlan], display: AuditDisplay) -> dict[str, Outcome]:
    """Run the plans; the user is asked to consent to the cost of paid models before the first plan begins."""
    if len(plans) == 1:
        return _in_turn(plans, display)
    display.plans([with_predicted_times(plan) for plan in plans.values()])
    for plan in plans.values():
        announce(plan)
    for plan in plans.values():
        keep_earlier_runs(plan)
    with all_announced():
        return _side_by_side(recipe, plans, display) if recipe.jobs > 1 else _in_turn(plans, display)


def _in_turn(plans: Mapping[str, AuditPlan], display: AuditDisplay) -> dict[str, Outcome]:
    """Run the plans one after another, unloading each model before loading the next."""
    outcomes: dict[str, Outcome] = {}
    with display.watch_models(len(plans)) as watcher:
        for called, plan in plans.items():
            if outcomes:
                gc.collect()
            outcomes[called] = run(plan, watcher, display.timed)
            plan.model.unload()
    return outcomes


def _side_by_side(recipe: Recipe, plans: Mapping[str, AuditPlan], display: AuditDisplay) -> dict[str, Outcome]:
    """Run several plans concurrently, each in its own process."""
    at_a_time = min(recipe.jobs, len(plans))
    unfinished = {called: plan for called, plan in plans.items() if not plan.finished}
    with one_cluster(recipe.models[0].settings.for_engine, at_a_time) as engine:
        jobs = []
        for model in recipe.models:
            if (plan := unfinished.get(model.called)) is not None:
                settings = replace(model.settings.on(engine), fresh=False)  # earlier runs have already been renamed
                renamed = replace(model, settings=settings, name=plan.model.name)
                jobs.append(Job(renamed, plan.folder, recipe.selection))
        with display.watch_jobs(sum(plan.missing for plan in plans.values())) as watcher:
            jobs_ended = run_jobs(jobs, at_a_time, gpus_here([plan.model for plan in unfinished.values()]), watcher)
    return {called: jobs_ended.outcome(plan) for called, plan in plans.items()}


#: recipe keys that apply to the whole audit
CHOICES = (
    *("out", "offline", "without", "options", "languages", "gates", "baseline", "min_coverage", "allow_unjudged"),
    *("over", "jobs", "purpose", "max_age", "require_fresh"),
)
#: options that override a recipe: the scope and folder of the audit, the engine, costs, and access to servers
BESIDE_RECIPE = (
    *("budget", "offline", "out", "baseline", "jobs", "rehash", "fresh", "command"),
    *("engine", "workers", "address", "gpus_per_worker"),
    *("yes", "price", "price_in", "price_out", "max_requests", "max_cost", "key_env", "allow_http", "require_model"),
    *("purpose", "max_age", "require_fresh"),
)


@naming_packages()
def audit(
    model: "str | Model | Sequence[str | Model] | None" = None,
    measures: Sequence[str] | None = None,
    budget: str | None = None,
    *,
    recipe: str | Path | None = None,
    plan_only: bool = False,
    timed: bool = False,
    watcher: Watcher | None = None,
    **choices: Any,
) -> Audit:
    """Run every measure that the models support, loading each model once, then write a scorecard and check gates.

    Repeating the call resumes the audit and asks only the unanswered questions.

    Args:
        model: A model string such as `hf:gpt2`, your own `Model`, or a list of either.
        measures: Names of measures; None selects all that the model supports, including plugins.
        budget: `quick` uses at most 160 samples per measure, `standard` (the default) 800, `full` all; samples are
            stratified.
        recipe: A recipe file that replaces the arguments `model` and `measures`.
        plan_only: Only make the plan; nothing is asked or written, and the outcomes have no results.
        timed: Load the models and time some questions of each measure, instead of predicting the time.
        watcher: Receives progress events.
        choices: Recipe keys: `out` (folder, by default `audit/BUDGET`; each run is in `OUT/MODEL/MEASURE`),
            `offline`, `without` (measures to exclude), `options` (`{"gest": {"templates": (3, 4)}}`), `languages`
            (those the models support; default: en), `gates` (`{"gest": ["stereotype_rate > 0.3"]}`), `baseline`,
            `min_coverage`, `allow_unjudged`, `over` (what the gates' intervals generalise over: `benchmark` or
            `items`), `purpose` (`release`), `max_age` (such as `7d`), `require_fresh` and `jobs` (number of models
            audited concurrently); also fields of `RunSettings`, such as `device`.
    """
    whole = recipe_of(model, measures, budget, recipe, choices)
    display = AuditDisplay() if watcher is None else _Watched(watcher)
    if not plan_only:
        remove_scorecard(whole)
    display.timed = timed
    plans = plan_audit(whole, display, preview=plan_only and not timed)
    if plan_only:
        estimated = with_time_estimates if timed else with_predicted_times
        return Audit({called: Outcome(estimated(plan)) for called, plan in plans.items()})
    return run_audit(whole, plans, display)


class _Watched(AuditDisplay):
    """Display that forwards events to the caller's watcher."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher

    def watch_models(self, count: int) -> AbstractContextManager[Watcher]:
        return nullcontext(self._watcher)


def recipe_of(
    model: "str | Model | Sequence[str | Model] | None",
    measures: Sequence[str] | None,
    budget: str | None,
    recipe: str | Path | None,
    choices: Mapping[str, Any],
    settings: RunSettings | None = None,
) -> Recipe:
    """Build an audit's recipe from arguments, or read it from a file and apply the permitted overrides."""
    if recipe is not None:
        if model is not None or measures is not None:
            raise UserError("A recipe names its own models and measures; omit the arguments 'model' and 'measures'.")
        return override(read_recipe(Path(recipe)), {**choices, "budget": budget}, recipe)
    if not model:
        raise UserError("Which model? Give a model string such as 'smollm2', or a recipe.")
    own = {name: value for name, value in choices.items() if name in CHOICES}
    settings, unknown = RunSettings.from_options({n: v for n, v in choices.items() if n not in own}, settings)
    for name in unknown:
        raise UserError(f"An audit has no option '{name}'.{did_you_mean(name, [*CHOICES, *SETTING_NAMES])}")
    models = [model] if isinstance(model, str | Model) else list(dict.fromkeys(model))
    for candidate in models:
        if isinstance(candidate, str):
            split_spec(candidate)
    selection = Selection(
        None if measures is None else tuple(measures),
        tuple(own.pop("without", ())),
        budget or "standard",
        own.pop("offline", False),
        own.pop("options", None) or {},
        tuple(own.pop("languages", ("en",))),
    )
    check_options = {name: own.pop(name) for name in ("purpose", "max_age", "require_fresh") if name in own}
    own["checks"] = RunChecks.of(
        check_options.get("purpose"), check_options.get("max_age"), check_options.get("require_fresh", False)
    )
    if own.get("out") is not None:
        own["out"] = Path(own["out"])
    return build_recipe(
        [AuditedModel(candidate, settings) for candidate in models], selection, own.pop("gates", None), **own
    )


def override(recipe: Recipe, choices: Mapping[str, Any], path: str | Path) -> Recipe:
    """Return the recipe with the permitted overrides; raise for any other option."""
    if other := next((name for name in choices if name not in BESIDE_RECIPE), None):
        raise UserError(
            f"Option {option_name(other)} cannot be combined with the recipe '{path}'; set it in the recipe."
        )
    selected = {name: choices[name] for name in ("budget", "offline") if choices.get(name)}
    whole = {name: choices[name] for name in ("out", "baseline", "jobs") if choices.get(name)}
    if "out" in whole:
        whole["out"] = Path(whole["out"])
    given = RunChecks.of(choices.get("purpose"), choices.get("max_age"), choices.get("require_fresh", False))
    settings = {name: value for name, value in choices.items() if name in SETTING_NAMES}
    whole["checks"] = recipe.checks.overridden(given)
    changed = replace(recipe, selection=replace(recipe.selection, **selected), **whole)
    changed.selection.check()
    changed.check_baseline()
    return changed.with_settings(**settings) if settings else changed
