"""Spending limits: a run stops before one is exceeded, keeps its answers, and goes on with a higher limit."""

import threading

import pytest

from genderscope.core.errors import UserError
from genderscope.core.questions import Message, Reply
from genderscope.engine import ask
from genderscope.models import Remote, open_model
from genderscope.models.http.requests import LimitReachedError, Spending
from genderscope.runs import Journal
from tests.server.services_fake import FAKES
from tests.support.chat_server import ChatServer
from tests.support.evaluation import evaluate
from tests.support.keys import KEY
from tests.support.services import SERVICES, TEXTS, VARIABLES, opened, translations

QUESTIONS = [Reply((Message("user", f"Question {k}?"),), 10, 0.0, 1.0, 0) for k in range(40)]


class Billing(ChatServer):
    """A chat server that says how many tokens it took, as OpenAI's does."""

    used = (20, 5)

    def reply(self, method, path, body):
        status, content = super().reply(method, path, body)
        prompt, completion = self.used
        return status, {**content, "usage": {"prompt_tokens": prompt, "completion_tokens": completion}}


@pytest.fixture
def billing():
    with Billing(delay=0.005).running() as server:
        yield server


def answered(server, journal, **options):
    """Ask what has no answer yet; return how many have one, and the sentence that ended it, if any."""
    remote = Remote.model_validate({"concurrency": 16, **options})
    model = open_model(server.spec, remote=remote)
    model.unanswerable(frozenset({Reply}))
    said = None
    with Journal(journal) as kept:
        try:
            ask(model, QUESTIONS, kept)
        except LimitReachedError as error:
            said = str(error)
        return len(kept), said, remote.spending


def test_no_request_is_sent_beyond_the_limit_and_a_higher_one_resumes(billing, tmp_path):
    count, said, _ = answered(billing, tmp_path / "journal", max_requests=11)
    assert said.startswith("The limit of 11 requests (--max-requests) has been reached; all answers so far are kept")
    assert len(billing.requests) == 11
    assert count == 10, "every request but the first, which looks whether a server is there, was answered and kept"
    count, said, _ = answered(billing, tmp_path / "journal", max_requests=100)
    assert (count, said) == (len(QUESTIONS), None)
    assert len(billing.requests) == 11 + 1 + 30, "kept answers were asked for again"


def test_retries_count_as_requests(billing, tmp_path):
    billing.faults = ["500"] * 1000
    _, said, _ = answered(billing, tmp_path / "journal", max_requests=9, retries=100)
    assert "9 requests" in said
    assert len(billing.requests) == 9


def test_no_more_is_spent_than_the_limit_however_many_requests_are_in_flight(billing, tmp_path):
    prices = {"price_in": 1e6, "price_out": 1e6}  # a token costs 1, so that a reply costs 25
    count, said, spending = answered(billing, tmp_path / "journal", max_cost=1000, **prices)
    assert "The limit of 1,000 (--max-cost) has been reached" in said
    assert spending.cost == 25 * count <= 1000
    # It stops only where the next request, of some 150 bytes and 10 tokens, might be too much.
    assert spending.cost > 1000 - 250
    count, said, _ = answered(billing, tmp_path / "journal", max_cost=2000, **prices)
    assert (count, said) == (len(QUESTIONS), None)


def test_a_server_that_does_not_tell_its_tokens_is_counted_at_the_most(billing, tmp_path):
    billing.used = (None, None)
    count, said, spending = answered(billing, tmp_path / "journal", max_cost=1000, price_in=1e6, price_out=1e6)
    assert "(--max-cost) has been reached" in said
    assert 0 < count < 10
    assert spending.cost <= 1000


def test_refused_requests_cost_nothing(billing, tmp_path):
    billing.faults = ["429", "500", "503"]
    _, said, spending = answered(billing, tmp_path / "journal", max_cost=1e6, price_in=1e6, price_out=1e6)
    assert said is None
    assert spending.cost == 25 * len(QUESTIONS)


