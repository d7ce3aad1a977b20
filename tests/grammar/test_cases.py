"""Labelled sentences of our own, one file a language: every construction and every trap the grammars know."""

from __future__ import annotations

import csv
import re
from itertools import pairwise
from pathlib import Path

import pytest

from genderscope.grammar import speaker_gender
from genderscope.languages import SPEAKER_LANGUAGES
from genderscope.samples import eurogest

FOLDER = Path(__file__).parent / "cases"
LABEL = {"masculine": "M", "feminine": "F", None: "N"}


def cases() -> list[tuple[str, str, str, str]]:
    found = []
    for language in sorted(SPEAKER_LANGUAGES):
        if not (path := FOLDER / f"{language}.tsv").exists():
            continue  # a test below says so
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        found += [(language, row["text"], row["label"], row["construction"]) for row in rows]
    return found


CASES = cases()
MIXED = ("several persons in one sentence", "plain sentence")


@pytest.mark.parametrize("language", sorted(SPEAKER_LANGUAGES))
def test_every_sentence_is_read_as_labelled(language: str) -> None:
    read = [(*case, speaker_gender(case[1], language)) for case in CASES if case[0] == language]
    assert [each for each in read if LABEL[each[-1].gender] != each[2]] == []


@pytest.mark.parametrize("language", sorted(SPEAKER_LANGUAGES))
def test_evidence_points_at_the_words(language: str) -> None:
    texts = [text for code, text, *_ in CASES if code == language]
    found = [(text, item) for text in texts for item in speaker_gender(text, language).evidence]
    assert found
    assert [(text, item) for text, item in found if text[item.start : item.end] != item.word or not item.rule] == []


@pytest.mark.parametrize("language", sorted(SPEAKER_LANGUAGES))
def test_every_language_has_enough_cases(language: str) -> None:
    assert sum(case[0] == language for case in CASES) >= 50, f"tests/grammar/cases/{language}.tsv needs 50 sentences"


def test_conflict_is_told_apart_from_silence() -> None:
    conflicting = [case for case in CASES if case[3] == "conflict"]
    assert {case[0] for case in conflicting} == set(SPEAKER_LANGUAGES)
    assert {speaker_gender(case[1], case[0]).status for case in conflicting} == {"conflict"}


def test_minimal_pairs_flip() -> None:
    """A row and the next one of the same construction differ in gender only, and so do their readings."""
    flipped = 0
    for first, second in pairwise(CASES):
        same_construction = first[0] == second[0] and first[3] == second[3] and first[3] not in MIXED
        if same_construction and {first[2], second[2]} == {"M", "F"}:
            readings = {speaker_gender(case[1], case[0]).gender for case in (first, second)}
            assert readings == {"masculine", "feminine"}, (first, second)
            flipped += 1
    assert flipped > 350


def test_no_sentence_is_a_datasets(mirror: Path) -> None:
    released = eurogest.load()
    texts = {text for pairs in released.pairs.values() for pair in pairs for text in (pair.male, pair.female)}
    texts |= {sentence.text for sentences in released.neutral.values() for sentence in sentences}
    known = {_words(text) for text in texts}
    assert [case for case in CASES if _words(case[1]) in known] == [], f"rows of the mirror {mirror}"


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))
