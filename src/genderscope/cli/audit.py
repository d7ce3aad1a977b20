"""`genderscope audit` and `genderscope init`: everything that models can be asked, from options or from a recipe."""

import gc
import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from genderscope.cli.common import (
    Address,
    AllowPickle,
    BatchSize,
    Beams,
    Device,
    Dtype,
    Engine,
    GpusPerWorker,
    Json,
    Rehash,
    Workers,
    batch_size_of,
    command_line,
    console,
    messages,
)
from genderscope.cli.compare import FAILED
from genderscope.cli.output import MISTAKE
from genderscope.cli.stopping import resumable
from genderscope.errors import UserError
from genderscope.models import Remote
from genderscope.terminal_safe import in_line, terminal_safe

if TYPE_CHECKING:
    from genderscope.auditing import Held, Outcome, Plan, Recipe

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
Budget = Annotated[str | None, typer.Option(help="quick (160 samples a measure), standard (800, the default) or full.")]
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
Price = Annotated[
    float | None, typer.Option(min=0, help="Paid services: price of a million characters, to tell what it will cost.")
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
    price: Price = None,
    device: Device = "auto",
    dtype: Dtype = "float32",
    batch_size: BatchSize = "auto",
    beams: Beams = 4,
    engine: Engine = "auto",
    workers: Workers = None,
    address: Address = None,
    gpus_per_worker: GpusPerWorker = None,
    allow_pickle: AllowPickle = False,
    rehash: Rehash = False,
    as_json: Json = False,
    *,
    remote: Remote,
) -> None:
    """Run every measure that a model can answer, then write a scorecard; run it again to do what is missing."""
    from genderscope.auditing import Entry, Recipe, Wishes, read_recipe
    from genderscope.engine import EngineSettings
    from genderscope.models import Settings, split_spec

    if config is not None:
        recipe = read_recipe(config)
        given = {"--model": model, "--measure": measure, "--without": without, "--option": option, "--lang": lang}
        if doubled := next((name for name, value in given.items() if value), None):
            raise UserError(f"Option {doubled} is given beside the recipe '{config}'; write it into the recipe.")
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
    recipe = replace(recipe, wishes=wishes, baseline=baseline or recipe.baseline, out=out or recipe.out)
    if recipe.baseline is not None and recipe.baseline not in [entry.called for entry in recipe.entries]:
        from genderscope.errors import unknown

        raise unknown("model of this audit", recipe.baseline, [entry.called for entry in recipe.entries])
    _audit(recipe, plan, price, as_json)


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


def _audit(recipe: "Recipe", only_plan: bool, price: float | None, as_json: bool) -> None:
    from genderscope.auditing import hold
    from genderscope.report import show_gates

    root = recipe.out or Path("audit") / recipe.wishes.budget
    plans = _plans(recipe, root)
    if only_plan:
        for plan in plans.values():
            _show([_timed(plan, recipe)], price, on_stdout=True)
            plan.model.unload()
        return
    if len(plans) > 1:
        _show(list(plans.values()), price)
    outcomes = _run(recipe, plans, root, price)
    first = None if recipe.baseline is None else plans[recipe.baseline].model.name
    there = any(outcome.results for outcome in outcomes.values())
    written = _scorecard(root, first, shown=not as_json) if there else []
    held = hold(recipe.gates, outcomes, recipe.baseline, recipe.min_coverage)
    if as_json:
        _print_json(outcomes, held, written)
    else:
        for model, measure in dict.fromkeys((each.model, each.measure) for each in held):
            print(in_line(f"Gates of {measure} for {model}:"))
            show_gates([each.gate for each in held if (each.model, each.measure) == (model, measure)], console())
    if broken := [each for each in held if not each.gate.passed]:
        for each in broken:
            messages.print(in_line(f"Gate failed: {each.model}, {each.measure}: {each.gate.condition}"), style="red")
        raise typer.Exit(FAILED)
    if any(outcome.failed for outcome in outcomes.values()):
        raise typer.Exit(MISTAKE)


