"""Runs in folders or among given paths, with unique labels; pandas is not imported until a run is found."""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from genderscope.comparison.comparability import required_settings
from genderscope.comparison.row_pairing import DRAW
from genderscope.core.errors import UserError
from genderscope.measures import measure_type, options_of
from genderscope.runs import (
    MISSING,
    DamagedRunError,
    Result,
    load_run,
    read_config,
    reading,
    replaced_by,
    require_folders,
    run_folder,
    what_is_there,
)
from genderscope.util.safe_text import in_line

#: returns the run if it is usable; raises otherwise
Check = Callable[[Result], Result]
Loaded = TypeVar("Loaded")
#: maximum number of skipped runs named in a message
NAMED = 5
NOT_FINISHED = "is not finished"


@dataclass(frozen=True)
class Unusable:
    """Why a folder is not a usable run, and how to fix it."""

    reason: str
    detail: str = ""
    remedy: str = ""
    #: whether the folder contains a run at all
    is_run: bool = True

    def in_words(self, with_remedy: bool) -> str:
        """Return the reason as a phrase that follows the folder's name."""
        added = "; ".join(filter(None, (self.detail, self.remedy if with_remedy else "")))
        return f"{self.reason} ({added})" if added else self.reason


@dataclass(frozen=True)
class Found:
    """Contents of a folder: finished runs by relative path, and folders that are unusable, with the reason for each."""

    runs: dict[str, Result]
    unusable: Mapping[str, Unusable]

    @property
    def others(self) -> dict[str, str]:
        """The unusable folders, with the reason for each."""
        return {name: why.in_words(with_remedy=False) for name, why in self.unusable.items()}

    @property
    def skipped(self) -> str | None:
        """A sentence that lists unfinished and damaged runs; None if there are none."""
        skipped = [f"{name} {why.in_words(with_remedy=True)}" for name, why in self.unusable.items() if why.is_run]
        if not skipped:
            return None
        more = f", and {len(skipped) - NAMED:,} more" if len(skipped) > NAMED else ""
        total = len(self.runs) + len(skipped)
        return f"Skipped {len(skipped):,} of {total:,} runs: {', '.join(skipped[:NAMED])}{more}."


def find_runs(folder: Path) -> Found:
    """Find runs in a folder, recursively; anything other than a finished run is listed as unusable."""
    require_folders(folder)
    paths = {path.relative_to(folder).as_posix(): path for path in candidate_folders(folder)}
    later = {name: replaced_by(path) for name, path in paths.items() if path != folder}
    replaced = {name: newer for name, newer in later.items() if newer is not None}
    collection = _sorted_out({name: path for name, path in paths.items() if name not in replaced}, _known)
    earlier = {
        name: Unusable(f"is an earlier run of {newer.name}", detail="give its folder to include it")
        for name, newer in replaced.items()
    }
    return Found(collection.runs, {**collection.unusable, **earlier})


def select_runs(paths: Sequence[Path], fewest: int = 1, any_measure: bool = False) -> Found:
    """Load the usable runs; raise if a path does not exist or if fewer than `fewest` runs are usable.

    With `any_measure`, runs of measures that are not installed are usable too.
    """
    for path in paths:
        if not os.path.lexists(path):
            load_run(path)
    check: Check = (lambda result: result) if any_measure else _known
    # The same run may be given twice.
    named = {str(path) if path not in paths[:k] else f"{path} ({k + 1})": path for k, path in enumerate(paths)}
    collection = _sorted_out(named, check)
    if len(collection.runs) < min(fewest, len(paths)):
        for path in paths:
            with reading(path):
                check(load_run(path))
    return collection


def _sorted_out(paths: Mapping[str, Path], check: Check) -> Found:
    loaded = {name: examine(path, lambda folder: check(load_run(folder))) for name, path in paths.items()}
    runs = {name: run for name, run in loaded.items() if isinstance(run, Result)}
    return Found(runs, {name: run for name, run in loaded.items() if isinstance(run, Unusable)})


def examine(path: Path, load: Callable[[Path], Loaded]) -> Loaded | Unusable:
    """Load a finished run with the given function, or return why it is unusable."""
    try:
        folder = run_folder(path)
        if what_is_there(folder / "run.json") == MISSING:
            return Unusable("contains no run", is_run=False)
        if what_is_there(folder / "result.json") == MISSING:
            return Unusable(NOT_FINISHED, remedy=f"resume it with: {read_config(folder)['command']}")
        with reading(folder):
            return load(folder)
    except DamagedRunError as damage:
        remedy = f"'genderscope show {path}' explains how to repair it"
        return Unusable("is damaged", f"{damage.path.name}: {damage.reason}", remedy)
    except UserError as error:
        return Unusable("cannot be read", str(error).rstrip("."))


