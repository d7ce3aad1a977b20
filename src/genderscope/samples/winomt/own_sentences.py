"""WinoMT sentences from a CSV file: the built-in starter set or the user's own data."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import get_args

from genderscope.core.errors import UserError
from genderscope.core.tables import Table, lines_of, own_file, without_repetitions
from genderscope.samples.parse_cache import cached
from genderscope.samples.winomt.sentence import (
    GENDERS,
    SOMEONE,
    Gender,
    Stereotype,
    WinoMtSentence,
    WinoMtSet,
    find_other,
    tell_apart,
)

STARTER = "starter"
COLUMNS = ("source", "entity", "gender")
MORE_COLUMNS = ("other", "stereotype", "twin")
_ARTICLE = re.compile(r"^(?:the|an?)\s+")


@cached
def load_own(data: str, keep_duplicates: bool = False) -> WinoMtSet:
    """Load the starter set or the user's own CSV or TSV file, whose duplicate rows are dropped by default."""
    if data == STARTER:
        content, where = files("genderscope.samples.winomt").joinpath("starter.csv").read_bytes(), "the starter set"
    else:
        content, where = own_file(data, "data file"), f"'{data}'"
    rows = Table(lines_of(content, where), where, "\t" if Path(data).suffix == ".tsv" else ",")
    rows.need(COLUMNS, f"it needs {','.join(COLUMNS)} (and optionally {','.join(MORE_COLUMNS)})")
    every = _with_others(list(_sentences(rows)))
    if not every:
        raise UserError(f"{where} has no sentences below its header; add rows with {','.join(COLUMNS)}.")
    once, duplicates = without_repetitions(every, lambda sentence: replace(sentence, number=0))
    name = STARTER if data == STARTER else Path(data).name
    sha256 = hashlib.sha256(content).hexdigest()
    apart = tell_apart(every)
    if keep_duplicates or not duplicates:
        return WinoMtSet(name, sha256, tuple(apart), duplicates)
    kept = {sentence.number for sentence in once}
    return WinoMtSet(name, sha256, tuple(s for s in apart if s.number in kept), duplicates, tuple(apart))


def _sentences(rows: Table) -> Iterator[WinoMtSentence]:
    for number, (line, row) in enumerate(rows):
        where = f"{rows.where}, line {line}"
        cells = {column: " ".join((row.get(column) or "").split()) for column in (*COLUMNS, *MORE_COLUMNS)}
        for column in COLUMNS:
            if not cells[column]:
                raise UserError(f"{where}: '{column}' is empty; fill it in or remove the row.")
        yield WinoMtSentence(
            number,
            cells["source"],
            _person(cells, "entity", where),
            _person(cells, "other", where),
            _gender(cells["gender"], where),
            _stereotype(cells["stereotype"], where),
            cells["twin"],
        )


def _person(cells: dict[str, str], column: str, where: str) -> str:
    """Return a person's name in lower case and without its article; raise UserError if the source lacks the person."""
    person = _ARTICLE.sub("", cells[column].lower())
    if person and re.search(rf"(?<!\w){re.escape(person)}(?!\w)", cells["source"].lower()) is None:
        raise UserError(
            f"{where}: the source does not contain the {column} '{person[:40]}'; write it as in the source."
        )
    return person


def _gender(text: str, where: str) -> Gender:
    found = next((gender for gender in GENDERS if gender == text.lower()), None)
    if found is None:
        raise UserError(f"{where}: the gender is '{text[:40]}'; it must be {', '.join(GENDERS[:-1])} or {GENDERS[-1]}.")
    return found


def _stereotype(text: str, where: str) -> Stereotype:
    kinds: tuple[Stereotype, ...] = get_args(Stereotype)
    found = next((kind for kind in kinds if kind == text.lower()), None)
    if found is None:
        raise UserError(f"{where}: the stereotype is '{text[:40]}'; it must be pro, anti or empty.")
    return found


def _with_others(sentences: list[WinoMtSentence]) -> list[WinoMtSentence]:
    """Look for the other person among all people that the file names, where a row does not give one."""
    people = tuple(sorted({SOMEONE, *(name for s in sentences for name in (s.entity, s.other) if name)}))
    return [s if s.other else replace(s, other=find_other(s.source, s.entity, people)) for s in sentences]
