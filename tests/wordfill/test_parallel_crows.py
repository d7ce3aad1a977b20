"""CrowS-Pairs in Dutch and French: what is read, what is left out, and which pairs are each other's control."""

import re
from pathlib import Path

import pytest

from genderscope.core.errors import UserError
from genderscope.measures import measure_type
from genderscope.measures.crows.measure import CrowsOptions
from genderscope.published.crows_tables import MODELS, _rows, gender_estimates, scored_pairs, shares
from genderscope.reference import reference_sentences
from genderscope.samples import fetch
from genderscope.samples.crows import BIAS_TYPES, FILES
from genderscope.samples.crows import load_parallel as load
from genderscope.samples.matched_controls import MORE_DIFFERS, NO_COUNTERPART, REVERSED, swap_of
from genderscope.samples.registry import dataset
from tests.support import miniature as made
from tests.support.evaluation import evaluate

GENDER = ("gender",)


@pytest.fixture
def miniature(tmp_path, monkeypatch):
    return made.install(tmp_path / "mirror", monkeypatch)


@pytest.fixture
def released(mirror, monkeypatch):
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))


def swapped(sample, language):
    more, less = texts(sample)
    return swap_of(more, less, language)


def texts(sample):
    return [sentence.text for sentence in sample.sentences.values()]


# The files


def test_unusable_rows_are_counted_and_text_is_restored(miniature):
    made_set = load("parallel", ("nl",), ("gender", "age"))
    assert made_set.left_out == {
        "a sentence is empty": 1,
        "its two sentences are the same": 1,
        "its row has the wrong number of cells": 1,
    }
    assert made_set.mended == {"garbled letters were restored": 1, "spaces or line breaks were removed": 1}
    pairs = {sample.index: texts(sample) for sample in made_set.samples}
    assert pairs[10] == ["Ze zingt in één café.", "Hij zingt in één café."]
    assert pairs[30] == ["Vrouwen zijn stil.", "Mannen zijn stil."]
    assert pairs[60] == ["The old need één hour.", "The young need één hour."]
    assert load("parallel", ("en",), GENDER).mended == {"an apostrophe was written alike in both sentences": 1}


@pytest.mark.parametrize(
    ("language", "everything", "gender", "dropped"),
    [
        ("en", 1463, 260, {}),
        ("nl", 1463, 262, {}),
        ("fr", 1461, 261, {"a sentence is empty": 1, "its two sentences are the same": 1}),
    ],
)
def test_the_released_files_have_their_sizes(released, language, everything, gender, dropped):
    whole = load("parallel", (language,), BIAS_TYPES)
    assert (len(whole.samples), whole.left_out) == (everything, dropped)
    assert len(load("parallel", (language,), GENDER).samples) == gender


@pytest.mark.parametrize("language", FILES)
def test_the_released_sentences_are_decoded(released, language):
    written = "".join(text for sample in load("parallel", (language,), BIAS_TYPES).samples for text in texts(sample))
    accents = {"en": "éè’", "nl": "éèëï’", "fr": "éèêëàâçîïôûùœÀÉÊÇ’…«»\xa0"}[language]
    assert {letter for letter in written if not letter.isascii()} <= set(accents)
    assert not re.search(r"  |[\r\n\t]", written)


def test_the_more_stereotypical_sentence_is_the_same_one_in_all_languages(released):
    about_men = {
        language: {s.index: swap.about_men for s in pairs if (swap := swapped(s, language)) is not None}
        for language in FILES
        for pairs in [load("parallel", (language,), GENDER).samples]
    }
    for language in ("nl", "fr"):
        both = about_men["en"].keys() & about_men[language].keys()
        assert len(both) > 60
        assert [k for k in both if about_men["en"][k] != about_men[language][k]] == []


@pytest.mark.parametrize("name", ["crows-nl-fr", "crows-nl-fr-scores"])
def test_the_mirror_verifies(released, name):
    assert all(good for _, _, good in fetch.verify(dataset(name)))


# Control pairs


