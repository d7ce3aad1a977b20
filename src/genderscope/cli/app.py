"""The commands: parse, call, render."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from genderscope.cli.audit import audit, init
from genderscope.cli.common import (
    Address,
    AllowPickle,
    BatchSize,
    Beams,
    Device,
    Dtype,
    Engine,
    Fresh,
    GpusPerWorker,
    Json,
    Log,
    ModelSpec,
    Rehash,
    Workers,
    batch_size_of,
    check_trackers,
    command_line,
    console,
    log_to,
    messages,
    usable_runs,
    with_remote,
)
from genderscope.cli.compare import compare, gate
from genderscope.cli.data import data_app
from genderscope.cli.doctor import doctor
from genderscope.cli.figures import figures
from genderscope.cli.leaderboard import leaderboard
from genderscope.cli.lists import list_
from genderscope.cli.measures import card, measure_group
from genderscope.cli.models import models_app
from genderscope.cli.output import one_sentence, show_warnings
from genderscope.cli.pairs import pairs_app
from genderscope.cli.pool import pool
from genderscope.cli.power import power
from genderscope.cli.push import push
from genderscope.cli.read import read_app
from genderscope.cli.score import score, sources
from genderscope.cli.scorecard import scorecard
from genderscope.cli.show import show
from genderscope.cli.stopping import InterruptibleGroup, heeding_termination, resumable
from genderscope.cli.translate import translate
from genderscope.cli.validity import validity
from genderscope.errors import unknown
from genderscope.measures import measure_type
from genderscope.models import Remote
from genderscope.published import REPRODUCTIONS
from genderscope.terminal_safe import in_line, terminal_safe
from genderscope.version import __version__

app = typer.Typer(
    help="Measures gender bias in language models and machine translation, with an interval on every number.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    cls=InterruptibleGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
)
run_app = typer.Typer(
    help="Measure a model: genderscope run MEASURE --model SPEC.",
    no_args_is_help=True,
    cls=measure_group(lambda name: _run_command(name)),  # noqa: PLW0108 - it is defined below
)
app.add_typer(run_app, name="run")
app.add_typer(data_app, name="data")
app.add_typer(models_app, name="models")
app.add_typer(read_app, name="read")
app.add_typer(pairs_app, name="pairs")
app.command("audit")(with_remote(audit))
app.command("init")(init)
app.command("list")(list_)
app.command("card")(card)
app.command("translate")(with_remote(translate))
app.command("validity")(validity)
app.command("show")(show)
app.command("compare")(compare)
app.command("gate")(gate)
app.command("leaderboard")(leaderboard)
app.command("scorecard")(scorecard)
app.command("power")(power)
app.command("pool")(pool)
app.command("figures")(figures)
app.command("push")(push)
app.command("score")(score)
app.command("doctor")(doctor)
data_app.command("sources")(sources)

Out = Annotated[
    Path | None,
    typer.Option("--out", "-o", help="Folder of the run; the default is named after the configuration, below runs/."),
]


@app.callback(invoke_without_command=True)
def _root(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    if version:
        print(__version__)
        raise typer.Exit


@app.command()
def demo(
    mt: Annotated[
        bool,
        typer.Option(
            "--mt", help="Measure a translator: Apertium's eng-spa if installed, else Marian's en-pt (extra marian)."
        ),
    ] = False,
    out: Out = None,
    rehash: Rehash = False,
    fresh: Fresh = False,
    as_json: Json = False,
) -> None:
    """Measure the embedded model SmolLM2, or a translator of this machine, with the starter set: no hub, no key."""
    if mt:
        from genderscope.models import translator_at_hand

        model, target = translator_at_hand()
        measure("gest-mt", model, out, as_json, data="starter", to=(target,), rehash=rehash, fresh=fresh)
        return
    measure("gest", "smollm2", out, as_json, data="starter", rehash=rehash, fresh=fresh)


def measure(
    name: str,
    model: str,
    out: Path | None,
    as_json: bool,
    batch_size: str = "auto",
    log: list[str] | None = None,
    **settings: Any,
) -> None:
    """Run a measure with a progress bar and show its result; `settings` are those of `evaluate`."""
    check_trackers(log)
    from genderscope.report import announced, progress_bar

    questions = batch_size_of(batch_size)
    command = command_line()
    place: list[Path] = []
    with announced(messages, model), resumable(place, command):
        from genderscope.evaluation import evaluate

        with progress_bar(messages) as bar:
            result = evaluate(
                name,
                model,
                out=out,
                batch_size=questions,
                progress=bar,
                command=command,
                started=place.append,
                **settings,
            )
    _render(result, as_json, bool(settings.get("show_completions")))
    log_to(result, log)


def _render(result: Any, as_json: bool, completions: bool = False) -> None:
    if as_json:
        print(terminal_safe(result.to_json()))
        return
    from genderscope.report import show as show_result
    from genderscope.runs import AGAIN

    show_result(result, console(), completions, AGAIN)


def _run_command(name: str) -> Callable[..., None]:
    """Make the command of a measure: the common options, then those the measure declares."""
    from genderscope.cli.options import with_options

    def command(  # noqa: PLR0913 - each is an option of the command
        model: ModelSpec,
        out: Out = None,
        device: Device = "auto",
        dtype: Dtype = "float32",
        batch_size: BatchSize = "auto",
        beams: Beams = 4,
        engine: Engine = "auto",
        workers: Workers = None,
        address: Address = None,
        gpus_per_worker: GpusPerWorker = None,
        allow_pickle: AllowPickle = False,
        rehash: Rehash = False,
        fresh: Fresh = False,
        log: Log = None,
        as_json: Json = False,
        *,
        remote: Remote,
        **options: Any,
    ) -> None:
        where = {"engine": engine, "workers": workers, "address": address, "gpus_per_worker": gpus_per_worker}
        how = {"device": device, "dtype": dtype, "beams": beams, "allow_pickle": allow_pickle, "rehash": rehash}
        how["fresh"] = fresh
        measure(name, model, out, as_json, batch_size, log, remote=remote, **where, **how, **options)

    return with_remote(with_options(command, measure_type(name).options_type, f"The measure {name}", first=True))


@app.command()
def report(
    runs: Annotated[list[Path], typer.Argument(help="Folders of finished runs.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="HTML file to write.")] = Path("report.html"),
) -> None:
    """Write one self-contained page for one or many finished runs."""
    results = usable_runs(runs, any_measure=True)
    from genderscope.report import report as written

    print(in_line(str(written(results, out))))


@app.command()
def reproduce(
    what: Annotated[str, typer.Argument(help=f"What to recompute: {', '.join(REPRODUCTIONS)}.")],
    runs: Annotated[
        list[Path] | None,
        typer.Argument(help="Finished runs to set beside the paper's, for papers that released no scores."),
    ] = None,
    csv: Annotated[Path | None, typer.Option(help="Write every cell, published and ours, to this CSV file.")] = None,
) -> None:
    """Recompute a paper's tables from released data or your runs, beside the published values."""
    if what not in REPRODUCTIONS:
        raise unknown("reproduction", what, REPRODUCTIONS)
    module, function = REPRODUCTIONS[what].split(":")
    from genderscope.runs import reading, require_place

    results = usable_runs(runs) if runs else []
    if csv is not None:
        require_place(csv)
    with reading(*results):
        getattr(import_module(module), function)(console(), [result.folder for result in results], csv)


def main() -> None:
    """Run the command line: a user's mistake is one sentence and exit code 2."""
    show_warnings()
    with one_sentence(), heeding_termination():
        _commands()(prog_name="genderscope")


@cache
def _commands() -> Any:
    return typer.main.get_command(app)
