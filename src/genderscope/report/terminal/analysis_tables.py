"""Pooled runs, power analyses and correlations on the terminal."""

from rich.console import Console
from rich.text import Text

from genderscope.comparison import Pooled, PowerAnalysis
from genderscope.judgement import label
from genderscope.report.layout import INTERVAL, PlainTable, filled_table, plain_table
from genderscope.report.views.plain_view import interval, number
from genderscope.statistics.correlation import Correlation
from genderscope.util.safe_text import in_line


def show_pooled(pooled: Pooled, console: Console) -> None:
    """Print the pooled runs, the pooled estimates with their between-run variance, and the summary."""
    data = in_line(pooled.runs[0].config["data"]["name"])
    console.print(Text.assemble("\n", (pooled.measure, "bold"), f" · {data} · {len(pooled.runs)} runs\n"))
    for k, run in enumerate(pooled.runs, 1):
        where = f" ({run.folder})" if run.folder is not None else ""
        console.print(Text(in_line(f"{k} = {run.config['model']['name']}{where}")), soft_wrap=True)
    shared = (
        "too few questions, so the runs are treated as independent"
        if pooled.shared is None
        else f"{pooled.shared:,} questions"
    )
    console.print(Text(f"Shared: {shared}.\n"))
    headings = ("estimate", "pooled", INTERVAL, "neutral", "n", "runs", "between runs")
    rows = [
        (
            in_line(label(e)),
            number(e.value),
            interval(e),
            "–" if e.neutral is None else f"{e.neutral:g}",
            f"{e.n:,}",
            f"{number(min(p.values))} to {number(max(p.values))}",
            f"{p.share:.0%}",
        )
        for p in pooled.estimates
        for e in [p.estimate]
    ]
    table = filled_table(headings, rows, optional=("between runs", "runs", "neutral"))
    console.print(table)
    console.print()
    console.print(Text(in_line(pooled.summary), style="bold"))
    note = "Runs: range of the runs' values. Between runs: share of the pooled variance due to seeds or prompts."
    console.print(Text(note, style="dim"))


SCOPE = (
    "More samples narrow the interval that generalises to other samples; the wider interval can only become as narrow "
    "as the variation among stereotypes, occupations and templates allows."
)


def show_plan(analysis: PowerAnalysis, console: Console) -> None:
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


NUMBERS = ("r", "95 % (Fisher)", "n", "p", "leave-one-out range")


def correlation_table(*first: str) -> PlainTable:
    """Create a table with the given first columns, followed by the correlation columns."""
    return plain_table(first, NUMBERS, optional=("leave-one-out range",))


def correlation_cells(correlation: Correlation) -> tuple[str, ...]:
    """Return a correlation's cells."""
    if correlation.r != correlation.r:  # NaN: one of the variables is constant across models
        return ("–",) * len(NUMBERS)
    p = "–" if correlation.p is None else "< 0.0001" if correlation.p < 0.0001 else f"{correlation.p:.4f}"
    ranges = _range(correlation.fisher), _range(correlation.without_one)
    return f"{correlation.r:.3f}", ranges[0], str(correlation.n), p, ranges[1]


def _range(bounds: tuple[float, float] | None) -> str:
    return "–" if bounds is None else f"[{bounds[0]:.2f}, {bounds[1]:.2f}]"
