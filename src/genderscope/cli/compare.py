"""`genderscope compare` and `genderscope gate`: do runs differ, and are they good enough?"""

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from genderscope.cli.common import Json, console, messages, usable_runs
from genderscope.terminal_safe import in_line, terminal_safe

if TYPE_CHECKING:
    from genderscope.comparison import Comparison, Gate

#: what the shell learns when a gate fails; 2 is a mistake of the user
FAILED = 3
#: what it learns when no gate fails, but one is about a value that is not meaningful
UNJUDGED = 4

FAIL_IF = "Fail with exit code 3 if this holds, e.g. 'f_s > 0.1', 'f_s[sk].high > 0.1', 'distance(g_s) > 0.2'"
MinCoverage = Annotated[
    float,
    typer.Option("--min-coverage", min=0, max=1, help="Fail a gate if less than this share of its questions was read."),
]


AllowUnjudged = Annotated[
    bool,
    typer.Option("--allow-unjudged", help="Test values that are not meaningful too, instead of exit code 4."),
]


def compare(
    runs: Annotated[list[Path], typer.Argument(help="Folders of finished runs of one measure.", metavar="A B [C…]")],
    fail_if: Annotated[
        list[str] | None,
        typer.Option(help=f"{FAIL_IF}, 'delta(f_s) > 0.02'; about the last run. Several may be given."),
    ] = None,
    min_coverage: MinCoverage = 0.5,
    allow_unjudged: AllowUnjudged = False,
    allow_versions: Annotated[
        bool, typer.Option("--allow-versions", help="Compare runs of different versions of genderscope.")
    ] = False,
    html: Annotated[Path | None, typer.Option(help="Also write the comparison as one page.")] = None,
    markdown: Annotated[Path | None, typer.Option(help="Also write it as Markdown.")] = None,
    latex: Annotated[Path | None, typer.Option(help="Also write it as LaTeX tables (booktabs).")] = None,
    as_json: Json = False,
) -> None:
    """Compare runs on the questions they share: every later one against the first."""
    from genderscope.comparison import comparable_runs, parse, refuse_unknown
    from genderscope.runs import reading, require_runs

    conditions = [parse(text) for text in fail_if or ()]
    # What the others are compared with, and what gates are about, must not be skipped.
    require_runs(runs[0], *(runs[-1:] if conditions else ()))
    results = usable_runs(runs, fewest=2)
    with reading(*results):
        *_, found = comparable_runs(results, allow_versions).values()
        refuse_unknown(conditions, found.as_estimates())
        files = {form: path for form, path in {"html": html, "markdown": markdown, "latex": latex}.items() if path}
        _refuse_foreign(files)
        from genderscope.comparison import check
        from genderscope.comparison import compare as compare_runs
        from genderscope.report import show_comparison

        comparison = compare_runs(*results, allow_versions=allow_versions)
        last = list(comparison.runs.values())[-1]
        gates = check(conditions, last, comparison, min_coverage, allow_unjudged)
        if as_json:
            print(terminal_safe(comparison.to_json(**({"gates": _json(gates)} if gates else {}))))
        else:
            show_comparison(comparison, console())
        _write(comparison, files, as_json)
    _conclude(gates, as_json)


def _refuse_foreign(files: dict[str, Path]) -> None:
    """Refuse files that must not be replaced, before anything is compared."""
    from genderscope.report import refuse_foreign

    for path in files.values():
        refuse_foreign(path)


def _write(comparison: "Comparison", files: dict[str, Path], as_json: bool) -> None:
    """Write the comparison in the forms that were asked for, and say where."""
    from genderscope.report import comparison_latex, comparison_markdown, comparison_page, write_texts

    forms = {"html": comparison_page, "markdown": comparison_markdown, "latex": comparison_latex}
    for path in write_texts({path: forms[form](comparison) for form, path in files.items()}):
        (messages if as_json else console()).print(in_line(str(path)), soft_wrap=True)


def gate(
    run: Annotated[Path, typer.Argument(help="Folder of a finished run.")],
    fail_if: Annotated[list[str], typer.Option(help=f"{FAIL_IF}. Several may be given.")],
    min_coverage: MinCoverage = 0.5,
    allow_unjudged: AllowUnjudged = False,
    as_json: Json = False,
) -> None:
    """Check a finished run against limits, for builds: exit code 3 if one is broken, 4 if it cannot be judged."""
    from genderscope.comparison import parse, refuse_unknown
    from genderscope.runs import load_run, reading

    conditions = [parse(text) for text in fail_if]
    result = load_run(run)
    with reading(run):
        refuse_unknown(conditions, result.as_estimates())
        from genderscope.comparison import check

        gates = check(conditions, result, None, min_coverage, allow_unjudged)
    if as_json:
        content = {"run": str(run), "signature": result.signature, "gates": _json(gates)}
        print(terminal_safe(json.dumps(content, ensure_ascii=False, indent=1)))
    _conclude(gates, as_json)


def _json(gates: "list[Gate]") -> list[dict[str, Any]]:
    return [asdict(gate) | {"passed": gate.passed} for gate in gates]


def _conclude(gates: "list[Gate]", as_json: bool) -> None:
    """Say how the gates ended, and end with their exit code."""
    from genderscope.report import show_gates

    if not as_json:
        show_gates(gates, console())
    if (code := exit_code(gates)) != 0:
        raise typer.Exit(code)


def exit_code(gates: "Iterable[Gate]") -> int:
    """Return 3 if a gate fails, 4 if one cannot be judged, else 0."""
    each = list(gates)
    if any(gate.failures for gate in each):
        return FAILED
    return UNJUDGED if any(gate.unjudged for gate in each) else 0
