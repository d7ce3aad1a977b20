"""Opens all models in a recipe and plans their audits before any weights are loaded."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from genderscope.auditing.model_plan import AuditPlan, folder_names, plan_for
from genderscope.auditing.recipes import AuditedModel, Recipe
from genderscope.auditing.selection import Selection
from genderscope.core.errors import UserError
from genderscope.core.network import offline
from genderscope.evaluation import open_given_model, require_available, slug
from genderscope.models import (
    KnownModel,
    Model,
    NotKnownError,
    PreviewedModel,
    hub_queried_once,
    known_model,
    previewed_model,
)
from genderscope.runs import CONFIG, read_config
from genderscope.samples import parse_cache


def open_audited(audited: AuditedModel, without_network: bool) -> Model:
    """Open one of a recipe's models, using the name in the recipe if one is given."""
    with offline(without_network):
        model = open_given_model(audited.spec, audited.settings)
    model.name = audited.name or model.name
    return model


def plans_of(
    recipe: Recipe,
    opening: Callable[[str], AbstractContextManager[None]] = lambda _: nullcontext(),
    preview: bool = False,
) -> dict[str, AuditPlan]:
    """Plan the audit of every model, keyed by the model's name in the recipe; `opening` wraps each model's opening.

    For a `preview`, nothing is sent to a server, and a local model is opened only if its files do not show what it can
    answer, or if there are earlier runs, whose answers depend on the whole model.
    """
    earlier = list(_earlier_models(recipe.root)) if preview else []

    def open_now(audited: AuditedModel) -> Model:
        with opening(audited.source):
            return open_audited(audited, recipe.selection.offline)

    opened: list[Model] = []
    with offline(recipe.selection.offline), hub_queried_once():
        for audited in recipe.models:  # so that any mistake is reported before the first model is opened
            require_available(audited.spec, audited.settings)
        for audited in recipe.models:
            seen = _previewed(audited, recipe.root) if preview else None
            opened.append(seen or _known(audited) or open_now(audited))
    names = [model.name for model in opened]
    folders = folder_names([(name, audited.source) for name, audited in zip(names, recipe.models, strict=True)])
    plans = {}
    assumptions = {id(model): model.assume_capabilities(earlier) for model in opened if preview}
    with parse_cache.parsed_once():
        for audited, model, folder in zip(recipe.models, opened, folders, strict=True):
            # On the scorecard, models with the same name are shown under their folder names.
            called = folder if names.count(model.name) > 1 else model.name
            plan = _plan(
                replace(audited, name=called), model, partial(open_now, audited), recipe.selection, recipe.root / folder
            )
            plans[audited.called] = replace(plan, assumption=assumptions.get(id(model)))
    if not any(plan.parts for plan in plans.values()):
        name, reason = next(iter(next(iter(plans.values())).left_out.items()))
        raise UserError(f"Nothing can be measured; {name}: {reason}")
    return plans


def _earlier_models(root: Path) -> Iterator[dict[str, Any]]:
    """Yield the descriptions of models by earlier runs in an audit's folder."""
    for path in sorted(root.glob(f"*/*/{CONFIG}")):
        with suppress(UserError):  # a damaged run is reported when it is resumed
            yield read_config(path.parent)["model"]


def _previewed(audited: AuditedModel, root: Path) -> PreviewedModel | None:
    if isinstance(audited.spec, Model):
        return None
    model = previewed_model(audited.spec, audited.settings.for_model, audited.name)
    # Which questions earlier runs have answered depends on the whole model.
    return None if model is None or any(root.glob(f"{slug(model.name)}*/*/{CONFIG}")) else model


def _known(audited: AuditedModel) -> KnownModel | None:
    if isinstance(audited.spec, Model):
        return None
    return known_model(audited.spec, audited.settings.for_model, audited.name)


def _plan(
    audited: AuditedModel, model: Model, open_now: Callable[[], Model], selection: Selection, folder: Path
) -> AuditPlan:
    """Plan a model's audit under the name in `audited`, opening a `KnownModel` if questions are unanswered."""
    if isinstance(model, PreviewedModel):
        try:
            model.name = audited.called
            return plan_for(model, selection, folder, audited.settings)
        except NotKnownError:
            model = open_now()
    elif isinstance(model, KnownModel):
        if not audited.settings.fresh and (plan := _finished(audited, model, selection, folder)) is not None:
            return plan
        model = open_now()
    model.name = audited.called
    return plan_for(model, selection, folder, audited.settings)


def _finished(audited: AuditedModel, model: KnownModel, selection: Selection, folder: Path) -> AuditPlan | None:
    """Return the plan of a finished audit without opening the model; None if questions are unanswered."""
    recorded_model = model if audited.called == model.name else _known(audited)
    try:
        return None if recorded_model is None else plan_for(recorded_model, selection, folder, audited.settings)
    except NotKnownError:
        return None