def candidate_folders(folder: Path) -> Iterator[Path]:
    """Yield folders that contain a run, unreadable folders and leaf folders without a run, in a fixed order."""
    for place, below, _ in os.walk(folder):
        below.sort()
        below[:] = [name for name in below if not name.startswith(".")]
        path = Path(place)
        closed = [name for name in below if not os.access(path / name, os.R_OK | os.X_OK)]
        yield from (path / name for name in closed)
        if os.path.lexists(path / "run.json"):
            below.clear()
            yield path
        elif not below and path != folder:
            yield path


def _known(result: Result) -> Result:
    """Return the run; raise if its measure is unknown or its rows lack a column that comparisons need."""
    kind = measure_type(result.measure)
    required_settings(result)
    options_of(result)
    if lacking := [column for column in kind.row_key if column not in {*result.columns, DRAW}]:
        raise UserError(f"its rows lack columns: {', '.join(lacking)}")
    return result


#: what identifies a system: its name, its weights or location, and its compute dtype
Identity = tuple[str, str | None, str | None]


def collect(folders: Sequence[Path]) -> Found:
    """Find runs in several folders, at any depth; a run found twice counts once."""
    if not folders:
        raise UserError("No folder given; give one or more folders that contain runs.")
    runs: dict[str, Result] = {}
    unusable: dict[str, Unusable] = {}
    seen: set[Path] = set()
    for folder in folders:
        collection = find_runs(folder)
        for name, result in collection.runs.items():
            place = (folder / name).resolve()
            if place not in seen:
                seen.add(place)
                runs[_path(folder, name, len(folders))] = result
        unusable |= {_path(folder, name, len(folders)): why for name, why in collection.unusable.items()}
    return Found(runs, unusable)


def _path(folder: Path, name: str, folders: int) -> str:
    """Return a run's path relative to its folder, prefixed with the folder if there are several."""
    if folders == 1:
        return folder.resolve().name or str(folder) if name == "." else name
    return (folder / name).as_posix()


def identity(result: Result) -> Identity:
    """Return the identity of a run's system; the name alone is not enough, since a model's weights may change."""
    model: Mapping[str, object] = result.config["model"]
    place = next((str(model[key]) for key in ("path", "endpoint", "url") if model.get(key)), None)
    source = f"weights {str(model['weights'])[:12]}" if model.get("weights") else place
    computed = model.get("dtype") or model.get("compute")
    return str(model["name"]), source, None if computed is None else str(computed)


def group_by_system(results: Iterable[Result]) -> dict[str, list[Result]]:
    """Group runs by system, keyed by a unique label."""
    groups: dict[Identity, list[Result]] = {}
    for result in results:
        groups.setdefault(identity(result), []).append(result)
    named = labels([(system, str(runs[0].folder or "")) for system, runs in groups.items()])
    return dict(zip(named, groups.values(), strict=True))


def short_name(name: str) -> str:
    """Shorten a path to its last component, without line breaks; keep a hub id in full."""
    name = in_line(name) or "model"
    name = re.sub(r"[/._-]*\{lang\}.*$", "", name) or name
    name = re.sub(r"^\w+:(?=[/.~])", "", name)  # the scheme of a path does not identify the system
    return name.rstrip("/").rpartition("/")[2] or name if name.startswith(("/", ".", "~")) else name


def labels(systems: Sequence[tuple[Identity, str]]) -> list[str]:
    """Return a unique label for each system, given its identity and the path of one of its runs."""
    names = [short_name(name) for (name, _, _), _ in systems]
    more: Iterable[Callable[[Identity, str], str]] = (
        lambda system, path: system[2] or "",
        lambda system, path: system[1] or "",
        lambda system, path: path,
    )
    for tell in more:
        alike = {name for name, count in Counter(names).items() if count > 1}
        groups = {name: {tell(*s) for s, n in zip(systems, names, strict=True) if n == name} for name in alike}
        helps = {name for name, told in groups.items() if len(told) > 1}
        names = [
            f"{n} ({told})" if n in helps and (told := tell(*s)) else n for s, n in zip(systems, names, strict=True)
        ]
    return names
