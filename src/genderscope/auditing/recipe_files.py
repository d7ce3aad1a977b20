"""File access from recipes: a recipe may be untrusted, so it can only read files below its own folder."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from genderscope.core.errors import UserError, option_name
from genderscope.core.tables import own_text

LARGEST = 1_000_000  # maximum size of a recipe in bytes
#: measure options that name a file, whose texts may be sent to a server
FILE_OPTIONS = ("data", "pairs", "prompts", "lexicon", "controls")
KEYWORDS = ("starter", "none")  # accepted instead of a file name
#: server options allowed only on the command line: a stranger's recipe must not decide which secrets are sent or
#: consent to costs
COMMAND_LINE_ONLY = ("key_env", "allow_http", "yes")


def toml_of(path: Path) -> dict[str, Any]:
    """Parse a TOML file, reporting errors in one sentence."""
    text = own_text(path, "recipe", LARGEST)
    try:
        return tomllib.loads(text)
    except RecursionError:
        reason = "it is nested too deeply"
    except tomllib.TOMLDecodeError as error:
        reason = str(error)
    except ValueError as error:  # for example, a number with thousands of digits
        reason = str(error).partition(";")[0]
    raise UserError(f"The recipe '{path}' is not TOML: {reason}.")


def file_below(folder: Path, name: str) -> str:
    """Return the path of a file named in a recipe; raise if it is outside the recipe's folder."""
    path = folder / name
    try:
        inside = path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):  # circular links, a NUL
        inside = False
    if not inside or Path(name).is_absolute() or ".." in Path(name).parts:
        raise UserError(
            f"It names the file '{name}', but a recipe can only use files in its own folder; "
            "give a path relative to the recipe, without '..'."
        )
    return str(path)


def remote_options(given: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return a recipe's server options with resolved file paths."""
    if (name := next((name for name in COMMAND_LINE_ONLY if name in given), None)) is not None:
        raise UserError(f"'{name}' cannot be set in a recipe, for your safety; use {option_name(name)} instead.")
    found = dict(given)
    for name in ("system", "prompt"):
        if isinstance(text := found.get(name), str) and text.startswith("@"):
            found[name] = f"@{file_below(folder, text[1:])}"
    if isinstance(template := found.get("chat_template"), str):
        found["chat_template"] = file_below(folder, template)
    return found


def measure_options(given: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return a recipe's options for a measure with resolved file paths."""
    return {
        name: file_below(folder, value)
        if name in FILE_OPTIONS and isinstance(value, str) and value not in KEYWORDS
        else tuple(value)
        if isinstance(value, list)
        else value
        for name, value in given.items()
    }