@pytest.mark.parametrize("prices", [{}, {"price_in": 1.0}, {"price_out": 1.0}])
def test_a_limit_that_cannot_be_computed_is_refused(billing, prices):
    with pytest.raises(UserError, match="--max-cost requires prices; also set --price"):
        open_model(billing.spec, remote=Remote(max_cost=1.0, **prices))


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_stops_before_its_limits(monkeypatch, tmp_path, name):
    with FAKES[name](key=KEY).running() as fake:
        for variable, value in VARIABLES[name].items():
            monkeypatch.setenv(variable, fake.url if value == "URL" else value)
        with pytest.raises(UserError, match="--max-cost requires prices; also set --price "):
            opened(name, max_cost=1.0)
        with pytest.raises(LimitReachedError, match="The limit of 0 requests"):
            opened(name, max_requests=0).load()
        assert fake.requests == []
        each = len(TEXTS[0])  # all but the last ones are as long
        model = opened(name, max_cost=30 * each / 1e6, price=1.0)
        model._texts_per_request = model.most_texts = 1
        with pytest.raises(LimitReachedError, match=r"\(--max-cost\) has been reached"):
            translations(model, tmp_path / "journal", TEXTS[:40])
        with Journal(tmp_path / "journal") as journal:
            kept = len(journal)
        assert 25 < kept <= 30
        translations(opened(name, max_cost=1.0, price=1.0), tmp_path / "journal", TEXTS[:40])


@pytest.mark.long
def test_an_audit_counts_over_all_its_models_and_says_once_that_a_limit_is_reached(cli, billing, tmp_path):
    data = tmp_path / "own.csv"
    data.write_text("sentence,stereotype\n" + "".join(f"I led team {k}.,9\n" for k in range(12)))
    specs = ("--model", billing.spec, "--model", f"{billing.spec}-2")
    chat = ("--measure", "gest-chat", "--option", f"gest-chat.data={data}", "--out", tmp_path / "audit")
    done = cli("audit", *specs, *chat, "--max-requests", 30, "--yes")
    assert done.returncode == 5
    assert done.stderr.count("The limit of 30 requests (--max-requests) has been reached") >= 1
    assert len(billing.requests) == 30
    done = cli("audit", *specs, *chat, "--max-requests", 600, "--yes")
    assert done.returncode == 0, done.stderr
    done = cli("audit", *specs, *chat, "--max-requests", 300, "--jobs", 2)
    assert done.returncode == 2
    assert "Spending limits cannot be shared by several processes" in done.stderr


@pytest.mark.long
def test_a_recipe_may_set_limits_and_the_command_line_overrides_them(cli, billing, tmp_path):
    (tmp_path / "own.csv").write_text("sentence,stereotype\n" + "".join(f"I led team {k}.,9\n" for k in range(12)))
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(
        f'models = ["{billing.spec}"]\nmeasures = ["gest-chat"]\nout = "{tmp_path / "audit"}"\n'
        'remote = { max_requests = 5 }\n[options.gest-chat]\ndata = "own.csv"\n'
    )
    done = cli("audit", "-c", recipe)
    assert done.returncode == 5
    assert "The limit of 5 requests" in done.stderr
    assert len(billing.requests) == 5
    assert cli("audit", "-c", recipe, "--max-requests", 500).returncode == 0


def test_an_open_model_keeps_the_limits_that_it_was_opened_with(billing):
    model = open_model(billing.spec)
    with pytest.raises(UserError, match="is already open, so no spending limit can be set"):
        evaluate("gest-chat", model, data="starter", max_requests=5)


def test_reservations_wait_for_bills_and_never_exceed_the_limit():
    spending = Spending()
    spent = []

    def work():
        for _ in range(20):
            try:
                with spending.reserved(1.0, 0.3) as bill:
                    spent.append(spending._reserved + spending.cost)
                    bill.cost = 0.01
            except LimitReachedError:
                return

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert max(spent) <= 1.0 + 1e-6
    assert spending.cost > 0.69, "while others may still cost less than they might, a request waits"


def test_what_was_spent_is_no_part_of_the_options():
    one, other = Remote(max_cost=1.0), Remote(max_cost=1.0)
    with one.spending.reserved(one.max_cost, 0.5):
        pass
    assert one == other
    assert repr(one) == repr(other)
    assert one.model_copy(update={"yes": True}).spending is one.spending
