"""Genderscope's version, which is part of every signature, and the versions of installed packages."""

from functools import cache

__version__ = "0.4.0"


@cache
def version_of(package: str) -> str | None:
    """Return the version of an installed package, or None; cached, since metadata is slow to parse."""
    from importlib.metadata import PackageNotFoundError, version  # slow: imports email, socket and more

    try:
        return version(package)
    except PackageNotFoundError:
        return None
