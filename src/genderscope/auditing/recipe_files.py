"""What a recipe may name: it can come from somebody else, so it reads files below its own folder only."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from genderscope.errors import UserError, option_name
from genderscope.tables import own_text

#: bytes of a recipe
LARGEST = 1_000_000
#: options of measures that name a file; its texts may be sent to a server
FILE_OPTIONS = ("data", "pairs", "prompts", "lexicon")
#: a word in the place of a file
STARTER = "starter"
#: options of servers that only the command line may give: which secrets are sent, and consent to costs, are not a
#: stranger's to choose
COMMAND_LINE_ONLY = ("key_env", "allow_http", "yes")


def toml_of(path: Path) -> dict[str, Any]:
    """Read a TOML file; what is wrong with it is one sentence."""
    text = own_text(path, "recipe", LARGEST)
    try:
        return tomllib.loads(text)
    except RecursionError:
        reason = "it is nested too deeply"
    except tomllib.TOMLDecodeError as error:
        reason = str(error)
    except ValueError as error:  # a number of thousands of digits
        reason = str(error).partition(";")[0]
    raise UserError(f"The recipe '{path}' is not TOML: {reason}.")


def file_below(folder: Path, name: str) -> str:
    """Return the path of a file that a recipe in this folder names; refuse one outside the folder."""
    path = folder / name
    try:
        inside = path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):  # links in a circle, a NUL
        inside = False
    if not inside or Path(name).is_absolute() or ".." in Path(name).parts:
        raise UserError(
            f"It names the file '{name}', but a recipe reads files below its own folder only; "
            "give a path relative to the recipe, without '..'."
        )
    return str(path)


def remote_options(given: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return the recipe's options of servers, with the files that they name."""
    if (name := next((name for name in COMMAND_LINE_ONLY if name in given), None)) is not None:
        raise UserError(f"'{name}' is your own decision, which no recipe can make; give {option_name(name)} instead.")
    found = dict(given)
    for name in ("system", "prompt"):
        if isinstance(text := found.get(name), str) and text.startswith("@"):
            found[name] = f"@{file_below(folder, text[1:])}"
    if isinstance(template := found.get("chat_template"), str):
        found["chat_template"] = file_below(folder, template)
    return found


def measure_options(given: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return the recipe's options of a measure, with the files that they name."""
    return {
        name: file_below(folder, value)
        if name in FILE_OPTIONS and isinstance(value, str) and value != STARTER
        else tuple(value)
        if isinstance(value, list)
        else value
        for name, value in given.items()
    }
