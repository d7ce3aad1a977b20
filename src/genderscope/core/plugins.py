"""Measures, models, datasets and languages that other packages provide through entry points.

Plugins are imported on first use: an entry point's value, "module:attribute", is a lazy string like those in the
built-in registries.
"""

import re
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from genderscope.core.errors import UserError

#: what plugins can provide; the key is the entry point group without its prefix `genderscope.`
KINDS = {"measures": "measure", "models": "kind of model", "datasets": "dataset", "languages": "language"}

BUILT_IN = "built in"

#: patterns of valid names, which appear as commands, in lists of languages, and before the colon in model strings
_NAMES = {"models": (re.compile(r"[a-zA-Z][a-zA-Z0-9_+-]+"), "two or more letters")}
_NAME = (re.compile(r"[^\W_][\w.+-]*"), "letters, digits and . _ + -")
_WORDS = {"languages": {"all": "is reserved for selecting all languages"}}  # reserved words on the command line


class PluginWarning(UserWarning):
    """Warning about an installed plugin that is ignored because of a problem."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """An entry point: one name provided by an installed package."""

    kind: str
    name: str
    target: str
    package: str
    version: str
    rival: str | None = None  # another package that provides the same name, so that neither can be used

    @property
    def origin(self) -> str:
        """The package and its version, as shown in lists and signatures."""
        return f"{self.package}@{self.version}"

    def load(self) -> Any:
        """Import the plugin's object; raise a UserError that names its package on failure."""
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
            f"The {KINDS[self.kind]} '{self.name}' from the package '{self.package}' cannot be used ({reason}); "
            "update, fix or uninstall that package."
        )


def plugins(kind: str, built_in: Iterable[str]) -> dict[str, Plugin]:
    """Return the plugins of a kind by name; warn about names that are unusable or clash with built-in names."""
    taken = set(built_in)
    by_name: dict[str, Plugin] = {}
    for point in _points(kind):
        plugin = _plugin(kind, point)
        told = f"The package '{plugin.package}' provides a {KINDS[kind]} '{plugin.name}', which"
        if reason := _unusable(plugin):
            _warn(f"{told} {reason}; it is ignored.")
        elif plugin.name in taken:
            _warn(f"{told} has the name of a built-in one; the built-in one is used.")
        elif plugin.name in by_name:
            by_name[plugin.name] = replace(by_name[plugin.name], rival=plugin.package)
        else:
            by_name[plugin.name] = plugin
    return dict(sorted(by_name.items()))


def _unusable(plugin: Plugin) -> str | None:
    """Return why a plugin's name is unusable on the command line; None if it is valid."""
    form, told = _NAMES.get(plugin.kind, _NAME)
    if form.fullmatch(plugin.name) is None:
        return f"is not a valid name (use {told})"
    return _WORDS.get(plugin.kind, {}).get(plugin.name)


def installed() -> dict[str, str]:
    """Return the versions of all packages that provide plugins."""
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
    except Exception as error:  # one broken entry_points.txt must not stop the command
        _warn(
            f"The entry points of the installed packages cannot be read ({type(error).__name__}: {error}), so no "
            "plugins are used."
        )
        return ()


@cache
def _all_points() -> dict[str, tuple[EntryPoint, ...]]:
    """Return the entry points of every kind; cached, since the search takes about 15 ms."""
    points = entry_points()
    return {kind: tuple(points.select(group=f"genderscope.{kind}")) for kind in KINDS}
