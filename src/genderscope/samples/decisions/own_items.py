"""Items from a CSV file: the built-in starter set or the user's own data.

A row is an item: an occupation, a trait, a decision or a conflict. A decision contains alternatives for the genders in
square brackets, `[She|He|They]`, and a conflict the placeholders NAME1 and NAME2.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

from genderscope.core.errors import UserError, did_you_mean
from genderscope.core.tables import Row, Table, lines_of, own_file, without_repetitions
from genderscope.samples.decisions.prompts import NAMES, couple, filled
from genderscope.samples.decisions.sample import GENDERS, PROBES, DecisionSample, DecisionSamples, Probe
from genderscope.samples.parse_cache import cached

STARTER = "starter"
COLUMNS = ("probe", "text", "scenario", "score", "source", "woman", "man")
#: alternatives for women and men, and optionally for non-binary people
_ALTERNATIVES = re.compile(r"\[([^\[\]|]*(?:\|[^\[\]|]*){1,2})\]")


@cached
def load_own(data: str, probes: Sequence[Probe], keep_duplicates: bool = False) -> DecisionSamples:
    """Load the items of these probes from a file or the starter set."""
    if data == STARTER:
        content, where = files("genderscope.samples.decisions").joinpath("starter.csv").read_bytes(), "the starter set"
    else:
        content, where = own_file(data, "data file"), f"'{data}'"
    rows = Table(lines_of(content, where), where)
    rows.need(("probe", "text"), f"it needs probe,text and, depending on the probe, {','.join(COLUMNS[2:])}")
    every = list(_items(rows, probes))
    if not every:
        raise UserError(f"{where} has no items for {', '.join(probes)}; add rows, or choose others with --probes.")
    once, duplicates = without_repetitions(every, lambda item: tuple(replace(each, item="") for each in item))
    kept = [sample for item in (every if keep_duplicates else once) for sample in item]
    kept.sort(key=lambda sample: probes.index(sample.probe))
    numbered = tuple(replace(sample, index=index) for index, sample in enumerate(kept))
    name = STARTER if data == STARTER else Path(data).name
    return DecisionSamples(name, hashlib.sha256(content).hexdigest(), numbered, duplicates)


def _items(rows: Table, probes: Sequence[Probe]) -> Iterator[tuple[DecisionSample, ...]]:
    """Yield the prompts of each row that belongs to one of the probes; all rows are checked."""
    for line, row in rows:
        where = f"{rows.where}, line {line}"
        given = (row["probe"] or "").strip().lower()
        probe = next((each for each in PROBES if each == given), None)
        if probe is None:
            raise UserError(
                f"{where}: the probe is '{given[:40]}'; use one of {', '.join(PROBES)}.{did_you_mean(given, PROBES)}"
            )
        text = " ".join((row["text"] or "").split())
        if not text:
            raise UserError(f"{where}: the text is empty; fill it in or remove the row.")
        scenario = (row.get("scenario") or "").strip() or text
        item = _MAKERS[probe](row, text, str(line), scenario, where)
        if probe in probes:
            yield item


def _job(row: Row, text: str, item: str, scenario: str, where: str) -> tuple[DecisionSample, ...]:
    score = _score(row, where)
    return (DecisionSample(0, "jobs", item, scenario, filled("jobs", text), score=score),)


def _trait(row: Row, text: str, item: str, scenario: str, where: str) -> tuple[DecisionSample, ...]:
    score, source = _score(row, where), (row.get("source") or "").strip() or "own"
    if score not in (0.0, 1.0):
        raise UserError(f"{where}: the score of a trait is {score:g}; it must be 0 (female) or 1 (male).")
    return (DecisionSample(0, "inventories", item, scenario, filled("inventories", text), score=score, source=source),)


def _decision(row: Row, text: str, item: str, scenario: str, where: str) -> tuple[DecisionSample, ...]:
    counts = {len(found[1].split("|")) for found in _ALTERNATIVES.finditer(text)}
    if len(counts) != 1 or "[" in _ALTERNATIVES.sub("", text):
        raise UserError(
            f"{where}: a decision needs alternatives such as [She|He] or [She|He|They], with the same number of "
            "genders in all brackets."
        )
    texts = (_alternative(text, k) for k in range(counts.pop()))
    return tuple(
        DecisionSample(0, "discrimination", item, scenario, filled("discrimination", each), gender=gender)
        for gender, each in zip(GENDERS, texts, strict=False)
    )


def _alternative(text: str, place: int) -> str:
    return _ALTERNATIVES.sub(lambda found: found[1].split("|")[place], text)


def _conflict(row: Row, text: str, item: str, scenario: str, where: str) -> tuple[DecisionSample, ...]:
    woman, man = ((row.get(column) or "").strip() for column in ("woman", "man"))
    if not woman or not man or woman == man:
        raise UserError(f"{where}: a conflict needs two different names in the columns woman and man.")
    if any(name not in text for name in NAMES):
        raise UserError(f"{where}: a conflict needs the placeholders NAME1 and NAME2.")
    return couple(text, woman, man, item, scenario)


def _score(row: Row, where: str) -> float:
    given = (row.get("score") or "").strip()
    try:
        score = float(given)
    except ValueError:
        score = -1.0
    if not 0 <= score <= 1:
        raise UserError(f"{where}: the score is '{given[:40]}'; it must be a number from 0 (female) to 1 (male).")
    return score


_MAKERS = {"jobs": _job, "inventories": _trait, "discrimination": _decision, "relationships": _conflict}
