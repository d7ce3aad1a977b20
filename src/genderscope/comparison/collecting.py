"""The runs of several folders together, and what each model is called among them."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from genderscope.comparison.ranking import Found, find_runs
from genderscope.errors import UserError
from genderscope.runs import Result

#: what tells two systems apart: the name, the weights where they are known, and what they are computed in
Identity = tuple[str, str | None, str | None]


def collect(folders: Sequence[Path]) -> Found:
    """Look for runs in several folders, at any depth; a run that lies in two of them counts once."""
    if not folders:
        raise UserError("No folder was given; give one or more that hold runs.")
    runs: dict[str, Result] = {}
    others: dict[str, str] = {}
    seen: set[Path] = set()
    for folder in folders:
        found = find_runs(folder)
        for name, result in found.runs.items():
            place = (folder / name).resolve()
            if place not in seen:
                seen.add(place)
                runs[_path(folder, name, len(folders))] = result
        others |= {_path(folder, name, len(folders)): why for name, why in found.others.items()}
    return Found(runs, others)


def _path(folder: Path, name: str, folders: int) -> str:
    """Write where a run lies: below the folder, or with it where there are several."""
    if folders == 1:
        return folder.resolve().name or str(folder) if name == "." else name
    return (folder / name).as_posix()


def identity(result: Result) -> Identity:
    """Tell which system a run is of; the same name may stand for other weights later."""
    model: Mapping[str, object] = result.config["model"]
    weights, computed = model.get("weights"), model.get("dtype") or model.get("compute")
    return str(model["name"]), *(None if each is None else str(each) for each in (weights, computed))  # type: ignore[return-value]


def short_name(name: str) -> str:
    """Shorten a path to its last part; a hub id keeps both of its. What cannot be seen is left out."""
    name = "".join(c for c in name if c.isprintable()) or "model"
    name = re.sub(r"/?\{lang\}.*$", "", name) or name
    name = re.sub(r"^\w+:(?=[/.~])", "", name)  # the scheme of a path says nothing of the system
    return name.rstrip("/").rpartition("/")[2] or name if name.startswith(("/", ".", "~")) else name


def labels(systems: Sequence[tuple[Identity, str]]) -> list[str]:
    """Give every system, with the path of a run of it, a name that no other has."""
    found = [short_name(name) for (name, _, _), _ in systems]
    more: Iterable[Callable[[Identity, str], str]] = (
        lambda system, path: system[2] or "",
        lambda system, path: f"weights {system[1][:8]}" if system[1] else "",
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
