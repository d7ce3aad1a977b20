"""A package's `__init__` is its door: it lists the names other packages may use, imported on first use."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any


def door(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the package's `__getattr__`: name -> the module of the package that defines it."""

    class Door(ModuleType):
        """Keeps a function that has the same name as its module; importing the module would otherwise overwrite it."""

        def __setattr__(self, name: str, value: object) -> None:
            if not (name in homes and isinstance(value, ModuleType)):
                super().__setattr__(name, value)

    sys.modules[package].__class__ = Door

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return get
