"""Files in the wrong language are named, files in the right one never are."""

import csv
from pathlib import Path

import pytest

from genderscope.core.languages import LANGUAGES
from genderscope.grammar.language_guess import _profiles, language_warning, likely_language
from genderscope.samples.gest import load

CASES = {path.stem: path for path in sorted((Path(__file__).parent / "cases").glob("*.tsv"))}
#: languages with which a text may be confused without harm: Serbian is also written in Latin letters
ALIKE = {"hr": {"sr"}, "sr": {"hr"}}


def sentences(language):
    with CASES[language].open(encoding="utf-8", newline="") as file:
        return [row["text"] for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]


def test_every_language_has_a_profile():
    assert set(_profiles()) == set(LANGUAGES)
    for code, profile in _profiles().items():
        assert len(profile.words) >= 25, code
        assert profile.letters.issuperset("".join(profile.words)), code


@pytest.mark.long_but("be", "es", "sk")
@pytest.mark.parametrize("language", CASES)
def test_sentences_are_recognised_whatever_the_expected_language(language):
    texts = sentences(language)
    assert likely_language(texts, language) is None
    for expected in set(LANGUAGES) - {language, *ALIKE.get(language, ())}:
        assert likely_language(texts, expected) in {language, *ALIKE.get(language, ())}, expected


@pytest.mark.parametrize("language", CASES)
def test_twenty_sentences_in_the_right_language_are_never_doubted(language):
    texts = sentences(language)
    for start in range(0, len(texts) - 20, 10):
        assert likely_language(texts[start : start + 20], language) is None


def test_untranslated_sources_are_named_as_english():
    texts = [sample.sentence for sample in load("starter").samples]
    told = language_warning(texts, "sk", "These translations", "--to")
    assert told == "These translations look like English, not Slovak; are they the untranslated sources?"


def test_a_warning_suggests_the_option_unless_the_path_names_the_language():
    texts = sentences("sk")
    told = language_warning(texts, "es", "These translations", "--to")
    assert told == "These translations look like Slovak, not Spanish; did you mean --to sk?"
    assert language_warning(texts, "es", "These translations", None).endswith("not Spanish; check the file.")


def test_a_few_words_numbers_or_a_plugin_language_are_no_reason_for_doubt():
    assert likely_language(["Včera som plakala."] * 5, "es") is None
    assert likely_language(["1 2 3", ""] * 500, "es") is None
    assert likely_language([], "es") is None
    assert likely_language(sentences("sk"), "eo") is None


def slovak_lines():
    texts = sentences("sk")
    return "".join(f"{texts[k % len(texts)]}\n" for k in range(len(load("starter").samples)))


@pytest.mark.long
def test_score_and_run_warn_about_the_language_and_keep_the_caution(cli, tmp_path):
    pytest.importorskip("simplemma")
    out = tmp_path / "out.txt"
    out.write_text(slovak_lines(), encoding="utf-8")
    told = "The translations in 'out.txt' look like Slovak, not Spanish; did you mean --to sk?"
    wrong = cli("score", "gest-mt", out, "--to", "es", "--data", "starter", "--json")
    assert wrong.returncode == 0
    assert f"Warning: {told}" in wrong.stderr
    assert told in wrong.stdout
    run = cli("run", "gest-mt", "--model", f"file:{out}", "--to", "es", "--data", "starter", "--out", tmp_path / "run")
    assert f"Warning: {told}" in run.stderr
    piped = cli("score", "gest-mt", "--to", "es", "--data", "starter", piped=slovak_lines())
    assert "The translations in standard input look like Slovak" in piped.stderr
    right = cli("score", "gest-mt", out, "--to", "sk", "--data", "starter")
    assert right.stderr == ""


def test_read_speaker_warns_about_the_language(cli):
    pytest.importorskip("simplemma")
    wrong = cli("read", "speaker", "--lang", "es", piped=slovak_lines())
    assert "Warning: These sentences look like Slovak, not Spanish; did you mean --lang sk?" in wrong.stderr
    assert len(wrong.stdout.splitlines()) == len(load("starter").samples)
    assert cli("read", "speaker", "--lang", "sk", piped=slovak_lines()).stderr == ""
