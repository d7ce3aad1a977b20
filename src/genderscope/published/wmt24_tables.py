"""The WMT24 paper's tables, recomputed from the public system outputs with our gender reader."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
from rich.console import Console

from genderscope.core.questions import TranslationAnswer
from genderscope.measures import frame_of, symbols_of
from genderscope.measures.dialogue import (
    REGRESSIONS,
    TABLES,
    Compared,
    DialogueRates,
    DialogueRow,
    fitted,
    regressed,
    rows_of,
)
from genderscope.published.paper_tables import published_table, write_table
from genderscope.report import PlainTable, plain_table
from genderscope.samples import fetch
from genderscope.samples.dialogue import DialogueSuite, excerpt, load
from genderscope.samples.registry import DataFile, dataset

OUTPUTS = "wmt24-dialogue-outputs"
#: the paper's languages, in the order of its tables
LANGUAGES = ("es", "cs", "is")
#: the Icelandic tables spell one system differently
ALIASES = {"TranssionMT": "TransionMT"}
#: coefficients whose signs matter for the paper's argument
KEY_COEFFICIENTS = ("Character Stereo(F)", "Opposite(M)")
#: tables of regression coefficients
OF_COEFFICIENTS = tuple(tables for tables, _ in REGRESSIONS.values())


@dataclass(frozen=True, slots=True)
class TableCell:
    """A published number and our value."""

    table: str
    language: str
    system: str
    name: str
    published: float
    ours: float | None

    @property
    def is_difference(self) -> bool:
        """Whether the number is a Δ, which is derived from the shares and compared separately."""
        return self.name.startswith("delta")


@dataclass(frozen=True, slots=True)
class TableAgreement:
    """Our agreement with one table in one language; `r` is the correlation of Δ across systems."""

    table: str
    language: str
    systems: int
    mean_difference: float
    r: float | None


def system_files() -> Iterator[tuple[str, str, DataFile]]:
    """Yield language, system and file of each public output."""
    for file in dataset(OUTPUTS).files:
        language, name = file.path.split("/")[2:]
        yield language, name.removesuffix(".txt"), file


def reproduce(systems: Iterable[tuple[str, str, DataFile]] | None = None) -> Iterator[tuple[str, str, list[TableCell]]]:
    """Yield language, system and table cells for the given system outputs, by default all public ones."""
    suite = load(None)
    for language, system, file in systems if systems is not None else system_files():
        rows = read_rows(suite, fetch.read(file, excerpt).decode("utf-8"), language)
        yield language, system, [*table_cells(rows, language, system), *coefficients(rows, language, system)]


def read_rows(suite: DialogueSuite, text: str, language: str) -> pd.DataFrame:
    """Build the rows for a system's translations, given as one translation per line."""
    lines = text.removesuffix("\n").split("\n")
    rows: list[DialogueRow] = []
    for number, (source, line) in enumerate(zip(suite.samples, lines, strict=True)):
        rows += rows_of(source, number, TranslationAnswer(line), language)
    return frame_of(rows, DialogueRow)


def table_cells(rows: pd.DataFrame, language: str, system: str) -> Iterator[TableCell]:
    """Yield this system's numbers in the paper's Tables 6-8, 12-14 and 18-26."""
    rates = DialogueRates(rows, 0, as_published=True)
    for table in TABLES:
        published = _published(table, language, system)
        if published is None:
            continue
        by_condition = rates.rates(rows, table, resamples=0)
        assert by_condition is not None
        share = "M" if table.outcome == "male" else "acc"
        ours = {f"{share}_{name}": by_condition[name].value for name in table.conditions}
        ours |= {"M": by_condition["all"].value} if "M" in published else {}
        plus, minus = table.compared_conditions
        ours[symbols_of("dialogue")[table.difference]] = by_condition[plus].value - by_condition[minus].value
        for name, value in published.items():
            if name in ours:
                yield TableCell(table.tables, language, system, name, value, ours[name])


def coefficients(rows: pd.DataFrame, language: str, system: str) -> Iterator[TableCell]:
    """Yield this system's coefficients in the paper's Tables 9-11, 15-17 and 27-29."""
    for subset, (tables, _) in REGRESSIONS.items():
        first = int(tables.split("-")[0])
        number = str(first + LANGUAGES.index(language))
        published = {
            row["variable"]: float(row["coefficient"])
            for row in published_table("wmt24_regressions.csv")
            if (row["table"], row["system"]) == (number, system)
        }
        if not published:
            continue
        estimates = fitted(regressed(rows, subset, as_published=True), subset, as_published=True).coefficients
        for name, value in published.items():
            yield TableCell(tables, language, system, name, value, estimates[name].value if name in estimates else None)


