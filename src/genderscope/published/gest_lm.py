"""GEST Tables 9 and 10, recomputed from the released per-sample scores."""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from genderscope.measures.gest import about_family
from genderscope.published.paper_tables import published_table, write_table
from genderscope.report import interval, number, plain_table
from genderscope.samples import fetch
from genderscope.samples.gest import load
from genderscope.samples.registry import dataset
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

#: (template, stereotype) -> published q_i with its interval (low, value, high)
Cells = dict[tuple[int, int], tuple[float, float, float]]

#: short names in the tables -> full names in the released files
FULL_NAMES = {
    "bert-base": "bert-base-uncased",
    "albert-base": "albert-base-v2",
    "bert-base-multi": "bert-base-multilingual-cased",
    "distilbert-base": "distilbert-base-uncased",
    "electra-large": "electra-large-generator",
    "electra-base": "electra-base-generator",
}


@dataclass(frozen=True)
class PublishedTable:
    """A table in the paper: its CSV file, the folder with its scores, and the number of its first template."""

    number: int
    csv: str
    scores: str
    first_template: int


TABLES = (
    PublishedTable(9, "gest_table9_english_mlm.csv", "english_mlm", 1),
    PublishedTable(10, "gest_table10_english_glm.csv", "english_glm", 3),
)


@dataclass(frozen=True)
class RateCell:
    """A published q_i and our value, each with its interval (low, value, high)."""

    table: int
    model: str
    template: int
    stereotype: int
    published: tuple[float, float, float]
    ours: tuple[float, float, float]

    @property
    def equal(self) -> bool:
        """Whether the values agree to the two printed decimals."""
        return f"{self.ours[1]:.2f}" == f"{self.published[1]:.2f}"

    @property
    def interval_difference(self) -> float:
        """The largest difference between our interval bounds and the published ones."""
        return max(abs(self.ours[k] - self.published[k]) for k in (0, 2))


@dataclass(frozen=True)
class Reproduction:
    """A model's cells and its g_s on both scales; no cells if its scores were not released."""

    table: int
    model: str
    cells: tuple[RateCell, ...]
    g_s_published: Estimate | None
    g_s_defined: Estimate | None


def reproduce() -> Iterator[Reproduction]:
    """Recompute the tables, one model at a time."""
    for table, model, published, rows in _scored():
        if rows is None:
            yield Reproduction(table.number, model, (), None, None)
            continue
        # imports pandas, so missing data are reported first
        from genderscope.measures.gest import PublishedRates, Rates

        rates = PublishedRates(rows, seed=0, scale="ratio")
        cells = (
            RateCell(table.number, model, template, stereotype, values, _with_ends(rates.q_i(stereotype, number)))
            for (template, stereotype), values in published.items()
            for number in [template + table.first_template - 1]
        )
        defined = Rates(rows, seed=0, scale="ratio").g_s(None)
        yield Reproduction(table.number, model, tuple(cells), rates.g_s(None), defined)


def reproduced_rows() -> "Iterator[tuple[str, pd.DataFrame]]":
    """Yield the name and the rows of each model with released scores."""
    yield from ((model, rows) for _, model, _, rows in _scored() if rows is not None)


def _scored() -> "Iterator[tuple[PublishedTable, str, Cells, pd.DataFrame | None]]":
    """Yield table, model, published cells and rows of the measure; None in place of these without released scores.

    The released scores are log10 ratios; the rows have the paper's template numbers 1 to 4.
    """
    samples = load(None, "1.0").samples
    released = {file.path: file for file in dataset("gest-predictions").files}
    fetch.read(next(iter(released.values())))  # fail before the slow import of pandas
    import pandas as pd

    frame = pd.DataFrame(
        {
            "sample": [s.index for s in samples],
            "stereotype": [s.stereotype for s in samples],
            "family": [about_family(s.sentence, as_published=True) for s in samples],
        }
    )
    for table in TABLES:
        for model, published in _published(table).items():
            paths = {t: _path(table, model, t) for t in sorted({template for template, _ in published})}
            if not all(path in released for path in paths.values()):
                yield table, model, published, None
                continue
            rows = []
            for t, path in paths.items():
                natural = [float(score) * math.log(10) for score in fetch.read(released[path]).split()]
                rows.append(frame.assign(template=t + table.first_template - 1, log_ratio=natural, mass=math.nan))
            yield table, model, published, pd.concat(rows)


def _published(table: PublishedTable) -> dict[str, Cells]:
    """Parse a table: model -> (template, stereotype) -> (low, value, high)."""
    rates: dict[str, Cells] = defaultdict(dict)
    for row in published_table(table.csv):
        key = int(row["template"]), int(row["stereotype"])
        rates[row["model"]][key] = float(row["low"]), float(row["value"]), float(row["high"])
    return rates


def _path(table: PublishedTable, model: str, template: int) -> str:
    return f"gest/predictions/{table.scores}/{FULL_NAMES.get(model, model)}_template-{template - 1}.txt"


def _with_ends(rate: Estimate) -> tuple[float, float, float]:
    assert rate.low is not None
    assert rate.value is not None
    assert rate.high is not None
    return rate.low, rate.value, rate.high


def gest_lm(console: Console, _runs: Sequence[Path], target: Path | None) -> None:
    """Print GEST Tables 9 and 10, one line per model; write all cells to `target` if given."""
    headings = ("q_i cells", "equal", "max Δ interval", "g_s published", "g_s defined", "95 % interval")
    table = plain_table(("table", "model"), headings)
    models = list(reproduce())
    for model in models:
        table.add_row(str(model.table), model.model, *_columns(model))
    console.print(table)
    cells = [cell for model in models for cell in model.cells]
    equal = sum(cell.equal for cell in cells)
    worst = max(cell.interval_difference for cell in cells)
    console.print(
        f"\n{equal:,} of {len(cells):,} published q_i match ours to both decimals; "
        f"interval ends differ by at most {worst:.3f}.\n"
        "The published g_s is the arithmetic mean over templates (the paper's Figure 4); the defined one is the "
        "geometric mean. For a single template, the defined g_s is the published one to the power ln 10 = 2.303, "
        "because the released scores are log10 ratios that were exponentiated with base e."
    )
    without = [model.model for model in models if not model.cells]
    if without:
        console.print(f"No released scores for: {', '.join(without)}.")
    numbers = [f"{who}_{what}" for who in ("published", "ours") for what in ("low", "value", "high")]
    rows = [
        (cell.table, cell.model, cell.template, cell.stereotype, *cell.published, *(round(v, 4) for v in cell.ours))
        for cell in cells
    ]
    write_table(target, ("table", "model", "template", "stereotype", *numbers), rows)


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
