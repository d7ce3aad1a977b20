"""A package's `__init__` is its door: it names what others may use. What it names is imported when first used."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any


def door(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the package's `__getattr__`: name -> the module of the package that defines it."""

    class Door(ModuleType):
        def __setattr__(self, name: str, value: Any) -> None:
            # Python puts a module that is imported into its package: one that is called like what it defines
            # (`verdict.verdict`) would stand in its place.
            itself = isinstance(value, ModuleType) and homes.get(name) == name
            super().__setattr__(name, getattr(value, name) if itself else value)

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    sys.modules[package].__class__ = Door
    return get