def _plans(recipe: "Recipe", root: Path) -> "dict[str, Plan]":
    """Open every model, without its weights, and plan what is asked of it."""
    from genderscope.auditing import folder_names, nothing_left, plan_for
    from genderscope.network import offline
    from genderscope.opening import opened_model
    from genderscope.report import announced

    opened = {}
    for entry in recipe.entries:
        with announced(messages, entry.spec), offline(recipe.wishes.offline):
            opened[entry] = opened_model(entry.spec, entry.settings, recipe.where)
            opened[entry].name = entry.name or opened[entry].name
    named = [model.name for model in opened.values()]
    names = folder_names([(model.name, entry.spec) for entry, model in opened.items()])
    plans = {}
    for (entry, model), name in zip(opened.items(), names, strict=True):
        if named.count(model.name) > 1:
            model.name = name  # two folders called alike: the scorecard must tell them apart
        plans[entry.called] = plan_for(model, recipe.wishes, root / name)
    if not any(plan.parts for plan in plans.values()):
        raise nothing_left(next(iter(plans.values())).left_out)
    return plans


def _show(plans: "Sequence[Plan]", price: float | None, on_stdout: bool = False) -> None:
    from genderscope.auditing import show_plans

    show_plans(plans, console() if on_stdout else messages, price)


def _timed(plan: "Plan", recipe: "Recipe") -> "Plan":
    """Measure how long a plan will take, where this process is the one that asks."""
    from genderscope.auditing import estimated

    where = recipe.where
    here = where.engine in {"auto", "local"} and not where.on_ray and where.workers in {None, 1}
    return estimated(plan, recipe.wishes.batch_size) if here else plan


def _run(recipe: "Recipe", plans: "Mapping[str, Plan]", root: Path, price: float | None) -> "dict[str, Outcome]":
    """Run the plans one after another; each model is let go before the next is loaded."""
    from genderscope.auditing import TerminalWatcher, in_all, run

    outcomes = {}
    command, place = command_line(), [root]
    with ExitStack() as stack, resumable(place, command):
        watcher = stack.enter_context(TerminalWatcher(messages))
        for called, plan in plans.items():
            timed = _timed(plan, recipe)
            if len(plans) == 1:
                _show([timed], price)
            else:  # all plans were shown before the first began
                messages.print(in_line(f"{timed.name}: {in_all(timed, price)}"), highlight=False, soft_wrap=True)
            watcher.planned(timed)
            outcomes[called] = run(timed, recipe.wishes, recipe.where, watcher, command)
            plan.model.unload()
            gc.collect()
    return outcomes


def _scorecard(root: Path, baseline: str | None, shown: bool) -> list[Path]:
    """Write the scorecard of every run below a folder: those of earlier audits are on it too."""
    from genderscope.report import print_scorecard, write_scorecard

    written = write_scorecard([root], root, baseline=baseline)
    if shown:
        print_scorecard([root], console(), baseline=baseline)
        for path in written:
            print(in_line(str(path)))
    return written


def _print_json(outcomes: "Mapping[str, Outcome]", held: "Sequence[Held]", written: Sequence[Path]) -> None:
    content: dict[str, Any] = {
        "models": [
            {
                "model": outcome.plan.model.name,
                "folder": str(outcome.plan.folder),
                "results": {name: json.loads(result.to_json()) for name, result in outcome.results.items()},
                "left_out": {**outcome.plan.left_out},
                "failed": outcome.failed,
            }
            for outcome in outcomes.values()
        ],
        "gates": [
            {"model": h.model, "measure": h.measure, "condition": h.gate.condition, "passed": h.gate.passed}
            | {"failures": list(h.gate.failures)}
            for h in held
        ],
        "scorecard": [str(path) for path in written],
    }
    print(terminal_safe(json.dumps(content, ensure_ascii=False, indent=1)), file=sys.stdout)
