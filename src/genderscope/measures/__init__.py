"""What is computed: one module per measure. A new measure is a module and a line in MEASURES, or a plugin."""

from importlib import import_module
from importlib.resources import files
from typing import TYPE_CHECKING, cast

from genderscope.errors import UserError, unknown
from genderscope.plugins import Plugin, plugins

if TYPE_CHECKING:
    from genderscope.measures.base import Measure

MEASURES = {
    "gest": "genderscope.measures.gest:Gest",
    "gest-mt": "genderscope.measures.gest_mt:GestMt",
    "honest": "genderscope.measures.honest:Honest",
    "stereoset": "genderscope.measures.stereoset:StereoSet",
    "crows": "genderscope.measures.crows:Crows",
    "slovak-gender": "genderscope.measures.slovak_gender:SlovakGender",
    "gest-slavic": "genderscope.measures.gest_slavic:GestSlavic",
    "winobias": "genderscope.measures.winobias:WinoBias",
    "dialogue": "genderscope.measures.dialogue:Dialogue",
}


def measure_plugins() -> dict[str, Plugin]:
    """Return the measures that other packages bring."""
    return plugins("measures", MEASURES)


def measure_type(name: str) -> "type[Measure]":
    """Return the class of the measure with this id."""
    brought = measure_plugins()
    if name in brought:
        return _checked(brought[name])
    if name not in MEASURES:
        raise unknown("measure", name, [*MEASURES, *brought])
    module, attribute = MEASURES[name].split(":")
    return cast("type[Measure]", getattr(import_module(module), attribute))


def card_of(name: str) -> str:
    """Return the card of a measure: the Markdown file that lies beside its module and is called like it."""
    package, _, module = measure_type(name).__module__.rpartition(".")
    card = files(package or module).joinpath(f"{module}.md")
    if not card.is_file():
        raise UserError(f"The measure '{name}' brings no card; look at its options with: genderscope run {name} --help")
    return card.read_text(encoding="utf-8")


def _checked(plugin: Plugin) -> "type[Measure]":
    from genderscope.measures.base import RESERVED, TOLD, Measure, Options

    kind = plugin.load()
    if not (isinstance(kind, type) and issubclass(kind, Measure)):
        raise plugin.broken(f"'{plugin.target}' is not a subclass of genderscope.measures.base.Measure")
    if lacking := [name for name in TOLD if not hasattr(kind, name)]:
        raise plugin.broken(f"it does not say its {', '.join(lacking)}")
    if kind.id != plugin.name:
        raise plugin.broken(f"its id is '{kind.id}'")
    if not (isinstance(kind.options_type, type) and issubclass(kind.options_type, Options)):
        raise plugin.broken("its options_type is not a subclass of genderscope.measures.base.Options")
    if taken := [name for name in kind.options_type.model_fields if name in RESERVED]:
        raise plugin.broken(f"its option '{taken[0]}' is called like one that every measure has; it must be renamed")
    return kind
