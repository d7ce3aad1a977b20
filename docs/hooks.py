"""Generate pages when the site is built: one per measure from its card, and the command reference."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from genderscope.cli.app import PANELS, app
from genderscope.cli.commands import examples_of
from genderscope.measures import MEASURES, card_of, measure_type

MEASURES_SECTION = "Measures"
#: folders of the pages that a section lists even if mkdocs.yml does not
SECTIONS = {"How-to guides": "how-to/", "Explanation": ""}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the measures' pages and any unlisted page to the navigation."""
    _section(config, MEASURES_SECTION).extend({name: _page(name)} for name in MEASURES)
    listed = set(_paths(config.nav))
    for section, folder in SECTIONS.items():
        for page in sorted(Path(config.docs_dir, folder).glob("*.md")):
            if folder + page.name not in listed:
                heading = page.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ")
                _section(config, section).append({heading: folder + page.name})
    return config


def _paths(nav: Any) -> Iterator[str]:
    """Yield the paths of all pages in the navigation."""
    if isinstance(nav, str):
        yield nav
    else:
        for entry in nav.values() if isinstance(nav, dict) else nav or ():
            yield from _paths(entry)


def _section(config: MkDocsConfig, name: str) -> Any:
    """Return the entries of a section, at the top level or one level below."""
    entries = [entry for entry in config.nav or () if isinstance(entry, dict)]
    nested = [item for entry in entries for items in entry.values() if isinstance(items, list) for item in items]
    return next(entry[name] for entry in [*entries, *nested] if name in entry)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages."""
    for name in MEASURES:
        files.append(File.generated(config, _page(name), content=card_of(name)))
    files.append(File.generated(config, "measures/index.md", content=_measures()))
    files.append(File.generated(config, "reference/cli.md", content=_commands()))
    return files


def _page(measure: str) -> str:
    """Return the page's path; it matches the card's folder, so that links between cards resolve."""
    return f"measures/{measure.replace('-', '_')}.md"


def _measures() -> str:
    lines = [
        "# All measures",
        "",
        "Each measure has a card with its question, formulas, neutral points, caveats and citation.",
        "[How to read the numbers](../reading-the-numbers.md) applies to all of them.",
        "",
        "| measure | title | headline | cite |",
        "|---|---|---|---|",
    ]
    for name in MEASURES:
        kind = measure_type(name)
        headline = ", ".join(f"`{each}`" for each in kind.headline)
        cite = kind.citation.partition(":")[0]
        lines.append(f"| [`{name}`]({name.replace('-', '_')}.md) | {kind.title} | {headline} | {cite} |")
    return "\n".join([*lines, ""])


def _commands() -> str:
    root = typer.main.get_command(app)
    context = root.context_class(root, info_name="genderscope")
    lines = ["# Commands", "", "Generated from the code. `genderscope COMMAND --help` also lists your plugins.", ""]
    for panel, names in PANELS.items():
        lines += [f"## {panel}", ""]
        for name in names:
            lines += _described(root.get_command(context, name), name, 3)
    return "\n".join(lines)


def _described(command: Any, path: str, level: int) -> Iterator[str]:
    """Yield the lines about a command, then about its subcommands."""
    context = command.context_class(command, info_name=path)
    yield from (f"{'#' * min(level, 4)} genderscope {path}", "", _cell(command.help or ""), "")
    yield from _parameters(command)
    yield from ("```console", *(f"$ {example}" for example in examples_of(path)), "```", "")
    for name in getattr(command, "list_commands", lambda _: [])(context):
        yield from _described(command.get_command(context, name), f"{path} {name}", level + 1)


def _parameters(command: Any) -> Iterator[str]:
    shown = [each for each in command.params if not getattr(each, "hidden", False) and each.name != "help"]
    if not shown:
        return
    yield from ("| option | meaning | default |", "|---|---|---|")
    for each in shown:
        names = each.opts if each.param_type_name == "option" else [_metavar(each)]
        choices = [each.metavar] if each.param_type_name == "option" and "|" in (each.metavar or "") else []
        listed = ", ".join(f"`{name}`" for name in names) + "".join(f" `{_cell(choice)}`" for choice in choices)
        default = "required" if each.required else _default(each)
        yield f"| {listed} | {_cell(getattr(each, 'help', None) or '')} | {default} |"
    yield ""


def _metavar(parameter: Any) -> str:
    return _cell(parameter.metavar or parameter.name.upper()) + ("…" if parameter.nargs == -1 else "")


def _default(parameter: Any) -> str:
    return "" if parameter.default in (None, False, "") else f"`{parameter.default}`"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
