"""Which runs are drawn on one axis: those on the same data, asked and scaled alike. The others stand apart."""

from collections.abc import Sequence
from dataclasses import dataclass

from genderscope.comparison import common_ground, told_ground
from genderscope.report.views.plain_view import Named
from genderscope.terminal_safe import in_line

#: what a reader calls the parts of the common ground that most often differ
NAMES = {"version": "version of genderscope", "lexicon": "lexicon", "data": "data"}


@dataclass(frozen=True)
class Group:
    """Runs that may be drawn on one axis, and what tells them from the other groups; nothing where there is one."""

    runs: tuple[Named, ...]
    told: str


def grouped(runs: Sequence[Named]) -> list[Group]:
    """Put runs of one measure that may be drawn on one axis together, in the order in which they were given."""
    found: list[tuple[dict[str, object], list[Named]]] = []
    for named in runs:
        ground = common_ground(named[1])
        mine = next((members for known, members in found if known == ground), None)
        if mine is None:
            found.append((ground, [named]))
        else:
            mine.append(named)
    keys = differing([ground for ground, _ in found])
    return [
        Group(tuple(members), in_line(", ".join(told_ground(key, members[0][1]) for key in keys)))
        for _, members in found
    ]


def differing(grounds: Sequence[dict[str, object]]) -> list[str]:
    """Return the parts in which the grounds are not all alike."""
    every = dict.fromkeys(key for ground in grounds for key in ground)
    return [key for key in every if any(ground.get(key) != grounds[0].get(key) for ground in grounds)]


def why_apart(runs: Sequence[Named]) -> str:
    """Say why runs are not drawn on one axis; nothing where they are."""
    grounds = [common_ground(result) for _, result in runs]
    keys = [NAMES.get(key, key.replace("_", " ")) for key in differing(grounds)]
    if not keys:
        return ""
    told = " and ".join(part for part in (", ".join(keys[:-1]), keys[-1]) if part)
    return f"These runs are in {len(grouped(runs))} groups, on separate axes, because they differ in {told}."
