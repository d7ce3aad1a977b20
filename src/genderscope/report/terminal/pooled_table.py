"""Pooled runs on the terminal."""

from rich.console import Console
from rich.text import Text

from genderscope.comparison import Pooled
from genderscope.judgement import label
from genderscope.report.layout import plain_table
from genderscope.report.views.plain_view import interval, number
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
    numbers = ("pooled", "95 % interval", "neutral", "n", "runs", "between runs")
    table = plain_table(("estimate",), numbers, optional=("between runs", "runs", "neutral"))
    for p in pooled.estimates:
        e = p.estimate
        neutral = "–" if e.neutral is None else f"{e.neutral:g}"
        span = f"{number(min(p.values))} to {number(max(p.values))}"
        table.add_row(
            *map(Text, (in_line(label(e)), number(e.value), interval(e), neutral, f"{e.n:,}", span, f"{p.share:.0%}"))
        )
    console.print(table)
    console.print()
    console.print(Text(in_line(pooled.summary), style="bold"))
    note = "Runs: range of the runs' values. Between runs: share of the pooled variance due to seeds or prompts."
    console.print(Text(note, style="dim"))
