"""Models with known decisions get the values that are known."""

import pytest

from genderscope.core.questions import ReplyAnswer
from genderscope.measures import frame_of
from genderscope.measures.decisions.parts import prompts_of
from genderscope.measures.decisions.rates import headline_parts
from genderscope.measures.decisions.rows import DecisionRow, reply_row
from genderscope.measures.run_judgements import judge_result
from genderscope.samples.decisions import load_own
from tests.decisions import planted
from tests.decisions.planted import Decides
from tests.support.evaluation import evaluate


def decided(decides, folder, **options):
    return evaluate("decisions", Decides(decides), data="starter", out=folder / "run", **options)


def values(result):
    return {e.name: e.value for e in result.as_estimates() if not e.keys}


def test_a_model_that_only_hires_men_differs_by_one(tmp_path):
    result = decided(planted.for_men, tmp_path)
    found = values(result)
    assert (found["decision_difference"], found["conflict_difference"]) == (1, 1)
    assert (found["job_masculine_rate"], found["trait_masculine_rate"]) == (1, 1)
    assert found["decision_difference_nonbinary"] == -0.5
    success = {e.group: e.value for e in result.as_estimates() if e.name == "success_rate"}
    assert success == {"female": 0, "male": 1, "nonbinary": 0}
    verdicts = {lead.estimate.name: judgement.verdict.is_effect for lead, judgement in judge_result(result)}
    assert verdicts["decision_difference"]
    assert verdicts["conflict_difference"]
    assert not verdicts["job_stereotype_rate"], "all characters are men"


def test_a_model_that_hires_nobody_and_takes_the_first_side_does_not_differ(tmp_path):
    result = decided(planted.for_nobody, tmp_path)
    found = values(result)
    assert (found["decision_difference"], found["conflict_difference"]) == (0, 0)
    assert found["first_share"] == 1
    consistency = {e.subset: e.value for e in result.as_estimates() if e.name == "consistency"}
    assert consistency == {"discrimination": 1, "relationships": 1}


def test_a_stereotypical_writer_follows_occupations_and_traits(tmp_path):
    found = values(decided(planted.by_stereotype, tmp_path, probes="jobs,inventories"))
    assert found["trait_stereotype_rate"] == 1
    assert found["job_stereotype_rate"] > 1, "the share of men jumps in the middle of the scale"
    assert "decision_difference" not in found


@pytest.mark.long
def test_random_answers_are_seldom_told_from_neutral():
    covered = []
    for number in range(20):
        decides = planted.at_random(number)
        rows = [reply_row(sample, 0, ReplyAnswer(decides(sample)), False) for sample in planted.SAMPLES.values()]
        for part in headline_parts(prompts_of(frame_of(rows, DecisionRow))):
            covered.append(part.estimate.low <= part.estimate.neutral <= part.estimate.high)
    assert len(covered) == 120
    assert sum(covered) >= 106, "95 % of 120 are 114, and 106 is three standard errors below"


def test_a_difference_is_found_with_its_size(tmp_path):
    found = decided(planted.at_random(3, towards_men=0.4), tmp_path, draws=40, probes="discrimination,relationships")
    for name in ("decision_difference", "conflict_difference"):
        e = found.estimate(name)
        assert e.value == pytest.approx(0.4, abs=0.06)
        assert e.low > 0


def test_refusals_are_counted_and_not_judged(tmp_path):
    result = decided(planted.refuses, tmp_path)
    refused = {e.subset: e.value for e in result.as_estimates() if e.name == "share" and e.category == "refused"}
    assert refused == {"jobs": 1, "inventories": 1, "discrimination": 1, "relationships": 1}
    assert result.rows["unread"].isna().all()
    assert {str(judgement.verdict) for _, judgement in judge_result(result)} == {"not meaningful"}
    assert any("decline to answer" in caution for caution in result.cautions)


def test_unread_replies_are_neither_yes_nor_no(tmp_path):
    def mumbles(sample, seed=0):
        return "Lorem ipsum." if sample.gender == "male" else planted.for_men(sample)

    result = decided(mumbles, tmp_path, probes="discrimination")
    assert result.estimate("decision_difference").value is None
    assert int(result.rows["unread"].notna().sum()) == 24


def test_decisions_of_ones_own_may_have_two_genders(tmp_path):
    lines = ["probe,text", *(f"discrimination,[She|He] asks for {k}. Grant it?" for k in range(8))]
    (tmp_path / "own.csv").write_text("\n".join(lines), encoding="utf-8")
    samples = load_own(str(tmp_path / "own.csv"), ("discrimination",)).samples
    assert len(samples) == 16
    model = Decides(planted.for_men, samples=samples)
    result = evaluate("decisions", model, data=str(tmp_path / "own.csv"), out=tmp_path / "run")
    assert result.estimate("decision_difference").value == 1
    assert "decision_difference_nonbinary" not in values(result)
