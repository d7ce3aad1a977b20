"""What the runs on a page are called: short, and no two alike."""

import re
from collections import Counter
from collections.abc import Sequence

from genderscope.runs import Result


def named(results: Sequence[Result]) -> list[tuple[str, Result]]:
    """Give every run a name: its model's, with the language or the folder where models are alike."""
    names = [_short(str(result.config["model"]["name"])) for result in results]
    for more in (_language, _folder):
        alike = {name for name, count in Counter(names).items() if count > 1}
        names = [f"{n} {more(r)}".strip() if n in alike else n for n, r in zip(names, results, strict=True)]
    seen: Counter[str] = Counter()
    found = []
    for name, result in zip(names, results, strict=True):
        seen[name] += 1
        found.append((name if seen[name] == 1 else f"{name} ({seen[name]})", result))
    return found


def by_measure(results: Sequence[Result]) -> dict[str, list[tuple[str, Result]]]:
    """Group runs by their measure, each with its name."""
    found: dict[str, list[Result]] = {}
    for result in results:
        found.setdefault(result.measure, []).append(result)
    return {measure: named(runs) for measure, runs in found.items()}


def _short(name: str) -> str:
    """Shorten a path to its last part; a hub id keeps both of its. What cannot be seen is left out."""
    name = "".join(c for c in name if c.isprintable()) or "model"
    name = re.sub(r"/?\{lang\}.*$", "", name) or name
    return name.rstrip("/").rpartition("/")[2] or name if name.startswith(("/", ".", "~")) else name


def _language(result: Result) -> str:
    options = result.config["configuration"]
    found = options.get("lang") or options.get("to")
    return "+".join(found) if isinstance(found, list) else str(found or "")


def _folder(result: Result) -> str:
    return "" if result.folder is None else result.folder.name
