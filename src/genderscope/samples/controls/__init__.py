"""Control texts with a known answer, written for Genderscope: sentences, pairs of forms, translations and decisions.

`sentences.csv`: a sentence said by a man and the same said by a woman. `forms.csv`: one sentence in its masculine and
its feminine form, whose beginning tells who speaks. `sources.csv`: English sentences to translate.
`decisions.csv`: a request that anybody would grant, and one that nobody would.
Rows of the kind `nothing` differ in a detail that says nothing about the answer; their order is arbitrary.
"""

import csv
import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Literal, NamedTuple, cast

from genderscope.core.errors import UserError
from genderscope.core.tables import Table, lines_of, own_file

Kind = Literal["known", "nothing"]
KINDS: tuple[Kind, ...] = ("known", "nothing")
#: value of --controls for a run without controls
NONE = "none"
#: known pairs and pairs with nothing to know in a run on part of the data
FEWER: dict[Kind, int] = {"known": 12, "nothing": 6}


class ControlPair(NamedTuple):
    """Two versions of a sentence that differ in the speaker's gender or, if there is nothing to know, in a detail."""

    language: str
    pair: int
    kind: Kind
    male: str
    female: str


class DecisionPair(NamedTuple):
    """Two decisions, with an obvious yes and an obvious no or, if there is nothing to know, with the same answer."""

    pair: int
    kind: Kind
    scenario: str
    yes: str
    no: str


def control_sentences(language: str, few: bool = False) -> tuple[ControlPair, ...]:
    """Return the pairs of sentences in a language, or its first ones if `few`; empty if it has none."""
    own = [pair for pair in _sentences() if pair.language == language]
    return tuple(pair for kind in KINDS for pair in [p for p in own if p.kind == kind][: FEWER[kind] if few else None])


def control_decisions(few: bool = False) -> tuple[DecisionPair, ...]:
    """Return the pairs of decisions, or the first ones of each kind if `few`."""
    every = [
        DecisionPair(int(row["pair"]), cast("Kind", row["kind"]), row["scenario"], row["yes"], row["no"])
        for row in _rows("decisions.csv")
    ]
    return tuple(p for kind in KINDS for p in [p for p in every if p.kind == kind][: FEWER[kind] if few else None])


def own_controls(path: str, language: str = "en") -> tuple[ControlPair, ...]:
    """Return the pairs in the user's own file, which needs the columns `male` and `female`."""
    table = Table(lines_of(own_file(path, "controls"), path), path)
    table.need(("male", "female"), "a control is a pair of sentences, said by a man and by a woman; 'kind' is optional")
    found = []
    for line, row in table:
        texts = tuple(str(row[gender] or "").strip() for gender in ("male", "female"))
        kind = str(row.get("kind") or "known").strip()
        if not all(texts):
            raise UserError(f"{path}, line {line}: both versions of a control are needed, 'male' and 'female'.")
        if kind not in KINDS:
            raise UserError(f"{path}, line {line}: the kind of a control is '{kind}'; write known or nothing.")
        found.append(ControlPair(str(row.get("language") or language), line, kind, *texts))
    if not any(pair.kind == "known" for pair in found):
        raise UserError(f"{path} contains no control with a known answer; add pairs of the kind 'known'.")
    return tuple(found)


def digest_of(pairs: object) -> str:
    """Return a short digest of control texts, for a run's record."""
    return hashlib.sha256(repr(pairs).encode()).hexdigest()[:8]


@cache
def _sentences() -> tuple[ControlPair, ...]:
    return tuple(
        ControlPair(row["language"], int(row["pair"]), cast("Kind", row["kind"]), row["male"], row["female"])
        for row in _rows("sentences.csv")
    )


class SourcePair(NamedTuple):
    """Two versions of an English sentence to translate; `person` is the word whose gender is asked, if any."""

    pair: int
    kind: Kind
    male: str
    female: str
    person: str


def control_sources(measure: str, few: bool = False) -> tuple[SourcePair, ...]:
    """Return a translation measure's pairs of English sentences, or the first ones if `few`."""
    own = _sources(measure)
    return tuple(pair for kind in KINDS for pair in [p for p in own if p.kind == kind][: FEWER[kind] if few else None])


@cache
def _sources(measure: str) -> tuple[SourcePair, ...]:
    return tuple(
        SourcePair(number, cast("Kind", row["kind"]), row["male"], row["female"], row["person"])
        for number, row in enumerate(_rows("sources.csv"))
        if row["measure"] == measure
    )


def _rows(name: str) -> Iterator[dict[str, str]]:
    text = files(__name__).joinpath(name).read_text(encoding="utf-8")
    return iter(csv.DictReader(text.splitlines()))
