"""Short, unique names for the runs on a page, and groups of runs that may share an axis."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from genderscope.comparison import chart_settings, describe_setting
from genderscope.report.views.plain_view import Named
from genderscope.runs import Result
from genderscope.util.safe_text import in_line


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


#: readable names for keys that differ between runs
NAMES = {"version": "version of genderscope"}


@dataclass(frozen=True)
class RunGroup:
    """Runs that may share an axis, and their differences from other groups (empty if there is only one group)."""

    runs: tuple[Named, ...]
    differences: str


def group_runs(runs: Sequence[Named]) -> list[RunGroup]:
    """Group a measure's runs by shared axis, in the given order."""
    if len(runs) == 1:
        return [RunGroup(tuple(runs), "")]
    groups: list[tuple[dict[str, object], list[Named]]] = []
    for named in runs:
        ground = chart_settings(named[1])
        members = next((members for settings, members in groups if settings == ground), None)
        if members is None:
            groups.append((ground, [named]))
        else:
            members.append(named)
    keys = _differing([ground for ground, _ in groups])
    return [
        RunGroup(tuple(members), in_line(", ".join(describe_setting(key, members[0][1]) for key in keys)))
        for _, members in groups
    ]


def _differing(grounds: Sequence[dict[str, object]]) -> list[str]:
    keys = dict.fromkeys(key for ground in grounds for key in ground)
    return [key for key in keys if any(ground.get(key) != grounds[0].get(key) for ground in grounds)]


def why_separate(groups: Sequence[RunGroup]) -> str:
    """Explain why the runs in several groups are on separate axes."""
    differing = _differing([chart_settings(group.runs[0][1]) for group in groups])
    keys = [NAMES.get(key, key.replace("_", " ")) for key in differing]
    listed = " and ".join(part for part in (", ".join(keys[:-1]), keys[-1]) if part)
    return f"These runs are shown in {len(groups)} groups, on separate axes, because they differ in {listed}."
