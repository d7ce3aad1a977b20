"""Gender-swapped sentence pairs from translations (GEST section 4.3).

A sentence is translated both on its own and inside a frame, 'The woman said: "…"'. If the two translations differ in
exactly one word, and both variants of that word start with the same letter, the variants are usually its masculine and
feminine forms.
"""

import csv
import hashlib
import io
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal

from genderscope.core.errors import unknown
from genderscope.core.languages import suggested_language
from genderscope.core.tables import Table, lines_of, without_repetitions
from genderscope.samples import fetch
from genderscope.samples.dataset import OwnRow, SampleDataset, SampleSet
from genderscope.samples.gest import stereotype_of
from genderscope.samples.parse_cache import cached
from genderscope.samples.registry import dataset
from genderscope.samples.subsampling import in_strata

Gender = Literal["masculine", "feminine"]
#: returns the speaker's gender in a sentence; None if the sentence does not reveal it
Reader = Callable[[str], Gender | None]
Against = Literal["opposite", "frames"]

FRAMES = ("The man said", "The woman said")

#: reasons for a missing pair
NOT_TRANSLATED = "not translated"
NO_QUOTATION = "no quoted sentence in the framed translation"
NO_GENDER = "the plain translation shows no gender"
IDENTICAL = "the sentences are identical"
LENGTHS = "the sentences have different numbers of words"
SEVERAL = "several words differ"
BEGIN_DIFFERENTLY = "the differing words start with different letters"
NOT_CONFIRMED = "the reader did not find a masculine and a feminine form"

_OPENING = '"„“«»'
_CLOSING = '"“”«»'
_END = re.compile(rf"[{_CLOSING}]([.!?…]?)\s*$")


@dataclass(frozen=True, slots=True)
class WordDifference:
    """The two forms of the differing word, without attached punctuation, and the text around it."""

    before: str
    after: str
    one: str
    other: str


@dataclass(frozen=True, slots=True)
class GenderPair:
    """The masculine and feminine forms of a sentence."""

    male: str
    female: str
    stereotype: int
    source: str


@dataclass(frozen=True, slots=True)
class Translations:
    """A sample's translations: plain, in the man's frame, and in the woman's frame; None if missing."""

    source: str
    stereotype: int
    plain: str | None
    man: str | None
    woman: str | None


#: the limit takes the same number of pairs per stereotype where possible
PAIRS: SampleDataset[GenderPair] = SampleDataset(
    columns=("male", "female", "stereotype"),
    what="file of pairs",
    same=lambda pair: (pair.male, pair.female, pair.stereotype),
    choose=in_strata(lambda pair: pair.stereotype, equal=True),
)


def framed(sentence: str, frame: str) -> str:
    """Quote a sentence inside a frame."""
    return f'{frame}: "{sentence}"'


def quoted(text: str) -> str | None:
    """Return the sentence quoted in a framed translation; None if there is no quotation.

    An unclosed quotation extends to the end of the text; a quotation without quotation marks starts after the colon.
    """
    text = text.strip()
    start = next((k for k, character in enumerate(text) if character in _OPENING), None)
    frame, colon, rest = text.partition(":")
    unmarked = colon and (start is None or (len(frame) < start and text[len(frame) + 1 : start].strip()))
    if unmarked:
        return rest.strip() or None
    if start is None:
        return None
    inner = text[start + 1 :]
    if start == 0:  # the frame follows: "…", he said.
        end = max(inner.rfind(mark) for mark in _CLOSING)
        return inner[: end if end >= 0 else None].strip().rstrip(",") or None
    closed = _END.search(inner)
    if closed is None:
        return inner.strip() or None
    sentence = inner[: closed.start()].strip()
    return (sentence if sentence[-1:] in ".!?…" else sentence + closed.group(1)) or None


def difference(one: str, other: str) -> WordDifference | str:
    """Return the single word in which two sentences differ, or the reason why they are not a pair."""
    words, others = one.split(), other.split()
    if words == others:
        return IDENTICAL
    if len(words) != len(others):
        return LENGTHS
    differing = [k for k, (a, b) in enumerate(zip(words, others, strict=True)) if a != b]
    if len(differing) > 1:
        return SEVERAL
    (k,) = differing
    if words[k][0] != others[k][0]:
        return BEGIN_DIFFERENTLY
    lead, a, b, trail = _without_punctuation(words[k], others[k])
    return WordDifference(" ".join([*words[:k], lead]), " ".join([trail, *words[k + 1 :]]), a, b)


