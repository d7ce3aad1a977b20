"""Sets that are parsed once while several measures and models are planned, which take the same sentences."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

#: loader and arguments -> what it returned, while sets are kept
_sets: ContextVar[dict[Any, Any] | None] = ContextVar("sets", default=None)


@contextmanager
def parsed_once() -> Iterator[None]:
    """Within: a set is parsed once and kept; what is loaded must not be changed by whoever loads it."""
    if _sets.get() is not None:
        yield
        return
    before = _sets.set({})
    try:
        yield
    finally:
        _sets.reset(before)


def kept(load: Callable[P, T]) -> Callable[P, T]:
    """Return a loader that remembers its sets within `parsed_once`."""

    @wraps(load)
    def loaded(*arguments: P.args, **options: P.kwargs) -> T:
        sets = _sets.get()
        if sets is None:
            return load(*arguments, **options)
        key = (load, repr(arguments), repr(sorted(options.items())))
        if key not in sets:
            sets[key] = load(*arguments, **options)
        found: T = sets[key]
        return found

    return loaded
