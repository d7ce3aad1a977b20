"""WinoMT: sentences about two people, one of whom a pronoun refers to.

The release has 3,168 sentences from WinoBias, in pro- and anti-stereotypical versions, and 720 from Winogender.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, NamedTuple

from genderscope.core.tables import decoded
from genderscope.samples import fetch
from genderscope.samples.dataset import OwnRow, SampleDataset, SampleSet, single_spaced
from genderscope.samples.parse_cache import cached
from genderscope.samples.registry import dataset
from genderscope.samples.subsampling import by_stratum

Gender = Literal["masculine", "feminine", "neutral"]
Stereotype = Literal["pro", "anti", ""]

GENDERS: tuple[Gender, ...] = ("masculine", "feminine", "neutral")
STEREOTYPES: tuple[Stereotype, ...] = ("pro", "anti")
#: a person without an occupation
SOMEONE = "someone"
#: between the two people in the name of a pair
JOINER = "+"

WHOLE = "winomt/aggregates/en.txt"
PARTS: dict[Stereotype, str] = {part: f"winomt/aggregates/en_{part}.txt" for part in STEREOTYPES}
_RELEASED: dict[str, Gender] = dict(zip(("male", "female", "neutral"), GENDERS, strict=True))
_PRONOUN = re.compile(r"\b(?:s?he|him|his|himself|hers?|herself|they|them|theirs?|themselves)\b")
_BE = re.compile(r"\b(?:was|were|is|are|has|have)\b")  # agrees with “they”
_ARTICLE = re.compile(r"^(?:the|an?)\s+")


@dataclass(frozen=True, slots=True)
class WinoMtSentence:
    """An English sentence about two people; the pronoun shows the gender of one of them.

    `entity` is the person whom the pronoun refers to, `other` the second person (empty if there is none). `stereotype`
    says whether the gender agrees with the stereotype of the occupation; it is empty if that is not known. Sentences
    that differ only in the pronoun have the same `twin`.
    """

    #: zero-based index in the data
    number: int
    source: str
    entity: str
    other: str
    gender: Gender
    stereotype: Stereotype
    twin: str

    @property
    def pair(self) -> str:
        """The names of the two people in alphabetical order: `designer+developer`."""
        return JOINER.join(sorted(filter(None, {self.entity, self.other})))

    @property
    def item(self) -> str:
        """The id of the English sentence, shared by repetitions of it."""
        return hashlib.sha256(self.source.rstrip().encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _with_twins(sentences: Sequence[WinoMtSentence], limit: int) -> list[WinoMtSentence]:
    """Choose sentences stratified by gender and stereotype; twins stay together, except the last ones."""
    groups: dict[str, list[WinoMtSentence]] = {}
    for sentence in sentences:
        groups.setdefault(sentence.twin or f"#{sentence.number}", []).append(sentence)
    kept: list[WinoMtSentence] = []
    count = limit * len(groups) // len(sentences)
    while len(kept) < limit:
        count += 1
        whole_groups = by_stratum(tuple(groups.values()), count, lambda group: (len(group), group[0].gender))
        kept = [sentence for group in whole_groups for sentence in group]
    return sorted(kept[:limit], key=lambda sentence: sentence.number)


WINOMT: SampleDataset[WinoMtSentence] = SampleDataset(
    columns=("source", "entity", "gender"),
    note="source,entity,gender (and optionally other,stereotype,twin)",
    noun="sentences",
    starter="starters/winomt.csv",
    same=lambda sentence: replace(sentence, number=0, source=sentence.source.rstrip()),
    choose=_with_twins,
)


class _SentenceLine(NamedTuple):
    gender: Gender
    source: str
    entity: str


@cached
def load_released() -> SampleSet[WinoMtSentence]:
    """Load the released sentences in the order of `en.txt`, to which released translations are aligned."""
    contents = {path: fetch.read(dataset("winomt").file(path)) for path in (WHOLE, *PARTS.values())}
    lines = _lines(contents[WHOLE], WHOLE)
    people = tuple(sorted({line.entity for line in lines}))
    labels = _labels([_lines(contents[path], path) for path in PARTS.values()])
    sentences: list[WinoMtSentence] = []
    triples: dict[str, str] = {}
    for number, line in enumerate(lines):
        label = next(labels.get(line, iter(())), None)
        stereotype, twin = label or ("", triples.setdefault(_without_pronoun(line), f"winogender {len(triples) + 1}"))
        other = find_other(line.source, line.entity, people)
        sentences.append(WinoMtSentence(number, line.source, line.entity, other, line.gender, stereotype, twin))
    return WINOMT.loaded("winomt", hashlib.sha256(b"".join(contents.values())).hexdigest(), _apart(sentences))


def _lines(content: bytes, path: str) -> list[_SentenceLine]:
    rows = (row.split("\t") for row in decoded(content, path).splitlines())
    return [_SentenceLine(_RELEASED[gender], source, entity.strip().lower()) for gender, _, source, entity in rows]


def _labels(parts: Sequence[Sequence[_SentenceLine]]) -> dict[_SentenceLine, Iterator[tuple[Stereotype, str]]]:
    """Return, for each line, the stereotype and the twin of each of its occurrences in the two parts.

    The two files are aligned. Two of their 1,584 lines do not match; they have no twin.
    """
    labels: dict[_SentenceLine, list[tuple[Stereotype, str]]] = {}
    for place, both in enumerate(zip(*parts, strict=True)):
        matches = len({line.entity for line in both}) == 1 and len({line.gender for line in both}) == 2
        for stereotype, line in zip(STEREOTYPES, both, strict=True):
            labels.setdefault(line, []).append((stereotype, f"winobias {place + 1}" if matches else ""))
    return {line: iter(occurrences) for line, occurrences in labels.items()}


def _without_pronoun(line: _SentenceLine) -> str:
    """Return what the masculine, feminine and neutral versions of a Winogender sentence have in common."""
    return f"{line.entity}: {_BE.sub('be', _PRONOUN.sub('_', line.source))}"


@cached
def load_own(data: str, keep_duplicates: bool = False) -> SampleSet[WinoMtSentence]:
    """Load the starter set or the user's own CSV or TSV file, whose duplicate rows are dropped by default."""
    file = WINOMT.opened(data)
    sentences = [_own_sentence(row, number) for number, row in enumerate(file)]
    # Where a row does not give the other person, it is looked for among all people that the file names.
    people = tuple(sorted({SOMEONE, *(name for s in sentences for name in (s.entity, s.other) if name)}))
    whole = [s if s.other else replace(s, other=find_other(s.source, s.entity, people)) for s in sentences]
    return WINOMT.own(file, _apart(whole), keep_duplicates)


