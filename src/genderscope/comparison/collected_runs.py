"""Runs collected from several folders, and unique labels for their models."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from genderscope.comparison.run_discovery import Found, Unusable, find_runs
from genderscope.core.errors import UserError
from genderscope.runs import Result
from genderscope.util.safe_text import in_line

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
        found = find_runs(folder)
        for name, result in found.runs.items():
            place = (folder / name).resolve()
            if place not in seen:
                seen.add(place)
                runs[_path(folder, name, len(folders))] = result
        unusable |= {_path(folder, name, len(folders)): why for name, why in found.unusable.items()}
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
    found = f"weights {str(model['weights'])[:12]}" if model.get("weights") else place
    computed = model.get("dtype") or model.get("compute")
    return str(model["name"]), found, None if computed is None else str(computed)


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
    found = [short_name(name) for (name, _, _), _ in systems]
    more: Iterable[Callable[[Identity, str], str]] = (
        lambda system, path: system[2] or "",
        lambda system, path: system[1] or "",
        lambda system, path: path,
    )
    for tell in more:
        alike = {name for name, count in Counter(found).items() if count > 1}
        groups = {name: {tell(*s) for s, n in zip(systems, found, strict=True) if n == name} for name in alike}
        helps = {name for name, told in groups.items() if len(told) > 1}
        found = [
            f"{n} ({told})" if n in helps and (told := tell(*s)) else n for s, n in zip(systems, found, strict=True)
        ]
    return found
