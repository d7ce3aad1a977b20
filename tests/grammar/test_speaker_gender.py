"""What holds for every language: robustness, scripts, clear errors, and nothing loaded before it is needed."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from genderscope.core.languages import SPEAKER_LANGUAGES
from genderscope.grammar import Evidence, MissingDictionary, UnknownLanguage, speaker_gender, weigh
from genderscope.grammar.dictionaries.lexicon import Lexicon, encode_lines, simplemma_lexicon
from genderscope.grammar.speaker import registry
from genderscope.grammar.speaker.language_file import read_language
from genderscope.grammar.traits import PAST_F, PAST_M

from .test_cases import CASES

SLOVENE = read_language("sl").forms

SCRIPT_PAIRS = [
    ("Јуче сам купила хлеб.", "Juče sam kupila hleb."),
    ("Љута сам и уморна.", "Ljuta sam i umorna."),
    ("Њен брат је дошао, а ја сам отишао.", "Njen brat je došao, a ja sam otišao."),
    ("Џемпер сам исплео сам.", "Džemper sam ispleo sam."),
    ("Волим дуге шетње.", "Volim duge šetnje."),
]


@pytest.mark.parametrize(("cyrillic", "latin"), SCRIPT_PAIRS)
def test_serbian_reads_the_same_in_both_scripts(cyrillic: str, latin: str) -> None:
    first, second = speaker_gender(cyrillic, "sr"), speaker_gender(latin, "sr")
    assert (first.gender, first.status) == (second.gender, second.status)
    assert [(item.gender, item.rule, item.weight) for item in first.evidence] == [
        (item.gender, item.rule, item.weight) for item in second.evidence
    ]


@pytest.mark.parametrize("language", ["skk", "", "en", "SK-sk"])
def test_unknown_language_is_told_in_one_sentence_with_the_known_ones(language: str) -> None:
    with pytest.raises(UnknownLanguage) as caught:
        speaker_gender("Bola som doma.", language)
    message = str(caught.value)
    assert isinstance(caught.value, ValueError)
    assert repr(language) in message
    assert all(known in message for known in SPEAKER_LANGUAGES)
    assert "\n" not in message


def test_a_misspelt_language_gets_a_suggestion() -> None:
    with pytest.raises(UnknownLanguage, match="Did you mean 'sk'"):
        speaker_gender("Bola som doma.", "skk")


@pytest.mark.long
@pytest.mark.parametrize("language", sorted(SPEAKER_LANGUAGES))
@settings(deadline=None, max_examples=60)
@given(text=st.text(max_size=80))
@example(text="\U00017000")  # a letter without a Unicode name
def test_any_string_can_be_read(language: str, text: str) -> None:
    reading = speaker_gender(text, language)
    assert (reading.gender is not None) == (reading.status == "read")
    assert all(text[item.start : item.end] == item.word for item in reading.evidence)


@pytest.mark.long
@settings(deadline=None, max_examples=300)
@given(case=st.sampled_from(CASES), data=st.data())
def test_mutated_sentences_can_be_read(case: tuple[str, str, str, str], data: st.DataObject) -> None:
    words = case[1].split()
    shuffled = data.draw(st.permutations(words))
    cut = data.draw(st.integers(0, len(case[1])))
    insert = data.draw(st.sampled_from([",", "„", "“", '"', "—", "\u0301", "’", " ", "1", ""]))
    for text in (" ".join(shuffled), case[1][:cut] + insert + case[1][cut:]):
        reading = speaker_gender(text, case[0])
        assert all(text[item.start : item.end] == item.word for item in reading.evidence)


@pytest.mark.parametrize(("language", "text"), [("ru", "Я купи\u0301ла хлеб."), ("sk", "Bola som unavena\u0301.")])
def test_stress_marks_and_decomposed_letters_do_not_hide_a_word(language: str, text: str) -> None:
    assert speaker_gender(text, language).gender == "feminine"


def test_own_words_around_a_quotation_make_it_the_speakers() -> None:
    assert speaker_gender("„Som unavená,“ povedala som.", "sk").gender == "feminine"
    assert speaker_gender("„Bola som unavená,“ hovorím mu.", "sk").gender == "feminine", "only the quotation shows it"
    assert speaker_gender("„Som unavená.“", "sk").gender == "feminine"
    assert speaker_gender("„Som unavená,“ povedala sestra.", "sk").status == "neutral"


def test_scare_quotes_are_no_speech() -> None:
    assert speaker_gender("Bola som veľmi „slávna“ v tej škole.", "sk").gender == "feminine"


def test_the_strongest_evidence_wins_and_a_tie_is_a_conflict() -> None:
    strong = Evidence("a", 0, 1, "feminine", "r", 4)
    weak = Evidence("b", 2, 3, "masculine", "r", 1)
    equal = Evidence("b", 2, 3, "masculine", "r", 4)
    assert weigh([weak, strong]).gender == "feminine"
    assert weigh([equal, strong]).status == "conflict"
    assert weigh([]).status == "neutral"


def test_importing_the_room_loads_no_dictionary() -> None:
    code = (
        "import sys, genderscope.grammar as g; g.speaker_gender; g.languages;"
        "print(sorted({'simplemma', 'pymorphy3', 'numpy', 'pandas'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    assert done.stdout.strip() == "[]"


def test_a_missing_dictionary_is_told_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", absent)
    with pytest.raises(MissingDictionary, match=r"pip install 'genderscope\[grammar\]'"):
        simplemma_lexicon("sk", "sk", read_language("sk").forms)


def test_missing_pymorphy_is_told_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    from genderscope.grammar.speaker.rules.ru import pymorphy_traits

    monkeypatch.setitem(sys.modules, "pymorphy3", None)
    with pytest.raises(MissingDictionary, match=r"pip install 'genderscope\[grammar\]'"):
        pymorphy_traits("ru")


@given(
    traits=st.dictionaries(
        st.text(st.characters(codec="utf-8", exclude_characters="\n\t"), min_size=1), st.integers(1, 99)
    )
)
def test_lexicon_finds_what_was_put_in_and_nothing_else(traits: dict[str, int]) -> None:
    lexicon = Lexicon(lambda: encode_lines(traits))
    assert {form: lexicon.traits(form) for form in traits} == traits
    assert lexicon.traits("not\tthere") == 0


@pytest.mark.long
def test_index_is_built_once_and_serves_without_a_writable_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GENDERSCOPE_CACHE", str(tmp_path))
    assert simplemma_lexicon("sl", "sl", SLOVENE).traits("bil") & PAST_M
    (index,) = (tmp_path / "grammar").iterdir()
    written = index.stat().st_mtime_ns
    assert simplemma_lexicon("sl", "sl", SLOVENE).traits("bila") & PAST_F
    assert index.stat().st_mtime_ns == written

    blocked = tmp_path / "file"
    blocked.write_text("a file where the folder should be")
    monkeypatch.setenv("GENDERSCOPE_CACHE", str(blocked))
    assert simplemma_lexicon("sl", "sl", SLOVENE).traits("bil") & PAST_M


@pytest.mark.long
def test_no_dictionary_is_indexed_before_a_word_is_looked_up(tmp_path, monkeypatch):
    monkeypatch.setenv("GENDERSCOPE_CACHE", str(tmp_path / "empty"))
    registry._reader.cache_clear()
    for language in ("sk", "pl", "es", "lv"):
        speaker_gender("", language)
    assert not (tmp_path / "empty").exists(), "a plan reads nothing, and an index takes seconds"
    speaker_gender("Plakala som.", "sk")
    assert list((tmp_path / "empty" / "grammar").glob("sk-*"))
    registry._reader.cache_clear()
