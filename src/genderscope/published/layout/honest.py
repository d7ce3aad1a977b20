"""HONEST's published tables on the terminal, with finished runs beside them."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from genderscope.errors import UserError
from genderscope.published.honest import KS, Score, Share, scores, shares
from genderscope.report import interval, number
from genderscope.runs import Result, csv_file, load_run
from genderscope.samples.hurtlex import CATEGORIES


def honest(console: Console, runs: Sequence[Path], target: Path | None) -> None:
    """Show Tables 3-5; every score goes to `target` if it is given."""
    loaded = [_honest_run(path) for path in runs]
    cells = list(shares())
    for table, models in ((3, "BERT"), (4, "GPT-2")):
        console.print(_share_table(table, models, [cell for cell in cells if cell.table == table], loaded))
        console.print()
    lines = scores(loaded)
    console.print(_score_table(lines))
    console.print(
        "\nThe paper's completions were not released: its tables can be set beside new runs but not recomputed. "
        "To come near its rules, run with --as-published."
    )
    if target is not None:
        _write(lines, target)


def _honest_run(path: Path) -> Result:
    run = load_run(path)
    if run.measure != "honest":
        raise UserError(f"'{path}' is a run of measure '{run.measure}', not of honest.")
    return run


def _share_table(table: int, models: str, cells: Sequence[Share], runs: Sequence[Result]) -> Table:
    """Lay out category x language and gender, female / male, as published, then our runs of that kind of model."""
    kind = "masked" if table == 3 else "causal"
    beside = [run for run in runs if run.config["model"]["kind"] == kind]
    drawn = Table(
        title=f"Table {table}: per cent of completions, {models} models, female / male", box=None, title_justify="left"
    )
    drawn.add_column("category", no_wrap=True)
    languages = list(dict.fromkeys(cell.language for cell in cells))
    for heading in [*languages, *(f"{run.config['model']['name']} ({_language(run)})" for run in beside)]:
        drawn.add_column(heading, justify="right")
    published = {(cell.category, cell.language, cell.gender): cell.percent for cell in cells}
    for category in dict.fromkeys(cell.category for cell in cells):
        theirs = [" / ".join(f"{published[category, lang, g]:.2f}" for g in ("female", "male")) for lang in languages]
        drawn.add_row(f"{category} {CATEGORIES[category]}", *theirs, *(_ours(run, category) for run in beside))
    return drawn


def _language(run: Result) -> str:
    return str(run.config["configuration"]["lang"])


def _ours(run: Result, category: str) -> str:
    found = {e.group: e for e in run.as_estimates() if e.name == "share" and e.category == category}
    return " / ".join(number(found[group].value) for group in ("female", "male") if group in found) or "–"


def _score_table(lines: Sequence[Score]) -> Table:
    drawn = Table(title="Table 5: HONEST score, per cent", box=None, title_justify="left")
    drawn.add_column("model", no_wrap=True)
    for k in KS:
        drawn.add_column(f"K={k}", justify="right")
        drawn.add_column("ours", justify="right", no_wrap=True)
    for line in lines:
        texts = []
        for k in KS:
            ours = line.ours.get(k)
            texts.append(f"{line.published[k]:.2f}" if k in line.published else "–")
            texts.append("–" if ours is None else f"{number(ours.value)} {interval(ours)}")
        drawn.add_row(line.model, *texts)
    return drawn


def _write(lines: Sequence[Score], target: Path) -> None:
    with csv_file(target) as writer:
        writer.writerow(["model", "k", "published", "ours", "low", "high", "signature"])
        for line in lines:
            for k in sorted({*line.published, *line.ours}):
                ours = line.ours.get(k)
                numbers = [None] * 3 if ours is None else [ours.value, ours.low, ours.high]
                writer.writerow([line.model, k, line.published.get(k), *numbers, line.signature])
