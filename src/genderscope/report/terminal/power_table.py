"""Power analyses on the terminal."""

from rich.console import Console
from rich.text import Text

from genderscope.comparison import Plan
from genderscope.report.layout import plain_table

SCOPE = (
    "More samples narrow the interval that generalises to other samples; the wider interval can only become as narrow "
    "as the variation among stereotypes, occupations and templates allows."
)


def show_plan(analysis: Plan, console: Console) -> None:
    """Print a power analysis."""
    neutral = "neutral 1" if analysis.ratio else "distance from neutral"
    console.print(Text.assemble("\n", (analysis.measure, "bold"), f" · {analysis.estimate} ({neutral})"))
    console.print(Text(f"Standard deviation per sample: {analysis.spread.size:.3g}, from {analysis.spread.source}.\n"))
    powers = [f"power {power:.0%}" for power in analysis.needed]
    table = plain_table(("samples needed to show",), powers)
    table.add_row(f"an effect of {analysis.effect}", *(f"{n:,}" for n, _ in analysis.needed.values()))
    none = f"the absence of an effect of {analysis.margin}"
    table.add_row(none, *(f"{n:,}" for _, n in analysis.needed.values()))
    console.print(table)
    if analysis.between:
        ranges = ", ".join(
            f"{low:,} to {high:,} (power {power:.0%})" for power, (low, high) in analysis.between.items()
        )
        needed = "the 95 % interval for the number of samples needed is"
        console.print(Text(f"The pilot's standard deviation is uncertain: {needed} {ranges}.\n"))
    table = plain_table(("smallest detectable effect with",), powers)
    for n, effects in analysis.shown.items():
        named = ", the full dataset" if n == analysis.spread.full else ""
        table.add_row(f"{n:,} samples{named}", *(f"{effect:.3g}" for effect in effects.values()))
    console.print()
    console.print(table)
    console.print(Text(f"\n{SCOPE}", style="dim"))
