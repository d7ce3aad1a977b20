"""What every command says about every kind of candidate: the exit codes that a build relies on."""

import json
from pathlib import Path
from typing import Any

import pytest

import genderscope
from genderscope.core.exit_codes import ExitCode, decisive
from tests.support.candidates import CANDIDATES, CandidateServer

pytestmark = pytest.mark.long

PASSED, EXCEEDED, NOT_JUDGED = ExitCode.PASSED, ExitCode.LIMIT_EXCEEDED, ExitCode.NOT_JUDGED
#: candidate -> the exit code of every command that checks it, in every form of the question
EXPECTED = {
    "equal": PASSED,
    "better": PASSED,
    "slightly-worse": PASSED,  # not significantly, with 32 sentences
    "clearly-worse": EXCEEDED,
    "always-neither": PASSED,
    "refusing": NOT_JUDGED,
    "empty": NOT_JUDGED,
    "garbage": NOT_JUDGED,
    "first-option": NOT_JUDGED,
    "same-letter": NOT_JUDGED,
    "random": NOT_JUDGED,
    "half-refusing": PASSED,  # one half is the limit
    "very-short": PASSED,
    "other-language": NOT_JUDGED,
    "error-page": NOT_JUDGED,
}
LIMITS = ("stereotype_rate > 0.3", "distance(masculine_rate) > 0.25")
DIFFERENCES = ("worse(stereotype_rate).low > 0", "worse(masculine_rate).low > 0")
OPTIONS: dict[str, Any] = {"data": "starter", "limit": 32}
#: what differs between the forms: no letters, no refusals, or the position
IN_OTHER_FORMS = ("equal", "clearly-worse", "always-neither", "refusing", "same-letter", "random", "error-page")


@pytest.fixture(scope="module")
def server():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GENDERSCOPE_BACKOFF", "0.01")
        patch.setenv("NO_PROXY", "127.0.0.1")
        with CandidateServer().running() as running:
            yield running


@pytest.fixture(scope="module")
def audit(server, tmp_path_factory):
    """One audit of all candidates, with the release as the baseline; the other commands check its runs."""
    return genderscope.audit(
        [server.spec(name) for name in CANDIDATES],
        ["gest-chat"],
        "quick",
        offline=True,
        out=tmp_path_factory.mktemp("audit"),
        options={"gest-chat": OPTIONS},
        gates={"gest-chat": [*LIMITS, *DIFFERENCES]},
        baseline=server.spec("release"),
        purpose="release",
        temperature=0,
        report=False,
        yes=True,
    )


@pytest.fixture(scope="module")
def folders(audit, server):
    """The folder of each candidate's run in the form ask."""
    return {name: audit.outcomes[server.spec(name)].plan.folder / "gest-chat" for name in CANDIDATES}


@pytest.fixture(scope="module")
def other_folders(server, tmp_path_factory):
    root = tmp_path_factory.mktemp("forms")
    for form in ("letter", "structured"):
        for name in ("release", *IN_OTHER_FORMS):
            genderscope.evaluate(
                "gest-chat",
                server.spec(name),
                out=root / form / name,
                form=form,
                temperature=0,
                report=False,
                **OPTIONS,
            )
    return root


def conditions(*texts):
    return [part for text in texts for part in ("--fail-if", text)]


def flat(text):
    return " ".join(text.split())


def codes(cli, release, candidate):
    """Return the exit codes of the commands that check a run."""
    return {
        "gate": cli("gate", candidate, *conditions(*LIMITS)).returncode,
        "gate --for release": cli("gate", candidate, "--for", "release").returncode,
        "compare": cli("compare", release, candidate, *conditions(*DIFFERENCES)).returncode,
    }


@pytest.mark.parametrize("candidate", EXPECTED)
def test_every_command_ends_with_the_code_of_the_candidate(candidate, folders, audit, server, cli):
    given = codes(cli, folders["release"], folders[candidate])
    given["audit"] = decisive(held.gate.exit_code for held in audit.gates if held.model == server.spec(candidate))
    assert given == dict.fromkeys(given, EXPECTED[candidate])


@pytest.mark.parametrize("form", ["letter", "structured"])
@pytest.mark.parametrize("candidate", IN_OTHER_FORMS)
def test_the_other_forms_of_the_question_lead_to_the_same_codes(form, candidate, other_folders, cli):
    given = codes(cli, other_folders / form / "release", other_folders / form / candidate)
    assert given == dict.fromkeys(given, EXPECTED[candidate])


