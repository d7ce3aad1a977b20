"""CrowS-Pairs: the original, its revision, the variants with control pairs, and parallel pairs in Dutch and French.

In the parallel files, pairs have the same numbers in all three languages, and `sent_more` is the more stereotypical
sentence in every row. The column `stereo_antistereo` is not used: it says which group the sentence is about, and from
pair 217 on, the Dutch file has it in the wrong rows.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from genderscope.samples import fetch
from genderscope.samples.dataset import SampleSet
from genderscope.samples.matched_controls import NumberedPair, couples
from genderscope.samples.parse_cache import cached
from genderscope.samples.quadruplets import QUADRUPLETS, KeywordSentence, Quadruplet, checksum, without_duplicates
from genderscope.samples.registry import dataset

BIAS_TYPES = (
    "age",
    "disability",
    "gender",
    "nationality",
    "physical-appearance",
    "race-color",
    "religion",
    "sexual-orientation",
    "socioeconomic",
)
PAIRS = {"original": "wordfill/crows.csv", "revised": "wordfill/crows_revised.csv"}
CONTROLLED = {"negation": "wordfill/crows_negation.csv", "antistereotype": "wordfill/crows_antistereotype.csv"}
SETS = (*PAIRS, *CONTROLLED)

#: the more and the less stereotypical sentence
Sentences = tuple[str, str]
#: bias type, the more and the less stereotypical sentence, and optionally a control pair
Pair = tuple[str, str, str, Sentences | None]

PARALLEL, MATCHED = "parallel", "matched"
#: encoding of the Dutch files; decoding them as Latin-1 also succeeds, but garbles all accents and apostrophes
MACINTOSH = "mac-roman"
#: an accented letter's two UTF-8 bytes (C3 to C5, then 80 to BF), read as Mac Roman
GARBLED = re.compile(f"[√ƒ≈][{re.escape(bytes(range(0x80, 0xC0)).decode(MACINTOSH))}]")


class CrowsFile(NamedTuple):
    """A language's file and its encoding."""

    path: str
    encoding: str


FILES = {
    "en": CrowsFile("crows-nl-fr/crows_eng.csv", "utf-8"),
    "nl": CrowsFile("crows-nl-fr/crows_dutch.csv", MACINTOSH),
    "fr": CrowsFile("crows-nl-fr/crows_french.csv", "utf-8"),
}


@cached
def load(name: str, bias_types: Iterable[str], as_published: bool) -> SampleSet[Quadruplet]:
    """Load one of the sets; the sets with control pairs cover only gender."""
    content = fetch.read(dataset("wordfill").file((PAIRS | CONTROLLED)[name]))
    left_out: Counter[str] = Counter()
    parsed = _pairs(content, frozenset(bias_types), left_out) if name in PAIRS else _controlled(content, left_out)
    kept = list(parsed) if as_published else without_duplicates(parsed, lambda pair: pair, left_out)
    items: dict[tuple[str, str], int] = {}
    samples = (
        _sample(k, items.setdefault((more, less), len(items)), subset, (more, less), control)
        for k, (subset, more, less, control) in enumerate(kept)
    )
    return QUADRUPLETS.loaded(f"crows-{name}", checksum(content), samples, left_out=dict(left_out))


def _pairs(content: bytes, wanted: frozenset[str], left_out: Counter[str]) -> Iterable[Pair]:
    for row in csv.DictReader(io.StringIO(content.decode("utf-8"), newline="")):
        subset = row["bias_type"].lower()
        if subset not in BIAS_TYPES:
            left_out["its bias type is not one of the nine"] += 1
        elif subset in wanted:
            if row["sent_more"].strip() and row["sent_less"].strip():
                yield subset, row["sent_more"].strip(), row["sent_less"].strip(), None
            else:
                left_out["a sentence is empty"] += 1


