"""How each measure's result is laid out; a measure without a view of its own gets the plain one."""

from importlib import import_module
from typing import cast

from genderscope.report.views.base import View

VIEWS = {
    "gest": "genderscope.report.views.gest:GestView",
    "gest-mt": "genderscope.report.views.gest_mt:GestMtView",
    "honest": "genderscope.report.views.honest:HonestView",
    "stereoset": "genderscope.report.views.wordfill:WordFillView",
    "crows": "genderscope.report.views.wordfill:WordFillView",
    "slovak-gender": "genderscope.report.views.wordfill:WordFillView",
    "gest-slavic": "genderscope.report.views.gest_slavic:GestSlavicView",
    "winobias": "genderscope.report.views.winobias:WinoBiasView",
    "dialogue": "genderscope.report.views.dialogue:DialogueView",
}


def view_of(measure: str) -> View:
    """Return the view for results of this measure."""
    module, name = VIEWS.get(measure, "genderscope.report.views.base:View").split(":")
    return cast(View, getattr(import_module(module), name)())
