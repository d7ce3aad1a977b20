"""The tables of sample sizes in docs/how-to/plan-a-study.md.

python benchmarks/planning_tables.py
"""

from collections.abc import Iterator

from genderscope.comparison import plan
from genderscope.measures import MEASURES, measure_type


def planning_table() -> Iterator[str]:
    """Yield a Markdown table of the sample size that each measure needs for its threshold at 80 % and 90 % power."""
    yield (
        "| measure | estimate | smallest effect of interest | spread | samples, 80 % | 90 % | to show no effect, 80 % "
        "| released data | detectable effect, 80 % |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    for name in MEASURES:
        if measure_type(name).spread is None:
            continue
        found = plan(name)
        (shows, excludes), (more, _) = found.needed[0.8], found.needed[0.9]
        full = found.spread.full or found.spread.samples
        least = f"{found.shown[full][0.8]:.3g}"
        cells = (f"`{name}`", f"`{found.estimate}`", str(found.effect), f"{found.spread.size:.3g}")
        counts = (f"{shows:,}", f"{more:,}", f"{excludes:,}", f"{full:,}", least)
        yield f"| {' | '.join((*cells, *counts))} |"


def planning_sources() -> Iterator[str]:
    """Yield a Markdown table with the source of each measure's standard deviation."""
    yield "| measure | source of the spread |"
    yield "|---|---|"
    for name in MEASURES:
        if (spread := measure_type(name).spread) is not None:
            yield f"| `{name}` | {spread.source} |"


if __name__ == "__main__":
    print("\n".join([*planning_table(), "", *planning_sources()]))
