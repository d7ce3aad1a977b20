"""`genderscope audit` and `genderscope init`: everything that models can be asked, from options or from a recipe."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from genderscope.cli.audit_steps import audit_all
from genderscope.cli.common import (
    HOW,
    Address,
    AllowPickle,
    BatchSize,
    Beams,
    Device,
    Dtype,
    Engine,
    Fresh,
    GpusPerWorker,
    Json,
    Rehash,
    Workers,
    batch_size_of,
)
from genderscope.errors import UserError, option_name, unknown
from genderscope.models import Remote, remote_of
from genderscope.terminal_safe import in_line

if TYPE_CHECKING:
    from genderscope.auditing import Recipe

Models = Annotated[
    list[str] | None,
    typer.Option("--model", "-m", help="Model string, e.g. smollm2, hf:gpt2. Several may be given."),
]
Config = Annotated[
    Path | None, typer.Option("--config", "-c", help="Recipe that lists models, measures, options and gates.")
]
MeasureNames = Annotated[
    list[str] | None, typer.Option("--measure", help="Only this measure. Several may be given; default: all it can.")
]
Without = Annotated[list[str] | None, typer.Option(help="Leave this measure out. Several may be given.")]
Budget = Annotated[
    str | None, typer.Option(help="quick (at most 160 samples per measure), standard (800, the default) or full.")
]
Offline = Annotated[
    bool, typer.Option("--offline", help="Use only what is on this machine, and say what that leaves out.")
]
Languages = Annotated[
    str | None, typer.Option("--lang", help="Languages that the model knows, e.g. en,sk; default: en.")
]
OptionTexts = Annotated[
    list[str] | None,
    typer.Option("--option", "-O", help="Option of a measure, e.g. gest.templates=3,4. Several may be given."),
]
Out = Annotated[
    Path | None, typer.Option("--out", "-o", help="Folder of the runs and the scorecard; default: audit/BUDGET.")
]
Baseline = Annotated[str | None, typer.Option(help="The model that the scorecard compares the others with.")]
OnlyPlan = Annotated[bool, typer.Option("--plan", help="Only print the plan; nothing is asked for good or written.")]
Jobs = Annotated[
    int | None,
    typer.Option(
        min=1, help="Models audited at a time, each in a process of its own; default: 1.", rich_help_panel=HOW
    ),
]


def init(
    path: Annotated[Path, typer.Argument(help="File to write.")] = Path("genderscope.toml"),
) -> None:
    """Write a commented recipe for 'genderscope audit -c'."""
    from genderscope.auditing import template
    from genderscope.runs import MISSING, what_is_there, write_whole

    if what_is_there(path) != MISSING:
        raise UserError(f"'{path}' is there already and stays as it is; remove it, or name another file.")
    write_whole(path, template().encode())
    print(in_line(str(path)))


def audit(  # noqa: PLR0913 - each is an option of the command
    context: typer.Context,
    model: Models = None,
    config: Config = None,
    measure: MeasureNames = None,
    without: Without = None,
    budget: Budget = None,
    offline: Offline = False,
    lang: Languages = None,
    option: OptionTexts = None,
    out: Out = None,
    baseline: Baseline = None,
    plan: OnlyPlan = False,
    device: Device = "auto",
    dtype: Dtype = "float32",
    batch_size: BatchSize = "auto",
    beams: Beams = 4,
    engine: Engine = "auto",
    workers: Workers = None,
    address: Address = None,
    gpus_per_worker: GpusPerWorker = None,
    jobs: Jobs = None,
    allow_pickle: AllowPickle = False,
    rehash: Rehash = False,
    fresh: Fresh = False,
    as_json: Json = False,
    *,
    remote: Remote,
) -> None:
    """Run every measure that a model can answer, then write a scorecard; run it again to do what is missing."""
    from genderscope.auditing import Entry, Recipe, Wishes, read_recipe
    from genderscope.engine import EngineSettings
    from genderscope.models import Settings, split_spec

    if config is not None:
        recipe = _overridden(read_recipe(config), _given(context), config)
    else:
        for spec in model or ():
            split_spec(spec)
        if not model:
            raise UserError("Which model? Give --model SPEC, or a recipe with -c FILE ('genderscope init' writes one).")
        wishes = Wishes(
            tuple(measure) if measure else None,
            tuple(without or ()),
            options=_options(option or ()),
            languages=tuple(part.strip() for part in (lang or "en").split(",") if part.strip()),
            batch_size=batch_size_of(batch_size),
        )
        settings = Settings(device, dtype, beams, remote, allow_pickle, rehash)
        where = EngineSettings(engine, workers, address, gpus_per_worker)
        recipe = Recipe(tuple(Entry(spec, settings) for spec in dict.fromkeys(model)), wishes, where)
    wishes = replace(recipe.wishes, budget=budget or recipe.wishes.budget, offline=offline or recipe.wishes.offline)
    wishes.check()
    recipe = replace(
        recipe,
        wishes=wishes,
        baseline=baseline or recipe.baseline,
        out=out or recipe.out,
        jobs=jobs or recipe.jobs,
        fresh=fresh,
    )
    if recipe.baseline is not None and recipe.baseline not in [entry.called for entry in recipe.entries]:
        raise unknown("model of this audit", recipe.baseline, [entry.called for entry in recipe.entries])
    audit_all(recipe, plan, as_json)


#: what may be given beside a recipe: where results go, how much is asked, where it runs, and which secrets are sent
_BESIDE = ("config", "budget", "offline", "out", "baseline", "plan", "as_json", "jobs", "rehash", "fresh")
_WHERE = ("engine", "workers", "address", "gpus_per_worker")
_REMOTE = ("yes", "price", "price_in", "price_out", "max_requests", "max_cost", "key_env", "allow_http")


def _given(context: typer.Context) -> dict[str, Any]:
    """Return the options that the user gave, by the name of their parameter."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return {name: context.params[name] for name, by in sources.items() if by is not None and by.name == "COMMANDLINE"}


def _overridden(recipe: "Recipe", given: dict[str, Any], config: Path) -> "Recipe":
    """Let options on where it runs override those of a recipe; the others belong into the recipe."""
    if other := next((name for name in given if name not in (*_BESIDE, *_WHERE, *_REMOTE)), None):
        raise UserError(f"Option {option_name(other)} is given beside the recipe '{config}'; write it into the recipe.")
    where = replace(recipe.where, **{name: given[name] for name in _WHERE if name in given})
    entries = recipe.entries
    if given.get("rehash"):
        entries = tuple(replace(e, settings=replace(e.settings, rehash=True)) for e in entries)
    if chosen := {name: given[name] for name in _REMOTE if name in given}:
        remote = remote_of(chosen, entries[0].settings.remote)  # it is the same for all, so that limits hold for all
        entries = tuple(replace(e, settings=replace(e.settings, remote=remote)) for e in entries)
    return replace(recipe, where=where, entries=entries)


def _options(texts: Sequence[str]) -> dict[str, dict[str, str]]:
    """Read MEASURE.NAME=VALUE."""
    found: dict[str, dict[str, str]] = {}
    for text in texts:
        place, equals, value = text.partition("=")
        measure, dot, name = place.partition(".")
        if not (equals and dot and measure and name):
            raise UserError(f"Option --option is '{text}'; write MEASURE.NAME=VALUE, such as gest.templates=3,4.")
        found.setdefault(measure.strip(), {})[name.strip().replace("-", "_")] = value
    return found
