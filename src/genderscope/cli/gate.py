"""`genderscope gate`: limits that can fail a build."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from genderscope.cli.fields import plain_help
from genderscope.cli.log_arguments import run_or_log
from genderscope.cli.options import Json, RunFolder
from genderscope.cli.output import console, print_json

if TYPE_CHECKING:
    from genderscope.comparison import Gate

FAILED = 3  # exit code of a failed gate; 2 is a user error
UNJUDGED = 4  # exit code if no gate fails, but one refers to a value that is not meaningful

FAIL_IF = "Fail (exit code 3) if this is true, e.g. 'stereotype_rate > 0.1', 'stereotype_rate[sk].high > 0.1'"
MinCoverage = Annotated[
    float,
    typer.Option("--min-coverage", min=0, max=1, help="Fail a gate if its estimate's coverage is below this share."),
]
AllowUnjudged = Annotated[
    bool,
    typer.Option(
        "--allow-unjudged", help="Test values even if they are not meaningful, instead of exiting with code 4."
    ),
]


def gate_command(
    run: RunFolder,
    fail_if: Annotated[
        list[str], typer.Option(help=plain_help(f"{FAIL_IF} or 'distance(stereotype_rate) > 0.2'; repeatable."))
    ],
    min_coverage: MinCoverage = 0.5,
    allow_unjudged: AllowUnjudged = False,
    as_json: Json = False,
) -> None:
    """Check a run against limits: exit code 3 if one is exceeded, 4 if one cannot be judged."""
    from genderscope.comparison import parse, refuse_unknown
    from genderscope.runs import load_run, reading

    conditions = [parse(text) for text in fail_if]
    run = run_or_log(run)
    result = load_run(run)
    with reading(run):
        refuse_unknown(conditions, result.as_estimates())
        from genderscope.comparison import check

        gates = check(conditions, result, None, min_coverage, allow_unjudged)
    if as_json:
        print_json({"run": str(run), "signature": result.signature, "gates": gates_as_json(gates)})
    conclude(gates, as_json)


def gates_as_json(gates: "Iterable[Gate]") -> list[dict[str, Any]]:
    """Return the gates as JSON values."""
    return [asdict(gate) | {"passed": gate.passed} for gate in gates]


def conclude(gates: "list[Gate]", as_json: bool) -> None:
    """Show the gates, and exit with their exit code unless all passed."""
    from genderscope.report import show_gates

    if not as_json:
        show_gates(gates, console())
    if (code := exit_code(gates)) != 0:
        raise typer.Exit(code)


def exit_code(gates: "Iterable[Gate]") -> int:
    """Return 3 if a gate failed, 4 if one cannot be judged, else 0."""
    checked = list(gates)
    if any(gate.failures for gate in checked):
        return FAILED
    return UNJUDGED if any(gate.unjudged for gate in checked) else 0
