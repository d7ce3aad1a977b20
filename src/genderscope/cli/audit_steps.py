"""Shows an audit on the command line: plans, scorecard, gates, failures."""

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import typer

from genderscope.cli.common import command_line, console, messages
from genderscope.cli.compare import exit_code
from genderscope.cli.output import MISTAKE
from genderscope.cli.stopping import resumable
from genderscope.terminal_safe import in_line, terminal_safe

if TYPE_CHECKING:
    from genderscope.auditing import Audit, Held, Outcome, Plan, Recipe


def audit_all(recipe: "Recipe", only_plan: bool, as_json: bool) -> None:
    """Plan and run an audit, and show its scorecard and gates."""
    from genderscope.auditing import TerminalDisplay, plan_audit, run_audit

    display = TerminalDisplay(messages)
    plans = plan_audit(recipe, display)
    if only_plan:
        _show_timed(list(plans.values()))
        return
    with resumable([recipe.root], command_line()):
        audit = run_audit(recipe, plans, display)
    if as_json:
        _print_json(audit)
    else:
        _show_scorecard(audit)
        _show_reuse(list(audit.outcomes.values()))
        _show_gates(audit.gates)
    failed = [outcome for outcome in audit.outcomes.values() if outcome.failed]
    _show_failures(failed)
    if broken := [held for held in audit.gates if not held.gate.passed]:
        for held in broken:
            ended = "failed" if held.gate.failures else "cannot be judged"
            text = f"Gate {ended}: {held.model}, {held.measure}: {held.gate.condition}"
            messages.print(in_line(text), style="red")
        raise typer.Exit(exit_code(held.gate for held in broken))
    if failed:
        raise typer.Exit(MISTAKE)


def _show_timed(plans: "Sequence[Plan]") -> None:
    """Load the models one after another and print each plan with times."""
    from genderscope.auditing import estimated, show_plans, tell_timing

    for plan in plans:
        tell_timing(plan, messages)
        show_plans([estimated(plan)], console())
        plan.model.unload()


def _show_scorecard(audit: "Audit") -> None:
    if audit.card is None:
        return
    from genderscope.report import show_scorecard
    from genderscope.runs import reading

    with reading(*audit.card.results()):
        show_scorecard(audit.card, console())
    for path in audit.scorecard:
        print(in_line(str(path)))


def _show_gates(held: "Sequence[Held]") -> None:
    if not held:
        return
    from genderscope.report import show_gates

    for model, measure in dict.fromkeys((each.model, each.measure) for each in held):
        print(in_line(f"Gates of {measure} for {model}:"))
        show_gates([each.gate for each in held if (each.model, each.measure) == (model, measure)], console())


def _show_reuse(outcomes: "Sequence[Outcome]") -> None:
    """Say which results were not asked for now."""
    from genderscope.auditing import reused_and_asked

    for outcome in outcomes:
        if (sentence := reused_and_asked(outcome)) is not None:
            print(in_line(sentence))


def _show_failures(outcomes: "Sequence[Outcome]") -> None:
    """Say once more, at the end, what could not be measured; one line where the reason is the same for all."""
    for outcome in outcomes:
        reasons: dict[str, list[str]] = {}
        for measure, reason in outcome.failed.items():
            reasons.setdefault(reason, []).append(measure)
        for reason, measures in reasons.items():
            told = f"Failed: {outcome.plan.name}, {', '.join(measures)}: {reason}"
            messages.print(in_line(told), style="red", highlight=False, markup=False, soft_wrap=True)


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
            for h in audit.gates
        ],
        "scorecard": [str(path) for path in audit.scorecard],
    }
    print(terminal_safe(json.dumps(content, ensure_ascii=False, indent=1)), file=sys.stdout)