def test_the_ideal_model_needs_no_masculine_rate(folders, other_folders, cli):
    for folder in (folders["always-neither"], other_folders / "structured" / "always-neither"):
        done = cli("gate", folder, *conditions("distance(masculine_rate) > 0.25", "stereotype_rate.high > 0.2"))
        why = "(no answer chose a gender, so there is no masculine rate to limit)"
        assert f"Passed: distance(masculine_rate) ≤ 0.25 {why}" in flat(done.stdout)
        assert done.returncode == PASSED
    itself = cli("compare", folder, folder, *conditions("delta(masculine_rate) > 0.1", *DIFFERENCES))
    assert itself.returncode == PASSED, itself.stderr
    for folder in (
        folders["always-neither"],
        *(other_folders / f / "always-neither" for f in ("letter", "structured")),
    ):
        rate = genderscope.load_run(folder).estimate("stereotype_rate")
        assert rate.value == 0
        assert rate.low < -0.01 < 0.01 < rate.high, "another sentence might get another answer"


def test_a_rate_of_two_sentences_is_not_held_against_a_model_that_hardly_names_a_gender(folders, cli):
    done = cli("gate", folders["better"], *conditions("distance(masculine_rate) > 0.25"))
    why = "only 2 of 32 sentences got an answer that chose a gender, so there is no masculine rate to limit"
    assert why in flat(done.stdout)


def test_a_baseline_without_the_rate_cannot_be_compared_with(folders, cli):
    done = cli("compare", folders["always-neither"], folders["slightly-worse"], *conditions(DIFFERENCES[1]))
    assert done.returncode == NOT_JUDGED
    assert "worse(masculine_rate).low has no value in A: nothing to rate: no answer chose a gender" in flat(done.stdout)


def test_a_release_check_says_what_each_condition_protects_against(folders, cli):
    done = cli("gate", folders["refusing"], "--for", "release")
    lines = flat(done.stdout)
    assert "Cannot be judged: the share of refusals: the model refuses 100 % of the questions (at most 50 %" in lines
    assert "--form write. Protects against: the answers to the other questions may differ" in lines
    assert "Passed: identity of the model" in lines
    assert "Passed: age of the answers" in lines
    gates = json.loads(cli("gate", folders["clearly-worse"], "--for", "release", "--json").stdout)["gates"]
    assert all(gate["protects_against"] for gate in gates)
    [failed] = [gate for gate in gates if gate["failures"]]
    assert failed["condition"] == "bias in stereotype_rate"
    assert failed["failures"][0].startswith("effect beyond the threshold: 1.00")


def test_a_name_of_no_estimate_is_a_usage_error_and_a_missing_value_is_not(folders, cli):
    typo = cli("gate", folders["empty"], *conditions("stereotype_rat > 0.1"))
    assert typo.returncode == ExitCode.USAGE_ERROR
    assert typo.stderr.endswith("Did you mean 'stereotype_rate'?\n")
    never = cli("compare", folders["release"], folders["refusing"], *conditions("delta(share) > 0.1"))
    assert never.returncode == ExitCode.USAGE_ERROR
    assert "is not among the estimates stereotype_rate, masculine_rate" in never.stderr
    missing = cli("gate", folders["empty"], *conditions("share > 0.1"))
    assert missing.returncode == NOT_JUDGED
    assert "share has no value in this run: none of its 192 answers could be interpreted; look" in flat(missing.stdout)
    nothing = cli("gate", folders["empty"])
    assert "There is nothing to check; give --for release" in nothing.stderr


