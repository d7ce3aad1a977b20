"""Validation of the user's measure options."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from genderscope.core.errors import UserError, did_you_mean, option_name
from genderscope.measures.base import AnyMeasure, Options
from genderscope.measures.threshold_checks import check_margin

#: file extensions that distinguish data files from dataset names
_TABLES = (".csv", ".tsv", ".jsonl", ".txt")


def parse_options(kind: type[AnyMeasure], options: Mapping[str, Any], other_names: Iterable[str] = ()) -> Options:
    """Validate a measure's options and fill in defaults; for misspelt options, also suggest `other_names`."""
    check_names(kind, options, other_names)
    try:
        chosen = kind.options_type(**options)
        check_margin(kind, chosen)
    except ValidationError as error:
        raise _told(error.errors()[0]) from None
    if reason := chosen.ineffective():
        raise UserError(reason)
    _require_file(getattr(chosen, "data", None))
    return chosen


def check_some_options(kind: type[AnyMeasure], options: Mapping[str, Any]) -> None:
    """Validate the names and values of an incomplete set of options, ignoring missing ones."""
    check_names(kind, options)
    try:
        kind.options_type(**options)
    except ValidationError as error:
        for each in error.errors():
            if each["type"] != "missing":
                raise _told(each) from None


def _require_file(data: Any) -> None:
    """Raise a UserError if a data file does not exist, before the model is loaded."""
    if isinstance(data, str) and data.lower().removesuffix(".gz").endswith(_TABLES) and "{" not in data:
        with suppress(ValueError, RuntimeError, PermissionError):  # the loader reports these errors
            if not Path(data).expanduser().exists():
                raise UserError(f"The data file '{data}' cannot be read: No such file or directory.")


def check_names(kind: type[AnyMeasure], options: Mapping[str, Any], other_names: Iterable[str] = ()) -> None:
    """Raise a UserError for an option that the measure does not have."""
    known = kind.options_type.model_fields
    for name in options:
        if name not in known:
            hint = did_you_mean(name, [*known, *other_names])
            raise UserError(f"Measure '{kind.id}' has no option '{name}'; it has {', '.join(known)}.{hint}")


def _told(first: Any) -> UserError:
    name = option_name(str(first["loc"][0]))
    return UserError(f"Option {name} is {first['input']!r}: {first['msg'][0].lower()}{first['msg'][1:]}.")
