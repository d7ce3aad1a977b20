"""Comparing runs on the command line: what is printed, what is refused, and which gates fail."""

import json
import re
import shutil
from dataclasses import replace

import numpy as np
import pytest

import genderscope
from genderscope.core.errors import UserError
from genderscope.judgement import describe_answer, describe_difference
from genderscope.samples.gest import MALE
from tests.measure_examples.gest_mt import translated
from tests.support.command import genderscope as command
from tests.support.evaluation import evaluate


@pytest.mark.long
def test_the_verdict_names_the_less_stereotypical_system(cli, systems):
    done = cli("compare", systems / "strong", systems / "weak")
    assert done.returncode == 0, done.stderr
    assert "A = strong/{lang}.csv" in done.stdout
    assert "B is better in all 2 languages, also for other stereotypes." in done.stdout
    assert "follows stereotypes less (A: " in " ".join(done.stdout.split())
    verdict = "B is less stereotypical than A, also for other stereotypes: "
    details = (verdict, "stereotype_rate[sk]", "masculine_rate[cs]", "(adjusted)", "B higher : lower")
    assert not all(part in done.stdout for part in details)
    in_full = cli("compare", systems / "strong", systems / "weak", "--full").stdout
    assert [part for part in details if part not in in_full] == []


def test_the_answer_lists_every_criterion_in_every_language(cli, systems):
    printed = cli("compare", systems / "strong", systems / "weak").stdout
    rows = [line for line in printed.splitlines() if re.match(r"(cs|sk): ", line)]
    words = ["no gender, or both offered", "balance of men and women"]
    words += ["genders that fit or contradict stereotypes", "usable translations"]
    assert [re.split(r"  +", row)[0] for row in rows] == [f"{lang}: {each}" for lang in ("cs", "sk") for each in words]
    assert [row.split()[-1] for row in rows if "stereotype" in row] == ["B", "B"]


def test_what_was_shared_and_dropped_is_counted(cli, systems):
    weak = genderscope.load_run(systems / "weak")
    unread = int(weak.rows["unread"].notna().sum())
    done = cli("compare", systems / "strong", systems / "weak", "--full")
    said = " ".join(done.stdout.split())
    assert (
        f"B compared with A: {512 - unread} questions shared; dropped {unread} of 512 in A (0 without a reading, "
        f"{unread} without one in the other run) and {unread} of 512 in B ({unread} without a reading, 0 without"
        in said
    )


def test_every_later_run_is_held_against_the_first(cli, systems):
    done = cli("compare", systems / "strong", systems / "weak", systems / "even", "--json")
    found = json.loads(done.stdout)
    assert [r["label"] for r in found["runs"]] == ["A", "B", "C"]
    assert {(d["first"], d["second"]) for d in found["differences"]} == {("A", "B"), ("A", "C")}
    raw = [d["p"] for d in found["differences"]]
    corrected = [d["p_adjusted"] for d in found["differences"]]
    assert len(raw) == 12
    assert all(p <= q <= min(1, 12 * p) or q == 0.05 for p, q in zip(raw, corrected, strict=True))
    assert all(d["differs"] == (d["low"] > 0 or d["high"] < 0) for d in found["differences"])
    f_s = next(d for d in found["differences"] if d["estimate"] == "stereotype_rate" and d.get("language") == "sk")
    assert f_s["verdict"].startswith("B is less stereotypical than A")
    assert (f_s["sign_test"], f_s["scale"], f_s["nearer"]) == ("exact McNemar", "difference", "B")
    for name in ("of_first", "of_second", "sign", "low", "high", "n"):
        assert name in f_s


def redrawn(result, male, female, hard, generator):
    """Return the run of a translator with these chances of a masculine form; `hard` is what both draw alike."""
    rows = result.rows.copy()
    luck = np.where(generator.random(len(rows)) < 0.7, hard, generator.random(len(rows)))
    rows["gender"] = np.where(luck < np.where(rows["stereotype"].isin(MALE), male, female), "masculine", "feminine")
    return replace(result, rows=rows)


@pytest.mark.long
def test_the_interval_covers_a_planted_difference(systems):
    """stereotype_rate of 0.8 - 0.2 against 0.6 - 0.3, drawn again and again."""
    generator = np.random.default_rng(0)
    whole = genderscope.load_run(systems / "even")
    result = replace(whole, rows=whole.rows[whole.rows["language"] == "sk"])
    covered = found = wide = generalised = 0
    for _ in range(40):
        hard = generator.random(len(result.rows))
        runs = [redrawn(result, *chances, hard, generator) for chances in ((0.8, 0.2), (0.6, 0.3))]
        d = genderscope.compare(*runs).lead("B")
        covered += d.low <= 0.3 - 0.6 <= d.high
        wide += d.wide.low <= 0.3 - 0.6 <= d.wide.high
        found += d.nearer_on_items == "B"
        generalised += describe_difference(d).startswith("B is less stereotypical than A, also for other stereotypes: ")
    assert covered >= 35
    assert wide >= covered
    assert found >= 38
    assert 30 <= generalised <= found


