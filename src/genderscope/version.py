"""The version: part of every signature. And those of other packages, which decide what a model answers."""

from functools import cache

__version__ = "0.2.0"


@cache
def version_of(package: str) -> str | None:
    """Return the version of an installed package, read once: all of its metadata is parsed for it."""
    from importlib.metadata import PackageNotFoundError, version  # brings e-mail, sockets and more

    try:
        return version(package)
    except PackageNotFoundError:
        return None
