"""The steps of an audit on the command line: plans, runs, scorecard and gates."""

import gc
import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from genderscope.cli.gate import exit_code
from genderscope.cli.interruption import resumable
from genderscope.cli.options import command_line
from genderscope.cli.output import USER_ERROR, console, messages, print_json, print_path
from genderscope.errors import UserError
from genderscope.terminal_safe import in_line

if TYPE_CHECKING:
    from genderscope.auditing import Held, Outcome, Plan, Recipe


def audit_all(recipe: "Recipe", only_plan: bool, as_json: bool) -> None:
    """Plan, run what is missing, write the scorecard and check the gates."""
    remote = recipe.entries[0].settings.remote
    if recipe.jobs > 1 and (remote.max_requests, remote.max_cost) != (None, None):
        raise UserError("Several processes cannot share a spending limit; leave out --jobs or the limits.")
    from genderscope.auditing import plans_of, require_jobs
    from genderscope.report import announced
    from genderscope.runs import require_room

    require_jobs(recipe.jobs)
    root = recipe.out or Path("audit") / recipe.wishes.budget
    require_room(root)
    plans = plans_of(recipe, root, partial(announced, messages))
    if only_plan:
        _show_estimates(recipe, plans, remote.price)
        return
    outcomes = _run(recipe, plans, root, remote.price)
    baseline = None if recipe.baseline is None else plans[recipe.baseline].model.name
    has_results = any(outcome.results for outcome in outcomes.values())
    written = _scorecard(root, baseline, shown=not as_json) if has_results else []
    gates = _check_gates(recipe, outcomes)
    if as_json:
        _print_json(outcomes, gates, written)
    else:
        _show_reused(list(outcomes.values()))
        _show_gates(gates)
    _conclude([outcome for outcome in outcomes.values() if outcome.failed], gates)


def _show_estimates(recipe: "Recipe", plans: "Mapping[str, Plan]", price: float | None) -> None:
    from genderscope.auditing import estimated, tell_timing

    for plan in plans.values():
        tell_timing(plan, messages)
        _show([estimated(plan, recipe.where, recipe.wishes.batch_size)], price, on_stdout=True)
        plan.model.unload()


def _check_gates(recipe: "Recipe", outcomes: "Mapping[str, Outcome]") -> "list[Held]":
    if not recipe.gates:
        return []
    from genderscope.auditing import hold  # it imports what compares runs

    return hold(recipe.gates, outcomes, recipe.baseline, recipe.min_coverage, recipe.allow_unjudged)


def _show_gates(gates: "Sequence[Held]") -> None:
    from genderscope.report import show_gates

    for model, measure in dict.fromkeys((held.model, held.measure) for held in gates):
        print(in_line(f"Gates on {measure} for {model}:"))
        show_gates([held.gate for held in gates if (held.model, held.measure) == (model, measure)], console())


def _show_reused(outcomes: "Sequence[Outcome]") -> None:
    """Print which results come from earlier runs."""
    from genderscope.auditing import reused_and_asked

    for outcome in outcomes:
        if (sentence := reused_and_asked(outcome)) is not None:
            print(in_line(sentence))


def _conclude(failed: "Sequence[Outcome]", gates: "Sequence[Held]") -> None:
    """Repeat at the end what failed, one line per reason, and exit with a code that tells failures apart."""
    for outcome in failed:
        measures_by_reason: dict[str, list[str]] = {}
        for measure, reason in outcome.failed.items():
            measures_by_reason.setdefault(reason, []).append(measure)
        for reason, measures in measures_by_reason.items():
            _print_failure(f"Failed: {outcome.plan.name}, {', '.join(measures)}: {reason}")
    broken = [held for held in gates if not held.gate.passed]
    for held in broken:
        result = "failed" if held.gate.failures else "cannot be judged"
        _print_failure(f"Gate {result}: {held.model}, {held.measure}: {held.gate.condition}")
    if broken or failed:
        raise typer.Exit(exit_code(held.gate for held in broken) if broken else USER_ERROR)


def _print_failure(text: str) -> None:
    messages.print(in_line(text), style="red", highlight=False, markup=False, soft_wrap=True)


def _show(plans: "Sequence[Plan]", price: float | None, on_stdout: bool = False, to_come: bool = False) -> None:
    from genderscope.auditing import show_plans

    show_plans(plans, console() if on_stdout else messages, price, to_come)


def _run(recipe: "Recipe", plans: "Mapping[str, Plan]", root: Path, price: float | None) -> "dict[str, Outcome]":
    """Run the plans in turn or in parallel; whatever costs money is confirmed before the first one starts."""
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
                return _in_parallel(recipe, plans, price)
        return _in_turn(recipe, plans, price)


def _in_turn(recipe: "Recipe", plans: "Mapping[str, Plan]", price: float | None) -> "dict[str, Outcome]":
    """Run the plans in turn; each model is unloaded before the next is loaded."""
    from genderscope.auditing import TerminalWatcher, run

    outcomes: dict[str, Outcome] = {}
    with TerminalWatcher(messages, price, whole=len(plans) == 1) as watcher:
        for called, plan in plans.items():
            if outcomes:
                gc.collect()
            outcomes[called] = run(plan, recipe.wishes, recipe.where, watcher, command_line())
            plan.model.unload()
    return outcomes


def _in_parallel(recipe: "Recipe", plans: "Mapping[str, Plan]", price: float | None) -> "dict[str, Outcome]":
    """Run the plans in parallel, each in its own process."""
    from genderscope.auditing import Job, TerminalJobsWatcher, run_jobs
    from genderscope.engine import gpus_here, one_cluster

    job_count = min(recipe.jobs, len(plans))
    with one_cluster(recipe.where, job_count) as where:
        jobs = [
            Job(entry, plan.model.name, plan.folder, recipe.wishes, where, command_line(), price)
            for entry, plan in zip(recipe.entries, plans.values(), strict=True)
            if not plan.finished
        ]
        with TerminalJobsWatcher(messages, sum(plan.missing for plan in plans.values())) as watcher:
            models = [plan.model for plan in plans.values() if not plan.finished]
            ends = run_jobs(jobs, job_count, gpus_here(models), watcher)
    return {called: ends.outcome(plan) for called, plan in plans.items()}


def _scorecard(root: Path, baseline: str | None, shown: bool) -> list[Path]:
    """Write the scorecard of all runs in a folder, including those of earlier audits."""
    from genderscope.report import scorecard_of, show_scorecard, write_card
    from genderscope.runs import reading

    card = scorecard_of([root], baseline)
    written = write_card(card, root)
    if shown:
        with reading(*card.results()):
            show_scorecard(card, console())
        for path in written:
            print_path(path)
    return written


def _print_json(outcomes: "Mapping[str, Outcome]", gates: "Sequence[Held]", written: Sequence[Path]) -> None:
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
            for h in gates
        ],
        "scorecard": [str(path) for path in written],
    }
    print_json(content)
