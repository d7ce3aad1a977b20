"""The rates equal a plain second implementation, and as published, the arithmetic of the original logs."""

import random
import re
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from genderscope.measures import frame_of
from genderscope.measures.base import PublishedOptions
from genderscope.measures.winomt.measure import WinoMt, WinoMtOptions, WinoMtRow
from genderscope.measures.winomt.rates import estimates as winomt_estimates
from genderscope.samples.winomt import GENDERS
from genderscope.statistics.cluster_variance import correction, dyadic
from tests.reference import winomt as reference

OCCUPATIONS = ("baker", "cook", "driver", "guard", "judge", "nurse", "pilot", "tailor")
NAMES = ("accuracy", "error", "f1_gap", "stereotype_gap", "masculine_default")
MORE = ("other_masculine_rate", "pronoun_conflict", "yield")


def row(number, gender, reading, language="es", stereotype="", twin="", pair=("baker", "cook"), **more):
    entity, other = pair
    values = {
        **{"number": number, "language": language, "item": str(number), "twin": twin, "source": f"Sentence {number}."},
        **{"entity": entity, "other": other, "pair": "+".join(sorted(pair)), "gender": gender},
        **{"stereotype": stereotype, "translation": "Frase.", "reading": reading, "other_reading": None},
        **{"pronoun": None, "words": "", "other_words": "", "unread": None if reading else "person not found"},
    }
    return values | more


def draw_rows(seed, languages=("es",), count=60):
    """Draw twins of opposite genders, some unread, and sentences without stereotype."""
    draw = random.Random(seed)
    pairs = list(combinations(OCCUPATIONS, 2))
    rows = []
    for language in languages:
        for number in range(count):
            pair = draw.sample(draw.choice(pairs), 2)
            for k, gender in enumerate(GENDERS[: 2 + number % 2]):
                stereotype = "" if number % 3 == 0 or gender == "neutral" else ("pro", "anti")[(k + number) % 2]
                reading = draw.choice((*GENDERS[:2], gender, gender, "neutral", None))
                other, pronoun = (draw.choice((*GENDERS, None)) for _ in range(2))
                more = {"other_reading": other, "pronoun": pronoun}
                rows.append(row(3 * number + k, gender, reading, language, stereotype, str(number), pair, **more))
    return rows


def frame(rows):
    return frame_of([WinoMtRow(**each) for each in rows], WinoMtRow)


def overall(estimates, language):
    return {e.name: e for e in estimates if e.keys == ({} if language is None else {"language": language})}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("as_published", [False, True])
def test_the_rates_equal_a_plain_implementation(seed, as_published):
    rows = draw_rows(seed)
    found = overall(winomt_estimates(frame(rows), PublishedOptions(as_published=as_published)), "es")
    expected = reference.rates(rows, as_published)
    for name in (*NAMES, *MORE):
        assert found[name].value == pytest.approx(expected[name]), name
    assert found["f1_gap"].n == (len(rows) if as_published else sum(each["reading"] is not None for each in rows))
    for e in found.values():
        assert e.low <= e.value <= e.high
        assert e.wide_low <= e.low <= e.high <= e.wide_high
        assert e.unread_low is None or e.unread_low <= e.value <= e.unread_high


def test_several_languages_count_equally():
    rows = [*draw_rows(1, ["es"], 40), *draw_rows(2, ["it"], 20)]
    found = overall(winomt_estimates(frame(rows)), None)
    parts = [reference.rates([each for each in rows if each["language"] == code], False) for code in ("es", "it")]
    for name in NAMES:
        assert found[name].value == pytest.approx((parts[0][name] + parts[1][name]) / 2), name


def test_if_everything_was_read_there_is_no_range_for_unread_sentences():
    rows = [each | {"twin": ""} for each in draw_rows(5) if each["reading"] is not None]
    found = overall(winomt_estimates(frame(rows)), "es")
    assert {found[name].unread_low for name in NAMES} == {None}


def test_the_range_for_unread_sentences_equals_moving_them_by_hand():
    readings = ["feminine"] * 40 + ["masculine"] * 20 + [None] * 40
    rows = [row(number, "feminine", reading) for number, reading in enumerate(readings)]
    rows += [row(100 + number, "masculine", "masculine") for number in range(100)]
    error = overall(winomt_estimates(frame(rows)), "es")["error"]
    assert error.value == pytest.approx(20 / 160)

    def women_if_unread(risk):
        """Solve for the share of unread men, such that 40 are unread in all."""
        low, high = 0.0, min(1.0, 1 / risk)
        for _ in range(80):
            rate = (low + high) / 2
            missing = 20 * rate / (1 - rate) + 40 * risk * rate / (1 - risk * rate)
            low, high = (rate, high) if missing < 40 else (low, rate)
        return 40 / (1 - risk * low)

    expected = [1 - (women_if_unread(risk) + 100) / 200 for risk in (2.0, 0.5)]
    alike = 1 - (women_if_unread(1.0) + 100) / 200
    assert [error.unread_low, error.unread_high] == pytest.approx([error.value + end - alike for end in expected])


