"""How often do the printed 95 % intervals hold the truth, and how often do tests reject what is true?

    python benchmarks/coverage.py [--replications N] [--first K] [--only MEASURE] [--save FILE.csv]
        [--saved FILE.csv …] [--write]

Data are drawn from models whose truth is known (`benchmarks/simulated/`) and go through the measures' own functions.
The log-ratios of GEST are resampled from released scores where GENDERSCOPE_MIRROR names a mirror. `--write` puts the
table into benchmarks/RESULTS.md, beside what was measured before (`coverage-0.1.0.csv`); `--saved` does so from counts
that were saved, measure by measure. Counts of the same situation are pooled; `--first` keeps their replications apart.
"""

import argparse
import csv
import re
import sys
import time
import warnings
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.simulated import (
    Situation,
    bbq,
    chat,
    comparisons,
    decisions,
    dialogue,
    differences,
    eurogest,
    gate,
    geneval,
    gest,
    honest,
    model_comparisons,
    models,
    power,
    ranks,
    recurrence,
    scopes,
    statements,
    translation,
    winobias,
    winomt,
    wordfill,
)

from genderscope.judgement import SYMBOLS

HERE = Path(__file__).parent
BEFORE = HERE / "coverage-0.1.0.csv"
RESULTS = HERE / "RESULTS.md"
START, END = "<!-- coverage: begin -->", "<!-- coverage: end -->"
MODULES = (
    gest,
    eurogest,
    chat,
    translation,
    geneval,
    gate,
    honest,
    winobias,
    winomt,
    bbq,
    decisions,
    wordfill,
    dialogue,
    model_comparisons,
    models,
    power,
    ranks,
    recurrence,
    scopes,
    comparisons,
    differences,
    statements,
)
#: how often an interval should hold the truth, and how often a test may reject it or a statement be false
LOW, HIGH, FALSE = 0.93, 0.97, 0.05


@dataclass(frozen=True)
class Covered:
    """How often the intervals of one estimate in one situation held the truth; errors are Monte Carlo errors."""

    measure: str
    situation: str
    what: str
    replications: int
    #: the share of intervals that were printed
    printed: float
    coverage: float | None
    error: float
    rejected: float | None
    conservative: str

    @property
    def statement(self) -> str | None:
        """The statement whose falsehood is counted; None for an interval."""
        if self.measure == "statements":
            return self.what.removeprefix("false ")
        return self.what.removeprefix("alarm: ") if self.what.startswith("alarm") else None

    @property
    def holds(self) -> bool:
        """Whether the interval or statement meets its bar, as far as so many replications can tell."""
        if self.coverage is None:
            return True
        slack = 2 * self.error
        if self.statement is not None:
            return 1 - self.coverage <= FALSE + slack
        highest = 1.0 if self.conservative else HIGH
        rejects = self.rejected is None or self.rejected <= FALSE + slack
        return LOW - slack <= self.coverage <= highest + slack and rejects


def situations(only: str | None = None) -> Iterator[Situation]:
    """Every situation of every measure."""
    for module in MODULES:
        yield from (s for s in module.situations() if only is None or s.measure == only)


def measured(situation: Situation, replications: int, first: int = 0) -> list[Covered]:
    """Count coverage in one situation, with the replications from number `first` on."""
    number = max(20, round(situation.share * replications))
    seed = zlib.crc32(f"{situation.measure}{situation.name}".encode())
    hits: dict[str, list[tuple[float, float, float]]] = {}
    rejections: dict[str, list[float]] = {}
    for k in range(first, first + number):
        mine: dict[str, list[bool | None]] = {}
        tests: dict[str, list[float]] = {}
        for c in situation.draw(np.random.default_rng([seed, k])):
            what = with_paper_symbols(situation.measure, c.what)
            inside = None if c.low is None or c.high is None else bool(c.low - 1e-12 <= c.truth <= c.high + 1e-12)
            mine.setdefault(what, []).append(inside)
            if c.p is not None:
                tests.setdefault(what, []).append(float(c.p < 0.05))
        for what, found in mine.items():
            known = [x for x in found if x is not None]
            hits.setdefault(what, []).append((float(sum(known)), float(len(known)), float(len(found))))
        for what, rejected in tests.items():
            rejections.setdefault(what, []).append(float(np.mean(rejected)))
    return [_covered(situation, what, np.array(each), rejections.get(what)) for what, each in hits.items()]


def with_paper_symbols(measure: str, what: str) -> str:
    """Return what is checked, with the papers' symbols, which take less room in a table."""
    symbols = SYMBOLS.get(measure, {})
    return re.sub(r"\w+", lambda word: symbols.get(word[0], word[0]), what)


def _covered(situation: Situation, what: str, counts: np.ndarray, rejected: list[float] | None) -> Covered:
    inside, printed, asked = counts.sum(axis=0)
    coverage = inside / printed if printed else None
    error = 0.0
    if coverage is not None:
        # a replication holds several intervals, so that it is the unit of the error; never less than one miss shows
        spread = counts[:, 0] - coverage * counts[:, 1]
        error = float(np.sqrt((spread**2).sum()) / printed)
        error = max(error, float(np.sqrt(0.05 * 0.95 / max(printed, 1))) / 2)
    return Covered(
        situation.measure,
        situation.name,
        what,
        len(counts),
        float(printed / asked),
        coverage,
        error,
        None if rejected is None else float(np.mean(rejected)),
        situation.conservative or _reason(what),
    )


