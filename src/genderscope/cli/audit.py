"""`genderscope audit`, which runs all measures that the models support, and `genderscope init` for its recipes."""

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from genderscope.cli.compare import MaxAge, Purpose
from genderscope.cli.options import EXECUTION, Json, command_line, with_model
from genderscope.cli.output import console, messages, print_json, print_path, resumable
from genderscope.core.errors import Reason, UserError
from genderscope.core.exit_codes import ExitCode, decisive
from genderscope.evaluation import RunSettings
from genderscope.util.safe_text import in_line

if TYPE_CHECKING:
    from genderscope.auditing import Audit, AuditPlan, GateOutcome, Outcome, Recipe


Models = Annotated[
    list[str] | None, typer.Option("--model", "-m", help="Model to audit, e.g. smollm2 or hf:gpt2; repeatable.")
]
Config = Annotated[
    Path | None, typer.Option("--config", "-c", help="Read models, measures, options and gates from this recipe.")
]
MeasureNames = Annotated[
    list[str] | None, typer.Option("--measure", help="Run only this measure; repeatable. Default: all.")
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
Languages = Annotated[str | None, typer.Option("--lang", help="Languages the model supports, e.g. en,sk; default: en.")]
MeasureOptions = Annotated[
    list[str] | None,
    typer.Option("--option", "-O", help="Set an option of a measure, e.g. gest.templates=3,4; repeatable."),
]
Out = Annotated[
    Path | None, typer.Option("--out", "-o", help="Folder for the runs and the scorecard; default: audit/BUDGET.")
]
Baseline = Annotated[
    str | None, typer.Option(metavar="MODEL", help="Compare the other models with this one in the scorecard.")
]
OnlyPlan = Annotated[
    bool, typer.Option("--plan", help="Print the plan and exit; nothing is sent to a server unless --time is given.")
]
RequireFresh = Annotated[
    bool,
    typer.Option("--require-fresh", help="Do not pass (exit code 4) if an answer was given to an earlier command."),
]
Time = Annotated[
    bool, typer.Option("--time", help="Time some questions of each measure first, instead of predicting the time.")
]
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
    purpose: Purpose = None,
    max_age: MaxAge = None,
    require_fresh: RequireFresh = False,
    plan: OnlyPlan = False,
    time: Time = False,
    jobs: Jobs = None,
    as_json: Json = False,
    *,
    settings: RunSettings,
) -> None:
    """Run every measure that a model supports and write a scorecard; repeat the command to resume."""
    from genderscope.auditing import override, read_recipe, recipe_of

    if config is not None:
        recipe = override(read_recipe(config), _given(context), config)
    else:
        if not model:
            raise UserError("No model given; use --model SPEC, or -c FILE with a recipe from 'genderscope init'.")
        choices = {
            "without": without or (),
            "offline": offline,
            "options": _measure_options(option or ()),
            "languages": [part.strip() for part in (lang or "en").split(",") if part.strip()],
            "out": out,
            "baseline": baseline,
            "jobs": jobs or 1,
            "purpose": purpose,
            "max_age": max_age,
            "require_fresh": require_fresh,
        }
        recipe = recipe_of(model, measure, budget, None, choices, settings)
    _audit(recipe.with_settings(command=settings.command), plan, time, as_json)


