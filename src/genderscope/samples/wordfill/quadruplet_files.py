"""Quadruplets from CSV files: the user's own file, and the released Slovak set."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from genderscope.core.errors import UserError
from genderscope.core.tables import Row, Table, lines_of, own_file, without_repetitions
from genderscope.samples import fetch
from genderscope.samples.registry import dataset
from genderscope.samples.wordfill.quadruplet import (
    BadSample,
    Sentence,
    WordFillSet,
    checksum,
    keywords_are_all_that_differs,
    numbered,
    parse,
    without_duplicates,
)

COLUMNS = ("s0", "s1", "s2", "s3")
SLOVAK_COLUMNS = ("veta1", "veta2", "veta3", "veta4")
NUMBERS = ("no sentence", "one sentence", "two sentences", "three sentences")


def own(path: str, skip_bad: bool, keep_duplicates: bool = False) -> WordFillSet:
    """Load the user's quadruplets without duplicates; raise on invalid lines, or just count them with `skip_bad`."""
    content = own_file(path, "data file")
    where = f"'{path}'"
    dropped: Counter[str] = Counter()
    parsed = list(_quadruplets(_rows(content, where, COLUMNS), COLUMNS, where, dropped if skip_bad else None))
    if not parsed:
        raise UserError(f"{where} has no usable quadruplets below its header; add rows with s0,s1,s2,s3.")
    kept, duplicates = without_repetitions(parsed, lambda q: q)
    chosen = numbered("own", parsed if keep_duplicates else kept)
    return WordFillSet(Path(path).name, checksum(content), chosen, dict(dropped), duplicates=duplicates)


def slovak(as_published: bool) -> WordFillSet:
    """Load the Slovak gender quadruplets, excluding those flagged for competence or misogyny, as in the paper."""
    content = fetch.read(dataset("wordfill").file("wordfill/slovak_gender.csv"))
    dropped: Counter[str] = Counter()
    rows = []
    for line, row in _rows(content, "the Slovak gender set", SLOVAK_COLUMNS):
        if row["competence?"] or row["misogynistic?"]:
            dropped["the annotators flagged it"] += 1
        else:
            rows.append((line, row))
    parsed = list(_quadruplets(rows, SLOVAK_COLUMNS, "the Slovak gender set", dropped))
    kept = parsed if as_published else without_duplicates(parsed, lambda q: q, dropped)
    return WordFillSet("slovak-gender", checksum(content), numbered("slovak-gender", kept), dict(dropped))


def _rows(content: bytes, where: str, columns: tuple[str, ...]) -> Iterable[tuple[int, Row]]:
    rows = Table(lines_of(content, where), where)
    rows.need(columns, f"it needs {','.join(columns)}")
    return rows


def _quadruplets(
    rows: Iterable[tuple[int, Row]],
    columns: tuple[str, ...],
    where: str,
    dropped: Counter[str] | None,
) -> Iterable[tuple[Sentence, ...]]:
    for line, row in rows:
        try:
            yield _quadruplet([row[name] for name in columns], columns)
        except BadSample as bad:
            if dropped is None:
                raise UserError(f"{where}, line {line}: {bad}; fix it, or skip such lines with --skip-bad.") from None
            dropped[str(bad)] += 1


def _quadruplet(cells: list[str | None], names: tuple[str, ...]) -> tuple[Sentence, ...]:
    given = [cell for cell in cells if cell is not None]
    if len(given) < len(cells):
        raise BadSample(f"the row has {NUMBERS[len(given)]} instead of four")
    sentences = tuple(parse(cell, name) for cell, name in zip(given, names, strict=True))
    for a, b in ((0, 1), (2, 3)):
        keywords_are_all_that_differs(sentences[a], sentences[b], f"{names[a]} and {names[b]}")
    return sentences
