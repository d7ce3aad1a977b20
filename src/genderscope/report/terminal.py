"""Results on the terminal: a table a person can take a screenshot of."""

from collections.abc import Sequence

from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from genderscope.report.forest import Axis, bar
from genderscope.runs.result import Result
from genderscope.samples.gest import FEMALE, STEREOTYPES
from genderscope.statistics.estimate import Estimate

_WIDTH = 28
_MEANING = {
    "q_i": "masculine rate of a stereotype",
    "q_f": "masculine rate, female stereotypes",
    "q_m": "masculine rate, male stereotypes",
    "g_s": "stereotype rate q_m / q_f",
    "q_fam": "topical check: male samples that speak of family; compare with q_m",
    "r": "correlation of q_i",
    "mass": "probability the two words hold together",
}


def show(result: Result, console: Console) -> None:
    """Print a result: stereotypes, headline, cautions, signature."""
    estimates = result.as_estimates()
    console.print(_title(result))
    console.print(_stereotypes(estimates))
    console.print(_others(estimates))
    console.print(Text(result.summary, style="bold"))
    for caution in result.cautions:
        console.print(Text(f"Caution: {caution}", style="yellow"))
    read = result.rows["unread"].isna().sum()
    console.print(f"Coverage: {read:,} of {len(result.rows):,} questions read ({result.coverage:.1%}).")
    console.print(Text(f"Signature: {result.signature}"), soft_wrap=True)
    if result.folder is not None:
        console.print(Text(f"Report: {result.folder / 'report.html'}"), soft_wrap=True)


def _title(result: Result) -> RenderableType:
    model = escape(str(result.config["model"]["name"]))
    data = escape(str(result.config["data"]["name"]))
    return Text.from_markup(f"\n[bold]{escape(result.measure)}[/bold] · {model} · {data}\n")


def _stereotypes(estimates: Sequence[Estimate]) -> RenderableType:
    rates = [e for e in estimates if e.name == "q_i" and e.template is None]
    ranks = {e.stereotype: e for e in estimates if e.name == "rank" and e.template is None}
    axis = Axis.around(rates)
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("stereotype")
    table.add_column("q_i", justify="right")
    table.add_column("95 % interval", justify="right")
    table.add_column("n", justify="right")
    table.add_column("rank", justify="right")
    table.add_column(f"feminine ◄ {axis.neutral:g} ► masculine", justify="center")
    previous_female = True
    for rate in rates:
        female = rate.stereotype in FEMALE
        if previous_female and not female:
            table.add_section()
            table.add_row("")
        previous_female = female
        name = f"{rate.stereotype:>2} {STEREOTYPES[rate.stereotype or 0]}"
        rank = ranks[rate.stereotype].value
        style = "magenta" if female else "yellow"
        table.add_row(
            Text(name, style=style),
            number(rate.value),
            interval(rate),
            str(rate.n),
            "" if rank is None else f"{rank:g}",
            Text(bar(rate, axis, _WIDTH), style=style),
        )
    return Group(Text("women are …", style="magenta"), table)


def _others(estimates: Sequence[Estimate]) -> RenderableType:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("estimate", "for"):
        table.add_column(heading)
    for heading in ("value", "95 % interval", "neutral", "n", "unread"):
        table.add_column(heading, justify="right")
    table.add_column("meaning", style="dim", overflow="ellipsis", no_wrap=True)
    for e in estimates:
        if e.name in {"q_i", "rank"} or e.value is None:
            continue
        scope = e.group or (f"template {e.template}" if e.template else "all templates")
        neutral = "–" if e.neutral is None else f"{e.neutral:g}"
        style = "bold" if e.name == "g_s" and e.template is None else ""
        table.add_row(
            e.name,
            scope,
            number(e.value),
            interval(e),
            neutral,
            str(e.n),
            str(e.unread),
            _MEANING.get(e.name, ""),
            style=style,
        )
    return Group("", table, "")


def number(value: float | None) -> str:
    """Write a number for people: two decimals, or two digits where it is tiny."""
    if value is None:
        return "–"
    return f"{value:.2f}" if value == 0 or abs(value) >= 0.01 else f"{value:.1e}"


def interval(estimate: Estimate) -> str:
    """Write an interval for people."""
    if estimate.low is None or estimate.high is None:
        return "–"
    return f"[{number(estimate.low)}, {number(estimate.high)}]"
