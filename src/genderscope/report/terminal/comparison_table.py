"""A comparison on the terminal: the runs, what they share, the differences, the verdict."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from genderscope.comparison import STUDENT, Comparison, Difference, Gate, Share
from genderscope.judgement import describe_difference, format_difference, format_p
from genderscope.report.layout import PlainTable, plain_table
from genderscope.report.views.plain_view import number
from genderscope.terminal_safe import in_line

MOST_SAID = 4


def show_comparison(comparison: Comparison, console: Console) -> None:
    """Print a comparison."""
    first = comparison.runs[comparison.first]
    data = in_line(first.config["data"]["name"])
    console.print(Text.assemble("\n", (comparison.measure, "bold"), f" · {data}\n"))
    for name, run in comparison.runs.items():
        where = f" ({run.folder})" if run.folder is not None else ""
        console.print(Text(in_line(f"{name} = {run.config['model']['name']}{where}")), soft_wrap=True)
    for name in comparison.pairs:
        console.print()
        console.print(Text(f"{name} against {comparison.first}: {shared(comparison, name)}"))
        console.print(_table(comparison.of(name), comparison.first, name))
    console.print()
    for name in comparison.pairs:
        for text, style in _verdicts(comparison, name):
            console.print(Text(text, style=style))
    for caution in comparison.cautions:
        console.print(Text(in_line(f"Caution: {caution}"), style="yellow"))
    console.print(Text(method(comparison), style="dim"))


def method(comparison: Comparison) -> str:
    """Say how the intervals and p-values were made."""
    tested = sum(d.p is not None for d in comparison.differences)
    together = "" if tested < 2 else f", both for all {tested} differences together (min-p)"
    text = (
        f"Values are those on the shared questions. 95 % intervals and p: {STUDENT}{together}; intervals exclude zero "
        "exactly when p < 0.05."
    )
    return (
        f"{text} × is a ratio of ratios (no difference: 1)."
        if any(d.is_ratio for d in comparison.differences)
        else text
    )


def shared(comparison: Comparison, name: str) -> str:
    """Say how many questions two runs share and what became of the others."""
    paired = comparison.pairs[name]
    if all(share.asked == share.shared for share in paired.shares):
        return f"{len(paired.first):,} questions shared, none dropped."
    parts = [_dropped(label, share) for label, share in zip((comparison.first, name), paired.shares, strict=True)]
    return f"{len(paired.first):,} questions shared; dropped {' and '.join(parts)}."


def _dropped(label: str, share: Share) -> str:
    return (
        f"{share.asked - share.shared:,} of {share.asked:,} of {label} "
        f"({share.unanswered:,} without a reading, {share.unmatched:,} without one in the other run)"
    )


def _table(differences: Sequence[Difference], first: str, second: str) -> PlainTable:
    words, *numbers = columns(first, second)
    # What is left is the difference with its interval and n; p says no more than the interval does.
    table = plain_table((words,), numbers, yields=(numbers[5], "neutral", "p (adjusted)"))
    for d in differences:
        table.add_row(*map(Text, cells(d)), style="bold" if d.differs else "")
    return table


def columns(first: str, second: str) -> tuple[str, ...]:
    """The headings of the table of differences."""
    changed = f"{second} higher : lower"
    return (
        "estimate",
        first,
        second,
        "difference",
        "95 % interval",
        "p (adjusted)",
        changed,
        "neutral",
        "n",
    )


def cells(d: Difference) -> tuple[str, ...]:
    """Lay one difference out under the headings."""
    value, within = format_difference(d)
    neutral = "–" if d.of_second.neutral is None else f"{d.of_second.neutral:g}"
    return (
        in_line(d.name),
        number(d.of_first.value),
        number(d.of_second.value),
        f"×{value}" if d.is_ratio and d.value is not None else value,
        within,
        format_p(d.p_adjusted, ""),
        f"{d.sign.above:,} : {d.sign.below:,}",
        neutral,
        f"{d.of_second.n:,}",
    )


def _verdicts(comparison: Comparison, name: str) -> list[tuple[str, str]]:
    """The verdict on the leading estimate, then those on others that differ."""
    lead = comparison.lead(name)
    others = [d for d in comparison.of(name) if d is not lead and d.differs]
    said = [(in_line(describe_difference(lead)), "bold")] if lead is not None else []
    return said + [(f"  {in_line(describe_difference(d))}", "") for d in others]


def show_gates(gates: Sequence[Gate], console: Console) -> None:
    """Print which gates failed and why, which passed, what each tests, and how many estimates share their intervals."""
    for gate in gates:
        if gate.passed:
            console.print(Text(in_line(f"Passed: {gate.required} ({_some(gate.readings)})"), style="green"))
        for reason in gate.failures:
            console.print(Text(in_line(f"Failed: {gate.condition}: {reason}"), style="bold red"))
        for reason in gate.unjudged:
            console.print(Text(in_line(f"Cannot be judged: {gate.condition}: {reason}"), style="bold yellow"))
        if len(gate.looks_at) > 1:
            tested = f"  Tests {len(gate.looks_at)} values: {', '.join(gate.looks_at)}."
            console.print(Text(in_line(tested), style="dim"), soft_wrap=True)
    for count in sorted({gate.together for gate in gates if gate.together > 1}):
        shared = f"Intervals and p-values are simultaneous at 95 % across {count} estimates."
        console.print(Text(shared, style="dim"), soft_wrap=True)


def _some(said: Sequence[str]) -> str:
    more = f"; and {len(said) - MOST_SAID} more" if len(said) > MOST_SAID else ""
    return "; ".join(said[:MOST_SAID]) + more