def _reason(what: str) -> str:
    """Say why more than 97 % is right for some estimates in any situation."""
    return "whole numbers" if what.startswith("rank") else "false alarms" if what.startswith("alarm") else ""


def table(found: Iterable[Covered], before: dict[tuple[str, str, str], dict[str, str]]) -> Iterator[str]:
    """Write the lines of the table."""
    found = list(found)
    yield from _statements([c for c in found if c.statement is not None])
    yield "| measure | situation | estimate | before | coverage | ± | printed | true null rejected |"
    yield "|---|---|---|---|---|---|---|---|"
    for c in found:
        if c.statement is not None:
            continue
        was = before.get((c.measure, c.situation, c.what))
        old = "" if was is None or not was["coverage"] else f"{100 * float(was['coverage']):.1f}"
        old += f" (null {100 * float(was['rejected']):.1f})" if was is not None and was["rejected"] else ""
        now = "–" if c.coverage is None else f"{100 * c.coverage:.1f}" + ("" if c.holds else " **!**")
        null = "" if c.rejected is None else f"{100 * c.rejected:.1f}"
        mark = f" ({c.conservative})" if c.conservative else ""
        yield (
            f"| {c.measure} | {c.situation}{mark} | {c.what} | {old} | {now} | {100 * c.error:.1f} "
            f"| {100 * c.printed:.0f} | {null} |"
        )


def _statements(found: Sequence[Covered]) -> Iterator[str]:
    """Write the table of statements; none if there are none."""
    if not found:
        return
    yield "| what | situation | statement | false | ± |"
    yield "|---|---|---|---|---|"
    for c in found:
        wrong = 100 * (1 - (c.coverage or 0.0))
        mark = "" if c.holds else " **!**"
        yield f"| {c.measure} | {c.situation} | {c.statement} | {wrong:.1f}{mark} | {100 * c.error:.1f} |"
    yield ""


def earlier() -> dict[tuple[str, str, str], dict[str, str]]:
    """What was measured before, where the file is there."""
    if not BEFORE.is_file():
        return {}
    with BEFORE.open(encoding="utf-8", newline="") as file:
        return {(row["measure"], row["situation"], row["what"]): row for row in csv.DictReader(file)}


def save(found: Iterable[Covered], path: Path) -> None:
    """Keep the counts, to be shown beside later ones."""
    names = ("measure", "situation", "what", "replications", "printed", "coverage", "error", "rejected", "conservative")
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        for c in found:
            numbers = (c.printed, c.coverage, c.error, c.rejected)
            shown = ["" if x is None else f"{x:.4f}" for x in numbers]
            writer.writerow([c.measure, c.situation, c.what, c.replications, *shown, c.conservative])


def saved(path: Path) -> Iterator[Covered]:
    """Read counts that were saved."""
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            coverage, rejected = (float(row[k]) if row[k] else None for k in ("coverage", "rejected"))
            known = (row["measure"], row["situation"], row["what"], int(row["replications"]), float(row["printed"]))
            yield Covered(*known, coverage, float(row["error"]), rejected, row["conservative"])


def pooled(found: Iterable[Covered]) -> list[Covered]:
    """Put counts of the same intervals from several runs together; the runs must have had other replications."""
    parts: dict[tuple[str, str, str], list[Covered]] = {}
    for c in found:
        parts.setdefault((c.measure, c.situation, c.what), []).append(c)
    return [_pool(several) for several in parts.values()]


def _pool(parts: Sequence[Covered]) -> Covered:
    total = sum(c.replications for c in parts)

    def mean(pairs: Iterable[tuple[float | None, float]]) -> float | None:
        known = [(value, weight) for value, weight in pairs if value is not None and weight]
        return sum(v * w for v, w in known) / sum(w for _, w in known) if known else None

    printed = [c.printed * c.replications for c in parts]
    weight = sum(printed) or 1.0
    error = sum((c.error * w / weight) ** 2 for c, w in zip(parts, printed, strict=True)) ** 0.5
    return replace(
        parts[-1],
        replications=total,
        printed=sum(printed) / total,
        coverage=mean((c.coverage, w) for c, w in zip(parts, printed, strict=True)),
        error=error,
        rejected=mean((c.rejected, c.replications) for c in parts),
    )


def write(lines: Iterable[str]) -> None:
    """Put the table between its marks in RESULTS.md."""
    text = RESULTS.read_text(encoding="utf-8")
    head, _, rest = text.partition(START)
    _, _, tail = rest.partition(END)
    RESULTS.write_text(head + "\n".join([START, *lines, END]) + tail, encoding="utf-8")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--replications", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="the first replication, to add to an earlier run")
    parser.add_argument("--only", help="one measure")
    parser.add_argument("--match", default="", help="only situations whose name holds this")
    parser.add_argument("--saved", type=Path, nargs="+", help="take counts from these files instead of measuring")
    parser.add_argument("--save", type=Path, help="write the counts into this CSV file")
    parser.add_argument("--write", action="store_true", help="write the table into RESULTS.md")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    found = pooled(c for path in given.saved or () for c in saved(path))
    started = time.process_time()
    for situation in situations(given.only) if not given.saved else ():
        if given.match not in situation.name:
            continue
        mine = measured(situation, given.replications, given.first)
        for line in table(mine, earlier()):
            print(line, flush=True)
        found += mine
        if given.save:
            save(found, given.save)
    spent = time.process_time() - started
    print(f"{sum(not c.holds for c in found)} of {len(found)} miss; {spent:.0f} s of processor time")
    if given.write:
        write(table(found, earlier()))


if __name__ == "__main__":
    main()
