"""`genderscope run`, with one command per measure, built on first use, and `genderscope demo`."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from genderscope.cli.commands import Command, CommandGroup, group
from genderscope.cli.completion import measures, with_completion
from genderscope.cli.options import (
    Fresh,
    Full,
    Json,
    ModelSpec,
    Rehash,
    command_line,
    plain_help,
    with_fields,
    with_model,
)
from genderscope.cli.output import console, messages, resumable
from genderscope.core.errors import UserError
from genderscope.evaluation import RunSettings
from genderscope.measures import measure_plugins, measure_type
from genderscope.util.safe_text import in_line, terminal_safe

if TYPE_CHECKING:
    from genderscope.runs import Result


Out = Annotated[
    Path | None,
    typer.Option("--out", "-o", help="Folder for the run; default: a folder in runs/ named after the configuration."),
]
Log = Annotated[
    list[str] | None,
    typer.Option("--log", metavar="mlflow|wandb|tensorboard", help="Also log the result to this tracker; repeatable."),
]


class MeasureGroup(CommandGroup):
    """The commands of all measures, each imported on first use, so that a broken plugin affects no other command."""

    def list_commands(self, ctx: Any) -> list[str]:
        return measures()

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Build the command for a measure; for a broken plugin, build a command that reports the error."""
        try:
            return _command(cmd_name, measure_type(cmd_name).title, _build(cmd_name))
        except UserError as error:
            if cmd_name not in self.list_commands(ctx):
                raise
            return _command(
                cmd_name,
                str(error),
                _raising(error),
                context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
            )


run_command = group("Measure a model: genderscope run MEASURE --model SPEC.", MeasureGroup)


def _command(name: str, help_text: str, function: Callable[..., None], **more: Any) -> Any:
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command(name, cls=Command, help=plain_help(help_text), **more)(with_completion(function))
    return typer.main.get_command(app)


def _build(name: str) -> Callable[..., None]:
    """Build the command for a measure; an error in a plugin's options names the plugin."""
    try:
        return _measure_command(name)
    except UserError:
        raise
    except Exception as error:
        if (plugin := measure_plugins().get(name)) is None:
            raise
        raise plugin.broken(f"its options cannot be turned into a command, {type(error).__name__}: {error}") from error


def _raising(error: UserError) -> Callable[..., None]:
    def command() -> None:
        raise error

    return command


def _measure_command(name: str) -> Callable[..., None]:
    kind = measure_type(name)

    def command(
        model: ModelSpec,
        out: Out = None,
        log: Log = None,
        as_json: Json = False,
        full: Full = False,
        *,
        settings: RunSettings,
        **options: Any,
    ) -> None:
        measure(name, model, out, as_json, settings, log, full, **options)

    return with_model(with_fields(command, kind.options_type, f"Options of {name}"), kind.asks, writes_runs=True)


def measure(
    name: str,
    model: str,
    out: Path | None,
    as_json: bool,
    settings: RunSettings,
    log: Sequence[str] | None = None,
    full: bool = False,
    **options: Any,
) -> None:
    """Run a measure with a progress bar and show its result."""
    if log:
        from genderscope.integrations import require_trackers

        require_trackers(log)
    result = make_run(name, model, out, settings, **options)
    if as_json:
        print(terminal_safe(result.to_json()))
    else:
        from genderscope.report import show
        from genderscope.runs import AGAIN

        show(result, console(), bool(options.get("show_completions")), AGAIN, full)
    for tracker in log or ():
        from genderscope.integrations import log as log_result

        messages.print(in_line(f"Logged: {log_result(result, tracker)}"), markup=False, soft_wrap=True)


def make_run(name: str, model: str, out: Path | None, settings: RunSettings, **options: Any) -> "Result":
    """Run a measure with a progress bar, or load its finished run; an interrupted run can be resumed."""
    from genderscope.report import announced, progress_bar

    place: list[Path] = []
    with announced(messages, model), resumable(place, settings.command or ""):
        from genderscope.evaluation import evaluate

        with progress_bar(messages) as bar:
            return evaluate(name, model, out=out, settings=settings, progress=bar, started=place.append, **options)


def demo_command(
    mt: Annotated[
        bool, typer.Option("--mt", help="Measure a translator: Apertium eng-spa if installed, else Marian en-pt.")
    ] = False,
    out: Out = None,
    rehash: Rehash = False,
    fresh: Fresh = False,
    as_json: Json = False,
    full: Full = False,
) -> None:
    """Measure the embedded model, SmolLM2, on the starter set; needs no model hub and no API key."""
    settings = RunSettings(rehash=rehash, fresh=fresh, command=command_line())
    if mt:
        from genderscope.models import translator_at_hand

        model, target = translator_at_hand()
        measure("gest-mt", model, out, as_json, settings, full=full, data="starter", to=(target,))
    else:
        measure("gest", "smollm2", out, as_json, settings, full=full, data="starter")
