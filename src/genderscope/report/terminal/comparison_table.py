"""Comparisons on the terminal, and texts shared with the other output formats."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from genderscope.comparison import STUDENT, Comparison, Gate, Share
from genderscope.judgement import (
    Difference,
    describe_difference,
    explain_ratios,
    format_change,
    format_difference,
    format_p,
    short_difference,
)
from genderscope.report.layout import INTERVAL, PlainTable, plain_table
from genderscope.report.views.plain_view import number
from genderscope.util.safe_text import in_line

#: maximum number of readings listed for a passed gate
MOST_READINGS = 4


def show_comparison(comparison: Comparison, console: Console) -> None:
    """Print a comparison."""
    data = in_line(comparison.runs[comparison.first].config["data"]["name"])
    console.print(Text.assemble("\n", (comparison.measure, "bold"), f" · {data}\n"))
    for name, run in comparison.runs.items():
        folder = f" ({run.folder})" if run.folder is not None else ""
        console.print(Text(in_line(f"{name} = {run.config['model']['name']}{folder}")), soft_wrap=True)
    for name in comparison.pairs:
        console.print()
        console.print(Text(f"{name} compared with {comparison.first}: {describe_shared(comparison, name)}"))
        console.print(_table(comparison.of(name), comparison.first, name))
    console.print()
    for name in comparison.pairs:
        for k, sentence in enumerate(verdict_sentences(comparison, name)):
            lead = k == 0 and comparison.lead(name) is not None
            console.print(Text(sentence if lead else f"  {sentence}", style="bold" if lead else ""))
    for caution in comparison.cautions:
        console.print(Text(in_line(f"Caution: {caution}"), style="yellow"))
    console.print(Text(describe_method(comparison), style="dim"))


def describe_method(comparison: Comparison) -> str:
    """Explain how the intervals and p-values were computed."""
    tested = sum(d.p is not None for d in comparison.differences)
    family = "" if tested < 2 else f", simultaneous for all {tested} differences (min-p)"
    return (
        f"Values are computed on the shared questions. 95 % intervals and p-values: {STUDENT}{family}; intervals "
        f"exclude zero exactly when p < 0.05.{explain_ratios(comparison.differences)}"
    )


def describe_shared(comparison: Comparison, name: str) -> str:
    """Describe how many questions two runs share, and why others were dropped."""
    paired = comparison.pairs[name]
    if all(share.asked == share.shared for share in paired.shares):
        return f"{len(paired.first):,} questions shared, none dropped."
    parts = [_dropped(label, share) for label, share in zip((comparison.first, name), paired.shares, strict=True)]
    return f"{len(paired.first):,} questions shared; dropped {' and '.join(parts)}."


def _dropped(label: str, share: Share) -> str:
    return (
        f"{share.asked - share.shared:,} of {share.asked:,} in {label} "
        f"({share.unanswered:,} unread, {share.unmatched:,} unread or missing in the other run)"
    )


def _table(differences: Sequence[Difference], first: str, second: str) -> PlainTable:
    words, *numbers = table_headings(first, second)
    # Difference, interval and n are kept even on the narrowest terminal; p is redundant given the interval.
    table = plain_table((words,), numbers, optional=(numbers[5], "neutral", "p (adjusted)"))
    for d in differences:
        table.add_row(*map(Text, difference_cells(d)), style="bold" if d.differs else "")
    return table


def table_headings(first: str, second: str) -> tuple[str, ...]:
    """Return the headings of the differences table."""
    signs = f"{second} higher : lower"
    return "estimate", first, second, "difference", INTERVAL, "p (adjusted)", signs, "neutral", "n"


def difference_cells(d: Difference) -> tuple[str, ...]:
    """Return a difference's cells, in the order of `table_headings`."""
    return (
        in_line(d.name),
        number(d.of_first.value),
        number(d.of_second.value),
        format_change(d),
        format_difference(d)[1],
        format_p(d.p_adjusted, ""),
        f"{d.sign.above:,} : {d.sign.below:,}",
        "–" if d.of_second.neutral is None else f"{d.of_second.neutral:g}",
        f"{d.of_second.n:,}",
    )


def full_headings(comparison: Comparison, name: str) -> tuple[str, ...]:
    """Return the headings for files and pages, which also include the threshold and the verdict."""
    return (*table_headings(comparison.first, name), "threshold", "verdict")


def full_cells(d: Difference) -> tuple[str, ...]:
    """Return a difference's cells, in the order of `full_headings`."""
    return (*difference_cells(d), "–" if d.margin is None else str(d.margin), short_difference(d))


def name_runs(comparison: Comparison) -> list[tuple[str, str]]:
    """Return each run's name in the comparison and its model."""
    return [(name, in_line(str(run.config["model"]["name"]))) for name, run in comparison.runs.items()]


def comparison_title(comparison: Comparison) -> str:
    """Return a title with the comparison's measure and data."""
    return f"{comparison.measure}, data {in_line(comparison.runs[comparison.first].config['data']['name'])}"


def verdict_sentences(comparison: Comparison, name: str) -> list[str]:
    """Return the verdict on the leading estimate, followed by those on other significant differences."""
    lead = comparison.lead(name)
    others = [d for d in comparison.of(name) if d is not lead and d.differs]
    return [in_line(describe_difference(d)) for d in ((lead, *others) if lead is not None else others)]


def show_gates(gates: Sequence[Gate], console: Console) -> None:
    """Print each gate's outcome with reasons, the values it tests, and the size of the simultaneous family."""
    for gate in gates:
        if gate.passed:
            more = f"; and {len(gate.readings) - MOST_READINGS} more" if len(gate.readings) > MOST_READINGS else ""
            readings = "; ".join(gate.readings[:MOST_READINGS]) + more
            console.print(Text(in_line(f"Passed: {gate.required} ({readings})"), style="green"))
        for reason in gate.failures:
            console.print(Text(in_line(f"Failed: {gate.condition}: {reason}"), style="bold red"))
        for reason in gate.unjudged:
            console.print(Text(in_line(f"Cannot be judged: {gate.condition}: {reason}"), style="bold yellow"))
        if len(gate.looks_at) > 1:
            tested = f"  Tests {len(gate.looks_at)} values: {', '.join(gate.looks_at)}."
            console.print(Text(in_line(tested), style="dim"), soft_wrap=True)
    for count in sorted({gate.together for gate in gates if gate.together > 1}):
        shared = f"Intervals are simultaneous at 95 % and p-values are adjusted across {count} estimates."
        console.print(Text(shared, style="dim"), soft_wrap=True)
