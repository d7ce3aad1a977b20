"""`genderscope compare` and `genderscope gate`: do runs differ, and do they exceed limits?"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from pydantic import BaseModel, Field

from genderscope.cli.options import Json, RunFolder, command_line, plain_help, run_or_log, usable_runs, with_fields
from genderscope.cli.output import console, messages, print_json
from genderscope.cli.run import make_run
from genderscope.cli.score import DATA, LIMIT, PART
from genderscope.core.errors import UserError, option_name
from genderscope.core.exit_codes import ExitCode, decisive
from genderscope.evaluation import RunSettings
from genderscope.runs import load_run, run_folder
from genderscope.util.safe_text import in_line, terminal_safe

if TYPE_CHECKING:
    from genderscope.comparison import Comparison, Gate
    from genderscope.runs import Result


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


Over = Annotated[
    Literal["benchmark", "items"],
    typer.Option(
        help="Test intervals over the benchmark (other stereotypes, templates …, as verdicts do) or its items only."
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
    over: Over = "benchmark",
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

        gates = [*check_run(checks, result), *check(conditions, result, None, min_coverage, allow_unjudged, over)]
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


SCHEME = "file:"
TRANSLATIONS = "file of translations"  # the kind of model that a file is


def measured(arguments: Sequence[str], measure: str | None, options: Mapping[str, Any]) -> dict[str, Path]:
    """Return the run folders by name; each file of translations is measured, or its finished run is reused.

    Without files, the runs have no names, and the dictionary is empty.
    """
    files = [argument for argument in arguments if _is_file(argument, may_be_missing=measure is not None)]
    given = {"measure": measure, **options}
    if not files:
        if unused := [option_name(name) for name, value in given.items() if value is not None]:
            raise UserError(
                f"Option {unused[0]} is for files of translations, and all arguments are folders of runs; leave it out."
            )
        return {}
    if measure is None:
        raise UserError(
            f"'{files[0]}' is a file of translations; add the measure and the languages, such as --measure gest-mt "
            "--to es."
        )
    from genderscope.evaluation import translation_measure  # imports the pipeline

    translation_measure(measure)
    folders = {argument: run_folder(argument) for argument in arguments if argument not in files}
    names = _names([_path(folders[a]) if a in folders else a for a in arguments])  # before the files are measured
    folders |= {file: _measured(file, measure, options) for file in files}
    return dict(zip(names, (folders[argument] for argument in arguments), strict=True))


def _is_file(argument: str, may_be_missing: bool) -> bool:
    """Return whether an argument is a file of translations rather than a run folder or a file in one."""
    if argument.startswith(SCHEME) or "{lang}" in argument:
        return True
    path = Path(argument)
    if path.is_file():
        return not (path.parent / "run.json").exists()
    return may_be_missing and not path.exists() and path.suffix != ""


def _measured(file: str, measure: str, options: Mapping[str, Any]) -> Path:
    # The same settings as those of `genderscope run` without options, so that both use the same folder.
    settings = RunSettings(dtype="float32", command=command_line())
    given = {name: value for name, value in options.items() if value is not None}
    result = make_run(measure, f"{SCHEME}{file.removeprefix(SCHEME)}", None, settings, **given)
    assert result.folder is not None
    return result.folder


def _path(folder: Path) -> str:
    """Return the path of the translations behind a run, or its folder if they are not in a file."""
    model = load_run(folder).config["model"]
    return str(model["path"] if model.get("kind") == TRANSLATIONS else folder)


def _names(arguments: Sequence[str]) -> list[str]:
    """Return short, unique names: the end of each path without its ending, as long as needed to tell them apart."""
    if len(set(arguments)) < len(arguments):
        raise UserError(
            f"'{next(a for a in arguments if arguments.count(a) > 1)}' is given twice; give each file once."
        )
    parts = [_parts(argument) for argument in arguments]
    for length in range(1, max(map(len, parts)) + 1):
        names = ["/".join(own[-length:]) for own in parts]
        if len(set(names)) == len(names):
            return names
    return list(arguments)


def _parts(argument: str) -> list[str]:
    """Return a path's components without the ending and without the placeholder of the language."""
    path = PurePath(argument.removeprefix(SCHEME))
    is_file = _is_file(argument, may_be_missing=True)
    stem = re.sub(r"(\.[A-Za-z{]\w*\}?)?(\.gz)?$", "", path.name, count=1) if is_file else path.name
    parts = [re.sub(r"[._-]*\{lang\}", "", part) for part in (*path.parts[:-1], stem)]
    return [part.lstrip("._-") or part for part in parts if part.strip("._-/")] or [argument]


