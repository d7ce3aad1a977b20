"""`genderscope show`, `report`, `figures`, `push` and `serve`: finished runs on the terminal, in files, on the web."""

from pathlib import Path
from threading import Thread
from typing import Annotated

import typer

from genderscope.cli.options import Full, Json, RunFolder, RunFolders, run_or_log, usable_runs
from genderscope.cli.output import console, messages, print_path, write_text
from genderscope.core.errors import UserError, require_known

FORMATS = ("table", "markdown", "latex", "csv", "json")


def show_command(
    run: RunFolder,
    as_json: Json = False,
    full: Full = False,
    format_: Annotated[str, typer.Option("--format", "-f", metavar="|".join(FORMATS), help="Output format.")] = "table",
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Write to this file instead of the terminal.")] = None,
    show_completions: Annotated[
        bool, typer.Option("--show-completions", help="Also show the hurtful completions of an honest run.")
    ] = False,
) -> None:
    """Show the result of a finished run."""
    wanted = "json" if as_json else format_
    require_known("format", wanted, FORMATS)
    from genderscope.runs import how_to_ask_again, load_run, reading

    run = run_or_log(run)
    result = load_run(run)
    with reading(run):
        if wanted == "table" and out is None:
            from genderscope.report import show as show_result

            show_result(result, console(), show_completions, how_to_ask_again(result.config), full)
            return
        from genderscope.report import publish

        text = publish(result, wanted, show_completions)
    write_text(text, out)


def report_command(
    runs: RunFolders,
    out: Annotated[Path, typer.Option("--out", "-o", help="HTML file to write.")] = Path("report.html"),
) -> None:
    """Write one self-contained HTML page about one or more runs."""
    results = usable_runs(runs, any_measure=True)
    from genderscope.report import report as write_report

    print_path(write_report(results, out))


FIGURE_FORMATS = ("svg", "pdf", "png")
WIDTHS = ("column", "page")


def figures_command(
    runs: RunFolders,
    kind: Annotated[
        str,
        typer.Option(
            "--format", "-f", metavar="|".join(FIGURE_FORMATS), help="File format; png is written at 300 dpi."
        ),
    ] = "svg",
    width: Annotated[
        str,
        typer.Option(metavar="|".join(WIDTHS), help="Fit one column of a two-column paper, or the full page width."),
    ] = "column",
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the files.")] = Path("figures"),
) -> None:
    """Write figures to files: those of each run, and those of all runs of a measure together."""
    require_known("format", kind, FIGURE_FORMATS)
    require_known("width", width, WIDTHS)
    if out.exists() and not out.is_dir():
        raise UserError(f"'{out}' is a file; give a folder to --out.")
    from genderscope.runs import reading, write_whole

    results = usable_runs(runs, any_measure=True)
    from genderscope.report import COLUMN, PAGE, files

    has_written = False
    with reading(*results):
        for name, content in files(results, kind, COLUMN if width == "column" else PAGE):  # type: ignore[arg-type]
            try:
                out.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise UserError(f"Cannot write '{out / name}': {error.strerror}.") from None
            write_whole(out / name, content)
            print_path(out / name)
            has_written = True
    if not has_written:
        raise UserError("Nothing to draw: these measures have no figures, or no value could be computed.")


REPOSITORY_KINDS = ("model", "dataset")


def push_command(
    runs: RunFolders,
    repo: Annotated[str, typer.Option("--repo", help="Repository, as OWNER/NAME.")],
    kind: Annotated[
        str,
        typer.Option(
            "--type",
            metavar="|".join(REPOSITORY_KINDS),
            help="Push the runs' files (dataset), or add the numbers to a model card (model).",
        ),
    ] = "dataset",
    public: Annotated[bool, typer.Option("--public", help="Make a new dataset repository public.")] = False,
    rows: Annotated[
        bool, typer.Option("--rows", help="Also push every answer (rows.parquet), including the dataset's texts.")
    ] = False,
    pull_request: Annotated[
        bool, typer.Option("--pr", help="Open a pull request instead of pushing to the main branch.")
    ] = False,
) -> None:
    """Push runs to the Hugging Face hub, with the token from HF_TOKEN or 'hf auth login'."""
    require_known("repository type", kind, REPOSITORY_KINDS)
    results = usable_runs(runs, any_measure=True)
    from genderscope.integrations import push as push_runs

    print_path(push_runs(results, repo, kind, public=public, rows=rows, pull_request=pull_request))  # type: ignore[arg-type]


def serve_command(
    folder: Annotated[Path, typer.Argument(help="Folder with runs, searched recursively.", metavar="DIR")],
    port: Annotated[int, typer.Option(help="Listen on this port; 0 chooses a free one.", min=0, max=65535)] = 8717,
) -> None:
    """Browse the runs in a folder with a web browser on this machine."""
    from genderscope.runs import require_folders

    require_folders(folder)
    from genderscope.serving import open_viewer

    with open_viewer(folder, port) as viewer:
        print(viewer.url, flush=True)
        # The list is read before the browser asks for it; a folder may contain hundreds of runs.
        Thread(target=viewer.index.runs, daemon=True).start()
        messages.print("Press Ctrl+C to stop.")
        try:
            viewer.serve_forever()
        except KeyboardInterrupt:
            messages.print("Stopped.")
