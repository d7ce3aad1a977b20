"""Validation of the user's measure options."""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from genderscope.core.errors import UserError, did_you_mean, option_name
from genderscope.core.languages import language_code
from genderscope.core.tables import require_data_file
from genderscope.measures.base import AnyMeasure, Options
from genderscope.measures.threshold_checks import check_margin

LANGUAGE_OPTIONS = {"to", "lang"}  # options whose values are languages


def parse_options(
    kind: type[AnyMeasure], options: Mapping[str, Any], other_names: Iterable[str] = (), recorded: bool = False
) -> Options:
    """Validate a measure's options and fill in defaults; for misspelt options, also suggest `other_names`.

    An option without a value (None) takes its default, unless the options are `recorded`: there, None is what an
    earlier version wrote for a default that may have changed since.
    """
    check_names(kind, options, other_names)
    options = {name: value for name, value in _with_codes(options).items() if recorded or value is not None}
    try:
        parsed = kind.options_type(**options)
        check_margin(kind, parsed)
    except ValidationError as error:
        raise _told(kind, error.errors()[0]) from None
    if reason := parsed.ineffective():
        raise UserError(reason)
    if isinstance(data := getattr(parsed, "data", None), str):
        require_data_file(data, kind.starter.values())
    return parsed


def check_some_options(kind: type[AnyMeasure], options: Mapping[str, Any]) -> None:
    """Validate the names and values of an incomplete set of options, ignoring missing ones."""
    check_names(kind, options)
    options = _with_codes(options)
    try:
        kind.options_type(**options)
    except ValidationError as error:
        for problem in error.errors():
            if problem["type"] != "missing":
                raise _told(kind, problem) from None


def _with_codes(options: Mapping[str, Any]) -> dict[str, Any]:
    """Replace the English names of languages by their codes: to="Slovak,cs" becomes to=("sk", "cs")."""
    coded = dict(options)
    for name in LANGUAGE_OPTIONS & options.keys():
        value = options[name]
        if isinstance(value, str):
            coded[name] = ",".join(map(language_code, value.split(",")))
        elif isinstance(value, list | tuple):
            coded[name] = tuple(language_code(part) if isinstance(part, str) else part for part in value)
    return coded


def check_names(kind: type[AnyMeasure], options: Mapping[str, Any], other_names: Iterable[str] = ()) -> None:
    """Raise a UserError for an option that the measure does not have."""
    fields = kind.options_type.model_fields
    for name in options:
        if name not in fields:
            hint = did_you_mean(name, [*fields, *other_names])
            raise UserError(f"Measure '{kind.id}' has no option '{name}'; it has {', '.join(fields)}.{hint}")


def _told(kind: type[AnyMeasure], first: Any) -> UserError:
    field = str(first["loc"][0])
    name = option_name(field)
    if first["type"] == "missing":  # the input is the set of all other options
        purpose = (kind.options_type.model_fields[field].description or "").rstrip(".")
        return UserError(f"Measure '{kind.id}' needs {name}: {purpose[:1].lower()}{purpose[1:]}.")
    return UserError(f"Option {name} is {first['input']!r}: {first['msg'][0].lower()}{first['msg'][1:]}.")
