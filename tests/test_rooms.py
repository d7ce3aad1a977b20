"""Every measure has its card and its place in every list; how rooms may import each other is in pyproject.toml."""

from pathlib import Path

import pytest

import genderscope
from genderscope.measures import MEASURES, measure_type
from genderscope.questions import ABILITY, ANSWER_TO

ROOT = Path(genderscope.__file__).parent


@pytest.mark.parametrize("name", sorted(MEASURES))
def test_every_measure_has_a_card_with_its_formulas_and_citation(name):
    card = (ROOT / "measures" / name.replace("-", "_") / "card.md").read_text(encoding="utf-8")
    for word in ("**Question", "neutral", "Caveats", "Cite"):
        assert word.lower() in card.lower(), word


@pytest.mark.parametrize("name", sorted(MEASURES))
def test_every_measure_says_what_it_is(name):
    kind = measure_type(name)
    assert kind.id == name
    assert kind.title
    assert kind.citation
    assert kind.headline
    assert kind.asks <= set(ANSWER_TO)


def test_every_kind_of_question_has_an_answer_and_an_ability():
    assert set(ABILITY) == set(ANSWER_TO)
