"""`genderscope.audit`: run all measures that the models support, in one call."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from genderscope.auditing.orchestration import Audit, AuditDisplay, plan_audit, remove_scorecard, run_audit
from genderscope.auditing.plan_execution import Outcome, Watcher
from genderscope.auditing.recipes import AuditedModel, Recipe, build_recipe, read_recipe
from genderscope.auditing.selection import Selection
from genderscope.auditing.times import with_predicted_times, with_time_estimates
from genderscope.comparison import RunChecks
from genderscope.core.errors import UserError, did_you_mean, naming_packages, option_name
from genderscope.evaluation import SETTING_NAMES, RunSettings
from genderscope.models import Model, split_spec

#: recipe keys that apply to the whole audit
CHOICES = (
    *("out", "offline", "without", "options", "languages", "gates", "baseline", "min_coverage", "allow_unjudged"),
    *("jobs", "purpose", "max_age", "require_fresh"),
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
            `min_coverage`, `allow_unjudged`, `purpose` (`release`), `max_age` (such as `7d`), `require_fresh` and
            `jobs` (number of models audited concurrently); also fields of `RunSettings`, such as `device`.
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
    for each in models:
        if isinstance(each, str):
            split_spec(each)
    selection = Selection(
        None if measures is None else tuple(measures),
        tuple(own.pop("without", ())),
        budget or "standard",
        own.pop("offline", False),
        own.pop("options", None) or {},
        tuple(own.pop("languages", ("en",))),
    )
    chosen = {name: own.pop(name) for name in ("purpose", "max_age", "require_fresh") if name in own}
    own["checks"] = RunChecks.of(chosen.get("purpose"), chosen.get("max_age"), chosen.get("require_fresh", False))
    if own.get("out") is not None:
        own["out"] = Path(own["out"])
    return build_recipe([AuditedModel(each, settings) for each in models], selection, own.pop("gates", None), **own)


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
