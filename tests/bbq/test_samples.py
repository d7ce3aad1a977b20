"""Loaders of the BBQ datasets: which person the stereotype is about, and rules for irregular rows."""

from collections import Counter
from typing import Any

import pytest

from genderscope.core.errors import UserError
from genderscope.samples.bbq import (
    BBQ,
    LANGUAGES,
    REPEATED,
    SAME_GENDER,
    drawn_wording,
    load_own,
    load_released,
    scenarios,
    unknown_wordings,
)

SETS = [(name, language) for name, languages in LANGUAGES.items() for language in languages]
#: dataset and language -> usable questions, control questions among them, templates
SIZES = {
    ("bbq", "en"): (5656, 0, 29),
    ("esbbq", "es"): (4832, 0, 66),
    ("esbbq", "ca"): (4832, 0, 66),
    ("mbbq", "nl"): (1052, 528, 24),
    ("mbbq", "tr"): (1048, 528, 24),
    ("mbbq", "es"): (1052, 528, 24),
    ("mbbq", "en"): (1056, 528, 24),
}


@pytest.fixture(autouse=True)
def released(monkeypatch, request):
    """Tests that name a released set need the mirror; the others run without it."""
    if "name" in request.fixturenames:
        monkeypatch.setenv("GENDERSCOPE_MIRROR", str(request.getfixturevalue("mirror")))


@pytest.mark.long
@pytest.mark.mirror
@pytest.mark.parametrize(("name", "language"), SETS)
def test_every_released_set_has_its_size_and_one_answer_of_each_kind(name, language):
    found = load_released(name, language, controls=True).samples
    controls = sum(sample.control for sample in found)
    assert (len(found), controls, len({sample.template for sample in found})) == SIZES[name, language]
    assert len({sample.item for sample in found}) == len(found)
    for sample in found:
        assert sorted(sample.kinds) == ["biased", "counter", "unknown"]
        assert len(set(sample.options)) == 3
        assert (sample.truth == "unknown") == (sample.condition == "ambiguous")
        assert sample.language == language
        assert "unknown" not in sample.options


@pytest.mark.long
@pytest.mark.mirror
@pytest.mark.parametrize(("name", "language"), SETS)
def test_the_truth_fits_the_stereotype_as_often_as_it_contradicts_it(name, language):
    told = [s.truth for s in load_released(name, language, controls=False).samples if s.condition == "disambiguated"]
    counts = Counter(told)
    # The rows that repeat another one are not balanced.
    assert abs(counts["biased"] - counts["counter"]) <= (2 if name == "mbbq" else 0)


@pytest.mark.mirror
@pytest.mark.parametrize("name", ["bbq"])
def test_a_negative_question_is_biased_towards_the_stereotyped_person(name):
    """In the same context, the other question makes the other person the biased answer."""
    by_context: dict[Any, dict[str, Any]] = {}
    for sample in load_released(name, "en", controls=True).samples:
        by_context.setdefault((sample.context, frozenset(sample.options[:2])), {})[sample.polarity] = sample
        if sample.group == "women" and "The woman" in sample.options and sample.polarity == "negative":
            assert sample.option("biased") == "The woman"
        if sample.group == "men" and "The man" in sample.options and sample.polarity == "non-negative":
            assert sample.option("counter") == "The man"
        if sample.group == "trans" and sample.polarity == "negative" and "cis" in " ".join(sample.options):
            assert "trans" in sample.option("biased")
    pairs = [each for each in by_context.values() if len(each) == 2]
    assert pairs
    assert all(one["negative"].option("biased") == one["non-negative"].option("counter") for one in pairs)


@pytest.mark.mirror
@pytest.mark.parametrize("name", ["mbbq"])
def test_irregular_rows_follow_the_stated_rules(name):
    assert load_released(name, "tr", controls=True).left_out == {SAME_GENDER: 16, REPEATED: 8}
    spanish = load_released(name, "es", controls=False).samples
    girls = [s for s in spanish if "La chica" in s.options and "El chico" in s.options and s.group == "women"]
    assert all(s.option("biased") == ("La chica" if s.polarity == "negative" else "El chico") for s in girls)
    assert girls


def test_templates_with_names_belong_to_the_scenario_that_they_repeat():
    templates = {number: template for number, (template, _) in scenarios().items()}
    assert len(templates) == 50
    assert len(set(templates.values())) == 29
    assert templates["26"] == templates["1"] == "1"
    assert templates["50"] == "50"


def test_the_unknown_wording_depends_on_the_item_alone_and_varies():
    for language, wordings in unknown_wordings().items():
        drawn = Counter(drawn_wording(language, str(k)) for k in range(800))
        assert set(drawn) == set(wordings)
        assert min(drawn.values()) > 60
    assert drawn_wording("es", "1-0") == drawn_wording("es", "1-0")


def row(**changes):
    cells = {
        "template": "t",
        "group": "women",
        "condition": "disambiguated",
        "polarity": "negative",
        "context": "A man and a woman met.",
        "question": "Who was late?",
        "biased": "The woman",
        "counter": "The man",
        "unknown": "Not stated",
        "truth": "counter",
    }
    return ",".join((cells | changes)[column] for column in BBQ.columns)


def write(folder, *rows):
    path = folder / "own.csv"
    path.write_text("\n".join([",".join(BBQ.columns), *rows]), encoding="utf-8")
    return str(path)


def test_duplicates_in_own_data_count_once(tmp_path):
    path = write(tmp_path, row(), row(), row(question="Who left?"))
    assert (len(load_own(path, "en").samples), load_own(path, "en").duplicates) == (2, 1)
    assert len(load_own(path, "en", keep_duplicates=True).samples) == 3


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"context": ""}, "line 2: 'context' is empty"),
        ({"counter": "the WOMAN"}, "two of the three answers are the same"),
        ({"truth": "unknown"}, "is biased or counter"),
        ({"condition": "ambiguous"}, "is unknown"),
        ({"group": "cats"}, "the group is 'cats'; it must be women or men or trans"),
        ({"polarity": "nonneg"}, "it must be negative or non-negative"),
    ],
)
def test_unusable_rows_of_own_data_are_named(changes, message, tmp_path):
    with pytest.raises(UserError, match=message) as raised:
        load_own(write(tmp_path, row(**changes)), "en")
    assert str(raised.value).count(". ") == 0


def test_own_data_without_rows_or_columns_are_refused(tmp_path):
    with pytest.raises(UserError, match="has no questions in 'en'"):
        load_own(write(tmp_path), "en")
    (tmp_path / "bad.csv").write_text("context\nx", encoding="utf-8")
    with pytest.raises(UserError, match="has no column template"):
        load_own(str(tmp_path / "bad.csv"), "en")
