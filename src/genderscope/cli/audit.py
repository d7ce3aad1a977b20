"""`genderscope audit`: every measure that the models can answer, from options or from a recipe."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from genderscope.cli.audit_steps import audit_all
from genderscope.cli.options import EXECUTION, RUN_OPTIONS, Execution, Json, with_model
from genderscope.errors import UserError, option_name, unknown
from genderscope.models import remote_of, split_spec

if TYPE_CHECKING:
    from genderscope.auditing import Recipe

#: options that override a recipe: where results go, how much is asked, where it runs, and what may be spent
_OVERRIDING = ("config", "budget", "offline", "out", "baseline", "plan", "as_json", "jobs", "rehash")
_REMOTE = ("yes", "price", "price_in", "price_out", "max_requests", "max_cost", "key_env", "allow_http")

Models = Annotated[
    list[str] | None,
    typer.Option("--model", "-m", help="Model to audit, e.g. smollm2 or hf:gpt2; repeatable."),
]
Config = Annotated[
    Path | None, typer.Option("--config", "-c", help="Read models, measures, options and gates from this recipe.")
]
MeasureNames = Annotated[
    list[str] | None,
    typer.Option("--measure", help="Run only this measure; repeatable. Default: all."),
]
Without = Annotated[list[str] | None, typer.Option(help="Leave out this measure; repeatable.")]
Budget = Annotated[
    str | None,
    typer.Option(
        metavar="quick|standard|full", help="Use at most 160, 800 or all samples per measure; default: standard."
    ),
]
Offline = Annotated[
    bool, typer.Option("--offline", help="Use only local models and data, and list what this leaves out.")
]
Languages = Annotated[
    str | None,
    typer.Option("--lang", help="Languages the model supports, e.g. en,sk; default: en."),
]
MeasureOptions = Annotated[
    list[str] | None,
    typer.Option("--option", "-O", help="Set an option of a measure, e.g. gest.templates=3,4; repeatable."),
]
Out = Annotated[
    Path | None, typer.Option("--out", "-o", help="Folder of the runs and the scorecard; default: audit/BUDGET.")
]
Baseline = Annotated[
    str | None, typer.Option(metavar="MODEL", help="Compare the other models with this one in the scorecard.")
]
OnlyPlan = Annotated[bool, typer.Option("--plan", help="Print the plan and exit.")]
Jobs = Annotated[
    int | None,
    typer.Option(
        min=1, help="Audit this many models at a time, each in its own process; default: 1.", rich_help_panel=EXECUTION
    ),
]


@partial(with_model, writes_runs=True)
def audit_command(  # noqa: PLR0913 - each is an option of the command
    context: typer.Context,
    model: Models = None,
    config: Config = None,
    measure: MeasureNames = None,
    without: Without = None,
    budget: Budget = None,
    offline: Offline = False,
    lang: Languages = None,
    option: MeasureOptions = None,
    out: Out = None,
    baseline: Baseline = None,
    plan: OnlyPlan = False,
    jobs: Jobs = None,
    as_json: Json = False,
    *,
    execution: Execution,
) -> None:
    """Run every measure that a model can answer and write a scorecard; repeat the command to resume."""
    from genderscope.auditing import Entry, Recipe, Wishes, read_recipe

    if config is not None:
        recipe = _overridden(read_recipe(config), _given(context), config)
    else:
        for spec in model or ():
            split_spec(spec)
        if not model:
            raise UserError("No model given; use --model SPEC, or -c FILE with a recipe from 'genderscope init'.")
        wishes = Wishes(
            tuple(measure) if measure else None,
            tuple(without or ()),
            options=_measure_options(option or ()),
            languages=tuple(part.strip() for part in (lang or "en").split(",") if part.strip()),
            batch_size=execution.batch_size,
        )
        entries = tuple(Entry(spec, execution.settings) for spec in dict.fromkeys(model))
        recipe = Recipe(entries, wishes, execution.engine)
    wishes = replace(recipe.wishes, budget=budget or recipe.wishes.budget, offline=offline or recipe.wishes.offline)
    wishes.check()
    recipe = replace(
        recipe,
        wishes=wishes,
        baseline=baseline or recipe.baseline,
        out=out or recipe.out,
        jobs=jobs or recipe.jobs,
        fresh=execution.fresh,
    )
    names = [entry.called for entry in recipe.entries]
    if recipe.baseline is not None and recipe.baseline not in names:
        raise unknown("model of this audit", recipe.baseline, names)
    audit_all(recipe, plan, as_json)


def _given(context: typer.Context) -> dict[str, Any]:
    """Return the options that the user gave, by parameter name."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return {name: context.params[name] for name, by in sources.items() if by is not None and by.name == "COMMANDLINE"}


def _overridden(recipe: "Recipe", given: dict[str, Any], config: Path) -> "Recipe":
    """Override a recipe with the options that may be given next to it; refuse all others."""
    if other := next((name for name in given if name not in (*_OVERRIDING, *RUN_OPTIONS, *_REMOTE)), None):
        raise UserError(f"Option {option_name(other)} cannot override the recipe '{config}'; set it in the recipe.")
    where = replace(recipe.where, **{name: given[name] for name in RUN_OPTIONS if name in given and name != "fresh"})
    entries = recipe.entries
    if given.get("rehash"):
        entries = tuple(replace(e, settings=replace(e.settings, rehash=True)) for e in entries)
    if chosen := {name: given[name] for name in _REMOTE if name in given}:
        remote = remote_of(chosen, entries[0].settings.remote)  # shared by all models, and so are its limits
        entries = tuple(replace(e, settings=replace(e.settings, remote=remote)) for e in entries)
    return replace(recipe, where=where, entries=entries)


def _measure_options(texts: Sequence[str]) -> dict[str, dict[str, str]]:
    """Parse MEASURE.NAME=VALUE."""
    options: dict[str, dict[str, str]] = {}
    for text in texts:
        place, equals, value = text.partition("=")
        measure, dot, name = place.partition(".")
        if not (equals and dot and measure and name):
            raise UserError(f"Option --option is '{text}'; write MEASURE.NAME=VALUE, such as gest.templates=3,4.")
        options.setdefault(measure.strip(), {})[name.strip().replace("-", "_")] = value
    return options
