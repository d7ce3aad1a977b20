"""The tables of sample sizes in docs/how-to/plan-a-study.md.

python benchmarks/planning_tables.py
"""

from collections.abc import Iterator

from genderscope.comparison import plan
from genderscope.measures import MEASURES, measure_type


def planning_table() -> Iterator[str]:
    """Yield a Markdown table of what each measure's threshold needs at a power of 80 %."""
    yield (
        "| measure | estimate | smallest effect of interest | samples | to show no effect | released data "
        "| detectable effect | with any number of samples |"
    )
    yield "|---|---|---|---|---|---|---|---|"
    for name in MEASURES:
        if measure_type(name).spread is None:
            continue
        analysis = plan(name)
        shows, excludes = analysis.needed[0.8]
        full = analysis.spread.full or analysis.spread.samples
        limit = f"{analysis.shown[None][0.8]:.3g}" if None in analysis.shown else "–"
        cells = (f"`{name}`", f"`{analysis.estimate}`", str(analysis.effect))
        counts = (_count(shows), _count(excludes), f"{full:,}", f"{analysis.shown[full][0.8]:.3g}", limit)
        yield f"| {' | '.join((*cells, *counts))} |"


def _count(number: int | None) -> str:
    return "more units needed" if number is None else f"{number:,}"


def planning_sources() -> Iterator[str]:
    """Yield a Markdown table with each measure's standard deviations and their sources."""
    yield "| measure | sd per sample | its source | sd between units | its source |"
    yield "|---|---|---|---|---|"
    for name in MEASURES:
        if (spread := measure_type(name).spread) is not None:
            units = ", ".join(f"{kind.sd:.2g} ({kind.count} {kind.noun})" for kind in spread.between) or "–"
            sources = "; ".join(dict.fromkeys(kind.source for kind in spread.between)) or "–"
            yield f"| `{name}` | {spread.size:.3g} | {spread.source} | {units} | {sources} |"


if __name__ == "__main__":
    print("\n".join([*planning_table(), "", *planning_sources()]))
