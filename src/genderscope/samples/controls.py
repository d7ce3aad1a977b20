"""Control texts with a known answer, written for Genderscope: sentences, pairs of forms, translations and decisions.

`sentences.csv`: a sentence said by a man and the same said by a woman. `forms.csv`: one sentence in its masculine and
its feminine form, whose beginning tells who speaks. `sources.csv`: English sentences to translate. `winobias.csv` and
`crows.csv`: a pronoun in a text about a man or a woman. `honest.csv`: beginnings of a hurtful and a harmless sentence.
`decisions.csv`: a request that anybody would grant, and one that nobody would.
Rows of the kind `nothing` differ in a detail that says nothing about the answer; their assignment is arbitrary.
"""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple, TypeVar

from genderscope.core.errors import UserError
from genderscope.core.tables import Table, lines_of, own_file
from genderscope.samples.dataset import resource_rows

Kind = Literal["known", "nothing"]
KINDS: tuple[Kind, ...] = ("known", "nothing")
#: value of --controls for a run without controls
NONE = "none"
#: known pairs and pairs with nothing to know in a run on part of the data
FEWER: dict[Kind, int] = {"known": 12, "nothing": 6}
#: with fewer known pairs, even answers that are all right could be chance
FEWEST_OWN = 6
#: share of a run's samples that controls may add where there are enough of them
SHARE = 0.05


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


class FormControl(NamedTuple):
    """A sentence in its masculine and its feminine form; `side` is the gender that its beginning tells."""

    language: str
    pair: int
    kind: Kind
    side: str
    male: str
    female: str


class PronounControl(NamedTuple):
    """A sentence with a blank for a masculine or feminine pronoun; `side` is the gender of the person meant."""

    language: str
    pair: int
    kind: Kind
    side: str
    before: str
    after: str
    male: str
    female: str


class HurtfulControl(NamedTuple):
    """Two templates with a blank [M]: one that asks for an insult, and a harmless one."""

    language: str
    pair: int
    kind: Kind
    hurtful: str
    harmless: str


class SourcePair(NamedTuple):
    """Two versions of an English sentence to translate; `person` is the word whose gender is asked, if any."""

    pair: int
    kind: Kind
    male: str
    female: str
    person: str


ControlT = TypeVar("ControlT", ControlPair, DecisionPair, FormControl, PronounControl, HurtfulControl, SourcePair)


def control_sentences(language: str, few: bool = False) -> tuple[ControlPair, ...]:
    """Return the pairs of sentences in a language, or its first ones if `few`; empty if it has none."""
    return _first(_table("sentences", ControlPair, language), FEWER if few else {})


def control_forms(language: str, few: bool = False) -> tuple[FormControl, ...]:
    """Return the sentences with a masculine and a feminine form in a language; empty if it has none."""
    return _first(_table("forms", FormControl, language), FEWER if few else {})


def pronoun_controls(name: str, language: str = "en", samples: int | None = None) -> tuple[PronounControl, ...]:
    """Return the sentences with a pronoun in a language, from the file for `winobias` or for `crows`.

    Args:
        name: The file.
        language: The language; without sentences in it, the result is empty.
        samples: The number of the run's samples, of which controls may add only a small share; None for all controls.
    """
    if samples is None:
        return _first(_table(name, PronounControl, language), {})
    # one pair with nothing to know for two known pairs, of two sentences each
    parts: dict[Kind, int] = {"known": 3, "nothing": 6}
    room = {kind: max(FEWER[kind], int(samples * SHARE / part)) for kind, part in parts.items()}
    return _first(_table(name, PronounControl, language), room)


def hurtful_controls(language: str, few: bool = False) -> tuple[HurtfulControl, ...]:
    """Return the pairs of a hurtful and a harmless template in a language."""
    return _first(_table("honest", HurtfulControl, language), FEWER if few else {})


def control_decisions(few: bool = False) -> tuple[DecisionPair, ...]:
    """Return the pairs of decisions, or the first ones of each kind if `few`."""
    return _first(_table("decisions", DecisionPair), FEWER if few else {})


def control_sources(measure: str, few: bool = False) -> tuple[SourcePair, ...]:
    """Return a translation measure's pairs of English sentences, or the first ones if `few`."""
    return _first(_table("sources", SourcePair, measure), FEWER if few else {})


def own_controls(path: str, language: str = "en") -> tuple[ControlPair, ...]:
    """Return the pairs in the user's own file, which needs the columns `male` and `female`."""
    table = Table(lines_of(own_file(path, "controls"), path), path)
    table.need(("male", "female"), "a control is a pair of sentences, said by a man and by a woman; 'kind' is optional")
    pairs = []
    for line, row in table:
        texts = tuple(str(row[gender] or "").strip() for gender in ("male", "female"))
        kind = str(row.get("kind") or "known").strip()
        if not all(texts):
            raise UserError(f"{path}, line {line}: both versions of a control are needed, 'male' and 'female'.")
        if texts[0] == texts[1]:
            raise UserError(f"{path}, line {line}: both versions of the control are the same; one must be about a man.")
        if kind not in KINDS:
            raise UserError(f"{path}, line {line}: the kind of a control is '{kind}'; write known or nothing.")
        pairs.append(ControlPair(str(row.get("language") or language), line, kind, *texts))
    repeated = Counter(pair[2:] for pair in pairs).most_common(1)
    if repeated and repeated[0][1] > 1:
        raise UserError(f"{path} contains the control '{repeated[0][0][1]}' several times; every pair may occur once.")
    known_answers = sum(pair.kind == "known" for pair in pairs)
    if known_answers < FEWEST_OWN:
        raise UserError(
            f"{path} has too few controls with a known answer ({known_answers}); at least {FEWEST_OWN} are needed, "
            "because fewer cannot differ from chance."
        )
    return tuple(pairs)


def digest_of(pairs: object) -> str:
    """Return a short digest of control texts, for a run's record."""
    return hashlib.sha256(repr(pairs).encode()).hexdigest()[:8]


def _first(rows: Sequence[ControlT], most: Mapping[Kind, int]) -> tuple[ControlT, ...]:
    """Return the rows of the first pairs of each kind, at most as many pairs as `most` allows."""
    pairs = {kind: list(dict.fromkeys(row.pair for row in rows if row.kind == kind)) for kind in KINDS}
    kept = {kind: set(numbers[: most.get(kind)]) for kind, numbers in pairs.items()}
    return tuple(row for kind in KINDS for row in rows if row.kind == kind and row.pair in kept[kind])


@cache
def _table(name: str, record: type[ControlT], part: str | None = None) -> tuple[ControlT, ...]:
    """Return a table's rows in one language or for one measure; pairs that the table names are numbered."""
    rows: list[dict[str, Any]] = list(resource_rows(f"tables/controls/{name}.csv"))
    names = [(row.get("measure"), row["kind"], row["pair"]) for row in rows]
    first = 0 if record is SourcePair else 1
    numbers = {pair: number for number, pair in enumerate(dict.fromkeys(names), first)}
    for row, pair in zip(rows, names, strict=True):
        row["pair"] = int(row["pair"]) if row["pair"].isdecimal() else numbers[pair]
    wanted = (row for row in rows if part in (row.get("language"), row.get("measure")))
    return tuple(record(**{field: row[field] for field in record._fields}) for row in wanted)
