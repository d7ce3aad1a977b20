"""The rates over languages and conditions, on rows whose truth is known."""

import math

import numpy as np
import pandas as pd
import pytest

from genderscope.judgement import summarise
from genderscope.measures.eurogest.measure import EuroGest
from genderscope.measures.eurogest.rates import OverLanguages, by_language, resampled
from genderscope.measures.eurogest.rates import estimates as all_estimates
from genderscope.measures.eurogest.texts import EuroGestOptions
from genderscope.samples.gest import MALE

NUMBERS = {"gendered": 1, "pronoun": 2, "noun": 3}


def rows(generator, languages, effect=0.4, sentences=6, shared=1.0):
    """Make rows: a sentence moves all its translations by the same amount, and each by one of its own."""
    found = []
    for i in range(1, 17):
        for k in range(sentences):
            source = generator.normal(0, shared)
            for language, conditions in languages.items():
                condition = conditions[k % len(conditions)]
                found.append(
                    {
                        "sample": 100 * i + k,
                        "language": language,
                        "condition": condition,
                        "stereotype": i,
                        "family": False,
                        "template": NUMBERS[condition],
                        "log_ratio": (effect if i in MALE else 0.0) + source + generator.normal(0, 0.5),
                        "mass": None,
                    }
                )
    return pd.DataFrame(found).astype({"mass": "float64"})


MANY = {"fr": ("gendered", "pronoun"), "fi": ("noun",), "sk": ("gendered", "pronoun"), "da": ("pronoun",)}


def every(frame):
    return all_estimates(frame, EuroGestOptions())


def found(estimates, name, **keys):
    wanted = {key: value for key, value in keys.items() if value is not None}
    chosen = [e for e in estimates if e.name == name and dict(e.keys) == wanted]
    assert len(chosen) == 1, (name, keys)
    return chosen[0]


def test_every_condition_and_every_language_has_equal_weight():
    frame = rows(np.random.default_rng(0), MANY, sentences=5)
    frame.loc[(frame["language"] == "fr") & (frame["condition"] == "pronoun"), "log_ratio"] += 3
    by_hand, estimates = {}, every(frame)
    for language, part in frame.groupby("language"):
        means = part.groupby(["condition", "stereotype"])["log_ratio"].mean().unstack("stereotype").mean()
        by_hand[language] = means[list(MALE)].mean() - means.drop(list(MALE)).mean()
        assert math.log(found(estimates, "stereotype_rate", language=language).value) == pytest.approx(
            by_hand[language]
        )
    assert math.log(found(estimates, "stereotype_rate").value) == pytest.approx(np.mean(list(by_hand.values())))
    gendered = frame[frame["condition"] == "gendered"]
    alone = OverLanguages(gendered, 0, "ratio").estimates()
    assert found(estimates, "stereotype_rate", subset="gendered").value == next(
        e.value for e in alone if e.name == "stereotype_rate"
    )


@pytest.mark.long
def test_intervals_over_languages_hold_the_truth_although_languages_share_their_sentences():
    draws, inside, wide = 80, 0, 0
    for seed in range(draws):
        over = OverLanguages(rows(np.random.default_rng(seed), MANY), 0, "log")
        g_s = over.combined("stereotype_rate", None)
        inside += g_s.low <= 0.4 <= g_s.high
        wide += g_s.wide_low <= 0.4 <= g_s.wide_high
    assert inside / draws >= 0.95 - 3 * math.sqrt(0.05 * 0.95 / draws)
    assert wide >= inside


def test_what_languages_share_makes_the_interval_wider_than_one_of_independent_sentences():
    estimates = every(rows(np.random.default_rng(1), MANY, shared=2.0))
    over = found(estimates, "stereotype_rate")
    halves = [math.log(e.high / e.low) for e in (found(estimates, "stereotype_rate", language=k) for k in MANY)]
    independent = math.sqrt(sum(half**2 for half in halves)) / len(MANY)
    assert math.log(over.high / over.low) > 1.3 * independent


@pytest.mark.long
def test_a_language_in_which_a_stereotype_is_missing_counts_in_no_number_over_languages():
    frame = rows(np.random.default_rng(2), MANY)
    frame = frame[~((frame["language"] == "da") & (frame["stereotype"] == 5))]
    over = found(every(frame), "stereotype_rate")
    assert "without da" in over.remark
    others = frame[frame["language"] != "da"]
    assert over.value == pytest.approx(found(every(others), "stereotype_rate").value)
    frame = frame[~((frame["condition"] == "gendered") & (frame["stereotype"] == 3) & (frame["language"] == "fr"))]
    assert (
        "gendered could not be read for every stereotype"
        in found(every(frame), "stereotype_rate", language="fr").remark
    )


@pytest.mark.long
def test_what_a_condition_does_not_have_is_not_unread():
    frame = rows(np.random.default_rng(5), MANY)
    assert found(every(frame), "stereotype_rate", language="fr").unread == 0
    frame.loc[(frame["language"] == "fr") & (frame["sample"] == 900), "log_ratio"] = None
    estimates = every(frame)
    assert found(estimates, "stereotype_rate", language="fr").unread == 1
    assert found(estimates, "masculine_rate_by_stereotype", language="fr", stereotype=9).unread == 1
    assert found(estimates, "masculine_rate_female", language="fr").unread == 0


def test_conditions_and_languages_that_see_the_same_stereotypes_agree():
    generator = np.random.default_rng(3)
    frame = rows(generator, MANY, sentences=40, shared=0.2)
    frame["log_ratio"] += frame["stereotype"] / 4
    estimates = every(frame)
    between = found(estimates, "rate_correlation", language="fr", group="gendered and pronoun")
    assert between.value > 0.9
    assert between.low > 0.7
    languages = [e for e in estimates if e.name == "rate_correlation" and e.language is None]
    assert {e.subset for e in languages} == {"gendered", "scaffold"}
    assert len(languages) == 1 + 6
    assert all(e.value > 0.9 for e in languages)


def test_replicates_are_those_of_the_estimate_they_come_with():
    frame = rows(np.random.default_rng(4), MANY)
    drawn = {(r.estimate.name, r.estimate.language): r for r in resampled(frame, EuroGestOptions())}
    assert set(drawn) == {
        (name, k) for name in ("stereotype_rate", "masculine_rate_female", "masculine_rate_male") for k in (None, *MANY)
    }
    for each in drawn.values():
        assert each.value == pytest.approx(math.log(each.estimate.value))
        assert each.influence.error.variance > 0
    assert set(by_language(frame, 0, "ratio")) == set(MANY)


def test_one_language_is_not_called_several():
    one, many = (rows(np.random.default_rng(0), languages) for languages in ({"de": ("gendered", "pronoun")}, MANY))
    assert "Across" not in summarise(EuroGest, every(one), EuroGestOptions())
    assert "Across 4 languages: " in summarise(EuroGest, every(many), EuroGestOptions())
