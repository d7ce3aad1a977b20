"""GEST Tables 6 and 8 beside ours, on the terminal."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from genderscope.published.gest_mt import MtReproduction, reproduce
from genderscope.runs import csv_file


def gest_mt(console: Console, _runs: Sequence[Path], target: Path | None) -> None:
    """Show yields and masculine rates, a line a system and language; every cell goes to `target` if it is given."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("system", "language"):
        table.add_column(heading, no_wrap=True)
    for heading in ("yield published", "ours", "ratio", "mean Δ p_i", "max Δ p_i"):
        table.add_column(heading, justify="right", no_wrap=True)
    found = []
    for each in reproduce():
        found.append(each)
        table.add_row(
            each.system,
            each.language,
            f"{each.published_yield:,}",
            f"{each.our_yield:,}",
            f"{each.our_yield / each.published_yield:.3f}",
            f"{each.mean_difference:.4f}",
            f"{each.largest_difference:.4f}",
        )
    console.print(table)
    console.print(
        "\nRates are the interval centres that Table 8 prints, to two decimals: rounding alone gives a mean Δ of "
        "0.0025. Belarusian is no target: the paper's parser misread its past tense, and sentences read by hand agree "
        "with ours."
    )
    if target is not None:
        _write(found, target)


def _write(found: list[MtReproduction], target: Path) -> None:
    with csv_file(target) as writer:
        writer.writerow(("system", "language", "stereotype", "published", "ours"))
        for each in found:
            for stereotype, (published, ours) in each.rates.items():
                writer.writerow((each.system, each.language, stereotype, published, round(ours, 4)))
