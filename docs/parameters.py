"""Generate the reference's tables of parameters and fields when the site is built."""

from pathlib import Path
from typing import Any

import griffe

from genderscope.util.lazy_imports import exported_names


class Tables(griffe.Extension):
    """Add undocumented parameters and fields to docstrings, so that tables list all of them with their types."""

    def on_module_members(self, *, mod: griffe.Module, **_: Any) -> None:
        """Export the names that a package imports lazily."""
        if mod.is_init_module and isinstance(mod.filepath, Path) and (names := exported_names(mod.filepath)):
            mod.exports = list(names)

    def on_function(self, *, func: griffe.Function, **_: Any) -> None:
        """List parameters that the docstring does not describe; types and defaults come from the signature."""
        if func.docstring is not None and "\nArgs:\n" not in func.docstring.value:
            _append(func.docstring, "Args", [(each.name, "") for each in func.parameters if each.name not in _BOUND])

    def on_class_members(self, *, cls: griffe.Class, **_: Any) -> None:
        """List the fields of a class, with the comment above each (`#: …`) or its description."""
        fields = [each for each in cls.attributes.values() if each.is_public and not each.docstring and each.annotation]
        if cls.docstring is not None:
            _append(cls.docstring, "Attributes", [(each.name, _comment(each) or _description(each)) for each in fields])


_BOUND = {"self", "cls"}


def _append(docstring: griffe.Docstring, heading: str, listed: list[tuple[str, str]]) -> None:
    if listed:
        lines = "".join(f"\n    {name}: {words}" for name, words in listed)
        docstring.value = f"{docstring.value}\n\n{heading}:{lines}"


def _comment(field: griffe.Attribute) -> str:
    """Return the comment above a field."""
    lines = field.module.source.splitlines()[: (field.lineno or 1) - 1]
    found: list[str] = []
    while lines and lines[-1].strip().startswith("#:"):
        found.insert(0, lines.pop().strip().removeprefix("#:").strip())
    return " ".join(found)


def _description(field: griffe.Attribute) -> str:
    """Return the description of an option, `Field(…, description="…")`."""
    given = getattr(field.value, "arguments", ())
    said = next((each.value for each in given if getattr(each, "name", "") == "description"), "")
    return " ".join(part.strip("'\" ") for part in str(said).split("\n"))
