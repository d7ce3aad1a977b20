"""Short, unique names for the runs on a page."""

import re
from collections import Counter
from collections.abc import Sequence

from genderscope.runs import Result


def named(results: Sequence[Result]) -> list[tuple[str, Result]]:
    """Name each run after its model, adding language, folder or a number if names collide."""
    names = [_short(str(result.config["model"]["name"])) for result in results]
    for suffix in (_language, _folder):
        duplicates = {name for name, count in Counter(names).items() if count > 1}
        names = [f"{n} {suffix(r)}".strip() if n in duplicates else n for n, r in zip(names, results, strict=True)]
    seen: Counter[str] = Counter()
    runs = []
    for name, result in zip(names, results, strict=True):
        seen[name] += 1
        runs.append((name if seen[name] == 1 else f"{name} ({seen[name]})", result))
    return runs


def by_measure(results: Sequence[Result]) -> dict[str, list[tuple[str, Result]]]:
    """Group runs by measure and assign names."""
    groups: dict[str, list[Result]] = {}
    for result in results:
        groups.setdefault(result.measure, []).append(result)
    return {measure: named(runs) for measure, runs in groups.items()}


def _short(name: str) -> str:
    """Shorten a path to its last component, keep hub ids whole, and drop unprintable characters."""
    name = "".join(c for c in name if c.isprintable()) or "model"
    name = re.sub(r"[/._-]*\{lang\}.*$", "", name) or name
    return name.rstrip("/").rpartition("/")[2] or name if name.startswith(("/", ".", "~")) else name


def _language(result: Result) -> str:
    options = result.config["configuration"]
    languages = options.get("lang") or options.get("to")
    return "+".join(languages) if isinstance(languages, list) else str(languages or "")


def _folder(result: Result) -> str:
    return "" if result.folder is None else result.folder.name
