"""Grouping of runs that may share an axis because data, questions and scale are the same."""

from collections.abc import Sequence
from dataclasses import dataclass

from genderscope.comparison import chart_settings, describe_setting
from genderscope.report.views.plain_view import Named
from genderscope.util.safe_text import in_line

#: readable names for keys that differ between runs
NAMES = {"version": "version of genderscope"}


@dataclass(frozen=True)
class RunGroup:
    """Runs that may share an axis, and their differences from other groups (empty if there is only one group)."""

    runs: tuple[Named, ...]
    differences: str


def group_runs(runs: Sequence[Named]) -> list[RunGroup]:
    """Group a measure's runs by shared axis, in the given order."""
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


def why_separate(runs: Sequence[Named]) -> str:
    """Explain why the runs are on separate axes; empty if they share one."""
    keys = [NAMES.get(key, key.replace("_", " ")) for key in _differing([chart_settings(result) for _, result in runs])]
    if not keys:
        return ""
    listed = " and ".join(part for part in (", ".join(keys[:-1]), keys[-1]) if part)
    return f"These runs are shown in {len(group_runs(runs))} groups, on separate axes, because they differ in {listed}."
