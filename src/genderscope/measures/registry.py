"""The registry of built-in and plugin measures."""

import sys
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, cast

from genderscope.core.errors import UserError, unknown
from genderscope.core.plugins import Plugin, plugins

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.resources.abc import Traversable

    from pydantic.fields import FieldInfo

    from genderscope.measures.base import AnyMeasure

MEASURES = {
    "gest": "genderscope.measures.gest.measure:Gest",
    "gest-chat": "genderscope.measures.gest_chat.measure:GestChat",
    "gest-mt": "genderscope.measures.gest_mt.measure:GestMt",
    "honest": "genderscope.measures.honest.measure:Honest",
    "stereoset": "genderscope.measures.stereoset.measure:StereoSet",
    "crows": "genderscope.measures.crows.measure:Crows",
    "slovak-gender": "genderscope.measures.slovak_gender.measure:SlovakGender",
    "gest-slavic": "genderscope.measures.gest_slavic.measure:GestSlavic",
    "winobias": "genderscope.measures.winobias.measure:WinoBias",
    "dialogue": "genderscope.measures.dialogue.measure:Dialogue",
    "eurogest": "genderscope.measures.eurogest.measure:EuroGest",
    "mt-geneval": "genderscope.measures.mt_geneval.measure:GenEval",
    "bbq": "genderscope.measures.bbq.measure:Bbq",
    "winomt": "genderscope.measures.winomt.measure:WinoMt",
    "gate": "genderscope.measures.gate.measure:GateMt",
    "decisions": "genderscope.measures.decisions.measure:Decisions",
}

#: measures that only logs of other tools have; no model is asked
IMPORTED = {"item-scores": "genderscope.measures.item_scores.measure:ItemScores"}


def measure_plugins() -> dict[str, Plugin]:
    """Return the measures provided by other packages."""
    return plugins("measures", MEASURES | IMPORTED)


def measure_type(name: str) -> "type[AnyMeasure]":
    """Return the measure class with this id."""
    brought = measure_plugins()
    if name in brought:
        return _checked(brought[name])
    own = MEASURES | IMPORTED
    if name not in own:
        raise unknown("measure", name, [*MEASURES, *brought])
    module, attribute = own[name].split(":")
    return cast("type[AnyMeasure]", getattr(import_module(module), attribute))


def with_starter_set() -> list[str]:
    """Return the built-in measures with a starter set, in alphabetical order."""
    return sorted(name for name in MEASURES if measure_type(name).starter.get("data") == "starter")


def examples_for(name: str) -> list[str]:
    """Return a measure's example commands, from `examples.txt` next to its module.

    There are none for a plugin without this file, and for one that cannot be used, whose help page says why.
    """
    try:
        file = _file_of(measure_type(name), "examples.txt", "_examples.txt")
    except UserError:
        return []
    return file.read_text(encoding="utf-8").splitlines() if file else []


def card_of(name: str) -> str:
    """Return a measure's card: the Markdown file named after its module, or `card.md` in its package."""
    card = _file_of(measure_type(name), "card.md", ".md")
    if card is None:
        raise UserError(f"The measure '{name}' has no card; see its options with: genderscope run {name} --help")
    return card.read_text(encoding="utf-8")


def view_file(name: str) -> "Traversable | None":
    """Return the file that declares how a measure's results are shown; None if it and its base classes have none.

    It is named after the measure's module with `_view.toml`, or `view.toml` in its package.
    """
    from genderscope.measures.base import Measure

    kinds = [kind for kind in measure_type(name).__mro__ if issubclass(kind, Measure)]
    return next((f for kind in kinds if (f := _file_of(kind, "view.toml", "_view.toml")) is not None), None)


def _file_of(kind: type, name: str, ending: str) -> "Traversable | None":
    """Return the file next to a class that is named after its module, or else the one with this name."""
    package, _, module = kind.__module__.rpartition(".")
    folder = files(package) if package else Path(sys.modules[module].__file__ or "").parent
    return next((f for f in map(folder.joinpath, (f"{module}{ending}", name)) if f.is_file()), None)


def _checked(plugin: Plugin) -> "type[AnyMeasure]":
    from genderscope.measures.base import REQUIRED_ATTRIBUTES, Measure, Options

    kind = plugin.load()
    if not (isinstance(kind, type) and issubclass(kind, Measure)):
        raise plugin.broken(f"'{plugin.target}' is not a subclass of genderscope.measures.base.Measure")
    if lacking := [name for name in REQUIRED_ATTRIBUTES if not hasattr(kind, name)]:
        raise plugin.broken(f"it does not define {', '.join(lacking)}")
    if kind.estimates is Measure.estimates and kind.analysis is None:
        raise plugin.broken("it defines neither estimates nor analysis, the module with its declared rates")
    if kind.id != plugin.name:
        raise plugin.broken(f"its id is '{kind.id}'")
    if not (isinstance(kind.options_type, type) and issubclass(kind.options_type, Options)):
        raise plugin.broken("its options_type is not a subclass of genderscope.measures.base.Options")
    if reason := _clash(kind.options_type.model_fields):
        raise plugin.broken(f"{reason}; it must be renamed")
    if kind.row_type is not None:
        _check_row(plugin, kind.row_type)
    return kind


def _clash(own: "Mapping[str, FieldInfo]") -> str | None:
    """Return an error message if an option name is already taken, otherwise None."""
    from genderscope.measures.base import RESERVED, Options

    for name, field in own.items():
        if name in RESERVED:
            return f"its option '{name}' has the same name as an option of every measure"
        inherited = Options.model_fields.get(name)
        if inherited is not None and inherited.annotation != field.annotation:
            return f"its option '{name}' differs in type from the option that every measure has"
        switch = name.removeprefix("no_")
        if switch != name and switch in own and own[switch].annotation is bool:
            return f"its option '{name}' has the same name as the flag that turns off its option '{switch}'"
    return None


def _check_row(plugin: Plugin, row_type: type) -> None:
    """Reject a row type that cannot be stored in a table, before any questions are asked."""
    from genderscope.measures.rows import columns_of

    try:
        columns_of(row_type)
    except (TypeError, NameError) as error:
        raise plugin.broken(f"its row_type cannot be stored in a table: {error}") from error
