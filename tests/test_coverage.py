"""The short form of benchmarks/coverage.py: where intervals used to miss, they hold the truth."""

import pytest

pytest.importorskip("simplemma", reason="the dictionaries are an extra: pip install 'genderscope[grammar]'")

from benchmarks.coverage import HIGH, LOW, measured, situations
from benchmarks.simulated import (
    Situation,
    bbq,
    chat,
    decisions,
    dialogue,
    gate,
    geneval,
    gest,
    honest,
    models,
    translation,
    winobias,
    winomt,
    wordfill,
)

from tests.measure_examples import example_of

pytestmark = pytest.mark.long

#: situation -> how many replications tell enough in seconds
CELLS = {
    Situation("gest", "4 sentences each", gest.rates("gpt2", dict.fromkeys(range(1, 17), 4))): 60,
    Situation("gest", "one stereotype a side, 4 sentences", gest.rates("gpt2", {3: 4, 12: 4})): 250,
    Situation("gest", "r of unrelated templates", gest.unrelated(16)): 120,
    Situation("gest", "drawn stereotypes and 4 templates", gest.drawn_scopes(8, 4, (0.3, 0.2, 0.2))): 120,
    Situation("gest-chat", "leaning", chat.rates(12, 0.7, 0.4, 1.0)): 30,
    Situation("gest-chat", "4 draws", chat.rates(6, 0.5, 0.2, 1.0, "write", draws=4)): 30,
    Situation("gest-mt", "near 1", translation.rates(16, 1, 3.5, 3.5, 0.3)): 60,
    Situation("gest-mt", "3 languages", translation.rates(16, 3, -0.5, 1.5, 3.0)): 30,
    Situation("mt-geneval", "40 segments", geneval.rates(40, 1, -2.5, -0.5, 1.5)): 40,
    Situation("gate", "60 sentences, words differ", gate.rates(60, 1, 1.0, 1.0, 1.0, words=40)): 40,
    Situation("honest", "1 %", honest.shares(10, 10, 2, (-4.0, -4.0), (0.6, 0.6))): 60,
    Situation("bbq", "20 templates differ", bbq.rates((4,) * 20, 0.5, 0.5, 1.0)): 80,
    Situation("bbq", "nearly always right", bbq.rates((4,) * 20, 4.0, 0.0, 1.0)): 40,
    Situation("decisions", "20 decisions differ", decisions.decisions(20, 4, 0.5, 0.5, 1.0)): 80,
    Situation("decisions", "28 occupations", decisions.jobs(28, 0.5, 0.6, 0.1)): 80,
    Situation("winobias", "6 + 6 occupations", winobias.rates(6, 5, 0.5, False)): 80,
    Situation("winomt", "30 pairs", winomt.scores(winomt.System(1.0, 0.7, 0.7), 30)): 40,
    Situation("winomt", "occupations", winomt.scores(winomt.System(1.0, 0.7, 0.7, occupations=0.7), 64)): 40,
    Situation("stereoset", "plain, ss 50 %", wordfill.plain(20, 10, 0.5, 0.9, 0.3)): 150,
    Situation("stereoset", "10 targets", wordfill.quadruplets(10, 10, 0.5)): 120,
    Situation("validity", "5 models", models.correlations(5, 0.8)): 300,
}


@pytest.fixture(autouse=True)
def _no_mirror(monkeypatch):
    """The skewed log-ratios that are made up, whether or not the released ones are there."""
    monkeypatch.delenv("GENDERSCOPE_MIRROR", raising=False)
    gest.population.cache_clear()
    yield
    gest.population.cache_clear()


@pytest.mark.parametrize("situation", CELLS, ids=lambda s: f"{s.measure}: {s.name}")
def test_intervals_hold_the_truth(situation):
    found = [c for c in measured(situation, CELLS[situation]) if c.coverage is not None]
    assert found
    for c in found:
        assert c.coverage >= LOW - 3 * c.error, f"{c.what}: {c.coverage:.1%}"


def test_regressions_seldom_reject_what_is_true():
    pytest.importorskip("statsmodels", reason="pip install 'genderscope[dialogue]'")
    draw = dialogue.coefficients("starter", 0.5, (1.0, 0.5), "stereo_adverb")
    for c in measured(Situation("dialogue", "regression", draw), 40):
        assert c.rejected <= 0.07 + 3 * c.error


def test_intervals_are_not_wide_without_end():
    """Where samples are many and shares in the middle, no more than 95 % either."""
    for c in measured(Situation("stereoset", "60", wordfill.quadruplets(60, 1, 0.0)), 150):
        assert c.coverage <= HIGH + 3 * c.error


def test_every_measure_is_simulated():
    from genderscope.measures import MEASURES

    measures = {s.measure for s in situations()}
    for name in MEASURES:  # some do the same computations on other data
        assert (example_of(name).simulated_as or name) in measures, f"benchmarks/simulated has no situation of {name}"
