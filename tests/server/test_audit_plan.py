"""Plans of audits send nothing to a server unless they are asked to time it, and never spend a limit."""

import pytest

STARTER = ("--measure", "gest", "--option", "gest.data=starter", "--option", "gest.limit=16")


@pytest.fixture
def bare(monkeypatch):
    monkeypatch.delenv("GENDERSCOPE_MIRROR", raising=False)


def test_a_plan_sends_nothing_and_says_what_it_assumes(serve, cli, bare):
    server = serve()
    plan = cli("audit", "--model", server.spec, "--plan", "--max-requests", 10, *STARTER)
    assert plan.returncode == 0, plan.stderr
    assert not server.requests
    assert "Nothing was sent to the server, so the plan assumes that it can do everything" in plan.stdout
    assert "the time is unknown." in plan.stdout


def test_timing_a_server_says_how_many_questions_it_sends_and_does_not_spend_a_limit(serve, cli, bare):
    server = serve()
    limited = cli("audit", "--model", server.spec, "--plan", "--time", "--max-requests", 10, *STARTER)
    assert limited.returncode == 2
    assert "--time sends requests that would count towards the spending limit" in " ".join(limited.stderr.split())
    assert not server.requests
    timed = cli("audit", "--model", server.spec, "--plan", "--time", *STARTER)
    assert timed.returncode == 0, timed.stderr
    assert "(8 questions, sent before the audit)" in " ".join(timed.stderr.split())
    assert "estimated from some questions of each measure" in timed.stdout
    assert 0 < len({body["prompt"] for body in server.asked()}) <= 16, "each question has two options"


def test_a_plan_uses_what_earlier_runs_say_about_the_server(serve, cli, bare):
    server = serve(offers=("logprobs", "completions"))
    done = cli("audit", "--model", server.spec, *STARTER, "--out", "out")
    assert done.returncode == 0, done.stderr
    before = len(server.requests)
    plan = cli("audit", "--model", server.spec, *STARTER, "--out", "out", "--plan")
    assert "finished" in plan.stdout, plan.stderr
    assert "Nothing was sent" not in plan.stdout
    assert len(server.requests) == before
