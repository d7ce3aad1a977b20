"""Quadruplets: stereotypical and anti-stereotypical sentences about a group and its control group.

s0  the stereotype about the group          s1  the anti-stereotype about the group
s2  the stereotype about the control group  s3  the anti-stereotype about the control group

s0 and s1 differ in one keyword, and so do s2 and s3. CrowS pairs are s0 and s2; a variant adds the pair s1 and s3.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from genderscope.samples.subsampling import evenly, limits

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, the span of its keyword, if any, and the spans of the keyword's other occurrences."""

    text: str
    keyword: tuple[int, int] | None = None
    again: tuple[tuple[int, int], ...] = ()

    @property
    def word(self) -> str | None:
        """The keyword itself."""
        return None if self.keyword is None else self.text[slice(*self.keyword)]

    @property
    def marked(self) -> str:
        """The sentence with its keyword in <brackets>."""
        if self.keyword is None:
            return self.text
        begin, end = self.keyword
        return f"{self.text[:begin]}<{self.text[begin:end]}>{self.text[end:]}"


@dataclass(frozen=True, slots=True)
class Quadruplet:
    """One sample; samples with the same `item` are resampled together."""

    index: int
    item: int
    subset: str
    s0: Sentence
    s1: Sentence | None = None
    s2: Sentence | None = None
    s3: Sentence | None = None
    #: StereoSet's unrelated third option, and the target term
    unrelated: Sentence | None = None
    target: str | None = None
    #: the sample's language, in sets with several
    language: str | None = None

    @property
    def unit(self) -> str | int:
        """The target term, or the item if the term is unknown."""
        return self.item if self.target is None else self.target

    @property
    def sentences(self) -> dict[str, Sentence]:
        """The sentences by name: s0 to s3, and unrelated."""
        named = {"s0": self.s0, "s1": self.s1, "s2": self.s2, "s3": self.s3, "unrelated": self.unrelated}
        return {name: sentence for name, sentence in named.items() if sentence is not None}


@dataclass(frozen=True)
class WordFillSet:
    """A set of samples with its name, checksum, and numbers of dropped and corrected samples by reason."""

    name: str
    sha256: str
    samples: tuple[Quadruplet, ...]
    dropped: Mapping[str, int] = field(default_factory=dict)
    mended: Mapping[str, int] = field(default_factory=dict)
    duplicates: int = 0  # number of duplicate rows in the user's own file


def numbered(subset: str, quadruplets: Iterable[Sequence[Sentence]]) -> tuple[Quadruplet, ...]:
    """Number quadruplets, treating each as a separate item."""
    return tuple(Quadruplet(k, k, subset, s0, s1, s2, s3) for k, (s0, s1, s2, s3) in enumerate(quadruplets))


class BadSample(Exception):  # noqa: N818 - a control-flow signal that users never see
    """Raised if a sample is unusable; the message gives the reason."""


def parse(marked: str, name: str) -> Sentence:
    """Parse a sentence with its keyword in <brackets>."""
    text = marked.strip()
    if not text:
        raise BadSample(f"sentence {name} is empty")
    keywords = re.findall(r"<([^<>]*)>", text)
    if text.count("<") != text.count(">") or len(keywords) != text.count("<"):
        raise BadSample(f"sentence {name} has an unmatched bracket")
    if len(keywords) != 1:
        many = "no keyword" if not keywords else f"{len(keywords)} keywords"
        raise BadSample(f"sentence {name} has {many} in <brackets> instead of one")
    if not keywords[0].strip() or keywords[0] != keywords[0].strip():
        raise BadSample(f"the <brackets> in sentence {name} are empty or have spaces around the keyword")
    begin = text.index("<")
    return Sentence(text.replace("<", "").replace(">", ""), (begin, begin + len(keywords[0])))


def keywords_are_all_that_differs(first: Sentence, second: Sentence, names: str) -> None:
    """Raise if two sentences differ in more than their keywords, or if their keywords are equal."""
    assert first.keyword is not None
    assert second.keyword is not None
    frames = [(s.text[: s.keyword[0]], s.text[s.keyword[1] :]) for s in (first, second) if s.keyword]
    if frames[0] != frames[1]:
        raise BadSample(f"sentences {names} differ in more than their keywords")
    if first.word == second.word:
        raise BadSample(f"sentences {names} have the same keyword '{first.word}'")


def one_word_apart(*texts: str) -> tuple[Sentence, ...]:
    """Mark the single word in which the sentences differ, without trailing punctuation."""
    words = [text.split() for text in texts]
    places = [k for k, column in enumerate(zip(*words, strict=False)) if len(set(column)) > 1]
    if len({len(w) for w in words}) > 1:
        raise BadSample("the sentences have different numbers of words")
    if len(places) != 1:
        raise BadSample("the sentences do not differ in exactly one word")
    sentences = []
    for sentence in words:
        word = sentence[places[0]]
        bare = word.rstrip('.!?,"')
        begin = len(" ".join([*sentence[: places[0]], ""]))
        sentences.append(Sentence(" ".join(sentence), (begin, begin + len(bare))))
        if not bare:
            raise BadSample("the word that differs is punctuation")
    return tuple(sentences)


def without_duplicates(samples: Iterable[T], key: Callable[[T], Hashable], dropped: Counter[str]) -> list[T]:
    """Drop and count duplicate samples."""
    kept: dict[Hashable, T] = {}
    for sample in samples:
        if kept.setdefault(key(sample), sample) is not sample:
            dropped["it is a duplicate"] += 1
    return list(kept.values())


def limited(samples: WordFillSet, limit: int | None) -> WordFillSet:
    """Subsample about `limit` evenly spaced samples; samples of the same item are kept or dropped together."""
    if limit is None or not limits(samples.samples, limit):
        return samples
    items = list(dict.fromkeys(sample.item for sample in samples.samples))
    chosen = set(evenly(items, max(1, limit * len(items) // len(samples.samples))))
    kept = tuple(sample for sample in samples.samples if sample.item in chosen)
    return replace(samples, name=f"{samples.name}:{limit}", samples=kept)


def checksum(*contents: bytes) -> str:
    """Return a combined SHA-256 of a set's files."""
    if len(contents) == 1:
        return hashlib.sha256(contents[0]).hexdigest()
    return hashlib.sha256("".join(hashlib.sha256(c).hexdigest() for c in contents).encode()).hexdigest()