def build(
    translations: Translations, read: Reader, against: Against = "opposite", confirm: bool = True
) -> GenderPair | str:
    """Build a pair from a sample's translations, or return the reason why that is impossible.

    With `against="opposite"`, the plain translation is compared with the frame of the opposite gender (as in the
    paper); with "frames", the two framed translations are compared.
    """
    if translations.plain is None or translations.man is None or translations.woman is None:
        return NOT_TRANSLATED
    man, woman = quoted(translations.man), quoted(translations.woman)
    if against == "opposite":
        plain = " ".join(translations.plain.split())
        gender = read(plain)
        if gender is None:
            return NO_GENDER
        man, woman = (plain, woman) if gender == "masculine" else (man, plain)
    if man is None or woman is None:
        return NO_QUOTATION
    outcome = difference(man, woman)
    if isinstance(outcome, str):
        return outcome
    if confirm and (read(man), read(woman)) != ("masculine", "feminine"):
        return NOT_CONFIRMED
    return GenderPair(man, woman, translations.stereotype, translations.source)


def write(pairs: Iterable[GenderPair]) -> bytes:
    """Write pairs as CSV."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow((*PAIRS.columns, "source"))
    writer.writerows((pair.male, pair.female, pair.stereotype, pair.source) for pair in pairs)
    return table.getvalue().encode()


@cached
def load_released(language: str, as_published: bool = False) -> SampleSet[GenderPair]:
    """Load the paper's pairs for one language; identical pairs from several systems count once (section 4.3.2)."""
    content = fetch.read(dataset("gest-pairs").files[0])
    return parse_released(content, language, as_published)


def parse_released(content: bytes, language: str, as_published: bool = False) -> SampleSet[GenderPair]:
    """Parse the released file, with columns translator, language, original, stereotype, male, female.

    A pair listed under two stereotypes counts as two samples. The published figures use only the first row of a pair,
    regardless of stereotype and language.
    """
    where = "the released pairs"
    table = Table(lines_of(content, where), where)
    table.need(("language", "original", *PAIRS.columns), "it needs the columns of the released file")
    rows = [row for _, row in table]
    if as_published:
        rows, _ = without_repetitions(rows, lambda row: (row["male"], row["female"]))
    wanted = [row for row in rows if row["language"] == language]
    if not wanted:
        languages = {row["language"] or "" for row in rows}
        raise unknown("language in the released pairs", language, languages, suggested_language(language, languages))
    pairs = (
        _pair(OwnRow(f"released pairs, row {number}", number, {**row, "source": row["original"]}))
        for number, row in enumerate(wanted, 1)
    )
    unique = {PAIRS.same(pair): pair for pair in pairs}
    return PAIRS.loaded(f"released-{language}", hashlib.sha256(content).hexdigest(), unique.values())


def load(path: str, keep_duplicates: bool = False, as_published: bool = False) -> SampleSet[GenderPair]:
    """Load the user's own pairs without duplicates; `as_published` ignores the stereotype when finding duplicates."""
    file = PAIRS.opened(path)
    declared = replace(PAIRS, same=lambda pair: (pair.male, pair.female)) if as_published else PAIRS
    return declared.own(file, map(_pair, file), keep_duplicates, missing="has no pairs below its header")


def _pair(row: OwnRow) -> GenderPair:
    male, female = row.text("male"), row.text("female")
    if not male or not female:
        raise row.error("one of the two sentences is empty; fill it in or remove the row")
    return GenderPair(male, female, stereotype_of(row.text("stereotype"), row.where), row.cells.get("source") or "")


def _without_punctuation(one: str, other: str) -> tuple[str, str, str, str]:
    """Strip the punctuation shared by two words; return leading punctuation, words and trailing punctuation."""
    pieces = re.split(r"\w", one)
    first, last = pieces[0], pieces[-1]
    if not other.startswith(first) or not other.endswith(last) or len(first) + len(last) >= min(len(one), len(other)):
        return "", one, other, ""
    end = -len(last) or None
    return first, one[len(first) : end], other[len(first) : end], last
