"""`genderscope list` and `genderscope card`: measures, models, datasets, languages and runs."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from genderscope.cli.completion import RUN_FOLDERS
from genderscope.cli.options import MeasureName
from genderscope.cli.output import console
from genderscope.core.errors import UserError, unknown
from genderscope.core.plugins import BUILT_IN, Plugin
from genderscope.util.safe_text import in_line, terminal_safe

T = TypeVar("T")
Line = tuple[str, ...]


def list_command(
    topic: Annotated[
        str | None,
        typer.Argument(metavar="TOPIC", help="measures, models, datasets, languages or runs; default: all but runs."),
    ] = None,
    folder: Annotated[Path | None, typer.Argument(help="Folder with runs; default: runs and audit.")] = None,
) -> None:
    """List available measures, models, datasets, languages or runs."""
    from rich.text import Text

    from genderscope.report import plain_table

    lists: dict[str, Callable[[], Iterable[Line]]] = {
        "measures": _measures,
        "models": _models,
        "datasets": _datasets,
        "languages": _languages,
        "runs": lambda: _runs(folder),
    }
    if topic is not None and topic not in lists:
        raise unknown("list", topic, lists)
    for name in [topic] if topic else list(lists)[:-1]:
        lines = list(lists[name]())
        columns = max(map(len, lines), default=0)
        # The last columns of a finished run are its leading estimate and verdict, which must not be wrapped.
        numbers = 2 * int(name == "runs" and columns > 1)
        table = plain_table([""] * (columns - numbers), [""] * numbers)
        for line in lines:
            table.add_row(*map(Text, line))
        if topic is None:
            console().print(Text(name, style="bold"))
        console().print(table)


def _measures() -> Iterable[Line]:
    from genderscope.measures import MEASURES, measure_plugins, measure_type

    for name in MEASURES:
        yield name, measure_type(name).title, BUILT_IN
    for name, plugin in measure_plugins().items():
        yield name, _or_error(lambda plugin_name: measure_type(plugin_name).title, name), plugin.origin


def _models() -> Iterable[Line]:
    from genderscope.models import BARE, SCHEMES, model_plugins

    for scheme, (_, _, text) in SCHEMES.items():
        yield scheme if scheme in BARE else f"{scheme}:…", text, BUILT_IN
    for scheme, plugin in model_plugins().items():
        yield f"{scheme}:…", _or_error(_first_line, plugin), plugin.origin


def _datasets() -> Iterable[Line]:
    from genderscope.samples.fetch import locate
    from genderscope.samples.registry import DATASETS, dataset, dataset_plugins

    yield "starter", "starter set written for Genderscope, 16 stereotypes", "Apache-2.0", BUILT_IN
    for name in [*DATASETS, *dataset_plugins()]:
        plugin = dataset_plugins().get(name)
        try:
            entry = dataset(name)
            count = len(entry.files)
            description = f"{entry.title} ({count} file{'s' * (count != 1)})", entry.licence
            place = "on this machine" if all(map(locate, entry.files)) else "downloaded on first use"
        except UserError as error:
            description, place = (str(error), ""), ""
        yield name, *description, plugin.origin if plugin else place


def _languages() -> Iterable[Line]:
    """Yield one line per language and purpose, with the measures that support the language."""
    from genderscope.core.languages import (
        ADJECTIVE_LANGUAGES,
        HONEST_LANGUAGES,
        LANGUAGES,
        SPEAKER_LANGUAGES,
        language_name,
    )
    from genderscope.grammar import draft_languages, language_plugins

    speaker = "speaker gender (gest-mt, pairs)"
    for code in SPEAKER_LANGUAGES:
        yield code, LANGUAGES[code].name, speaker, BUILT_IN
    for code in draft_languages():
        yield code, language_name(code), f"draft: {speaker}", BUILT_IN
    for code, plugin in language_plugins().items():
        yield code, _or_error(_first_line, plugin), speaker, plugin.origin
    for code in ADJECTIVE_LANGUAGES:
        yield code, LANGUAGES[code].name, "adjective gender (dialogue)", BUILT_IN
    for code in HONEST_LANGUAGES:
        yield code, LANGUAGES[code].name, "hurtful completions (honest)", BUILT_IN


def _runs(folder: Path | None) -> Iterable[Line]:
    """Yield the finished runs in a folder with their leading estimates and verdicts, then the unusable runs."""
    folders = [root for root in RUN_FOLDERS if root.is_dir()] if folder is None else [folder]
    if not folders:
        raise UserError("There is no folder 'runs' or 'audit' here; give the folder that contains the runs.")
    from genderscope.comparison import collect
    from genderscope.judgement import label, short_verdict
    from genderscope.measures import judge_result
    from genderscope.report import interval, number

    collected = collect(folders)
    if not collected.runs and not collected.others:
        raise UserError(f"There is no run in '{folders[0]}' or its subfolders.")
    for path, run in collected.runs.items():
        judgements = [judgement for _, judgement in judge_result(run)]
        lead = next((j for j in judgements if j.estimate.value is not None), next(iter(judgements), None))
        e = None if lead is None else lead.estimate
        estimate = "" if e is None else f"{label(e)} {number(e.value)} {interval(e)}, n = {e.n:,}"
        model, data = (in_line(run.config[part]["name"]) for part in ("model", "data"))
        verdict = "" if lead is None else short_verdict(lead)
        yield in_line(path), run.measure, model, data, estimate, verdict
    for path, why in collected.others.items():
        yield (in_line(f"{path} {why}"),)


def _or_error(describe: Callable[[T], str], plugin: T) -> str:
    """Return the description, or the error of a broken plugin, so that the others are still listed."""
    try:
        return describe(plugin)
    except UserError as error:
        return str(error)


def _first_line(plugin: Plugin) -> str:
    return (plugin.load().__doc__ or "").strip().partition("\n")[0]


def card_command(measure: MeasureName) -> None:
    """Print the card of a measure: its questions, formulas, interpretation and caveats."""
    from genderscope.measures import card_of

    print(terminal_safe(card_of(measure)))
