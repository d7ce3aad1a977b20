"""Measures, models, datasets and languages provided by other packages, found through their entry points.

No plugin is imported before it is used: an entry point's value, "module:attribute", is a lazy string like those in the
registries of the built-in ones.
"""

import re
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from genderscope.errors import UserError

#: what plugins can provide; the entry point group is `genderscope.` and the key
KINDS = {"measures": "measure", "models": "kind of model", "datasets": "dataset", "languages": "language"}

BUILT_IN = "built in"

#: what a name must look like to be typed as a command, in a list of languages, or before the colon of a model string
_NAMES = {"models": (re.compile(r"[a-zA-Z][a-zA-Z0-9_+-]+"), "two letters or more")}
_NAME = (re.compile(r"[^\W_][\w.+-]*"), "letters, digits and . _ + -")
#: words with a meaning of their own on the command line
_WORDS = {"languages": {"all": "means all languages there"}}


class PluginWarning(UserWarning):
    """Something is wrong with an installed plugin; the command continues without it."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """One name provided by an installed package."""

    kind: str
    name: str
    target: str
    package: str
    version: str
    #: another package that provides the same name; then neither can be used
    rival: str | None = None

    @property
    def origin(self) -> str:
        """The package and its version, as lists and signatures show them."""
        return f"{self.package}@{self.version}"

    def load(self) -> Any:
        """Import the plugin's object; if that fails, the error names its package."""
        if self.rival is not None:
            raise UserError(
                f"The packages '{self.package}' and '{self.rival}' both provide a {KINDS[self.kind]} '{self.name}'; "
                "uninstall one of them."
            )
        module, _, attribute = self.target.partition(":")
        try:
            return getattr(import_module(module), attribute)
        except (Exception, SystemExit) as error:  # third-party code can raise anything on import
            said = (str(error).splitlines() or [""])[0]
            raise self.broken(f"{type(error).__name__}: {said}") from error

    def broken(self, reason: str) -> UserError:
        """Build the error for a plugin that cannot be used."""
        return UserError(
            f"The {KINDS[self.kind]} '{self.name}' of the package '{self.package}' cannot be used ({reason}); "
            "update, fix or uninstall that package."
        )


def plugins(kind: str, built_in: Iterable[str]) -> dict[str, Plugin]:
    """Return the plugins of a kind; a built-in name keeps its meaning, with a warning."""
    taken = set(built_in)
    found: dict[str, Plugin] = {}
    for point in _points(kind):
        plugin = _plugin(kind, point)
        told = f"The package '{plugin.package}' provides a {KINDS[kind]} '{plugin.name}', which"
        if reason := _unusable(plugin):
            _warn(f"{told} {reason}: it is left out.")
        elif plugin.name in taken:
            _warn(f"{told} is the name of a built-in one: the built-in one is used.")
        elif plugin.name in found:
            found[plugin.name] = replace(found[plugin.name], rival=plugin.package)
        else:
            found[plugin.name] = plugin
    return dict(sorted(found.items()))


def _unusable(plugin: Plugin) -> str | None:
    """Return why a plugin's name could not be used on the command line, or None."""
    form, told = _NAMES.get(plugin.kind, _NAME)
    if form.fullmatch(plugin.name) is None:
        return f"cannot be typed as a name ({told})"
    return _WORDS.get(plugin.kind, {}).get(plugin.name)


def installed() -> dict[str, str]:
    """Return the packages that provide plugins, with their versions."""
    brought = [_plugin(kind, point) for kind in KINDS for point in _points(kind)]
    return {plugin.package: plugin.version for plugin in brought}


def _warn(text: str) -> None:
    warnings.warn(text, PluginWarning, stacklevel=3)


def _plugin(kind: str, point: EntryPoint) -> Plugin:
    package, version = (point.dist.name, point.dist.version) if point.dist else ("unknown", "unknown")
    return Plugin(kind, point.name, point.value, package, version)


def _points(kind: str) -> Iterable[EntryPoint]:
    try:
        return _all_points()[kind]
    except Exception as error:  # one package with a broken entry_points.txt must not stop everything
        _warn(
            f"The entry points of the installed packages cannot be read ({type(error).__name__}: {error}), so there "
            "are no plugins."
        )
        return ()


@cache
def _all_points() -> dict[str, tuple[EntryPoint, ...]]:
    """The entry points of every kind; finding them takes about 15 ms, so it is done once, on the first lookup."""
    found = entry_points()
    return {kind: tuple(found.select(group=f"genderscope.{kind}")) for kind in KINDS}
