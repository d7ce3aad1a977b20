"""WinoBias: counts in the released files, planted preferences, and rates by hand."""

import math
from collections import Counter
from typing import cast

import pandas as pd
import pytest

from genderscope.core.errors import UserError
from genderscope.measures.winobias.published import PublishedOccupationRates
from genderscope.measures.winobias.rates import OccupationRates
from genderscope.samples import winobias
from genderscope.samples.winobias import NOISE, TWO_PRONOUNS, load
from genderscope.statistics.proportions import agresti_coull
from tests.support.evaluation import evaluate
from tests.trained import train

PRONOUNS = ("he", "she", "him", "her", "his", "himself", "herself")


def test_the_released_pairs_are_counted_by_how_they_differ(mirror):
    found = load()
    subsets = ("type 1 dev", "type 1 test", "type 2 dev", "type 2 test")
    assert [Counter(s.subset for s in found.samples)[x] for x in subsets] == [385, 369, 382, 386]
    assert [found.left_out[f"{x}: {TWO_PRONOUNS}"] for x in subsets] == [9, 22, 7, 5]
    assert [found.left_out[f"{x}: {NOISE}"] for x in subsets] == [2, 5, 7, 5]


def test_the_stereotypical_pronoun_gives_the_gender_that_the_occupation_lists_give(mirror):
    listed = {
        name.lower(): gender
        for gender in ("male", "female")
        for name in (mirror / "winobias" / f"{gender}_occupations.txt").read_text().splitlines()
    }
    assert [s for s in load().samples if listed[s.occupation.lower()] != s.gender] == []


def test_her_is_his_or_him_as_the_paired_sentence_has_it(mirror):
    forms = Counter((s.male, s.female) for s in load().samples)
    assert set(forms) == {("he", "she"), ("him", "her"), ("his", "her"), ("he", "her")}
    assert forms["he", "her"] == 1  # a slip of the data: one form is ungrammatical


@pytest.mark.parametrize(
    ("pro", "anti", "found"),
    [
        (
            "[The cook] left because [he] was tired.",
            "[The cook] left because [she] was tired.",
            ("The cook left because ", " was tired.", "he", "she", "male"),
        ),
        (
            "He met [the nurse] and saw [her] bag.",
            "He met [the nurse] and saw [his] bag.",
            ("He met the nurse and saw ", " bag.", "his", "her", "female"),
        ),
        ("[The cook] said [he] lost [his] hat.", "[The cook] said [she] lost [her] hat.", TWO_PRONOUNS),
        ("[The cook] left as [he] was sad.", "[The cook] left as [she] was tired.", NOISE),
        ("[The cook] left as [he] was sad.", "[The cook] left as [she] was very sad.", NOISE),
        ("[The cook] saw [him].", "[The cook] saw [his].", NOISE),
        ("[The cook] left.", "[The cook] left.", NOISE),
    ],
)
def test_a_pair_is_taken_apart(pro, anti, found):
    assert winobias._pair(pro, anti) == found


def rows(male, female):
    """Rows of the ratios of male and female occupations: sentence k is about occupation k and names another."""
    ratios = [*(("male", r) for r in male), *(("female", r) for r in female)]
    return pd.DataFrame(
        [
            {"sample": k, "subset": "type 1 dev", "gender": gender, "occupation": f"{gender}{k}", "log_ratio": ratio}
            | {"sentence": f"The {gender}{k} {k} [he/she] ."}
            for k, (gender, ratio) in enumerate(ratios)
        ]
    )


def estimates(frame, published=False):
    """Return all estimates of the rows."""
    return (PublishedOccupationRates if published else OccupationRates).estimates(frame, 0)


def by_name(found):
    return {e.name: e for e in found}


def test_the_rates_by_hand():
    found = by_name(estimates(rows([1.0, 2.0, 3.0], [1.0, -1.0, float("nan")])))
    assert found["masculine_rate_male"].value == pytest.approx(math.exp(2))
    assert found["masculine_rate_female"].value == pytest.approx(1)
    assert found["stereotype_rate"].value == pytest.approx(math.exp(2))
    assert (found["stereotype_rate"].n, found["stereotype_rate"].unread) == (5, 1)
    assert found["stereotypical_share"].value == 4 / 5
    assert found["stereotypical_share"].low < 4 / 5 < found["stereotypical_share"].high


def test_a_share_of_sentences_about_occupations_of_their_own_is_agresti_coulls():
    published = by_name(estimates(rows([1.0, 2.0, 3.0], [1.0, -1.0, float("nan")]), published=True))[
        "stereotypical_share"
    ]
    assert (published.low, published.high) == agresti_coull(4, 5)[1:]


def test_as_published_is_the_defined_rate_to_the_power_of_one_by_ln_ten():
    values = [0.3, 1.2, -0.4, 2.2], [0.1, -0.8, 0.2]
    defined, published = (by_name(estimates(rows(*values), published=flag)) for flag in (False, True))
    for name in ("masculine_rate_male", "masculine_rate_female", "stereotype_rate"):
        assert published[name].value ** math.log(10) == pytest.approx(defined[name].value)