def _controlled(content: bytes, left_out: Counter[str]) -> Iterable[Pair]:
    """Yield each column's pair (rows 0-1) once per control pair (rows 2-3 and 4-5)."""
    for column in zip(*csv.reader(io.StringIO(content.decode("utf-8"), newline="")), strict=True):
        controls = [(a, b) for a, b in zip(column[2::2], column[3::2], strict=True) if a and b]
        if not controls:
            left_out["it has no control pair"] += 1
        for more, less in controls:
            yield "gender", column[0].strip(), column[1].strip(), (more.strip(), less.strip())


@cached
def load_parallel(name: str, languages: Iterable[str], bias_types: Iterable[str]) -> SampleSet[Quadruplet]:
    """Load the parallel pairs in these languages, or the matched ones, which have control pairs."""
    left_out: Counter[str] = Counter()
    mended: Counter[str] = Counter()
    samples: list[Quadruplet] = []
    contents = []
    for language in languages:
        content = fetch.read(dataset("crows-nl-fr").file(FILES[language].path))
        contents.append(content)
        pairs = list(_parallel_pairs(content, FILES[language].encoding, frozenset(bias_types), left_out, mended))
        if name == PARALLEL:
            samples += [_parallel_sample(pair, language, None) for pair in pairs]
        else:
            samples += [_parallel_sample(men, language, women) for men, women in couples(pairs, language, left_out)]
    name = f"crows-{name}-{'+'.join(languages)}"
    return QUADRUPLETS.loaded(name, checksum(*contents), samples, left_out=dict(left_out), mended=dict(+mended))


def _parallel_sample(pair: NumberedPair, language: str, other: NumberedPair | None) -> Quadruplet:
    """Return a pair as a sample; its control pair `other` has the opposite stereotype, so its sentences are swapped."""
    control = None if other is None else (other.less, other.more)
    return _sample(pair.number, pair.number, pair.subset, (pair.more, pair.less), control, language)


def _sample(
    index: int, item: int, subset: str, pair: Sentences, control: Sentences | None, language: str | None = None
) -> Quadruplet:
    s0, s2 = map(KeywordSentence, pair)
    s1, s3 = (None, None) if control is None else map(KeywordSentence, control)
    return Quadruplet(index, item, subset, s0, s1, s2, s3, language=language)


def _parallel_pairs(
    content: bytes, encoding: str, wanted: frozenset[str], left_out: Counter[str], mended: Counter[str]
) -> Iterator[NumberedPair]:
    for row in csv.DictReader(io.StringIO(content.decode(encoding), newline=""), restkey="more cells"):
        if None in row.values() or "more cells" in row:
            left_out["its row has the wrong number of cells"] += 1
        elif row["bias_type"].strip().lower() in wanted:
            more, less = _mended(row, mended)
            if not more or not less:
                left_out["a sentence is empty"] += 1
            elif more == less:
                left_out["its two sentences are the same"] += 1
            else:
                yield NumberedPair(int(row["id"]), row["bias_type"].strip().lower(), more, less)


def _mended(row: dict[str, str], mended: Counter[str]) -> tuple[str, str]:
    """Return a pair's sentences with garbled letters, spaces and unequal apostrophes corrected and counted."""
    raw = row["sent_more"], row["sent_less"]
    restored = _restored(raw[0]), _restored(raw[1])
    mended["garbled letters were restored"] += restored != raw
    more, less = (re.sub(r"[ \t\r\n]+", " ", sentence).strip() for sentence in restored)
    mended["spaces or line breaks were removed"] += (more, less) != restored
    plain = more.replace("’", "'"), less.replace("’", "'")
    if _shared(*plain) > _shared(more, less):
        mended["an apostrophe was written alike in both sentences"] += 1
        return plain
    return more, less


def _restored(text: str) -> str:
    """Restore accented letters whose UTF-8 bytes were read as Mac Roman: "√©" becomes "é"."""
    return GARBLED.sub(lambda match: match[0].encode(MACINTOSH).decode("utf-8"), text)


def _shared(first: str, second: str) -> int:
    """Return the number of words that two sentences share."""
    return (Counter(first.split()) & Counter(second.split())).total()