class TranslationFileOptions(BaseModel):
    """Options that apply to files of translations only."""

    measure: str | None = Field(
        None, description="Measure the files with gest-mt, dialogue, mt-geneval, winomt or gate."
    )
    to: str | None = Field(None, description="Target languages of the files, e.g. es,sk.")
    data: str | None = Field(None, description=DATA)
    limit: int | None = Field(None, description=LIMIT)
    set: Literal["counterfactual", "contextual"] | None = Field(None, description=PART)


@partial(with_fields, options=TranslationFileOptions, panel="Files of translations")
def compare_command(  # noqa: PLR0913 - each is an option of the command
    runs: Annotated[
        list[str],
        typer.Argument(help="Runs of one measure, other tools' logs, or files of translations.", metavar="A B [C…]"),
    ],
    fail_if: Annotated[
        list[str] | None,
        typer.Option(help=plain_help(f"{FAIL_IF} or 'delta(stereotype_rate) > 0.02'; tests the last run; repeatable.")),
    ] = None,
    max_age: MaxAge = None,
    require_fresh: RequireFresh = False,
    require_model: RequireModel = False,
    min_coverage: MinCoverage = 0.5,
    allow_unjudged: AllowUnjudged = False,
    over: Over = "benchmark",
    allow_versions: Annotated[
        bool, typer.Option("--allow-versions", help="Allow runs made by different versions of genderscope.")
    ] = False,
    html: Annotated[Path | None, typer.Option(help="Also write an HTML page.")] = None,
    markdown: Annotated[Path | None, typer.Option(help="Also write a Markdown file.")] = None,
    latex: Annotated[Path | None, typer.Option(help="Also write LaTeX tables (booktabs).")] = None,
    as_json: Json = False,
    full: Annotated[bool, typer.Option("--full", help="Also print the differences and ten sentences.")] = False,
    **options: Any,
) -> None:
    """Compare each run or file of translations with the first, on the questions that both answered."""
    from genderscope.comparison import RunChecks, comparable_runs, parse, refuse_unknown
    from genderscope.report import refuse_foreign
    from genderscope.runs import reading, require_runs

    conditions = [parse(text) for text in fail_if or ()]
    checks = RunChecks.of(None, max_age, require_fresh, require_model)
    files = {form: path for form, path in {"html": html, "markdown": markdown, "latex": latex}.items() if path}
    for path in files.values():
        refuse_foreign(path)
    runs = [run if (folder := run_or_log(Path(run))) == Path(run) else str(folder) for run in runs]
    named = measured(runs, options.pop("measure"), options)
    folders = list(named.values()) or [Path(run) for run in runs]
    # The first run is the baseline, and gates test the last one, so neither may be skipped.
    require_runs(folders[0], *(folders[-1:] if conditions or checks else ()))
    results = usable_runs(folders, fewest=2)
    names = _names_of(results, named)
    with reading(*results):
        *others, last = comparable_runs(results, allow_versions, names).values()
        refuse_unknown(conditions, last, *others)
        from genderscope.comparison import check, check_run
        from genderscope.comparison import compare as compare_runs
        from genderscope.report import show_comparison

        comparison = compare_runs(*results, allow_versions=allow_versions, names=names)
        tested = list(comparison.runs.values())[-1]
        gates = [
            *check_run(checks, tested),
            *check(conditions, tested, comparison, min_coverage, allow_unjudged, over),
        ]
        if as_json:
            print(terminal_safe(comparison.to_json(**({"gates": gates_as_json(gates)} if gates else {}))))
        else:
            show_comparison(comparison, console(), full)
        _write(comparison, files, as_json)
    conclude(gates, as_json)


def _names_of(results: "Sequence[Result]", named: dict[str, Path]) -> list[str]:
    """Return the names of the usable runs, which are in the same order as the named ones."""
    pending = iter(named.items())
    return [next(name for name, folder in pending if folder == result.folder) for result in results if named]


def _write(comparison: "Comparison", files: dict[str, Path], as_json: bool) -> None:
    """Write the comparison in the chosen formats and print the files' paths."""
    from genderscope.report import comparison_latex, comparison_markdown, comparison_page, write_texts

    formats = {"html": comparison_page, "markdown": comparison_markdown, "latex": comparison_latex}
    for path in write_texts({path: formats[form](comparison) for form, path in files.items()}):
        (messages if as_json else console()).print(in_line(str(path)), soft_wrap=True)
