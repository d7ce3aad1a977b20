"""`genderscope list`: what there is, and where it comes from."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from genderscope.cli.common import console
from genderscope.errors import UserError, unknown
from genderscope.plugins import BUILT_IN, Plugin
from genderscope.terminal_safe import in_line

Line = tuple[str, ...]


def list_(
    what: Annotated[
        str | None, typer.Argument(help="measures, models, datasets, languages or runs; without it, all but runs.")
    ] = None,
    folder: Annotated[
        Path | None, typer.Argument(help="With runs: the folder that holds them; default: runs and audit.")
    ] = None,
) -> None:
    """List what there is: measures, kinds of models, datasets, languages and what is read in them; runs."""
    from rich.text import Text

    from genderscope.report import plain_table

    lists: dict[str, Callable[[], Iterable[Line]]] = {
        "measures": _measures,
        "models": _models,
        "datasets": _datasets,
        "languages": _languages,
        "runs": lambda: _runs(folder),
    }
    if what is not None and what not in lists:
        raise unknown("list", what, lists)
    for name in [what] if what else [name for name in lists if name != "runs"]:
        lines = list(lists[name]())
        columns = max(map(len, lines), default=0)
        # Of a run the last is its leading number, which is never broken; where none is finished, there are only words.
        numbers = int(name == "runs" and columns > 1)
        table = plain_table([""] * (columns - numbers), [""] * numbers)
        for line in lines:
            table.add_row(*map(Text, line))
        if what is None:
            console().print(Text(name, style="bold"))
        console().print(table)


def _measures() -> Iterable[Line]:
    from genderscope.measures import MEASURES, measure_plugins, measure_type

    for name in MEASURES:
        yield name, measure_type(name).title, BUILT_IN
    for name, plugin in measure_plugins().items():
        yield name, _told(_title, plugin), plugin.origin


def _models() -> Iterable[Line]:
    from genderscope.models import BARE, SCHEMES, model_plugins

    for scheme, (_, _, text) in SCHEMES.items():
        yield scheme if scheme in BARE else f"{scheme}:…", text, BUILT_IN
    for scheme, plugin in model_plugins().items():
        yield f"{scheme}:…", _told(_about, plugin), plugin.origin


def _datasets() -> Iterable[Line]:
    from genderscope.samples.registry import DATASETS, dataset, dataset_plugins

    yield "starter", "starter set of this project, 16 stereotypes", "Apache-2.0", BUILT_IN
    for name in [*DATASETS, *dataset_plugins()]:
        plugin = dataset_plugins().get(name)
        try:
            found = dataset(name)
            count = len(found.files)
            told = f"{found.title} ({count} file{'s' * (count != 1)})", found.licence
        except UserError as error:
            told = str(error), ""
        yield name, *told, plugin.origin if plugin else BUILT_IN


def _languages() -> Iterable[Line]:
    """Yield a line per language and use: what is read in it, and which measure needs that."""
    from genderscope.grammar import draft_languages, language_plugins
    from genderscope.languages import ADJECTIVE_LANGUAGES, HONEST_LANGUAGES, LANGUAGES, SPEAKER_LANGUAGES, language_name

    speaker = "gender of the speaker (gest-mt, pairs)"
    for code in SPEAKER_LANGUAGES:
        yield code, LANGUAGES[code].name, speaker, BUILT_IN
    for code in draft_languages():
        yield code, language_name(code), f"draft: {speaker}", BUILT_IN
    for code, plugin in language_plugins().items():
        yield code, _told(_about, plugin), speaker, plugin.origin
    for code in ADJECTIVE_LANGUAGES:
        yield code, LANGUAGES[code].name, "gender of adjectives (dialogue)", BUILT_IN
    for code in HONEST_LANGUAGES:
        yield code, LANGUAGES[code].name, "hurtful completions (honest)", BUILT_IN


#: where `genderscope run` and `genderscope audit` keep runs
WHERE_RUNS_ARE = (Path("runs"), Path("audit"))


def _runs(folder: Path | None) -> Iterable[Line]:
    """The finished runs below a folder with their leading estimate, then what is unfinished or no run."""
    folders = [each for each in WHERE_RUNS_ARE if each.is_dir()] if folder is None else [folder]
    if not folders:
        raise UserError("There is neither a folder 'runs' nor 'audit' here; give the one that holds the runs.")
    from genderscope.comparison import collect
    from genderscope.measures import measure_type
    from genderscope.report import interval, number

    found = collect(folders)
    if not found.runs and not found.others:
        raise UserError(f"There is no run in '{folders[0]}' or below it.")
    for path, run in found.runs.items():
        names = measure_type(run.measure).headline
        lead = min((e for e in run.as_estimates() if e.name == names[0]), key=lambda e: e.spans, default=None)
        told = "" if lead is None else f"{lead.name} {number(lead.value)} {interval(lead)}, n = {lead.n:,}"
        model, data = (in_line(run.config[part]["name"]) for part in ("model", "data"))
        yield in_line(path), run.measure, model, data, told
    for path, why in found.others.items():
        yield (in_line(f"{path} {why}"),)


def _told(text: Callable[[Plugin], str], plugin: Plugin) -> str:
    """Return the text about a plugin, or why it cannot be told: the others are listed all the same."""
    try:
        return text(plugin)
    except UserError as error:
        return str(error)


def _title(plugin: Plugin) -> str:
    from genderscope.measures import measure_type

    return measure_type(plugin.name).title


def _about(plugin: Plugin) -> str:
    return _first_line(plugin.load())


def _first_line(thing: Any) -> str:
    return (thing.__doc__ or "").strip().partition("\n")[0]
