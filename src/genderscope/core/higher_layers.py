"""Modules of higher layers behind methods of lower ones, such as `Result.plot`, without importing them.

The class that has the method declares what it needs as a protocol, and `genderscope/__init__.py` names the module. A
test lets mypy check that the modules fit.
"""

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")

#: role -> a function that imports its module
MODULES: dict[str, Callable[[], object]] = {}


class HigherLayer(Generic[T]):
    """A module of a higher layer that implements the protocol T, imported when it is first called."""

    def __init__(self, role: str) -> None:
        self.role = role

    def __call__(self) -> T:
        """Return the module."""
        module: T = MODULES[self.role]()  # type: ignore[assignment]
        return module