@pytest.fixture
def another(systems, tmp_path):
    """Return a copy of a run with something else in its run.json."""

    def make(change):
        copy = tmp_path / "copy"
        shutil.copytree(systems / "weak", copy)
        config = json.loads((copy / "run.json").read_text())
        change(config)
        (copy / "run.json").write_text(json.dumps(config))
        return copy

    return make


def option(name, value):
    return lambda config: config["configuration"].update({name: value})


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (
            lambda c: c["data"].update(sha256="0" * 64, name="other"),
            "their data differs: starter (checksum fbbd7141) in A",
        ),
        (option("limit", 100), "option --limit is not set in A and 100 in B"),
        (option("to", ["sk"]), "option --to is cs,sk in A and sk in B"),
        (option("as_published", True), "option --as-published is False in A and True in B"),
        (
            lambda c: c["versions"].update(genderscope="9.9"),
            "with 9.9; repeat one of the runs, or allow different versions with --allow-versions.",
        ),
    ],
)
def test_incomparable_runs_are_refused_with_the_first_difference(cli, systems, another, change, complaint):
    done = cli("compare", systems / "strong", another(change))
    assert done.returncode == 2
    assert done.stderr.startswith("Error: A and B cannot be compared: ")
    assert complaint in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_what_may_differ_is_not_refused(cli, systems, another):
    def change(config):
        config["configuration"].update(batch_size=7, data="/elsewhere/starter.csv", to=["cs", "sk"])
        config["versions"]["genderscope"] = "9.9"

    done = cli("compare", systems / "strong", another(change), "--allow-versions")
    assert done.returncode == 0, done.stderr
    assert "Caution: A and B were made with genderscope" in done.stdout


def test_another_dtype_is_a_caution(systems, another):
    runs = [genderscope.load_run(another(lambda c: c["model"].update(dtype="bfloat16")))]
    runs.append(genderscope.load_run(systems / "strong"))
    runs[1].config["model"]["dtype"] = "float32"
    said = genderscope.compare(*runs).cautions
    assert any("A and B were computed in dtype bfloat16 and float32" in caution for caution in said)


def test_runs_of_two_measures_are_refused(systems, models, tmp_path):
    other = evaluate("gest", str(models("gpt2", "bytes")), data="starter", limit=32, out=tmp_path / "g")
    with pytest.raises(UserError, match="A is a run of 'gest-mt' and B is a run of 'gest'; give runs of the same"):
        genderscope.compare(systems / "weak", other)


def test_one_run_is_not_a_comparison(cli, systems):
    done = cli("compare", systems / "weak")
    assert done.returncode == 2
    assert "needs at least two runs" in done.stderr


def test_a_run_that_never_shows_a_gender_is_compared_all_the_same(systems, tmp_path):
    silent = translated(tmp_path, lambda i: 0.5, silent=1.1)
    comparison = genderscope.compare(systems / "weak", silent)
    assert comparison.answer("B").better == "B"
    assert "avoids a gender, or offers both, more often" in describe_answer(comparison.answers["B"][0])[0]
    assert comparison.of("B") == []


def gated(*conditions):
    return [part for condition in conditions for part in ("--fail-if", condition)]


@pytest.mark.long
def test_a_gate_on_the_answer_fails_if_the_first_run_is_better(systems):
    strong, weak = systems / "strong", systems / "weak"
    assert command("compare", strong, weak, *gated("worse")).returncode == 0
    failed = command("compare", weak, strong, *gated("worse"))
    assert failed.returncode == 3
    assert "Failed: worse: " in failed.stdout
    assert "A is better, also for other stereotypes: it " in " ".join(failed.stdout.split())
    lonely = command("gate", strong, *gated("worse"))
    assert lonely.returncode == 2
    assert "use 'genderscope compare' with two runs" in lonely.stderr


def test_gates_speak_to_the_shell(cli, systems):
    """0 when all pass, 3 when one fails, 2 when a condition cannot be read."""
    assert cli("gate", systems / "even", *gated("stereotype_rate > 0.9", "masculine_rate < 0.1")).returncode == 0
    failed = command("gate", systems / "strong", *gated("stereotype_rate > 0.9", "stereotype_rate[sk].high > 0.1"))
    assert failed.returncode == 3
    assert "Passed: stereotype_rate ≤ 0.9" in failed.stdout
    assert "Failed: stereotype_rate[sk].high > 0.1: stereotype_rate[sk].high = 0." in failed.stdout
    assert "There is nothing to check; give --for release" in cli("gate", systems / "even").stderr
    wrong = cli("compare", systems / "strong", systems / "even", *gated("fs > 0.1"))
    assert wrong.returncode == 2
    assert "Did you mean 'f_s'?" in wrong.stderr
    assert cli("compare", systems / "strong", systems / "even", *gated("delta(stereotype_rate) < -0.1")).returncode == 3


