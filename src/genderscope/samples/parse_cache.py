"""A cache of parsed datasets, for planning runs of several measures and models on the same data."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

#: (loader, arguments) -> loaded dataset, inside `parsed_once`
_sets: ContextVar[dict[Any, Any] | None] = ContextVar("sets", default=None)


@contextmanager
def parsed_once() -> Iterator[None]:
    """Parse each dataset only once inside this context; callers must not modify loaded datasets."""
    if _sets.get() is not None:
        yield
        return
    before = _sets.set({})
    try:
        yield
    finally:
        _sets.reset(before)


def cached(load: Callable[P, T]) -> Callable[P, T]:
    """Wrap a loader so that it caches its datasets inside `parsed_once`."""

    @wraps(load)
    def loaded(*arguments: P.args, **options: P.kwargs) -> T:
        sets = _sets.get()
        if sets is None:
            return load(*arguments, **options)
        key = (load, repr(arguments), repr(sorted(options.items())))
        if key not in sets:
            sets[key] = load(*arguments, **options)
        loaded_set: T = sets[key]
        return loaded_set

    return loaded
