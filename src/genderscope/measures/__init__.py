"""What is computed: one module per measure. A new measure is a module and a line in MEASURES."""

from importlib import import_module
from typing import TYPE_CHECKING, cast

from genderscope.errors import unknown

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


def measure_type(name: str) -> "type[Measure]":
    """Return the class of the measure with this id."""
    if name not in MEASURES:
        raise unknown("measure", name, MEASURES)
    module, attribute = MEASURES[name].split(":")
    return cast("type[Measure]", getattr(import_module(module), attribute))
