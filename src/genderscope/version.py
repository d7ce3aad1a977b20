"""The version: part of every signature. And those of other packages, which decide what a model answers."""

from functools import cache
from importlib.metadata import PackageNotFoundError, version

__version__ = "0.2.0"


@cache
def version_of(package: str) -> str | None:
    """Return the version of an installed package, read once: all of its metadata is parsed for it."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None
