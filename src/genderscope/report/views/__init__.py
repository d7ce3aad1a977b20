"""Registry of the measures' views; a measure without its own view uses the default."""

import warnings
from dataclasses import replace
from importlib import import_module
from typing import cast

from genderscope.core.errors import UserError
from genderscope.measures import measure_plugins, measure_type
from genderscope.core.plugins import PluginWarning
from genderscope.report.views.plain_view import View

VIEWS = {
    "gest": "genderscope.report.views.gest_view:GestView",
    "gest-chat": "genderscope.report.views.gest_chat_view:GestChatView",
    "gest-mt": "genderscope.report.views.gest_mt_view:GestMtView",
    "honest": "genderscope.report.views.honest_view:HonestView",
    "stereoset": "genderscope.report.views.wordfill_view:WordFillView",
    "crows": "genderscope.report.views.wordfill_view:WordFillView",
    "slovak-gender": "genderscope.report.views.wordfill_view:WordFillView",
    "gest-slavic": "genderscope.report.views.gest_slavic_view:GestSlavicView",
    "winobias": "genderscope.report.views.winobias_view:WinoBiasView",
    "dialogue": "genderscope.report.views.dialogue_view:DialogueView",
    "eurogest": "genderscope.report.views.eurogest_view:EuroGestView",
    "mt-geneval": "genderscope.report.views.mt_geneval_view:MtGenEvalView",
    "winomt": "genderscope.report.views.winomt_view:WinoMtView",
    "gate": "genderscope.report.views.gate_view:GateView",
    "bbq": "genderscope.report.views.bbq_view:BbqView",
    "decisions": "genderscope.report.views.decisions_view:DecisionsView",
}


def view_of(measure: str) -> View:
    """Return a measure's view."""
    if measure not in VIEWS:
        return _plugin_view(measure)
    module, name = VIEWS[measure].split(":")
    return cast(View, getattr(import_module(module), name)())


def _plugin_view(measure: str) -> View:
    """Return the view declared by a plugin's measure, or the default if it declares none or its view fails to load."""
    plugin = measure_plugins().get(measure)
    if plugin is None:
        return View()
    try:
        target = measure_type(measure).view
        return cast(View, replace(plugin, target=target).load()()) if target is not None else View()
    except UserError as error:
        warnings.warn(str(error), PluginWarning, stacklevel=2)
        return View()