@pytest.mark.parametrize(
    ("language", "more", "less", "words"),
    [
        ("nl", "Hij kwam.", "Ze kwam", {("hij", "ze")}),
        ("nl", "Haar oom hielp haar.", "Zijn oom hielp hem.", {("zijn", "haar"), ("hem", "haar")}),
        ("nl", "Jan kwam.", "Anna kwam.", None),
        ("nl", "Hij zag een man.", "Ze zag een auto.", None),
        ("nl", "Hij groet de vrouw.", "Ze groet de man.", None),
        ("fr", "S’il est content, il rit.", "Si elle est contente, elle rit.", {("il", "elle")}),
        ("fr", "L'homme est un acteur.", "La femme est une actrice.", None),
        ("fr", "L'homme est heureux.", "La femme est heureuse.", {("homme", "femme")}),
        ("fr", "Il est petit.", "Il est petite.", None),
        ("en", "He saw it.", "She saw it.", {("he", "she")}),
    ],
)
def test_a_swap_is_of_listed_words_in_one_direction_and_nothing_else(language, more, less, words):
    swap, back = swap_of(more, less, language), swap_of(less, more, language)
    if words is None:
        assert swap is back is None
    else:
        assert swap.words == back.words == words
        assert swap.about_men != back.about_men


@pytest.mark.parametrize("language", FILES)
def test_a_pair_about_men_is_controlled_by_one_about_women_with_the_same_words(miniature, language):
    found = load("matched", (language,), GENDER)
    pairs = [tuple(texts(s)) for s in load("parallel", (language,), GENDER).samples]
    assert [texts(s) for s in found.samples] == [
        [pairs[k][0], pairs[k + 1][1], pairs[k][1], pairs[k + 1][0]] for k in (0, 2)
    ]
    assert (found.left_out[MORE_DIFFERS], found.left_out[NO_COUNTERPART]) == (1, 1)


@pytest.mark.parametrize(("language", "couples"), [("en", 30), ("nl", 27), ("fr", 31)])
def test_every_released_gender_pair_is_matched_once_or_counted(released, language, couples):
    found = load("matched", (language,), GENDER)
    sentences = [text for sample in found.samples for text in texts(sample)]
    pairs = len(load("parallel", (language,), GENDER).samples)
    assert len(found.samples) == couples
    assert len(set(sentences)) == len(sentences)
    assert 2 * couples + sum(found.left_out.values()) == pairs
    assert found.left_out[REVERSED] == 2  # pair 15 says that women cannot drive, pair 1094 that men cannot


@pytest.mark.parametrize("language", FILES)
def test_a_preference_for_men_cancels_out_and_one_for_stereotypes_does_not(released, language):
    samples = load("parallel", (language,), GENDER).samples
    swaps = {s.index: swapped(s, language) for s in samples}
    masculine = {k: 2.0 if s and s.about_men else -2.0 for k, s in swaps.items()}
    stereotyped = dict.fromkeys(swaps, 2.0)
    for scores, contrast in ((masculine, 0), (stereotyped, 4)):
        rows = _rows("matched", language, scores)
        assert (rows["cs"] == 2).all()
        assert (rows["cs"] - rows["cs_control"] == contrast).all()


# Runs


@pytest.fixture
def run(miniature, models):
    def measured(**options):
        return evaluate("crows", str(models("bert", "wordpiece-cased")), **options)

    return measured


@pytest.mark.long
@pytest.mark.parametrize("name", ["parallel", "matched"])
def test_two_languages_in_one_run_give_the_estimates_of_two_runs(run, name):
    both = run(lang="nl,fr", set=name)
    assert {e.language for e in both.as_estimates() if not e.name.startswith("control")} == {"nl", "fr"}
    for language in ("nl", "fr"):
        alone = run(lang=language, set=name)
        assert {e.language for e in alone.as_estimates()} == {None}
        mine = [e for e in both.as_estimates() if e.language == language]
        assert [(e.name, e.group, e.value, e.n) for e in mine] == [
            (e.name, e.group, pytest.approx(e.value, abs=1e-4), e.n) for e in alone.as_estimates()
        ]


@pytest.mark.long
def test_each_language_has_its_lead_its_resampling_and_its_outcomes(run):
    result = run(lang="Dutch,French", set="parallel", report=True)
    assert result.config["data"]["name"] == "crows-parallel-nl+fr"
    assert "Dutch: cannot be judged" in result.summary
    assert "French: cannot be judged" in result.summary
    kind = measure_type("crows")
    options = kind.options_type.model_validate({"lang": "nl,fr", "set": "parallel"})
    drawn = list(kind.resampled(result.rows, options))
    assert {each.estimate.language for each in drawn} == {"nl", "fr"}
    outcomes = kind.outcomes(result.rows, drawn[0].estimate, options)
    assert len(outcomes.values) == (result.rows["language"] == drawn[0].estimate.language).sum()
    assert any("French pairs are those from before" in caution for caution in result.cautions)
    assert not any("French pairs" in caution for caution in run(lang="nl").cautions)
    page = (result.folder / "report.html").read_text(encoding="utf-8")
    assert "cs by sample in Dutch" in page
    assert "cs by sample in French" in page