def _given(context: typer.Context) -> dict[str, Any]:
    """Return the options that the user gave together with a recipe, by parameter name."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    given = {name: context.params[name] for name, by in sources.items() if by is not None and by.name == "COMMANDLINE"}
    return {name: value for name, value in given.items() if name not in ("config", "plan", "time", "as_json")}


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


def _audit(recipe: "Recipe", only_plan: bool, timed: bool, as_json: bool) -> None:
    """Plan and run an audit; show its scorecard and gates."""
    from genderscope.auditing import TerminalDisplay, plan_audit, remove_scorecard, reused_and_asked, run_audit

    display = TerminalDisplay(messages, timed)
    if not only_plan:
        remove_scorecard(recipe)
    plans = plan_audit(recipe, display, preview=only_plan and not timed)
    if only_plan:
        _show_estimates(list(plans.values()), timed)
        return
    with resumable([recipe.root], command_line()):
        audit = run_audit(recipe, plans, display)
    if as_json:
        _print_json(audit)
    else:
        _show_scorecard(audit)
        for sentence in filter(None, map(reused_and_asked, audit.outcomes.values())):
            print(in_line(sentence))
        _show_gates(audit.gates)
    _conclude([outcome for outcome in audit.outcomes.values() if outcome.failed], audit.gates)


def _show_estimates(plans: "Sequence[AuditPlan]", timed: bool) -> None:
    """Print each plan with its predicted duration or, if `timed`, with the one measured on the loaded model."""
    from genderscope.auditing import show_plans, tell_timing, with_predicted_times, with_time_estimates

    for plan in plans:
        if timed:
            tell_timing(plan, messages)
        show_plans([with_time_estimates(plan) if timed else with_predicted_times(plan)], console())
        plan.model.unload()


def _show_scorecard(audit: "Audit") -> None:
    if audit.card is None:
        return
    from genderscope.report import show_scorecard
    from genderscope.runs import reading

    with reading(*audit.card.results()):
        show_scorecard(audit.card, console())
    for path in audit.scorecard:
        print_path(path)


def _show_gates(gates: "Sequence[GateOutcome]") -> None:
    from genderscope.report import show_gates

    for model, measure in dict.fromkeys((held.model, held.measure) for held in gates):
        print(in_line(f"Gates on {measure} for {model}:"))
        show_gates([held.gate for held in gates if (held.model, held.measure) == (model, measure)], console())


def _conclude(failed: "Sequence[Outcome]", gates: "Sequence[GateOutcome]") -> None:
    """List the failures at the end, one line per reason, and exit with a code that indicates the kind of failure."""
    for outcome in failed:
        measures_by_reason: dict[str, list[str]] = {}
        for measure, reason in outcome.failed.items():
            measures_by_reason.setdefault(reason, []).append(measure)
        for reason, measures in measures_by_reason.items():
            _print_failure(f"Failed: {outcome.plan.name}, {', '.join(measures)}: {reason}")
    broken = [held for held in gates if not held.gate.passed]
    for held in broken:
        result = _RESULTS[held.gate.exit_code]
        _print_failure(f"Gate {result}: {held.model}, {held.measure}: {held.gate.condition}")
    codes = [held.gate.exit_code for held in broken]
    codes += [_code_of(reason) for outcome in failed for reason in outcome.failed.values()]
    if codes:
        raise typer.Exit(int(decisive(codes)))


#: exit code of a gate -> its result in words
_RESULTS = {
    ExitCode.LIMIT_EXCEEDED: "failed",
    ExitCode.NOT_JUDGED: "cannot be judged",
    ExitCode.INFRASTRUCTURE: "has no usable answers",
}


def _code_of(reason: str) -> ExitCode:
    return reason.exit_code if isinstance(reason, Reason) else ExitCode.USAGE_ERROR


def _print_failure(text: str) -> None:
    messages.print(in_line(text), style="red", highlight=False, markup=False, soft_wrap=True)


def _print_json(audit: "Audit") -> None:
    content: dict[str, Any] = {
        "models": [
            {
                "model": outcome.plan.model.name,
                "folder": str(outcome.plan.folder),
                "results": {name: json.loads(result.to_json()) for name, result in outcome.results.items()},
                "left_out": {**outcome.plan.left_out},
                "failed": outcome.failed,
            }
            for outcome in audit.outcomes.values()
        ],
        "gates": [
            {"model": h.model, "measure": h.measure, "condition": h.gate.condition, "passed": h.gate.passed}
            | {"failures": list(h.gate.failures), "unjudged": list(h.gate.unjudged)}
            | {"infrastructure": list(h.gate.infrastructure)}
            for h in audit.gates
        ],
        "scorecard": [str(path) for path in audit.scorecard],
    }
    print_json(content)


def init_command(path: Annotated[Path, typer.Argument(help="File to write.")] = Path("genderscope.toml")) -> None:
    """Write a commented recipe for 'genderscope audit -c'."""
    from genderscope.auditing import template
    from genderscope.runs import MISSING, what_is_there, write_whole

    if what_is_there(path) != MISSING:
        raise UserError(f"'{path}' already exists; not overwritten. Remove it or choose another file.")
    write_whole(path, template().encode())
    print_path(path)
