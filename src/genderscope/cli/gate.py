"""`genderscope gate`: limits that can fail a build."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from genderscope.cli.fields import plain_help
from genderscope.cli.log_arguments import run_or_log
from genderscope.cli.options import Json, RunFolder
from genderscope.cli.output import console, print_json
from genderscope.core.errors import UserError
from genderscope.core.exit_codes import ExitCode, decisive

if TYPE_CHECKING:
    from genderscope.comparison import Gate

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


Purpose = Annotated[
    str | None,
    typer.Option(
        "--for", metavar="release", help="Check ready-made conditions for this purpose, which the measure declares."
    ),
]
MaxAge = Annotated[
    str | None,
    typer.Option(metavar="12h|7d|2w", help="Do not pass (exit code 4) if an answer is older than this."),
]
RequireFresh = Annotated[
    bool,
    typer.Option("--require-fresh", help="Do not pass (exit code 4) if an answer is older than 24 hours."),
]
RequireModel = Annotated[
    bool,
    typer.Option("--require-model", help="Do not pass (exit code 5) if the server named another model."),
]


def gate_command(
    run: RunFolder,
    fail_if: Annotated[
        list[str] | None, typer.Option(help=plain_help(f"{FAIL_IF} or 'distance(stereotype_rate) > 0.2'; repeatable."))
    ] = None,
    purpose: Purpose = None,
    max_age: MaxAge = None,
    require_fresh: RequireFresh = False,
    require_model: RequireModel = False,
    min_coverage: MinCoverage = 0.5,
    allow_unjudged: AllowUnjudged = False,
    as_json: Json = False,
) -> None:
    """Check a run against limits: exit code 3 if one is exceeded, 4 if one cannot be judged."""
    from genderscope.comparison import RunChecks, parse, refuse_unknown
    from genderscope.runs import load_run, reading

    conditions = [parse(text) for text in fail_if or ()]
    checks = RunChecks.of(purpose, max_age, require_fresh, require_model)
    if not conditions and not checks:
        raise UserError("There is nothing to check; give --for release, or conditions with --fail-if.")
    run = run_or_log(run)
    result = load_run(run)
    with reading(run):
        refuse_unknown(conditions, result)
        from genderscope.comparison import check, check_run

        gates = [*check_run(checks, result), *check(conditions, result, None, min_coverage, allow_unjudged)]
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
    if (code := decisive(gate.exit_code for gate in gates)) is not ExitCode.PASSED:
        raise typer.Exit(int(code))
