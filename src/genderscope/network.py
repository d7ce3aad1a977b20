"""Whether anything may be fetched: inside `offline()` only what is on this machine is used."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from genderscope.errors import UserError

_OFFLINE: ContextVar[bool] = ContextVar("offline", default=False)


class NotHereError(UserError):
    """Something is not on this machine, and nothing may be fetched."""


@contextmanager
def offline(wanted: bool = True) -> Iterator[None]:
    """Fetch nothing in this block, where that is wanted."""
    token = _OFFLINE.set(wanted or _OFFLINE.get())
    try:
        yield
    finally:
        _OFFLINE.reset(token)


def is_offline() -> bool:
    """Tell whether only what is on this machine may be used."""
    return _OFFLINE.get()


def require_network(what: str) -> None:
    """Refuse, where nothing may be fetched: `what` is a sentence's beginning such as "The file 'x' is not here"."""
    if is_offline():
        raise NotHereError(f"{what}, and nothing is fetched offline.")
