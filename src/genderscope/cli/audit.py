"""`genderscope audit` and `genderscope init`: everything that models can be asked, from options or from a recipe."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

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
    command_line,
)
from genderscope.errors import UserError
from genderscope.evaluation import RunSettings
from genderscope.models import Remote
from genderscope.terminal_safe import in_line

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
    from genderscope.auditing import override, read_recipe, recipe_of

    if config is not None:
        recipe = override(read_recipe(config), _given(context), config)
    else:
        if not model:
            raise UserError("Which model? Give --model SPEC, or a recipe with -c FILE ('genderscope init' writes one).")
        choices = {
            "without": without or (),
            "offline": offline,
            "options": _options(option or ()),
            "languages": [part.strip() for part in (lang or "en").split(",") if part.strip()],
            "out": out,
            "baseline": baseline,
            "jobs": jobs or 1,
        }
        settings = RunSettings(
            *(device, dtype, batch_size_of(batch_size), beams, engine, workers, address, gpus_per_worker),
            *(allow_pickle, rehash, fresh),
            remote=remote,
        )
        recipe = recipe_of(model, measure, budget, None, choices, settings)
    audit_all(recipe.with_settings(command=command_line()), plan, as_json)


def _given(context: typer.Context) -> dict[str, Any]:
    """Return the options that the user gave together with a recipe, by the name of their parameter."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    given = {name: context.params[name] for name, by in sources.items() if by is not None and by.name == "COMMANDLINE"}
    return {name: value for name, value in given.items() if name not in ("config", "plan", "as_json")}


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
