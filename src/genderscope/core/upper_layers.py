"""Loaders, set by the package, of the modules above with which results and comparisons judge and draw themselves."""

from collections.abc import Callable

#: name -> function that imports the module; `runs.result` declares the protocols that the modules implement
LOADERS: dict[str, Callable[[], object]] = {}