def competent(result):
    """Return a run as if its model were trained: without the estimates that show that it is not."""
    return result.estimated([e for e in result.as_estimates() if e.neutral is not None])


@pytest.mark.long
def test_a_run_is_compared_with_models_of_its_language_only(run):
    (uncontrolled,) = reference_sentences(run(lang="nl", set="parallel"))
    assert uncontrolled.endswith("for the same language: this run's value cannot be judged.")
    (dutch,) = reference_sentences(competent(run(lang="nl", set="matched", controls="none")))
    assert "GroNLP/bert-base-dutch-cased" in dutch
    assert "camembert" not in dutch
    (french,) = reference_sentences(competent(run(lang="fr", set="matched", controls="none")))
    assert "camembert-base 1.2" in french
    (english,) = reference_sentences(run())
    assert "measured on the parallel pairs, not on crows-negation" in english
    assert "--set parallel --lang en" in english


def test_an_audit_asks_in_the_languages_that_the_model_knows():
    kind = measure_type("crows")
    assert kind.audited_with(None, ("en",)) == {}
    assert kind.audited_with(None, ("fr", "sk", "en")) == {"lang": ("en", "fr")}
    with pytest.raises(UserError, match="It needs English, Dutch, French"):
        kind.audited_with(None, ("sk",))


def test_a_language_that_the_pairs_lack_is_named(run):
    with pytest.raises(UserError, match="Unknown language of CrowS-Pairs 'de'"):
        run(lang="de")


# The authors' scores


def test_planted_scores_give_their_shares_with_ties_counted(miniature):
    gender = {model: next(iter(shares(model))) for model in MODELS}
    counts = {
        model: tuple(s[name] for name in ("pairs", "preferred", "ties", "equal_verdicts"))
        for model, s in gender.items()
    }
    assert counts == {
        "GroNLP/bert-base-dutch-cased": (8, 4, 2, 8),
        "bert-base-multilingual-cased": (8, 6, 2, 8),
        "camembert-base": (8, 2, 2, 8),
        "bert-base-uncased": (8, 3, 3, 8),
    }
    # BERTje is planted to prefer men by 1 in all matched pairs, mBERT the stereotype.
    for model, contrast in (("GroNLP/bert-base-dutch-cased", 0), ("bert-base-multilingual-cased", 2)):
        found = {e.name: e.value for e in gender_estimates(model, "matched")}
        assert found["sentence_preference_contrast"] == pytest.approx(contrast)


def test_released_scores_give_the_authors_shares(released):
    found = {model: next(iter(shares(model))) for model in MODELS}
    assert {model: (s["preferred"], s["pairs"], s["ties"]) for model, s in found.items()} == {
        "GroNLP/bert-base-dutch-cased": (135, 262, 0),
        "bert-base-multilingual-cased": (137, 262, 0),
        "camembert-base": (154, 261, 0),
        "bert-base-uncased": (156, 260, 1),
    }
    assert [round(100 * s["preferred"] / s["pairs"], 1) for s in found.values()] == [51.5, 52.3, 59.0, 60.0]
    for model in MODELS:
        assert len(scored_pairs(model)) == 1463
        assert all(share["equal_verdicts"] == share["pairs"] for share in shares(model))


def test_the_command_prints_the_table_and_writes_all_bias_types(miniature, cli):
    done = cli("reproduce", "crows-nl-fr", "--csv", "cells.csv")
    assert done.returncode == 0, done.stderr
    assert "40 of 40 released verdicts" in " ".join(done.stdout.split())
    cells = Path("cells.csv").read_text(encoding="utf-8").splitlines()
    assert len(cells) == 1 + 4 * len(("gender", "age", "all"))


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({}, "negation"),
        ({"lang": "nl"}, "matched"),
        ({"lang": "en,nl"}, "matched"),
        ({"bias_types": "age"}, "original"),
        ({"bias_types": "gender,age", "lang": "fr"}, "parallel"),
        ({"as_published": True}, "original"),
        ({"set": "original"}, "original"),
        ({"set": "parallel", "lang": "nl"}, "parallel"),
    ],
)
def test_by_default_pairs_about_gender_have_controls(options, name):
    assert CrowsOptions.model_validate(options).chosen_set == name
