"""The view of each measure: declared in its `view.toml`, a class of a plugin's own, or the default."""

import warnings
from dataclasses import replace
from typing import cast

from genderscope.core.errors import UserError
from genderscope.core.plugins import PluginWarning
from genderscope.measures import measure_plugins, measure_type
from genderscope.report.views.declaration import declaration_of
from genderscope.report.views.declared_view import DeclaredView
from genderscope.report.views.plain_view import View, known_measure


def view_of(measure: str) -> View:
    """Return a measure's view; a measure without one, or whose plugin is no longer installed, has the default."""
    if known_measure(measure) is None:
        return View()
    plugin = measure_plugins().get(measure)
    if plugin is None:
        return _declared(measure)
    try:
        target = measure_type(measure).view
        return _declared(measure) if target is None else cast(View, replace(plugin, target=target).load()())
    except UserError as error:
        warnings.warn(str(error), PluginWarning, stacklevel=2)
        return View()


def _declared(measure: str) -> View:
    declaration = declaration_of(measure)
    return View() if declaration is None else DeclaredView(declaration)
