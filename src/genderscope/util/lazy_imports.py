"""Modules imported on first use: the public names of packages, and modules of higher layers.

A package declares its public names as `TYPE_CHECKING` imports in its `__init__.py`. A lower layer that needs a higher
one, such as `Result.plot`, declares what it needs as a protocol, and `genderscope/__init__.py` names the module. A test
lets mypy check that the modules fit.
"""

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Generic, TypeVar


def lazy_exports(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` for a package whose `__init__.py` imports its names `if TYPE_CHECKING`."""
    modules: dict[str, str] = {}

    def exported() -> dict[str, str]:
        if not modules:
            modules.update(exported_names(Path(str(sys.modules[package].__file__))))
        return modules

    def get(name: str) -> Any:
        if name == "__all__":
            return sorted(exported())
        if name not in exported():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = import_module(modules[name], package)
        # `genderscope.report` is a callable package, so importing it has already set the attribute.
        return vars(sys.modules[package]).setdefault(name, getattr(home, name))

    return get, lambda: sorted(exported())


def exported_names(init: Path) -> dict[str, str]:
    """Map each name that an `__init__.py` re-exports (`name as name`) for type checkers to its module."""
    for node in ast.parse(init.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            imports = [part for part in node.body if isinstance(part, ast.ImportFrom)]
            named = [(f"{'.' * part.level}{part.module}", alias) for part in imports for alias in part.names]
            return {alias.name: module for module, alias in named if alias.asname == alias.name}
    return {}


T = TypeVar("T")

#: role -> a function that imports its module
HIGHER_LAYERS: dict[str, Callable[[], object]] = {}


class HigherLayer(Generic[T]):
    """A module of a higher layer that implements the protocol T, imported when it is first called."""

    def __init__(self, role: str) -> None:
        self.role = role

    def __call__(self) -> T:
        """Return the module."""
        module: T = HIGHER_LAYERS[self.role]()  # type: ignore[assignment]
        return module
