"""Files of translations as arguments of a command that takes run folders: they are measured first."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any

from genderscope.cli.options import command_line
from genderscope.cli.run import make_run
from genderscope.core.errors import UserError, option_name
from genderscope.evaluation import RunSettings, translation_measure
from genderscope.runs import load_run, run_folder

SCHEME = "file:"
TRANSLATIONS = "file of translations"  # the kind of model that a file is


def measured(arguments: Sequence[str], measure: str | None, options: Mapping[str, Any]) -> dict[str, Path]:
    """Return the run folders by name; each file of translations is measured, or its finished run is reused.

    Without files, the runs have no names, and the dictionary is empty.
    """
    files = [argument for argument in arguments if _is_file(argument, may_be_missing=measure is not None)]
    given = {"measure": measure, **options}
    if not files:
        if unused := [option_name(name) for name, value in given.items() if value is not None]:
            raise UserError(
                f"Option {unused[0]} is for files of translations, and all arguments are folders of runs; leave it out."
            )
        return {}
    if measure is None:
        raise UserError(
            f"'{files[0]}' is a file of translations; add the measure and the languages, such as --measure gest-mt "
            "--to es."
        )
    translation_measure(measure)
    folders = {argument: run_folder(argument) for argument in arguments if argument not in files}
    names = _names([_path(folders[a]) if a in folders else a for a in arguments])  # before the files are measured
    folders |= {file: _measured(file, measure, options) for file in files}
    return dict(zip(names, (folders[argument] for argument in arguments), strict=True))


def _is_file(argument: str, may_be_missing: bool) -> bool:
    """Return whether an argument is a file of translations rather than a run folder or a file in one."""
    if argument.startswith(SCHEME) or "{lang}" in argument:
        return True
    path = Path(argument)
    if path.is_file():
        return not (path.parent / "run.json").exists()
    return may_be_missing and not path.exists() and path.suffix != ""


def _measured(file: str, measure: str, options: Mapping[str, Any]) -> Path:
    # The same settings as those of `genderscope run` without options, so that both use the same folder.
    settings = RunSettings(dtype="float32", command=command_line())
    given = {name: value for name, value in options.items() if value is not None}
    result = make_run(measure, f"{SCHEME}{file.removeprefix(SCHEME)}", None, settings, **given)
    assert result.folder is not None
    return result.folder


def _path(folder: Path) -> str:
    """Return the path of the translations behind a run, or its folder if they are not in a file."""
    model = load_run(folder).config["model"]
    return str(model["path"] if model.get("kind") == TRANSLATIONS else folder)


def _names(arguments: Sequence[str]) -> list[str]:
    """Return short, unique names: the end of each path without its ending, as long as needed to tell them apart."""
    if len(set(arguments)) < len(arguments):
        raise UserError(
            f"'{next(a for a in arguments if arguments.count(a) > 1)}' is given twice; give each file once."
        )
    parts = [_parts(argument) for argument in arguments]
    for length in range(1, max(map(len, parts)) + 1):
        names = ["/".join(own[-length:]) for own in parts]
        if len(set(names)) == len(names):
            return names
    return list(arguments)


def _parts(argument: str) -> list[str]:
    """Return a path's components without the ending and without the placeholder of the language."""
    path = PurePath(argument.removeprefix(SCHEME))
    is_file = _is_file(argument, may_be_missing=True)
    stem = re.sub(r"(\.[A-Za-z{]\w*\}?)?(\.gz)?$", "", path.name, count=1) if is_file else path.name
    parts = [re.sub(r"[._-]*\{lang\}", "", part) for part in (*path.parts[:-1], stem)]
    return [part.lstrip("._-") or part for part in parts if part.strip("._-/")] or [argument]
