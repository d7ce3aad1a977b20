"""Published tables beside ours, on the terminal."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from genderscope.published.gest_lm import Reproduction, reproduce
from genderscope.report import interval, number
from genderscope.runs import csv_file


def gest_lm(console: Console, _runs: Sequence[Path], target: Path | None) -> None:
    """Show GEST Tables 9 and 10, a line a model; every cell goes to `target` if it is given."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("table", "model"):
        table.add_column(heading, no_wrap=True)
    for heading in ("q_i cells", "equal", "max Δ interval", "g_s published", "g_s defined", "95 % interval"):
        table.add_column(heading, justify="right", no_wrap=True)
    models = list(reproduce())
    for model in models:
        table.add_row(str(model.table), model.model, *_columns(model))
    console.print(table)
    cells = [cell for model in models for cell in model.cells]
    equal = sum(cell.equal for cell in cells)
    worst = max(cell.interval_difference for cell in cells)
    console.print(
        f"\n{equal:,} of {len(cells):,} published q_i equal ours to both decimals; "
        f"interval ends differ by {worst:.3f} at most.\n"
        "As published g_s is the plain mean over templates (the paper's Figure 4), as defined the geometric one. For a "
        "single template it is as defined g_s as published to the power ln 10 = 2.303, because the released scores are "
        "log10 ratios that were exponentiated with base e."
    )
    without = [model.model for model in models if not model.cells]
    if without:
        console.print(f"No scores at hand for: {', '.join(without)}.")
    if target is not None:
        _write(models, target)


def _columns(model: Reproduction) -> tuple[str, ...]:
    if model.g_s_published is None or model.g_s_defined is None:
        return ("–",) * 6
    return (
        str(len(model.cells)),
        str(sum(cell.equal for cell in model.cells)),
        f"{max(cell.interval_difference for cell in model.cells):.3f}",
        number(model.g_s_published.value),
        number(model.g_s_defined.value),
        interval(model.g_s_defined),
    )


def _write(models: list[Reproduction], target: Path) -> None:
    header = ("table", "model", "template", "stereotype")
    numbers = [f"{who}_{what}" for who in ("published", "ours") for what in ("low", "value", "high")]
    with csv_file(target) as writer:
        writer.writerow([*header, *numbers])
        for cell in (cell for model in models for cell in model.cells):
            ours = [round(v, 4) for v in cell.ours]
            writer.writerow([cell.table, cell.model, cell.template, cell.stereotype, *cell.published, *ours])
