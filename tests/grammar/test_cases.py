"""Labelled sentences of our own, one file per language: every construction and every trap that the readers handle."""

from __future__ import annotations

import csv
import re
from itertools import pairwise
from pathlib import Path

import pytest

from genderscope.core.languages import SPEAKER_LANGUAGES
from genderscope.grammar import speaker_gender
from genderscope.samples import eurogest

FOLDER = Path(__file__).parent / "cases"
LABEL = {"masculine": "M", "feminine": "F", None: "N"}


def cases() -> list[tuple[str, str, str, str]]:
    rows = []
    for path in sorted(FOLDER.glob("*.tsv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                rows.append((path.stem, row["text"], row["label"], row["construction"]))
    return rows


CASES = cases()
LANGUAGES = sorted({case[0] for case in CASES})
MIXED = ("several persons in one sentence", "plain sentence")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_read_as_labelled(language: str) -> None:
    readings = [(*case, speaker_gender(case[1], language)) for case in CASES if case[0] == language]
    assert [reading for reading in readings if LABEL[reading[-1].gender] != reading[2]] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_evidence_points_at_the_words(language: str) -> None:
    texts = [text for code, text, *_ in CASES if code == language]
    evidence = [(text, item) for text in texts for item in speaker_gender(text, language).evidence]
    assert evidence
    assert [(text, item) for text, item in evidence if text[item.start : item.end] != item.word or not item.rule] == []


@pytest.mark.parametrize("language", sorted(SPEAKER_LANGUAGES))
def test_every_language_has_enough_cases(language: str) -> None:
    constructions = [case[3] for case in CASES if case[0] == language]
    remedy = f"{FOLDER.name}/{language}.tsv needs 50 labelled sentences, one of them with the construction 'conflict'"
    assert len(constructions) >= 50, remedy
    assert "conflict" in constructions, remedy


def test_a_conflict_is_not_neutral() -> None:
    conflicting = [case for case in CASES if case[3] == "conflict"]
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
