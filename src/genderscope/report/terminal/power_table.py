"""A plan on the terminal, and the table of all measures that the documentation shows."""

from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from genderscope.comparison import Plan, plan
from genderscope.measures import MEASURES, measure_type
from genderscope.report.layout import plain_table

SCOPE = (
    "More samples narrow the interval over samples like these; that over other stereotypes, occupations and templates "
    "stays as wide as those vary."
)


def show_plan(found: Plan, console: Console) -> None:
    """Print a plan."""
    neutral = "neutral 1" if found.ratio else "distance from neutral"
    console.print(Text.assemble("\n", (found.measure, "bold"), f" · {found.estimate} ({neutral})"))
    console.print(Text(f"Spread of a sample: {found.spread.size:.3g}, from {found.spread.source}.\n"))
    powers = [f"power {power:.0%}" for power in found.needed]
    table = plain_table(("samples needed to show",), powers)
    table.add_row(f"an effect of {found.effect}", *(f"{n:,}" for n, _ in found.needed.values()))
    table.add_row(f"no effect of {found.margin}, where there is none", *(f"{n:,}" for _, n in found.needed.values()))
    console.print(table)
    if found.between:
        ranges = ", ".join(f"{low:,} to {high:,} (power {power:.0%})" for power, (low, high) in found.between.items())
        console.print(Text(f"The pilot's spread is uncertain: 95 % interval for the samples needed {ranges}.\n"))
    table = plain_table(("smallest effect shown by",), powers)
    for n, effects in found.shown.items():
        named = ", all of the data" if n == found.spread.full else ""
        table.add_row(f"{n:,} samples{named}", *(f"{effect:.3g}" for effect in effects.values()))
    console.print()
    console.print(table)
    console.print(Text(f"\n{SCOPE}", style="dim"))


def planning_table() -> Iterator[str]:
    """Yield the lines of a Markdown table: every measure at its smallest effect of interest, power 80 % and 90 %."""
    yield (
        "| measure | estimate | smallest effect of interest | spread | samples, 80 % | 90 % | to show none, 80 % | "
        "released data | it shows, 80 % |"
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
    """Yield the lines of a Markdown table: where the spread of every measure is from."""
    yield "| measure | its spread is from |"
    yield "|---|---|"
    for name in MEASURES:
        if (spread := measure_type(name).spread) is not None:
            yield f"| `{name}` | {spread.source} |"
