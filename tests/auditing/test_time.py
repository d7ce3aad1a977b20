"""How long an audit takes: estimated on batches of its own plan, corrected while it runs."""

import re
import time
from pathlib import Path

import pytest

import genderscope
from genderscope.auditing import AuditPlan, PlannedMeasure, Selection, plan_for, with_time_estimates
from genderscope.auditing.audit_display import seconds_left
from genderscope.core.questions import ChoiceAnswer, Message, Reply, ReplyAnswer
from genderscope.models import Batch, Plan, ReplyModel
from tests.auditing.conftest import Noting

#: seconds a character, and for a pass whatever its size
A_CHARACTER, A_PASS = 2e-4, 4e-2


@pytest.fixture
def clock(monkeypatch):
    """A clock that models advance: no test waits, and no other process disturbs it."""
    passed = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: passed[0])
    return passed


class Slow(Noting):
    """Takes time for every character; remembers passes and answers those again at once, as local models do."""

    def __init__(self, clock):
        super().__init__()
        self.seen, self.clock = set(), clock

    def plan(self, questions, batch_size):
        ordered = sorted(range(len(questions)), key=lambda k: len(questions[k].before))
        groups = [ordered[k : k + 16] for k in range(0, len(ordered), 16)]
        batches = tuple(Batch(tuple(g), tuple(questions[k] for k in g)) for g in groups)
        self.seen |= {batch.items for batch in batches[:1]}  # as if it was tried out on that
        return Plan((), batches)

    def answer(self, batch):
        if batch.items not in self.seen:
            self.seen.add(batch.items)
            self.clock[0] += A_PASS + A_CHARACTER * sum(len(q.before + q.after) for q in batch.items)
        return [ChoiceAnswer((1.0, 1.0), ((1,), (2,))) for _ in batch.items]


def test_an_estimate_is_near_what_asking_takes(bare, tmp_path, clock):
    plan = with_time_estimates(plan_for(Slow(clock), Selection(("gest",), offline=True), tmp_path / "m"))
    [part] = plan.parts
    clock[0] = 0.0
    fresh = Slow(clock)
    for batch in fresh.plan(part.missing, None).batches:
        fresh.answer(batch)
    assert part.seconds == pytest.approx(clock[0], rel=0.25)


class Talking(ReplyModel):
    """Replies with words that take a thousandth of a second each, all replies of a batch side by side."""

    kind, fingerprint = "talking", "talking"
    answers = frozenset({Reply})

    def __init__(self, words, clock):
        super().__init__("talking")
        self.words, self.asked, self.clock = words, 0, clock

    def describe(self):
        return {"name": self.name, "fingerprint": self.fingerprint}

    def load(self):
        pass

    def plan(self, questions, batch_size):
        groups = [range(k, min(k + 24, len(questions))) for k in range(0, len(questions), 24)]
        return Plan((), tuple(Batch(tuple(g), tuple(questions[k] for k in g), Reply) for g in groups))

    def answer(self, batch):
        said = [min(self.words, question.max_tokens) for question in batch.items]
        steps = -(-len(said) // 8) * max(said)
        self.clock[0] += 0.001 * steps
        self.asked += len(said)
        ended = [None if words == self.words else "length" for words in said]
        return [ReplyAnswer("word " * words, ended=end) for words, end in zip(said, ended, strict=True)]


def test_replies_are_estimated_by_their_length_from_a_few_of_them(tmp_path, clock):
    questions = tuple(Reply((Message("user", f"Say {k}."),), 300) for k in range(240))
    times = []
    for words in (20, 200):
        model = Talking(words, clock)
        times.append(_seconds(model, questions, tmp_path))
        assert model.asked < 60
    assert times[0] == pytest.approx(0.001 * 240 / 8 * 20, rel=0.2)
    assert times[1] == pytest.approx(0.001 * 240 / 8 * 200, rel=0.2)


def _seconds(model, questions, tmp_path):
    part = PlannedMeasure("talk", {}, tmp_path, "own", len(questions), len(questions), questions)
    return with_time_estimates(AuditPlan(model, tmp_path, (part,), {})).parts[0].seconds


def test_the_remaining_time_is_corrected_by_what_was_measured():
    assert seconds_left(20, 0, 0) == 20
    assert seconds_left(20, 1, 4) == 19, "the first batches are slower than the others"
    assert seconds_left(20, 10, 20) == 20, "half as fast as estimated, and so will the rest be"
    assert seconds_left(0, 0, 3) == 0


@pytest.mark.long
def test_plan_and_scorecard_say_what_the_budget_leaves_out(models, bare, cli):
    model = models("gpt2", "bytes")
    given = ("audit", "--model", model, "--offline", "--budget", "quick", "--measure", "gest")
    plan = cli(*given, "--plan")
    assert re.search(r"gest +starter:160 +160 of 256 +392 +392 +~\d+ s", plan.stdout)
    assert "Intervals are wider than with all samples, by about these factors: gest 1.3." in plan.stdout
    assert "the audit takes about" in plan.stdout
    assert "timing" not in plan.stderr
    timed = cli(*given, "--plan", "--time")
    assert "timing some questions of each measure …" in timed.stderr
    assert "estimated from some questions of each measure" in timed.stdout
    done = cli(*given)
    told = "gest: 160 of 256 samples, so intervals are about 1.3 times as wide as on the full set."
    assert told in " ".join(done.stdout.split())
    kept = genderscope.load_run(f"audit/quick/{model.name}/gest").config["budget"]
    assert kept == {"name": "quick", "samples": 160, "whole": 256, "wider": pytest.approx(1.6**0.5)}
    assert told in Path("audit/quick/scorecard.md").read_text(encoding="utf-8")
    whole = cli(*given[:-2], "--measure", "gest", "--budget", "standard", "--out", "all")
    assert "times as wide" not in whole.stdout
