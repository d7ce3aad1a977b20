"""Quadruplets: stereotypical and anti-stereotypical sentences about a group and its control group.

s0  the stereotype about the group          s1  the anti-stereotype about the group
s2  the stereotype about the control group  s3  the anti-stereotype about the control group

s0 and s1 differ in one keyword, and so do s2 and s3. CrowS pairs are s0 and s2; a variant adds the pair s1 and s3.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from genderscope.samples import fetch
from genderscope.samples.dataset import OwnRow, SampleDataset, SampleSet
from genderscope.samples.registry import dataset
from genderscope.samples.subsampling import evenly

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class KeywordSentence:
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
    s0: KeywordSentence
    s1: KeywordSentence | None = None
    s2: KeywordSentence | None = None
    s3: KeywordSentence | None = None
    #: StereoSet's unrelated third option, and the target term
    unrelated: KeywordSentence | None = None
    target: str | None = None
    #: the sample's language, in sets with several
    language: str | None = None

    @property
    def unit(self) -> str | int:
        """The target term, or the item if the term is unknown."""
        return self.item if self.target is None else self.target

    @property
    def sentences(self) -> dict[str, KeywordSentence]:
        """The sentences by name: s0 to s3, and unrelated."""
        named = {"s0": self.s0, "s1": self.s1, "s2": self.s2, "s3": self.s3, "unrelated": self.unrelated}
        return {name: sentence for name, sentence in named.items() if sentence is not None}


def _whole_items(samples: Sequence[Quadruplet], limit: int) -> tuple[Quadruplet, ...]:
    """Choose about `limit` evenly spaced samples; samples of the same item are kept or dropped together."""
    items = list(dict.fromkeys(sample.item for sample in samples))
    kept = set(evenly(items, max(1, limit * len(items) // len(samples))))
    return tuple(sample for sample in samples if sample.item in kept)


QUADRUPLETS: SampleDataset[Quadruplet] = SampleDataset(
    columns=("s0", "s1", "s2", "s3"), noun="usable quadruplets", choose=_whole_items
)
SLOVAK: SampleDataset[Quadruplet] = replace(QUADRUPLETS, columns=("veta1", "veta2", "veta3", "veta4"))
NUMBERS = ("no sentence", "one sentence", "two sentences", "three sentences")


def numbered(subset: str, quadruplets: Iterable[Sequence[KeywordSentence]]) -> tuple[Quadruplet, ...]:
    """Number quadruplets, treating each as a separate item."""
    return tuple(Quadruplet(k, k, subset, s0, s1, s2, s3) for k, (s0, s1, s2, s3) in enumerate(quadruplets))


class BadSample(Exception):  # noqa: N818 - a control-flow signal that users never see
    """Raised if a sample is unusable; the message gives the reason."""


def parse(marked: str, name: str) -> KeywordSentence:
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
    return KeywordSentence(text.replace("<", "").replace(">", ""), (begin, begin + len(keywords[0])))


def keywords_are_all_that_differs(first: KeywordSentence, second: KeywordSentence, names: str) -> None:
    """Raise if two sentences differ in more than their keywords, or if their keywords are equal."""
    assert first.keyword is not None
    assert second.keyword is not None
    frames = [(s.text[: s.keyword[0]], s.text[s.keyword[1] :]) for s in (first, second) if s.keyword]
    if frames[0] != frames[1]:
        raise BadSample(f"sentences {names} differ in more than their keywords")
    if first.word == second.word:
        raise BadSample(f"sentences {names} have the same keyword '{first.word}'")


def one_word_apart(*texts: str) -> tuple[KeywordSentence, ...]:
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
        sentences.append(KeywordSentence(" ".join(sentence), (begin, begin + len(bare))))
        if not bare:
            raise BadSample("the word that differs is punctuation")
    return tuple(sentences)


def without_duplicates(samples: Iterable[T], key: Callable[[T], Hashable], left_out: Counter[str]) -> list[T]:
    """Drop and count duplicate samples."""
    kept: dict[Hashable, T] = {}
    for sample in samples:
        if kept.setdefault(key(sample), sample) is not sample:
            left_out["it is a duplicate"] += 1
    return list(kept.values())


def checksum(*contents: bytes) -> str:
    """Return a combined SHA-256 of a set's files."""
    if len(contents) == 1:
        return hashlib.sha256(contents[0]).hexdigest()
    return hashlib.sha256("".join(hashlib.sha256(c).hexdigest() for c in contents).encode()).hexdigest()


def load_own(path: str, skip_bad: bool, keep_duplicates: bool = False) -> SampleSet[Quadruplet]:
    """Load the user's quadruplets without duplicates; raise on invalid lines, or just count them with `skip_bad`."""
    file = QUADRUPLETS.opened(path)
    left_out: Counter[str] = Counter()
    parsed = _quadruplets(file, QUADRUPLETS.columns, left_out if skip_bad else None)
    samples = QUADRUPLETS.own(file, parsed, keep_duplicates, lambda kept: numbered("own", kept))
    return replace(samples, left_out=dict(left_out))


def load_slovak(as_published: bool) -> SampleSet[Quadruplet]:
    """Load the Slovak gender quadruplets, excluding those flagged for competence or misogyny, as in the paper."""
    content = fetch.read(dataset("wordfill").file("wordfill/slovak_gender.csv"))
    file = SLOVAK.table(content, "slovak-gender", "the Slovak gender set")
    left_out: Counter[str] = Counter()
    rows = []
    for row in file:
        if row.cells["competence?"] or row.cells["misogynistic?"]:
            left_out["the annotators flagged it"] += 1
        else:
            rows.append(row)
    parsed = list(_quadruplets(rows, SLOVAK.columns, left_out))
    kept = parsed if as_published else without_duplicates(parsed, lambda quadruplet: quadruplet, left_out)
    return SLOVAK.loaded(file.name, file.sha256, numbered("slovak-gender", kept), left_out=dict(left_out))


def _quadruplets(
    rows: Iterable[OwnRow], columns: Sequence[str], left_out: Counter[str] | None
) -> Iterator[tuple[KeywordSentence, ...]]:
    for row in rows:
        try:
            yield _quadruplet([row.cells[name] for name in columns], columns)
        except BadSample as bad:
            if left_out is None:
                raise row.error(f"{bad}; fix it, or skip such lines with --skip-bad") from None
            left_out[str(bad)] += 1


def _quadruplet(cells: list[str | None], names: Sequence[str]) -> tuple[KeywordSentence, ...]:
    given = [cell for cell in cells if cell is not None]
    if len(given) < len(cells):
        raise BadSample(f"the row has {NUMBERS[len(given)]} instead of four")
    sentences = tuple(parse(cell, name) for cell, name in zip(given, names, strict=True))
    for a, b in ((0, 1), (2, 3)):
        keywords_are_all_that_differs(sentences[a], sentences[b], f"{names[a]} and {names[b]}")
    return sentences
