"""The models of a recipe, opened and planned: what will be asked of each, before any of them is loaded."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path

from genderscope.auditing.planning import Plan, folder_names, plan_for
from genderscope.auditing.recipes import Entry, Recipe
from genderscope.auditing.wishes import Wishes
from genderscope.engine import EngineSettings
from genderscope.errors import UserError
from genderscope.models import KnownModel, Model, NotKnownError, known_model, looked_up_once
from genderscope.network import offline
from genderscope.opening import opened_model, require_there
from genderscope.samples import parse_cache


def opened(entry: Entry, where: EngineSettings, nothing_fetched: bool) -> Model:
    """Open a model of a recipe, which may call it by another name."""
    with offline(nothing_fetched):
        model = opened_model(entry.spec, entry.settings, where)
    model.name = entry.name or model.name
    return model


def plans_of(
    recipe: Recipe, root: Path, opening: Callable[[str], AbstractContextManager[None]] = lambda _: nullcontext()
) -> dict[str, Plan]:
    """Plan what is asked of every model, by what the recipe calls it; `opening` surrounds the opening of each."""

    def open_now(entry: Entry) -> Model:
        with opening(entry.spec):
            return opened(entry, recipe.where, recipe.wishes.offline)

    models: dict[Entry, Model] = {}
    with offline(recipe.wishes.offline), looked_up_once():
        for entry in recipe.entries:  # a mistake in the last is told before the first is opened
            require_there(entry.spec, entry.settings, recipe.where)
        for entry in recipe.entries:
            models[entry] = known_model(entry.spec, entry.settings, entry.name) or open_now(entry)
    named = [model.name for model in models.values()]
    names = folder_names([(model.name, entry.spec) for entry, model in models.items()])
    plans = {}
    with parse_cache.parsed_once():
        for (entry, model), name in zip(models.items(), names, strict=True):
            # Two folders called alike: the scorecard must tell them apart.
            called = name if named.count(model.name) > 1 else model.name
            how = called, recipe.wishes, root / name, recipe.fresh
            plans[entry.called] = planned(model, partial(open_now, entry), *how)
    if not any(plan.parts for plan in plans.values()):
        raise nothing_left(next(iter(plans.values())))
    return plans


def planned(
    model: Model, open_now: Callable[[], Model], called: str, wishes: Wishes, folder: Path, fresh: bool = False
) -> Plan:
    """Plan the audit of a model that is called by this name; a known one is opened where something is missing."""
    if isinstance(model, KnownModel):
        if not fresh and (plan := _finished(model, called, wishes, folder)) is not None:
            return plan
        model = open_now()
    model.name = called
    return plan_for(model, wishes, folder, fresh)


def _finished(model: KnownModel, called: str, wishes: Wishes, folder: Path) -> Plan | None:
    """Return the plan of an audit in which nothing is left to ask, made without opening the model."""
    known: KnownModel | None = model
    if called != model.name and model.opening is not None:
        known = known_model(model.opening.spec, model.opening.settings, called)
    try:
        return None if known is None else plan_for(known, wishes, folder)
    except NotKnownError:
        return None


def nothing_left(plan: Plan) -> UserError:
    """Say that nothing can be measured, with the first reason."""
    name, reason = next(iter(plan.left_out.items()))
    return UserError(f"Nothing can be measured; {name}: {reason}")
