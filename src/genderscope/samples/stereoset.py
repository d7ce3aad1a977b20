"""StereoSet's intrasentence task: as released, gender-swapped, and with controls for race and profession."""

import json
import re
import string
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from genderscope.samples import fetch
from genderscope.samples.dataset import SampleSet
from genderscope.samples.parse_cache import cached
from genderscope.samples.quadruplets import (
    QUADRUPLETS,
    BadSample,
    KeywordSentence,
    Quadruplet,
    checksum,
    numbered,
    one_word_apart,
    parse,
    without_duplicates,
)
from genderscope.samples.registry import dataset
from genderscope.samples.term_controls import TermControls

SWAPPED = {
    "gender": "wordfill/stereoset_genderswap.txt",
    "gender-filtered": "wordfill/stereoset_genderswap_filtered.txt",
}
CONTROLLED = ("race", "profession")
PLAIN = "plain"
#: the ten target terms of StereoSet's gender set
GENDER_TARGETS = re.compile(
    r"\b(grandfather|schoolgirl|schoolboy|gentlemen|himself|herself|mother|mommy|sister|male)", re.IGNORECASE
)
LABELS = ("stereotype", "anti-stereotype", "unrelated")
BLANK = "BLANK"  # the blank in a context


@cached
def load(name: str, seed: int, as_published: bool, masked: bool = True) -> SampleSet[Quadruplet]:
    """Load one of the sets; StereoSet's authors query masked and causal models differently."""
    if name in SWAPPED:
        return _swapped(name, as_published)
    content = fetch.read(dataset("stereoset").file("wordfill/stereoset_dev.json"))
    entries = json.loads(content)["data"]["intrasentence"]
    if name == PLAIN:
        return _plain(entries, content, (_filled if masked else _whole) if as_published else _one_word_apart)
    return _controlled(name, entries, content, seed, as_published)


def _swapped(name: str, as_published: bool) -> SampleSet[Quadruplet]:
    """Load the released gender-swapped file, whose lines are in the order s0, s2, s1, s3."""
    content = fetch.read(dataset("wordfill").file(SWAPPED[name]))
    lines = [line for line in content.decode("utf-8").splitlines() if line]
    groups = (lines[k : k + 4] for k in range(0, len(lines), 4))
    quadruplets = [tuple(parse(group[k], f"s{n}") for n, k in enumerate((0, 2, 1, 3))) for group in groups]
    left_out: Counter[str] = Counter()
    kept = quadruplets if as_published else without_duplicates(quadruplets, lambda q: q, left_out)
    # The file does not state the target terms.
    targets = (GENDER_TARGETS.search(sentences[0].text) for sentences in kept)
    samples = tuple(
        replace(sample, target=target and target[1].lower())
        for sample, target in zip(numbered(name, kept), targets, strict=True)
    )
    return QUADRUPLETS.loaded(f"stereoset-{name}", checksum(content), samples, left_out=dict(left_out))


def _pairs(
    entries: list[dict[str, Any]], subset: str, left_out: Counter[str]
) -> Iterator[tuple[KeywordSentence, KeywordSentence, str]]:
    """Yield the stereotype, anti-stereotype and target of each entry of a bias type if exactly one word differs."""
    for entry in entries:
        if entry["bias_type"] == subset:
            try:
                s0, s1 = one_word_apart(*_texts(entry, LABELS[:2]))
                yield s0, s1, entry["target"]
            except BadSample as bad:
                left_out[str(bad)] += 1


def _controlled(
    name: str, entries: list[dict[str, Any]], content: bytes, seed: int, as_published: bool
) -> SampleSet[Quadruplet]:
    left_out: Counter[str] = Counter()
    pairs = list(_pairs(entries, name, left_out))
    kept = pairs if as_published else without_duplicates(pairs, lambda pair: pair[:2], left_out)
    controls = TermControls(name, seed, as_published)
    samples: list[Quadruplet] = []
    for item, (s0, s1, target) in enumerate(kept):
        try:
            for s2, s3 in controls.of(s0, s1, target):
                samples.append(Quadruplet(len(samples), item, name, s0, s1, s2, s3, target=target))
        except BadSample as bad:
            left_out[str(bad)] += 1
    counts = {"left_out": dict(left_out), "mended": dict(controls.mended)}
    return QUADRUPLETS.loaded(f"stereoset-{name}", checksum(content), samples, **counts)


def _texts(entry: dict[str, Any], labels: Sequence[str] = LABELS) -> list[str]:
    """Return an entry's sentences in the order of the labels."""
    by_label = {sentence["gold_label"]: sentence["sentence"] for sentence in entry["sentences"]}
    return [by_label[label] for label in labels]


def _one_word_apart(entry: dict[str, Any]) -> tuple[KeywordSentence, ...]:
    return one_word_apart(*_texts(entry))


def _filled(entry: dict[str, Any]) -> tuple[KeywordSentence, ...]:
    """Return the StereoSet authors' query for masked models: the context with each sentence's word in the blank."""
    sentences = []
    parts = entry["context"].split(BLANK)
    for text in _texts(entry):
        word = text.split(" ")[_place(entry)].translate(str.maketrans("", "", string.punctuation))
        starts = [len(word.join([*parts[: k + 1], ""])) - len(word) for k in range(len(parts) - 1)]
        spans = [(start, start + len(word)) for start in starts]
        sentences.append(KeywordSentence(word.join(parts), spans[0], tuple(spans[1:])))
    return tuple(sentences)


def _whole(entry: dict[str, Any]) -> tuple[KeywordSentence, ...]:
    """Return the StereoSet authors' query for causal models: the whole sentences."""
    sentences = []
    for text in _texts(entry):
        words = text.split(" ")
        begin = len(" ".join([*words[: _place(entry)], ""]))
        end = begin + len(words[_place(entry)].rstrip(string.punctuation))
        sentences.append(KeywordSentence(text, (begin, end)))
    return tuple(sentences)


def _place(entry: dict[str, Any]) -> int:
    """Return the word index of a context's last blank."""
    words = entry["context"].split(" ")
    return next(k for k in range(len(words) - 1, -1, -1) if BLANK in words[k])


def _plain(
    entries: list[dict[str, Any]], content: bytes, sentences: Callable[[dict[str, Any]], tuple[KeywordSentence, ...]]
) -> SampleSet[Quadruplet]:
    """Load all four bias types with the unrelated option, as in the original paper."""
    left_out: Counter[str] = Counter()
    samples: list[Quadruplet] = []
    for entry in entries:
        try:
            s0, s1, unrelated = sentences(entry)
        except BadSample as bad:
            left_out[str(bad)] += 1
            continue
        k, subset = len(samples), entry["bias_type"]
        samples.append(Quadruplet(k, k, subset, s0, s1, unrelated=unrelated, target=entry["target"]))
    return QUADRUPLETS.loaded("stereoset-plain", checksum(content), samples, left_out=dict(left_out))