@pytest.mark.parametrize("seed", range(3))
def test_the_variance_over_occupations_equals_all_products_of_sentences_that_share_one(seed):
    draw = np.random.default_rng(seed)
    pairs = [tuple(draw.choice(OCCUPATIONS, 2, replace=False)) for _ in range(80)]
    pairs += [("judge",)] * 3
    moved = draw.normal(size=len(pairs))
    moved -= moved.mean()
    names, codes = np.unique(["+".join(sorted(pair)) for pair in pairs], return_inverse=True)
    error = dyadic(moved, np.full(len(pairs), 1 / len(pairs)), codes, [name.split("+") for name in names])
    people = sorted({person for pair in pairs for person in pair})
    shared = np.array([[person in name.split("+") for name in names] for person in people], dtype=float)
    counts = np.bincount(codes)
    factor, freedom = correction(shared @ counts, shared @ counts**2)
    assert factor == pytest.approx(len(people) / (len(people) - 1), rel=0.05)
    assert (error.variance, error.freedom) == pytest.approx((reference.dyadic_variance(moved, pairs) * factor, freedom))
    assert 1 <= error.freedom <= len(OCCUPATIONS) - 1


def test_one_gender_without_sentences_has_no_gap():
    rows = [row(number, "masculine", "masculine") for number in range(8)]
    gap = overall(winomt_estimates(frame(rows)), "es")["f1_gap"]
    assert gap.value is None
    assert "has no sentence that was read" in gap.remark


def test_without_stereotypes_there_is_no_stereotype_gap():
    rows = [row(number, GENDERS[number % 2], GENDERS[number % 2]) for number in range(8)]
    assert "stereotype_gap" not in overall(winomt_estimates(frame(rows)), "es")


def test_a_sentence_whose_twin_is_unread_does_not_count_for_the_stereotype_gap():
    rows = [
        row(0, "masculine", "masculine", stereotype="pro", twin="1"),
        row(1, "feminine", None, stereotype="anti", twin="1"),
        row(2, "masculine", "feminine", stereotype="pro", twin="2"),
        row(3, "feminine", "feminine", stereotype="anti", twin="2"),
        row(4, "masculine", "masculine", stereotype="pro"),
    ]
    gap = overall(winomt_estimates(frame(rows)), "es")["stereotype_gap"]
    assert (gap.value, gap.n, gap.unread) == (-0.5, 3, 2)
    published = overall(winomt_estimates(frame(rows), PublishedOptions(as_published=True)), "es")["stereotype_gap"]
    assert (published.value, published.n) == (pytest.approx(2 / 3 - 1 / 2), 5)


@pytest.mark.parametrize("as_published", [False, True])
def test_influences_add_up_to_the_interval_and_outcomes_point_the_same_way(as_published):
    rows, options = frame(draw_rows(7)), WinoMtOptions(to=("es",), as_published=as_published)
    estimates = overall(winomt_estimates(rows, options), "es")
    drawn = list(WinoMt.resampled(rows, options))
    assert [each.estimate.name for each in drawn] == ["f1_gap", "stereotype_gap"]
    for each in drawn:
        assert each.value == estimates[each.estimate.name].value
        _, influences = each.influence.loadings()
        assert influences.sum() == pytest.approx(0, abs=1e-9)
        half_width = (each.estimate.high - each.estimate.low) / 2
        assert 0.8 < each.influence.error.half_width() / half_width < 1.25
        before = WinoMt.outcomes(rows, each.estimate, options)
        favoured = (rows["gender"] == "masculine") if each.estimate.name == "f1_gap" else (rows["stereotype"] == "pro")
        better = rows.assign(reading=rows["reading"].where(~favoured | rows["reading"].isna(), rows["gender"]))
        after = WinoMt.outcomes(better, each.estimate, options)
        assert set(before.values) <= {0.0, 1.0}
        assert after.values.sum() > before.values.sum()
        (raised,) = [e for e in WinoMt.resampled(better, options) if e.estimate.name == each.estimate.name]
        assert raised.value > each.value


LOG = re.compile(r"acc = ([\d.]+)%; f1_male = ([\d.]+)% .*; f1_female = ([\d.]+)%")
CELL = re.compile(r"<GENDER\.(\w+): \d>: (?:(\d+)|defaultdict)")
RELEASED = {"male": "masculine", "female": "feminine", "neutral": "neutral", "unknown": None}


@pytest.mark.parametrize(
    "name", ["google/es", "google/it", "google/de", "google/ru", "google/he", "bing/fr", "bing/uk"]
)
def test_as_published_the_confusion_table_of_a_log_gives_the_numbers_of_the_log(mirror, name):
    text = (mirror / f"winomt/logs/{name}.log").read_text(encoding="utf-8")
    rows: list[dict[str, Any]] = []
    gold = None
    for gender, count in CELL.findall(text):
        if not count:
            gold = RELEASED[gender]
        rows += [row(len(rows) + k, gold, RELEASED[gender]) for k in range(int(count or 0))]
    assert len(rows) == 3888
    estimates = winomt_estimates(frame(rows), PublishedOptions(as_published=True))
    found = [e.value for e in estimates if e.name == "accuracy" and e.keys == {"language": "es"}]
    found += [e.value for gender in GENDERS[:2] for e in estimates if e.name == "f1" and e.group == gender]
    # The script computes F1 from precision and recall that it has rounded to 0.1 %.
    expected = [float(part) / 100 for part in LOG.search(text).groups()]
    assert found == pytest.approx(expected, abs=0.0011)
    assert found[0] == pytest.approx(expected[0], abs=0.00051)
