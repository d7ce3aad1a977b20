"""Deriving the dialogue suite from its texts: each template with sentences of our own."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import pytest

from genderscope.samples.dialogue import load as load_dialogue
from genderscope.samples.dialogue_annotation import (
    AdjectiveInstance,
    AdjectiveTraits,
    DialogueFormatError,
    Vocabulary,
    derive,
)

VOCABULARY = Vocabulary(
    adjectives={
        "merry": AdjectiveTraits("character", "pos", "neither"),
        "tanned": AdjectiveTraits("appearance", "neutral", "neither"),
        "roundfaced": AdjectiveTraits("appearance", "neg", "F"),
    },
    adverbs={"sweetly": "F", "gruffly": "M"},
    occupations={"florist": "F", "crane operator": "M"},
)


def instances(text: str) -> tuple[AdjectiveInstance, ...]:
    return derive(text, VOCABULARY).instances


def test_template_1_a_speaker_alone() -> None:
    (merry,) = instances('"I think I\'m merry," I said.')
    assert (merry.template, merry.subset, merry.referent) == (1, "stereo_manner", "I")
    assert not merry.determined
    assert (merry.equality, merry.stereotype, merry.adverb) == (None, None, None)
    assert merry.traits == AdjectiveTraits("character", "pos", "neither")


@pytest.mark.parametrize("ending", ["sweetly.", "sweetly ."])
def test_template_2_the_manner_of_speaking(ending: str) -> None:
    (merry,) = instances(f'"I think I\'m merry," I said {ending}')
    assert (merry.template, merry.adverb, merry.adverb_stereotype, merry.stereotype) == (2, "sweetly", "F", "F")


def test_template_3_speaker_and_listener_with_occupations() -> None:
    text = 'The merry florist smiled. "I think I\'m tanned," she said to the round-faced crane operator.'
    (tanned,) = instances(text)
    assert (tanned.template, tanned.subset, tanned.speaker) == (3, "stereo_character", "first")
    assert (tanned.gender, tanned.stereotype) == ("F", "F")
    assert (tanned.who.adjective, tanned.who.occupation) == ("merry", "florist")
    assert tanned.other is not None
    assert (tanned.other.occupation, tanned.other.stereotype) == ("crane operator", "M")
    assert tanned.look_ahead  # "she" comes after the adjective


def test_template_3_the_listeners_gender_stays_open() -> None:
    text = 'The merry florist smiled. "I think you\'re tanned," he said to the round-faced crane operator.'
    (tanned,) = instances(text)
    assert (tanned.speaker, tanned.gender, tanned.other_gender, tanned.stereotype) == ("second", None, "M", "M")
    assert not tanned.look_ahead


def test_template_4_occupations_in_two_turns() -> None:
    text = (
        "The merry crane operator smiled. \"I think I'm tanned and you're merry,\" they said. "
        "The tanned florist laughed back. \"No you're round-faced, but I'm tanned,\" they replied."
    )
    found = instances(text)
    assert [one.template for one in found] == [4] * 4
    assert [one.adjective for one in found] == ["tanned", "merry", "round-faced", "tanned"]
    assert [one.referent for one in found] == ["I", "you", "you", "I"]
    assert [one.stereotype for one in found] == ["M", "F", "M", "F"]
    assert [one.utterance for one in found] == [1, 1, 2, 2]
    assert not any(one.determined for one in found)


def test_template_5_one_known_gender() -> None:
    text = (
        'I smiled. "I think you\'re merry," I said. '
        'She laughed back. "No, I\'m not merry, but I am tanned," she replied.'
    )
    found = instances(text)
    assert [one.template for one in found] == [5] * 3
    assert [one.gender for one in found] == ["F", "F", "F"]
    assert [one.equality for one in found] == ["one"] * 3
    assert [one.look_ahead for one in found] == [True, False, False]
    assert [one.negated for one in found] == [False, True, False]
    assert [one.position for one in found] == [0, 1, 2]


def test_template_5_the_unknown_speaker_beside_a_known_one() -> None:
    text = 'The man smiled. "I think you\'re merry," he said. I laughed back. "No, I\'m tanned," I replied.'
    found = instances(text)
    assert [one.template for one in found] == [5, 5]
    assert [one.gender for one in found] == [None, None]
    assert [one.other_gender for one in found] == ["M", "M"]


def test_template_6_two_known_genders() -> None:
    text = 'The man smiled. "I think I\'m merry," he said. She laughed back. "No, you\'re tanned," she replied.'
    found = instances(text)
    assert [one.template for one in found] == [6, 6]
    assert [(one.gender, one.other_gender, one.equality) for one in found] == [("M", "F", "opposite")] * 2


def test_template_7_two_known_genders_and_two_adjectives_a_turn() -> None:
    text = (
        "The woman smiled. \"I think I'm merry and you're tanned,\" she said. "
        "She laughed back. \"No you're tanned, but I'm merry,\" she replied."
    )
    found = instances(text)
    assert [one.template for one in found] == [7] * 4
    assert [one.equality for one in found] == ["same"] * 4
    assert [one.speaker for one in found] == ["first", "second", "first", "second"]
    assert [one.look_ahead for one in found] == [False, True, False, False]


def test_template_8_only_the_first_speaker_is_known() -> None:
    text = (
        "The woman smiled. \"I think I'm merry and you're tanned,\" she said. "
        "I laughed back. \"No you're tanned, but I'm merry,\" I replied."
    )
    found = instances(text)
    assert [one.template for one in found] == [8] * 4
    assert [one.gender for one in found] == ["F", None, "F", None]


def test_template_9_only_the_second_speaker_is_known() -> None:
    text = (
        "I smiled. \"I think I'm merry and you're tanned,\" I said. "
        "He laughed back. \"No you're tanned, but I'm merry,\" he replied."
    )
    found = instances(text)
    assert [one.template for one in found] == [9] * 4
    assert [one.gender for one in found] == [None, "M", None, "M"]


def test_a_passage_of_no_template_is_refused() -> None:
    with pytest.raises(DialogueFormatError, match="not match any template"):
        derive("The rain fell.", VOCABULARY)


def test_hyphens_do_not_hide_traits() -> None:
    assert VOCABULARY.traits("round-faced").stereotype == "F"
    assert VOCABULARY.traits("unheard-of") == AdjectiveTraits()


def test_a_file_is_compared_with_its_texts(tmp_path: Path) -> None:
    (tmp_path / "adjectives.csv").write_text(
        "adjective,gender,sentiment,type\nmerry,neither,pos,character\njumpy,neither,pos,character\n"
        "jumpy,neither,neg,character\n",
        encoding="utf-8-sig",
    )
    (tmp_path / "adverbs.csv").write_text("adverb,gender\nsweetly,F\n", encoding="utf-8-sig")
    (tmp_path / "occupations.csv").write_text("occupation,gender\nflorist,F\n", encoding="utf-8-sig")
    header = "category,gender_context,source,adjective,gender,sentiment,type,true_label,stereo_label\n"
    rows = (
        'stereo_manner,ambiguous,"""I think I\'m merry,"" I said.",merry,neither,pos,character,none,none\n'
        'stereo_manner,determined,"""I think I\'m merry,"" I said sweetly.",Im,none,none,none,F,none\n'
        'stereo_manner,ambiguous,"""I think I\'m jumpy,"" I said.",jumpy,neither,pos,character,none,none\n'
        'stereo_manner,ambiguous,"""I think I\'m jumpy,"" I said.",jumpy,neither,neg,character,none,none\n'
    )
    path = tmp_path / "suite.csv.gz"
    path.write_bytes(gzip.compress((header + rows).encode()))
    suite = load_dialogue(str(path))
    assert [source.instances[0].adjective for source in suite.samples] == ["merry", "merry", "jumpy"]
    assert suite.samples[2].instances[0].traits == AdjectiveTraits("character", None, "neither")
    differences = suite.differences
    assert (differences.rows, differences.instances, differences.repeated_rows) == (4, 3, 1)
    assert (differences.adjective, differences.gender_context, differences.true_label) == (1, 1, 1)
    assert (differences.stereo_label, differences.traits) == (1, 2)