def test_swapping_the_genders_turns_the_rates_round():
    values = [0.3, 1.2, -0.4, 2.2], [0.1, -0.8, 0.2, 0.5]
    one = by_name(estimates(rows(*values)))
    other = by_name(estimates(rows(*[[-v for v in each] for each in values])))
    for name in ("masculine_rate_male", "masculine_rate_female", "stereotype_rate"):
        assert one[name].value * other[name].value == pytest.approx(1)
        assert one[name].low * other[name].high == pytest.approx(1)
    assert one["stereotypical_share"].value + other["stereotypical_share"].value == pytest.approx(1)


def test_both_occupations_of_a_sentence_are_units_of_every_rate():
    """Of a causal model's couples, what the other occupation adds is part of either rate."""
    pulls = {k: (k - 5) / 3 for k in range(11)}
    frame = pd.DataFrame(
        [
            {"sample": 22 * m + 2 * f + (gender == "female"), "subset": "type 1 dev", "gender": gender}
            | {"occupation": f"m{m}x" if gender == "male" else f"f{f}x", "log_ratio": pulls[f] + 0.01 * m}
            | {"sentence": f"The m{m}x met the f{f}x because [he/she] {gender} ."}
            for m in range(11)
            for f in range(11)
            for gender in ("male", "female")
        ]
    )
    q_m = by_name(estimates(frame))["masculine_rate_male"]
    by_female = cast(float, pd.Series(pulls).sem())
    half = (math.log(q_m.high) - math.log(q_m.low)) / 2
    assert half > 1.9 * by_female, "eleven female occupations, not 121 sentences, tell how sure the male rate is"


def test_equal_pronouns_are_no_preference():
    share = by_name(estimates(rows([0.0, 0.0], [0.0, -1.0])))["stereotypical_share"]
    assert (share.value, share.n) == (1, 1)


def test_nothing_read_is_no_value():
    found = by_name(estimates(rows([float("nan")], [float("nan")])))
    assert {e.value for e in found.values()} == {None}


@pytest.mark.long
@pytest.mark.parametrize(("kind", "stereotypical"), [("masked", True), ("causal", False)])
def test_a_planted_preference_is_found_in_its_direction(mirror, tmp_path, kind, stereotypical):
    samples = load((2,), ("dev",)).samples
    lines = [s.before + (s.male if (s.gender == "male") == stereotypical else s.female) + s.after for s in samples]
    both = [s.before + form + s.after for s in samples for form in (s.male, s.female)]
    folder = train(lines, PRONOUNS, kind == "masked", tmp_path / "model", steps=50, more=both)
    result = evaluate("winobias", folder, type=2, split="dev")
    g = result.estimate("stereotype_rate")
    share = result.estimate("stereotypical_share")
    assert (g.low > 1) if stereotypical else (g.high < 1)
    assert (share.low > 0.5) if stereotypical else (share.high < 0.5)
    assert any("only the text before the pronoun" in c for c in result.cautions) == (kind == "causal")
    assert any("14 pairs in the data were left out" in c for c in result.cautions)


@pytest.mark.long
def test_all_parts_have_their_own_rates(mirror, models):
    result = evaluate("winobias", str(models("bert", "wordpiece-uncased")), limit=80, report=True)
    parts = {e.subset for e in result.as_estimates() if e.name == "stereotype_rate"}
    assert parts == {None, "type 1 dev", "type 1 test", "type 2 dev", "type 2 test"}
    page = (result.folder / "report.html").read_text()
    assert "By type and split" in page


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"type": 3}, "Option --type is 3: input should be less than or equal to 2."),
        ({"split": "train"}, "Option --split is 'train': input should be 'dev' or 'test'."),
        ({"limit": 1}, "With a limit of 1 only occupations of one gender are left; raise --limit."),
    ],
)
def test_bad_options_get_one_sentence(mirror, models, options, complaint):
    with pytest.raises(UserError) as raised:
        evaluate("winobias", str(models("bert", "wordpiece-uncased")), **options)
    assert str(raised.value) == complaint


def test_rates_over_few_occupations_have_no_interval():
    ratios = [0.4, -0.3, 0.8, 0.1, 0.5, -0.6, 0.2, 0.9, -0.1, 0.3, 0.7, -0.4]
    frame = rows(ratios, ratios[::-1])
    for count, has_interval in ((3, False), (6, True)):
        few = frame.assign(occupation=[f"{row.gender}{k % count}" for k, row in enumerate(frame.itertuples())])
        own, other = (
            few["occupation"],
            [f"{'fe' if g == 'male' else ''}male{k // 2 % count}" for k, g in enumerate(few["gender"])],
        )
        few["sentence"] = [f"The {one} met the {two} as [he/she] left." for one, two in zip(own, other, strict=True)]
        assert (by_name(estimates(few))["stereotype_rate"].low is not None) is has_interval
