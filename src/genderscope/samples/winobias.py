"""WinoBias samples: sentences with two occupations and a pronoun, in pro- and anti-stereotypical versions.

The two files are line-aligned. Pairs that differ in exactly one pronoun become samples; the others are counted and
excluded. Whether "her" corresponds to "his" or "him" follows from the paired sentence.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from genderscope.samples import fetch
from genderscope.samples.dataset import SampleDataset, SampleSet
from genderscope.samples.parse_cache import cached
from genderscope.samples.registry import dataset
from genderscope.samples.subsampling import in_strata

TYPES = (1, 2)
SPLITS = ("dev", "test")

MALE_PRONOUNS = frozenset({"he", "him", "his", "himself"})
FEMALE_PRONOUNS = frozenset({"she", "her", "hers", "herself"})

#: reasons for excluding a pair
TWO_PRONOUNS = "two pronouns differ"
NOISE = "words other than pronouns differ"

_WORD = re.compile(r"[\w']+|[^\w\s]")
_BRACKETED = re.compile(r"\[([^\]]*)\]")

Gender = Literal["male", "female"]


@dataclass(frozen=True, slots=True)
class WinoBiasSample:
    """One pair: the text around the pronoun, its two forms, and the occupation with its majority gender."""

    index: int
    type: int
    split: str
    line: int
    before: str
    after: str
    male: str
    female: str
    occupation: str
    gender: Gender

    @property
    def subset(self) -> str:
        """The subset's name, composed of type and split."""
        return subset_name(self.type, self.split)


WINOBIAS: SampleDataset[WinoBiasSample] = SampleDataset(choose=in_strata(lambda sample: (sample.subset, sample.gender)))


def subset_name(kind: int, split: str) -> str:
    """Return the name of a WinoBias subset."""
    return f"type {kind} {split}"


@cached
def load(types: Sequence[int] = TYPES, splits: Sequence[str] = SPLITS) -> SampleSet[WinoBiasSample]:
    """Load the pairs of these types and splits that differ in exactly one pronoun."""
    digest = hashlib.sha256()
    samples: list[WinoBiasSample] = []
    left_out: Counter[str] = Counter()
    for kind in types:
        for split in splits:
            paths = (f"winobias/{version}_stereotyped_type{kind}.txt.{split}" for version in ("pro", "anti"))
            pro, anti = (fetch.read(dataset("winobias").file(path)) for path in paths)
            digest.update(pro + anti)
            for line, (one, other) in enumerate(zip(_sentences(pro), _sentences(anti), strict=True), 1):
                pair = _pair(one, other)
                if isinstance(pair, str):
                    left_out[f"{subset_name(kind, split)}: {pair}"] += 1
                    continue
                occupation = _occupation(one)
                samples.append(WinoBiasSample(len(samples), kind, split, line, *pair[:4], occupation, pair[4]))
    name = "winobias" + "".join(f"-type{t}" for t in types if len(types) == 1)
    name += "".join(f"-{s}" for s in splits if len(splits) == 1)
    return WINOBIAS.loaded(name, digest.hexdigest(), samples, left_out=dict(left_out))


def _sentences(content: bytes) -> Iterator[str]:
    """Yield the sentences without line numbers but with brackets."""
    for line in content.decode("utf-8").splitlines():
        if line.strip():
            yield line.split(" ", 1)[1].strip()


def _pair(pro: str, anti: str) -> tuple[str, str, str, str, Gender] | str:
    """Return the surrounding text, both pronouns and the occupation's gender, or the reason for excluding the pair."""
    text, other = (sentence.replace("[", "").replace("]", "") for sentence in (pro, anti))
    words, others = list(_WORD.finditer(text)), _WORD.findall(other)
    if len(words) != len(others):
        return NOISE
    differing = [(word, twin) for word, twin in zip(words, others, strict=True) if word.group() != twin]
    if not differing or not all(_opposite(word.group(), twin) for word, twin in differing):
        return NOISE
    if len(differing) > 1:
        return TWO_PRONOUNS
    word, twin = differing[0]
    before, after = text[: word.start()], text[word.end() :]
    if word.group().lower() in MALE_PRONOUNS:
        return before, after, word.group(), twin, "male"
    return before, after, twin, word.group(), "female"


def _opposite(one: str, other: str) -> bool:
    one, other = one.lower(), other.lower()
    genders = (MALE_PRONOUNS, FEMALE_PRONOUNS)
    return any(one in a and other in b for a, b in (genders, genders[::-1]))


def _occupation(sentence: str) -> str:
    """Return the bracketed occupation that the pronoun refers to, without its article."""
    person = next(m for m in _BRACKETED.findall(sentence) if m.lower() not in MALE_PRONOUNS | FEMALE_PRONOUNS)
    return re.sub(r"^(the|an?)\s+", "", person.strip(), flags=re.IGNORECASE)