def agreement(cells: Sequence[TableCell]) -> list[TableAgreement]:
    """Summarise the agreement by table and language, in the paper's order."""
    agreements = []
    keys = dict.fromkeys((cell.table, cell.language) for cell in cells)
    for table, language in sorted(keys, key=lambda key: (int(key[0].split("-")[0]), LANGUAGES.index(key[1]))):
        compared = [c for c in cells if (c.table, c.language) == (table, language) and c.ours is not None]
        shares = [abs((c.ours or 0.0) - c.published) for c in compared if not c.is_difference]
        deltas = pd.DataFrame([(c.published, c.ours) for c in compared if c.is_difference], columns=["theirs", "ours"])
        r = float(deltas["theirs"].corr(deltas["ours"])) if len(deltas) > 2 else None
        systems = len({c.system for c in compared})
        agreements.append(
            TableAgreement(table, language, systems, sum(shares) / len(shares) if shares else float("nan"), r)
        )
    return agreements


def _published(table: Compared, language: str, system: str) -> dict[str, float] | None:
    names = {system, ALIASES.get(system, system)}
    for row in published_table(f"wmt24_tables{table.tables}_{table.subset}.csv"):
        if row["language"] == language and row["system"] in names:
            return {name: float(value) for name, value in row.items() if name not in {"language", "system"}}
    return None


def dialogue(console: Console, _runs: Sequence[Path], target: Path | None) -> None:
    """Print each system's numbers, then the agreement per table; write all cells to `target` if given."""
    cells: list[TableCell] = []
    for language, system, own in reproduce():
        cells += own
        console.print(f"{language} {system}: {len(own)} cells", style="dim")
    for table in dict.fromkeys(cell.table for cell in cells if cell.table not in OF_COEFFICIENTS):
        console.print(f"\nTables {table}: published, then ours", style="bold")
        console.print(_side_by_side([cell for cell in cells if cell.table == table]))
    console.print()
    console.print(_summary(agreement(cells)))
    _signs(cells, console)
    console.print(
        "\nThe paper sampled its balanced subsets at random: two byte-identical outputs differ by up to 0.058 in its "
        "tables. No weighting we tried reproduces Tables 18-20; ours are pooled."
    )
    rows = [
        (c.table, c.language, c.system, c.name, c.published, "" if c.ours is None else round(c.ours, 5)) for c in cells
    ]
    write_table(target, ("tables", "language", "system", "name", "published", "ours"), rows)


def _side_by_side(cells: Sequence[TableCell]) -> PlainTable:
    names = list(dict.fromkeys(cell.name for cell in cells))
    table = plain_table(("language", "system"), [heading for name in names for heading in (name, "ours")])
    for language, system in dict.fromkeys((cell.language, cell.system) for cell in cells):
        by_name = {c.name: c for c in cells if (c.language, c.system) == (language, system)}
        line = [language, system]
        for name in names:
            cell = by_name[name]
            line += [f"{cell.published:.3f}", "–" if cell.ours is None else f"{cell.ours:.3f}"]
        table.add_row(*line)
    return table


def _summary(agreements: Sequence[TableAgreement]) -> PlainTable:
    table = plain_table(("tables", "language"), ("systems", "mean |difference|", "correlation of Δ"))
    for a in agreements:
        kind = f"{a.table} (coefficients)" if a.table in OF_COEFFICIENTS else a.table
        r = "–" if a.r is None else f"{a.r:.3f}"
        table.add_row(kind, a.language, str(a.systems), f"{a.mean_difference:.4f}", r)
    return table


def _signs(cells: Sequence[TableCell], console: Console) -> None:
    for name in KEY_COEFFICIENTS:
        named = [cell for cell in cells if cell.name == name]
        finite = [cell for cell in named if cell.ours is not None]
        same = sum((cell.ours or 0.0) * cell.published > 0 for cell in finite)
        separated = len(named) - len(finite)
        without = f"; {separated} could not be fitted because of separation" if separated else ""
        console.print(f"{name}: same sign in {same} of {len(finite)} regressions{without}.")