@pytest.mark.parametrize(
    ("condition", "code", "said"),
    [
        ("stereotype_rate > 0.1", 3, "Failed: stereotype_rate > 0.1: stereotype_rate[cs] = "),
        ("stereotype_rate[language=sk] >= 0.1", 3, "stereotype_rate[sk] = "),
        ("stereotype_rate[all] > 2", 0, "Passed: stereotype_rate[all] ≤ 2 (stereotype_rate = "),
        ("distance(stereotype_rate) < 0.1", 0, "distance(stereotype_rate) = "),
        (
            "distance(stereotype_rate).low > 0.1",
            3,
            "Tests 3 values: distance(stereotype_rate).low, distance(stereotype_rate[cs]).low",
        ),
        (
            "stereotype_rate.low > 2",
            0,
            "Intervals are simultaneous at 95 % and p-values are adjusted across 3 estimates.",
        ),
        ("masculine_rate_by_stereotype[stereotype=3, sk] > 1", 0, "masculine_rate_by_stereotype[sk] (stereotype 3) = "),
        ("stereotype_rate.n < 10", 0, "stereotype_rate.n = "),
        ("coverage < 0.99", 0, "coverage = 1"),
        ("stereotype_rate[sk].p < 1", 4, "stereotype_rate[sk] has no p; test another field"),
    ],
)
def test_conditions_on_one_run(cli, systems, condition, code, said):
    done = cli("gate", systems / "strong", *gated(condition))
    assert done.returncode == code, done.stderr
    assert said in done.stdout


@pytest.mark.parametrize(
    ("condition", "complaint"),
    [
        ("stereotype_rate", "cannot be parsed; write a condition such as 'stereotype_rate > 0.1'"),
        ("stereotype_rate > much", "cannot be parsed"),
        ("stereotype_rate == 1", "cannot be parsed"),
        ("delta(stereotype_rate > 1", "cannot be parsed"),
        (
            "stereotype_rate[skk] > 1",
            "rate[skk], which does not exist; available for stereotype_rate: all; cs; sk. Did you mean 'sk'?",
        ),
        (
            "stereotype_rate.hihg > 1",
            "unknown field '.hihg'; available: .value, .low, .high, .n, .unread, .coverage, .p. Did you mean 'high'?",
        ),
        (
            "dleta(stereotype_rate) > 1",
            "uses the unknown function 'dleta'; available: delta(), distance() and worse(). Did you mean 'delta'?",
        ),
        ("distance(delta(stereotype_rate)) > 1", "the only nesting allowed is delta(distance(…))"),
        ("distance(stereotype_rate).p > 1", "asks for the '.p' of a distance"),
        ("worse(stereotype_rate) > 1", "tests a difference"),
        ("delta(stereotype_rate) > 1", "tests a difference; use 'genderscope compare' with two runs"),
        ("distance(yield) > 1", "yield has no neutral point"),
        (
            "ff_s > 1",
            "not among the estimates masculine_rate_by_stereotype, masculine_rate_female, masculine_rate_male, ster",
        ),
    ],
)
def test_a_bad_condition_gets_one_sentence(cli, systems, condition, complaint):
    done = cli("gate", systems / "strong", *gated(condition))
    assert done.returncode == 2
    assert complaint in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_gate_on_an_estimate_with_low_coverage_fails_for_that_reason(cli, tmp_path):
    silent = translated(tmp_path, lambda i: 0.5, silent=0.6)
    done = cli("gate", silent.folder, *gated("stereotype_rate > 2"))
    assert done.returncode == 3
    assert "of its questions, less than the 50% required by --min-coverage" in " ".join(done.stdout.split())
    assert cli("gate", silent.folder, *gated("stereotype_rate > 2"), "--min-coverage", "0.2").returncode == 0


def test_an_estimate_without_a_value_cannot_be_judged(cli, tmp_path):
    silent = translated(tmp_path, lambda i: 0.5, ("sk",), silent=1.1)
    done = cli("gate", silent.folder, *gated("stereotype_rate > 2"))
    assert done.returncode == 4
    assert "Cannot be judged: stereotype_rate > 2: stereotype_rate[sk] says nothing" in done.stdout
    allowed = cli("gate", silent.folder, *gated("stereotype_rate > 2"), "--allow-unjudged")
    assert allowed.returncode == 4
    assert "Cannot be judged: stereotype_rate > 2: stereotype_rate has no value in this run: none of" in allowed.stdout


def test_gates_of_a_comparison_speak_of_the_last_run(cli, systems):
    arguments = ("compare", systems / "strong", systems / "weak", "--json")
    done = cli(
        *arguments,
        *gated("stereotype_rate > 0.5", "delta(stereotype_rate[sk]).high < 0", "delta(stereotype_rate).p < 0.001"),
    )
    assert done.returncode == 3
    gates = json.loads(done.stdout)["gates"]
    assert [gate["passed"] for gate in gates] == [True, False, False]
    assert "(B against A)" in gates[1]["failures"][0]
    assert len(gates[2]["failures"]) == 3