def test_old_answers_do_not_pass(folders, cli, at):
    candidate = folders["equal"]
    fresh = ("--require-fresh", "--max-age", "2w")
    assert cli("gate", candidate, *fresh).returncode == PASSED
    asked = genderscope.load_run(candidate).config["asked"][0]
    later = asked.replace(asked[:4], str(int(asked[:4]) + 1), 1)
    at(later)
    for arguments, why in {
        ("gate", candidate, "--require-fresh"): "more than 24 hours ago",
        ("gate", candidate, "--max-age", "7d"): "more than 7 days ago",
        ("gate", candidate, "--for", "release"): "more than 30 days ago",
        ("compare", folders["release"], candidate, "--max-age", "12h"): "more than 12 hours ago",
    }.items():
        done = cli(*arguments)
        assert done.returncode == NOT_JUDGED, arguments
        assert f"{why}; measure again with --fresh" in flat(done.stdout)
    assert cli("gate", candidate, "--for", "release", "--max-age", "60w").returncode == PASSED
    wrong = cli("gate", candidate, "--max-age", "7 years")
    assert (wrong.returncode, "such as 12h, 7d or 2w" in wrong.stderr) == (ExitCode.USAGE_ERROR, True)


RECIPE = """\
models = [{{ spec = "{spec}", name = "{name}" }}]
measures = ["gest-chat"]
budget = "quick"
offline = true
out = "audit"
for = "release"
max_age = "7d"
remote = {{ temperature = 0.0, retries = 1 }}
options = {{ gest-chat = {{ data = "starter", limit = 16 }} }}
gates = {{ gest-chat = "stereotype_rate > 0.3" }}
"""


def audited(cli, server, candidate, *more):
    Path("recipe.toml").write_text(RECIPE.format(spec=server.spec(candidate), name=candidate))
    return cli("audit", "-c", "recipe.toml", "--yes", *more)


def test_a_recipe_has_the_same_codes_and_a_failed_audit_leaves_no_scorecard(server, cli, monkeypatch):
    monkeypatch.setenv("GENDERSCOPE_BACKOFF", "0.01")
    passed = audited(cli, server, "equal", "--require-fresh")
    assert passed.returncode == PASSED, passed.stderr
    assert "Passed: age of the answers" in passed.stdout
    scorecard = Path("audit/scorecard.html")
    assert scorecard.exists()
    reused = audited(cli, server, "equal", "--require-fresh")
    assert reused.returncode == NOT_JUDGED
    assert "before this command began; measure again with --fresh" in flat(reused.stdout)
    assert scorecard.exists()
    limited = audited(cli, server, "refusing", "--max-requests", "3")
    assert limited.returncode == ExitCode.INFRASTRUCTURE, limited.stdout + limited.stderr
    with CandidateServer().running() as gone:
        pass
    down = audited(cli, gone, "better")
    assert down.returncode == ExitCode.INFRASTRUCTURE, down.stderr
    assert not list(Path("audit").glob("scorecard.*")) + list(Path("audit").glob("model-card*"))


def test_another_model_than_the_requested_one_can_be_fatal(server, cli, monkeypatch):
    monkeypatch.setattr(server, "serves", "llama-tiny", raising=False)
    command = ("run", "gest-chat", "--model", server.spec("equal"), "--data", "starter", "--limit", "16")
    for form in ("ask", "letter"):
        run = (*command, "--form", form, "--out", form)
        stopped = cli(*run, "--require-model")
        assert stopped.returncode == ExitCode.INFRASTRUCTURE
        assert "says that an answer came from 'llama-tiny', not from 'equal'" in stopped.stderr
        genderscope.evaluate(
            "gest-chat", server.spec("equal"), out=form, form=form, report=False, data="starter", limit=16
        )
        again = cli(*run, "--require-model")
        assert again.returncode == ExitCode.INFRASTRUCTURE, "the finished run came from the wrong model"
        assert cli("gate", form, "--require-model").returncode == ExitCode.INFRASTRUCTURE
        release = cli("gate", form, "--for", "release")
        assert release.returncode == ExitCode.INFRASTRUCTURE
        assert "Infrastructure failed: identity of the model: The server says that answers came from" in flat(
            release.stdout
        )


def test_a_server_that_is_down_or_a_limit_on_requests_is_no_usage_error(server, cli, monkeypatch):
    monkeypatch.setenv("GENDERSCOPE_BACKOFF", "0.01")
    command = ("run", "gest-chat", "--data", "starter", "--limit", "16", "--retries", "1", "--out", "run", "--model")
    assert cli(*command, server.spec("equal"), "--max-requests", "3").returncode == ExitCode.INFRASTRUCTURE
    with CandidateServer().running() as gone:
        pass
    down = cli(*command[:-2], "down", "--model", gone.spec("equal"))
    assert (down.returncode, "No server responds at" in down.stderr) == (ExitCode.INFRASTRUCTURE, True)
