"""`genderscope scorecard`: models × measures from run folders."""

from pathlib import Path
from typing import Annotated

import typer

from genderscope.cli.common import console, tell_skipped
from genderscope.errors import UserError
from genderscope.terminal_safe import in_line

File = Path | None


def scorecard(  # noqa: PLR0913 - each is an option of the command
    folders: Annotated[list[Path], typer.Argument(help="Folders that hold runs, at any depth.", metavar="DIR")],
    baseline: Annotated[
        str | None,
        typer.Option(metavar="MODEL", help="Compare the other models with this one, on what both answered."),
    ] = None,
    measure: Annotated[list[str] | None, typer.Option(help="Only this measure; several may be given.")] = None,
    model: Annotated[str | None, typer.Option(help="Model of --model-card and --badge, if there are several.")] = None,
    html: Annotated[File, typer.Option(help="Write the scorecard as one page.")] = None,
    markdown: Annotated[File, typer.Option(help="Write it as Markdown.")] = None,
    latex: Annotated[File, typer.Option(help="Write it as a LaTeX table (booktabs).")] = None,
    csv: Annotated[File, typer.Option(help="Write every number as CSV, a line per cell.")] = None,
    json: Annotated[File, typer.Option(help="Write everything as JSON.")] = None,
    model_card: Annotated[File, typer.Option(help="Write a block for a Hugging Face model card.")] = None,
    badge: Annotated[File, typer.Option(help="Write an SVG badge of one measure of one model.")] = None,
) -> None:
    """Set models beside each other in all measures: value, interval, neutral point, coverage, size."""
    wanted = {"html": html, "markdown": markdown, "latex": latex, "csv": csv, "json": json}
    wanted |= {"model_card": model_card, "badge": badge}
    files = {form: path for form, path in wanted.items() if path is not None}
    if model is not None and not {"model_card", "badge"} & set(files):
        raise UserError("Option --model names the model of --model-card or --badge; give one of them, too.")
    from genderscope.runs import require_folders

    require_folders(*folders)
    from genderscope.report import scorecard_of, scorecard_texts, show_scorecard, write_texts

    card = scorecard_of(folders, baseline, measure or (), files, model)
    tell_skipped(card.skipped)
    if not files:
        show_scorecard(card, console())
        return
    for path in write_texts(scorecard_texts(card, files, model)):
        print(in_line(str(path)))