def _own_sentence(row: OwnRow, number: int) -> WinoMtSentence:
    for column in WINOMT.columns:
        row.filled(column, f"'{column}'")
    return WinoMtSentence(
        number,
        single_spaced(row.text("source")),
        _person(row, "entity"),
        _person(row, "other"),
        row.one_of("gender", GENDERS),
        row.one_of("stereotype", STEREOTYPES, otherwise=""),
        single_spaced(row.text("twin")),
    )


def _person(row: OwnRow, column: str) -> str:
    """Return a person's name in lower case and without its article; raise UserError if the source lacks the person."""
    person = _ARTICLE.sub("", single_spaced(row.text(column)).lower())
    source = single_spaced(row.text("source")).lower()
    if person and re.search(rf"(?<!\w){re.escape(person)}(?!\w)", source) is None:
        raise row.error(f"the source does not contain the {column} '{person[:40]}'; write it as in the source")
    return person


def find_other(source: str, entity: str, people: tuple[str, ...]) -> str:
    """Return the first of the people in a sentence who is not the entity; empty if there is none."""
    return next((person for person in _finder(people).findall(source.lower()) if person != entity), "")


def _apart(sentences: Iterable[WinoMtSentence]) -> Iterator[WinoMtSentence]:
    """Append spaces to repeated sources, since a file may translate each occurrence differently."""
    seen: Counter[str] = Counter()
    for sentence in sentences:
        yield replace(sentence, source=sentence.source + " " * seen[sentence.source])
        seen[sentence.source] += 1


@cache
def _finder(people: tuple[str, ...]) -> re.Pattern[str]:
    """Compile a pattern for any of the people, longer names first."""
    names = sorted(people, key=lambda name: (-len(name), name))
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")
