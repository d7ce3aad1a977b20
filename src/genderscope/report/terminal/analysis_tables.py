"""Pooled runs, power analyses and correlations on the terminal."""

from collections.abc import Iterator

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


#: in place of a number of samples
NO_NUMBER = "no number"


def show_plan(analysis: PowerAnalysis, console: Console) -> None:
    """Print a power analysis."""
    neutral = "neutral 1" if analysis.ratio else "distance from neutral"
    console.print(Text.assemble("\n", (analysis.measure, "bold"), f" · {analysis.estimate} ({neutral})"))
    console.print(Text("\n".join([*_sources(analysis), ""])))
    powers = [f"power {power:.0%}" for power in analysis.needed]
    table = plain_table(("samples needed to show",), powers)
    table.add_row(f"an effect of {analysis.effect}", *(_count(n) for n, _ in analysis.needed.values()))
    none = f"the absence of an effect of {analysis.margin}"
    table.add_row(none, *(_count(n) for _, n in analysis.needed.values()))
    console.print(table)
    if analysis.needed_range:
        ranges = ", ".join(
            f"{_count(low)} to {_count(high)} (power {power:.0%})"
            for power, (low, high) in analysis.needed_range.items()
        )
        needed = "the 95 % interval for the number of samples needed is"
        console.print(Text(f"The pilot's standard deviations are uncertain: {needed} {ranges}.\n"))
    if (advice := plan_advice(analysis)) is not None:
        console.print(Text(f"\n{advice}", style="bold"))
    table = plain_table(("smallest detectable effect with",), powers)
    for n, effects in analysis.shown.items():
        named = ", the full dataset" if n == analysis.spread.full else ""
        samples = "any number of samples" if n is None else f"{n:,} samples{named}"
        table.add_row(samples, *(f"{effect:.3g}" for effect in effects.values()))
    console.print()
    console.print(table)


def _sources(analysis: PowerAnalysis) -> Iterator[str]:
    """Yield the standard deviations with their sources, and what the interval generalises to."""
    spread = analysis.spread
    yield f"Standard deviation per sample: {spread.size:.3g}, from {spread.source}."
    for kind in spread.between:
        yield f"Standard deviation between {kind.noun}: {kind.sd:.2g}, from {kind.source}."
    if not spread.between:
        yield "The plan is for an interval that generalises to other samples like these."
        return
    units = " and ".join(f"{kind.count} {kind.noun}" for kind in spread.between)
    also = " and ".join(kind.noun for kind in spread.between)
    yield f"The plan is for the interval behind the verdict, which generalises from {units} to other {also}."


def plan_advice(analysis: PowerAnalysis) -> str | None:
    """Say that more samples cannot help, and what would; None if they can."""
    short = [power for power, (n, _) in analysis.needed.items() if n is None]
    units = " and ".join(f"{kind.count} {kind.noun}" for kind in analysis.spread.between)
    if not short:
        if all(n is not None for _, n in analysis.needed.values()):
            return None
        none = f"the absence of an effect of {analysis.margin} cannot be shown with this power"
        return f"With {units}, {none}, however many samples there are."
    power = short[0]
    limit = f"With {units}, the power to show an effect of {analysis.effect} is at most {analysis.limit:.0%}"
    more = analysis.more_units[power]
    if more is None:
        return f"{limit}, however many samples there are."
    needed = " and ".join(f"{count:,} {noun}" for noun, count in more.items())
    by_unit = analysis.samples_by_unit
    each = "" if by_unit is None else f" with {by_unit:,} {'sample' if by_unit == 1 else 'samples'} each"
    return f"{limit}, however many samples there are. A power of {power:.0%} would take about {needed}{each}."


def _count(number: int | None) -> str:
    return NO_NUMBER if number is None else f"{number:,}"


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
