"""Runs with several draws per prompt: comparisons, gates, pages, cautions and judges."""

import io
from typing import Any

import pytest

import genderscope
from genderscope.report import SafeConsole, show
from tests.gest_chat.planted import Draws, neither, often, stereotypical
from tests.support.chat_server import ChatServer
from tests.support.command import genderscope as run_command

STARTER: dict[str, Any] = {"data": "starter", "limit": 16, "controls": "none", "report": False}
#: prompts of the runs below: 16 sentences in six orders
ASKED = 16 * 6


def run(says, out, **options):
    return genderscope.evaluate("gest-chat", Draws(says, options.pop("name", "m")), out=out, **STARTER | options)


def found(result, name, **keys):
    [estimate] = [e for e in result.as_estimates() if e.name == name and dict(e.keys) == keys]
    return estimate


# Comparisons.


def test_runs_with_different_numbers_of_draws_are_compared_on_the_draws_that_both_have(tmp_path):
    one = run(often, tmp_path / "one")
    three = run(
        lambda prompt, seed: neither(prompt) if seed == 0 else often(prompt, seed), tmp_path / "3", draws=3, name="n"
    )
    comparison = genderscope.compare(one, three)
    assert comparison.cautions[0] == (
        "A and B were run with draws per prompt 1 and 3, respectively; only the draws that both have are compared."
    )
    assert comparison.pairs["B"].coverage == 1
    assert set(comparison.pairs["B"].second["draw"]) == {0}
    [rate] = [d for d in comparison.differences if d.of_second.name == "stereotype_rate" and not d.of_second.keys]
    assert rate.of_second.value == 0
    assert rate.value == pytest.approx(-found(one, "stereotype_rate").value)
    same = genderscope.compare(three, run(often, tmp_path / "again", draws=3, name="k"))
    assert len(same.pairs["B"].first) == 3 * ASKED
    assert not same.cautions


def test_a_gate_reads_runs_with_draws(tmp_path):
    run(often, tmp_path / "run", draws=2)
    passed = run_command("gate", tmp_path / "run", "--fail-if", "sampling_share.value > 1", "--allow-unjudged")
    assert passed.returncode == 0, passed.stderr


# Pages.


def screen(result, **options):
    file = io.StringIO()
    show(result, SafeConsole(file=file, width=100, color_system=None), **options)
    return file.getvalue()


def test_the_page_and_the_first_screen_say_how_much_is_sampling(tmp_path):
    result = run(often, tmp_path / "run", draws=3, report=True)
    share, rate = found(result, "sampling_share").value, found(result, "stereotype_rate")
    said = f"Sampling of replies: {share:.0%} of the variance"
    lines = screen(result).strip().splitlines()
    assert sum(f"Answers read: 288 of 288 (100.0%). {said}." in line for line in lines) == 1
    assert len(lines) <= 13
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    for text in (page, " ".join(screen(result, full=True).split())):
        assert f"{said}; more draws per prompt would narrow the interval of stereotype_rate from " in text
    assert "Sampling of replies" not in screen(run(often, tmp_path / "once"))
    shares = {e.category: e.value for e in result.as_estimates() if e.name == "variance_share"}
    if shares:
        assert sum(shares.values()) == pytest.approx(1)
        assert shares["replies"] == pytest.approx(share * (shares["replies"] + shares["sentences"]))
    assert rate.low < rate.high


def test_replies_that_never_differ_are_reported(tmp_path):
    result = run(lambda prompt, _: stereotypical(prompt), tmp_path / "run", draws=2)
    assert any("All 2 draws of every prompt have the same reply" in caution for caution in result.cautions)
    assert found(result, "sampling_share").value == 0
    assert not any("draws of every prompt" in caution for caution in run(often, tmp_path / "o", draws=2).cautions)


def test_unread_draws_are_counted_and_their_prompts_keep_their_weight(tmp_path):
    def says(prompt, seed):
        first = prompt.splitlines()[1]
        if first == "(a) Women":
            return "(a)" if seed == 0 else "hm"  # one reading of three
        return "(a)" if first == "(a) Men" else neither(prompt)

    result = run(says, tmp_path / "run", draws=3)
    assert result.counts.rows - result.counts.read == 16 * 2 * 2
    shares = {e.category: e.value for e in result.as_estimates() if e.name == "share" and len(e.keys) == 1}
    assert shares["female"] == pytest.approx(1 / 3)
    assert shares["male"] == pytest.approx(1 / 3)


def test_order_effects_compare_orders_not_draws(tmp_path):
    result = run(lambda prompt, _: "(a)", tmp_path / "run", draws=3)
    assert found(result, "order_effect").value == pytest.approx(1)
    assert found(result, "consistency").value == pytest.approx(
        found(run(lambda p, _: "(a)", tmp_path / "o"), "consistency").value
    )


def test_a_judge_reads_every_draw(tmp_path):
    with ChatServer(lambda body: "neither").running() as judge:
        result = run(often, tmp_path / "run", draws=2, judge=judge.spec)
    assert result.rows["judge_outcome"].eq("neither").all()