@pytest.fixture
def released(mirror: Path) -> Path:
    if not (mirror / "wmt24" / "full_test_suite.csv.gz").exists():
        pytest.skip("GENDERSCOPE_MIRROR does not lead to the WMT24 dialogue suite")
    return mirror / "wmt24"


def test_the_released_suite_has_the_known_counts(released: Path) -> None:
    suite = load_dialogue(str(released / "full_test_suite.csv.gz"))
    assert (len(suite.samples), len(suite.instances)) == (6686, 17966)
    # Templates 5 to 9 are numbered as the derivation infers; their sizes alone do not prove the order.
    by_template = [sum(source.instances[0].template == number for source in suite.samples) for number in range(1, 10)]
    assert by_template == [130, 780, 1056, 880, 960, 960, 960, 480, 480]
    assert sum(one.determined and one.subset == "stereo_character" for one in suite.instances) == 352
    assert (suite.differences.repeated_rows, suite.differences.stereo_label) == (23, 12)


@pytest.mark.long
@pytest.mark.parametrize("language", ["cs", "es", "is"])
def test_at_least_95_percent_of_the_adjectives_are_located(language: str, released: Path) -> None:
    pytest.importorskip("simplemma", reason="the dictionaries are an extra")
    if language == "is":
        pytest.importorskip("islenska", reason="the Icelandic dictionary is an extra")
    from genderscope.grammar.adjectives import adjective_readings

    sources = load_dialogue(str(released / "full_test_suite.csv.gz")).samples
    located = asked = 0
    chosen = random.Random(24).sample(range(len(sources)), 1500)
    for path in sorted((released / "outputs" / language).glob("*.txt.gz")):
        lines = gzip.decompress(path.read_bytes()).decode().split("\n")
        for index in chosen:
            readings = adjective_readings(sources[index].instances, lines[index], language)
            asked += len(readings)
            located += sum(reading.located for reading in readings)
    assert located / asked >= 0.95
