"""Orders of the categories in a figure, such as occupations, templates and scenarios; a view names one of them."""

from collections.abc import Sequence

from genderscope.statistics.estimate import Estimate


def by_gap(estimates: Sequence[Estimate]) -> list[Estimate]:
    """Order the categories with two estimates, the largest difference between the two first."""
    sides: dict[str, list[Estimate]] = {}
    for e in estimates:
        sides.setdefault(str(e.category), []).append(e)
    both = [(category, pair) for category, pair in sides.items() if len(pair) == 2]
    both.sort(key=lambda item: (-abs((item[1][0].value or 0.0) - (item[1][1].value or 0.0)), item[0]))
    return [e for _, pair in both for e in pair]


def by_distance(estimates: Sequence[Estimate]) -> list[Estimate]:
    """Order estimates by their distance from 0, the largest first."""
    return sorted(estimates, key=lambda e: -abs(e.value or 0.0))
