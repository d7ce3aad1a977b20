"""The version, part of every signature, and the versions of other packages, on which a model's answers depend."""

from functools import cache

__version__ = "0.2.0"


@cache
def version_of(package: str) -> str | None:
    """Return the version of an installed package; cached, since all of its metadata is parsed."""
    from importlib.metadata import PackageNotFoundError, version  # brings e-mail, sockets and more

    try:
        return version(package)
    except PackageNotFoundError:
        return None
