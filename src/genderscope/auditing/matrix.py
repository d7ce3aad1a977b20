"""Opens and plans all models of a recipe: what will be asked of each, before any of them is loaded."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path

from genderscope.auditing.planning import AuditPlan, folder_names, plan_for
from genderscope.auditing.recipes import AuditedModel, Recipe
from genderscope.auditing.selection import Selection
from genderscope.errors import UserError
from genderscope.evaluation import open_given_model, require_available
from genderscope.models import KnownModel, Model, NotKnownError, known_model, looked_up_once
from genderscope.network import offline
from genderscope.samples import parse_cache


def open_audited(audited: AuditedModel, without_network: bool) -> Model:
    """Open a model of a recipe, which may call it by another name."""
    with offline(without_network):
        model = open_given_model(audited.spec, audited.settings)
    model.name = audited.name or model.name
    return model


def plans_of(
    recipe: Recipe, opening: Callable[[str], AbstractContextManager[None]] = lambda _: nullcontext()
) -> dict[str, AuditPlan]:
    """Plan what is asked of every model, by what the recipe calls it; `opening` surrounds the opening of each."""

    def open_now(audited: AuditedModel) -> Model:
        with opening(audited.source):
            return open_audited(audited, recipe.selection.offline)

    opened: list[Model] = []
    with offline(recipe.selection.offline), looked_up_once():
        for audited in recipe.models:  # a mistake in the last is reported before the first is opened
            require_available(audited.spec, audited.settings)
        for audited in recipe.models:
            opened.append(_known(audited) or open_now(audited))
    names = [model.name for model in opened]
    folders = folder_names([(name, audited.source) for name, audited in zip(names, recipe.models, strict=True)])
    plans = {}
    with parse_cache.parsed_once():
        for audited, model, folder in zip(recipe.models, opened, folders, strict=True):
            # Models with the same name are shown on the scorecard by their folders' names.
            called = folder if names.count(model.name) > 1 else model.name
            plans[audited.called] = _plan(
                replace(audited, name=called), model, partial(open_now, audited), recipe.selection, recipe.root / folder
            )
    if not any(plan.parts for plan in plans.values()):
        name, reason = next(iter(next(iter(plans.values())).left_out.items()))
        raise UserError(f"Nothing can be measured; {name}: {reason}")
    return plans


def _known(audited: AuditedModel) -> KnownModel | None:
    if isinstance(audited.spec, Model):
        return None
    return known_model(audited.spec, audited.settings.for_model, audited.name)


def _plan(
    audited: AuditedModel, model: Model, open_now: Callable[[], Model], selection: Selection, folder: Path
) -> AuditPlan:
    """Plan the audit of a model under the name of `audited`; a KnownModel is opened if something is missing."""
    if isinstance(model, KnownModel):
        if not audited.settings.fresh and (plan := _finished(audited, model, selection, folder)) is not None:
            return plan
        model = open_now()
    model.name = audited.called
    return plan_for(model, selection, folder, audited.settings)


def _finished(audited: AuditedModel, model: KnownModel, selection: Selection, folder: Path) -> AuditPlan | None:
    """Return the plan of an audit in which nothing is left to ask, made without opening the model."""
    known = model if audited.called == model.name else _known(audited)
    try:
        return None if known is None else plan_for(known, selection, folder, audited.settings)
    except NotKnownError:
        return None
