"""The steps of an audit from the command line: plans, runs, the scorecard, the gates."""

import gc
import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from genderscope.cli.common import command_line, console, messages
from genderscope.cli.compare import exit_code
from genderscope.cli.output import MISTAKE
from genderscope.cli.stopping import resumable
from genderscope.errors import UserError
from genderscope.terminal_safe import in_line, terminal_safe

if TYPE_CHECKING:
    from genderscope.auditing import Held, Outcome, Plan, Recipe


def audit_all(recipe: "Recipe", only_plan: bool, as_json: bool) -> None:
    """Plan, run what is missing, write the scorecard and hold the gates."""
    remote = recipe.entries[0].settings.remote
    price = remote.price
    if recipe.jobs > 1 and (remote.max_requests, remote.max_cost) != (None, None):
        raise UserError("Spending limits cannot be shared by several processes; leave out --jobs or the limits.")
    from genderscope.auditing import plans_of, require_jobs
    from genderscope.report import announced
    from genderscope.runs import require_room

    require_jobs(recipe.jobs)
    root = recipe.out or Path("audit") / recipe.wishes.budget
    require_room(root)
    plans = plans_of(recipe, root, partial(announced, messages))
    # Imported now that what was asked for is known to make sense.
    from genderscope.auditing import estimated, tell_timing

    if only_plan:
        for plan in plans.values():
            tell_timing(plan, messages)
            _show([estimated(plan, recipe.where, recipe.wishes.batch_size)], price, on_stdout=True)
            plan.model.unload()
        return
    outcomes = _run(recipe, plans, root, price)
    first = None if recipe.baseline is None else plans[recipe.baseline].model.name
    there = any(outcome.results for outcome in outcomes.values())
    written = _scorecard(root, first, shown=not as_json) if there else []
    held = _held(recipe, outcomes)
    if as_json:
        _print_json(outcomes, held, written)
    else:
        _tell_reuse(list(outcomes.values()))
        _show_gates(held)
    if failed := [each for each in outcomes.values() if each.failed]:
        _tell_failures(failed)
    if broken := [each for each in held if not each.gate.passed]:
        for each in broken:
            ended = "failed" if each.gate.failures else "cannot be judged"
            text = f"Gate {ended}: {each.model}, {each.measure}: {each.gate.condition}"
            messages.print(in_line(text), style="red")
        raise typer.Exit(exit_code(each.gate for each in broken))
    if failed:
        raise typer.Exit(MISTAKE)


def _held(recipe: "Recipe", outcomes: "Mapping[str, Outcome]") -> "list[Held]":
    if not recipe.gates:
        return []
    from genderscope.auditing import hold  # it brings what compares runs

    return hold(recipe.gates, outcomes, recipe.baseline, recipe.min_coverage, recipe.allow_unjudged)


def _show_gates(held: "Sequence[Held]") -> None:
    if not held:
        return
    from genderscope.report import show_gates

    for model, measure in dict.fromkeys((each.model, each.measure) for each in held):
        print(in_line(f"Gates of {measure} for {model}:"))
        show_gates([each.gate for each in held if (each.model, each.measure) == (model, measure)], console())


def _tell_reuse(outcomes: "Sequence[Outcome]") -> None:
    """Say which results were not asked for now."""
    from genderscope.auditing import reused_and_asked

    for outcome in outcomes:
        if (sentence := reused_and_asked(outcome)) is not None:
            print(in_line(sentence))


def _tell_failures(outcomes: "Sequence[Outcome]") -> None:
    """Say once more, at the end, what could not be measured; one line where the reason is the same for all."""
    for outcome in outcomes:
        reasons: dict[str, list[str]] = {}
        for measure, reason in outcome.failed.items():
            reasons.setdefault(reason, []).append(measure)
        for reason, measures in reasons.items():
            told = f"Failed: {outcome.plan.name}, {', '.join(measures)}: {reason}"
            messages.print(in_line(told), style="red", highlight=False, markup=False, soft_wrap=True)


def _show(plans: "Sequence[Plan]", price: float | None, on_stdout: bool = False, to_come: bool = False) -> None:
    from genderscope.auditing import show_plans

    show_plans(plans, console() if on_stdout else messages, price, to_come)


def _run(recipe: "Recipe", plans: "Mapping[str, Plan]", root: Path, price: float | None) -> "dict[str, Outcome]":
    """Run the plans, one after another or some at a time; what costs money asks for leave before the first begins."""
    from genderscope.auditing import announce, keep_earlier_runs
    from genderscope.engine import all_announced

    with ExitStack() as stack, resumable([root], command_line()):
        if len(plans) > 1:
            _show(list(plans.values()), price, to_come=True)
            for plan in plans.values():
                announce(plan)
            for plan in plans.values():
                keep_earlier_runs(plan)
            stack.enter_context(all_announced())
            if recipe.jobs > 1:
                return _side_by_side(recipe, plans, price)
        return _in_turn(recipe, plans, price)


def _in_turn(recipe: "Recipe", plans: "Mapping[str, Plan]", price: float | None) -> "dict[str, Outcome]":
    """Run the plans one after another; each model is let go before the next is loaded."""
    from genderscope.auditing import TerminalWatcher, run

    outcomes: dict[str, Outcome] = {}
    with TerminalWatcher(messages, price, whole=len(plans) == 1) as watcher:
        for called, plan in plans.items():
            if outcomes:
                gc.collect()
            outcomes[called] = run(plan, recipe.wishes, recipe.where, watcher, command_line())
            plan.model.unload()
    return outcomes


def _side_by_side(recipe: "Recipe", plans: "Mapping[str, Plan]", price: float | None) -> "dict[str, Outcome]":
    """Run some plans at a time, each in a process of its own."""
    from genderscope.auditing import Job, TerminalJobsWatcher, run_jobs
    from genderscope.engine import gpus_here, one_cluster

    at_a_time = min(recipe.jobs, len(plans))
    with one_cluster(recipe.where, at_a_time) as where:
        jobs = [
            Job(entry, plan.model.name, plan.folder, recipe.wishes, where, command_line(), price)
            for entry, plan in zip(recipe.entries, plans.values(), strict=True)
            if not plan.finished
        ]
        with TerminalJobsWatcher(messages, sum(plan.missing for plan in plans.values())) as watcher:
            asked = [plan.model for plan in plans.values() if not plan.finished]
            ends = run_jobs(jobs, at_a_time, gpus_here(asked), watcher)
    return {called: ends.outcome(plan) for called, plan in plans.items()}


def _scorecard(root: Path, baseline: str | None, shown: bool) -> list[Path]:
    """Write the scorecard of every run below a folder: those of earlier audits are on it too."""
    from genderscope.report import scorecard_of, show_scorecard, write_card
    from genderscope.runs import reading

    card = scorecard_of([root], baseline)
    written = write_card(card, root)
    if shown:
        with reading(*card.results()):
            show_scorecard(card, console())
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
            | {"failures": list(h.gate.failures), "unjudged": list(h.gate.unjudged)}
            for h in held
        ],
        "scorecard": [str(path) for path in written],
    }
    print(terminal_safe(json.dumps(content, ensure_ascii=False, indent=1)), file=sys.stdout)
