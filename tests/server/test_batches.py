"""Questions sent as batch jobs to local fakes of OpenAI's and Anthropic's APIs."""

import json

import pytest

import genderscope
from genderscope.core.errors import UserError
from genderscope.models.http.requests import NoAnswerError, pause
from genderscope.models.server import batches as batch_jobs
from genderscope.models.server.batches import OpenAIBatches
from genderscope.models.server.chat_client import ANY_NUMBER
from genderscope.models.vendors import anthropic as anthropic_batches
from tests.gest_chat.planted import Says, stereotypical
from tests.support.batches import AnthropicWithBatches, Jobs, OpenAIWithBatches
from tests.support.vendors import FakeGemini

#: questions of the runs below: 16 sentences in six orders
ASKED = 16 * 6
PRICES = {"price_in": 1000.0, "price_out": 1000.0}


def said(body):
    prompt = body["messages"][-1]["content"]
    return "7" if prompt == ANY_NUMBER else stereotypical(prompt)


def measured(spec, folder, **options):
    given = {
        "data": "starter",
        "limit": 16,
        "controls": "none",
        "yes": True,
        "report": False,
        "batch": True,
        "retries": 1,
    }
    return genderscope.evaluate("gest-chat", spec, out=folder / "run", **{**given, **options})


@pytest.fixture
def openai():
    """Start a chat server with batches, stopped when the test ends."""
    from contextlib import ExitStack

    with ExitStack() as stack:
        yield lambda says=said, **options: stack.enter_context(OpenAIWithBatches(says, **options).running())


@pytest.fixture
def anthropic(serves):
    def start(**options):
        return serves(AnthropicWithBatches, lambda body: AnthropicWithBatches.answer(said(body)), **options)

    return start


@pytest.fixture(params=["openai", "anthropic"])
def vendor(request):
    """A function that starts one vendor's fake."""
    return request.getfixturevalue(request.param)


@pytest.fixture
def stopped_after(monkeypatch):
    """Interrupt the command after this many pauses between status queries."""

    def stop(pauses):
        left = iter(range(pauses))

        def pause_or_stop(seconds):
            if next(left, None) is None:
                raise KeyboardInterrupt
            pause(seconds)

        monkeypatch.setattr(batch_jobs, "pause", pause_or_stop)

    return stop


def test_a_batch_gives_the_rows_of_single_requests(vendor, tmp_path):
    fake = vendor()
    result = measured(fake.spec, tmp_path)
    single = measured(Says(stereotypical), tmp_path / "single", batch=False)
    same = ["sample", "wording", "order", "letter", "outcome", "reply"]
    assert result.rows[same].equals(single.rows[same])
    assert len(fake.jobs.made) == 1
    assert len(set(fake.jobs.requests())) == ASKED - 1  # the first question was asked on its own
    assert result.config["model"]["method"] == "replies (chat, in batch jobs)"


@pytest.mark.parametrize("form", ["write", "structured"])
def test_other_forms_of_replies_work_in_batches(form, openai, tmp_path):
    fake = openai(lambda body: '{"answer": "(b)"}' if "response_format" in body else "She smiled.")
    rows = measured(fake.spec, tmp_path, form=form).rows
    assert rows["unread"].isna().all()
    [job] = fake.jobs.made.values()
    assert all(("response_format" in request["body"]) is (form == "structured") for request in job["requests"])


def test_an_interrupted_command_finds_its_job_again(vendor, tmp_path, stopped_after, caplog):
    fake = vendor(jobs=Jobs(polls=10**6))
    stopped_after(2)
    with caplog.at_level("INFO", "genderscope"), pytest.raises(KeyboardInterrupt):
        measured(fake.spec, tmp_path)
    [waiting] = [text for text in caplog.messages if "Waiting for batch job 'job_1'" in text]
    assert f"of {ASKED - 1} requests are done" in waiting
    assert "repeat it later; nothing is sent twice" in waiting
    sent = len(fake.requests)
    with pytest.raises(UserError, match=r"whose answers have not been fetched \('job_1'\)"):
        measured(fake.spec, tmp_path, batch=False)
    assert not [path for method, path, _ in fake.requests[sent:] if method == "POST"]
    fake.jobs.polls = 0
    result = measured(fake.spec, tmp_path)
    assert result.rows["unread"].isna().all()
    assert len(fake.jobs.made) == 1
    assert not [path for method, path, _ in fake.requests[sent:] if method == "POST"]


def test_a_job_whose_creation_was_interrupted_is_found_again(openai, tmp_path, monkeypatch):
    fake = openai()
    create = OpenAIBatches.create

    def interrupted(*args):
        create(*args)
        raise KeyboardInterrupt

    monkeypatch.setattr(OpenAIBatches, "create", interrupted)
    with pytest.raises(KeyboardInterrupt):
        measured(fake.spec, tmp_path)
    monkeypatch.setattr(OpenAIBatches, "create", create)
    assert measured(fake.spec, tmp_path).rows["unread"].isna().all()
    assert len(fake.jobs.made) == 1


def test_a_lost_response_does_not_create_a_second_job(vendor, tmp_path):
    fake = vendor(faults=["reset"])
    assert measured(fake.spec, tmp_path).rows["unread"].isna().all()
    assert len(fake.jobs.made) == 1


def test_a_busy_server_is_asked_again_to_create_the_job(vendor, tmp_path):
    fake = vendor(faults=["503"])
    assert measured(fake.spec, tmp_path).rows["unread"].isna().all()
    assert len(fake.jobs.made) == 1


SERVER_ERROR = {"response": {"status_code": 500, "body": {"error": {"message": "overloaded"}}}}
EXPIRED = {"response": None, "error": {"code": "batch_expired", "message": "expired"}}
REJECTED = {"response": {"status_code": 400, "body": {"error": {"message": "bad prompt"}}}}
FILTERED = {"response": {"status_code": 400, "body": {"error": {"message": "content_filter"}}}}


@pytest.mark.parametrize("failure", [SERVER_ERROR, EXPIRED])
def test_requests_that_were_not_processed_are_asked_again(failure, openai, tmp_path):
    jobs = Jobs(
        fails=lambda request, job: failure if job == "job_1" and request["custom_id"][-1] in "0123456" else None
    )
    fake = openai(jobs=jobs, status="expired" if failure is EXPIRED else "completed")
    assert measured(fake.spec, tmp_path).rows["unread"].isna().all()
    first, second = jobs.made.values()
    assert 0 < len(second["requests"]) < len(first["requests"])


def test_anthropics_expired_requests_are_asked_again_and_rejected_ones_are_unread(anthropic, tmp_path):
    error = {"type": "error", "error": {"type": "invalid_request_error", "message": "bad prompt"}}
    expired, rejected = {"type": "expired"}, {"type": "errored", "error": error}
    chosen = {**dict.fromkeys("01234", expired), **dict.fromkeys("abc", rejected)}
    jobs = Jobs(fails=lambda request, job: chosen.get(request["custom_id"][-1]) if job == "job_1" else None)
    rows = measured(anthropic(jobs=jobs).spec, tmp_path).rows
    names = [request["custom_id"] for request in jobs.made["job_1"]["requests"]]
    assert rows["unread"].notna().sum() == sum(name[-1] in "abc" for name in names) > 0
    assert set(rows["unread"].dropna()) == {"the server refused the request in a batch job: bad prompt"}
    assert len(jobs.made) == 2


def test_rejected_requests_are_unread_and_filtered_ones_refused(openai, tmp_path):
    chosen = {**dict.fromkeys("0123", REJECTED), **dict.fromkeys("4567", FILTERED)}
    fake = openai(jobs=Jobs(fails=lambda request, job: chosen.get(request["custom_id"][-1])))
    rows = measured(fake.spec, tmp_path).rows
    assert set(rows["unread"].dropna()) == {"the server refused the request in a batch job: bad prompt"}
    assert (rows["outcome"] == "refused").sum() == (rows["ended"] == "filter").sum() > 0
    assert len(fake.jobs.made) == 1


def test_questions_that_are_never_processed_end_the_command_and_can_be_asked_later(openai, tmp_path):
    fake = openai(jobs=Jobs(fails=lambda request, job: EXPIRED))
    with pytest.raises(NoAnswerError, match=r"did not process \d+ questions in 3 batch jobs; all answers so far"):
        measured(fake.spec, tmp_path)
    fake.jobs.fails = lambda request, job: None
    assert measured(fake.spec, tmp_path).rows["unread"].isna().all()


def test_a_key_that_the_server_repeats_is_not_shown(openai, tmp_path, key):
    failure = {"response": {"status_code": 400, "body": {"error": {"message": f"bad prompt with {key}"}}}}
    fake = openai(
        jobs=Jobs(fails=lambda request, job: failure if request["custom_id"][-1] in "0123" else None), key=key
    )
    [reason] = set(measured(fake.spec, tmp_path).rows["unread"].dropna())
    assert "bad prompt" in reason
    assert key not in reason


def test_if_every_request_is_rejected_the_command_says_why(openai, tmp_path):
    fake = openai(jobs=Jobs(fails=lambda request, job: REJECTED))
    with pytest.raises(UserError, match=r"refused a request for model 'tiny' \(HTTP 400\): bad prompt"):
        measured(fake.spec, tmp_path)


def test_an_error_at_upload_creates_no_job(openai, tmp_path):
    fake = openai(upload_error="The file is not valid JSONL.")
    with pytest.raises(UserError, match="The file is not valid JSONL"):
        measured(fake.spec, tmp_path)
    assert not fake.jobs.made


def test_a_rejected_job_is_reported_and_the_next_command_creates_another(openai, tmp_path):
    fake = openai(failed="The enqueued token limit was reached.")
    with pytest.raises(UserError, match="rejected the batch job 'job_1': The enqueued token limit was reached"):
        measured(fake.spec, tmp_path)
    fake.failed = None
    assert measured(fake.spec, tmp_path).rows["unread"].isna().all()
    assert list(fake.jobs.made) == ["job_1", "job_2"]


def test_a_job_that_the_server_does_not_know_is_not_sent_again(openai, tmp_path, stopped_after):
    fake = openai(jobs=Jobs(polls=10**6))
    stopped_after(1)
    with pytest.raises(KeyboardInterrupt):
        measured(fake.spec, tmp_path)
    fake.jobs.made.clear()
    with pytest.raises(UserError, match="does not know this run's batch job 'job_1'"):
        measured(fake.spec, tmp_path)
    assert not fake.jobs.made


def test_servers_and_models_without_batches_say_so(chats, serves, tmp_path):
    with pytest.raises(UserError, match=r"has no batch API \(HTTP 404\); leave out --batch"):
        measured(chats(said).spec, tmp_path)
    with pytest.raises(UserError, match="'gemini:gemini-x' has no batch API; leave out --batch"):
        measured(serves(FakeGemini).spec, tmp_path / "gemini")
    with pytest.raises(UserError, match="'planted' has no batch API"):
        measured(Says(stereotypical), tmp_path / "local")
    with pytest.raises(UserError, match="--batch works only for replies"):
        measured(chats(said).spec, tmp_path / "letter", form="letter")


def test_the_estimate_and_the_limit_use_half_the_price(openai, tmp_path, capsys):
    fake = openai()
    with pytest.raises(UserError, match=r"limit of 1 \(--max-cost\) has been reached"):
        measured(fake.spec, tmp_path, max_cost=1.0, **PRICES)
    assert not fake.jobs.made
    batch = capsys.readouterr().err
    assert "at half the given prices (batch)" in batch
    measured(openai().spec, tmp_path / "single", batch=False, **PRICES)
    single = capsys.readouterr().err
    cost = [float(text.split("costing between ")[1].split(" ")[0]) for text in (batch, single)]
    assert cost[0] == pytest.approx(cost[1] / 2, abs=0.01)


def test_a_limit_on_requests_counts_the_questions_of_a_batch(openai, tmp_path):
    fake = openai()
    with pytest.raises(UserError, match="limit of 50 requests"):
        measured(fake.spec, tmp_path, max_requests=50)
    assert not fake.jobs.made
    measured(fake.spec, tmp_path, max_requests=2 * ASKED)


def test_fields_that_the_server_rejected_are_reported_after_an_interruption(openai, tmp_path, stopped_after):
    fake = openai(
        refuses=lambda body: "Unsupported parameter: 'temperature'" if "temperature" in body else None,
        jobs=Jobs(polls=10**6),
    )
    stopped_after(1)
    with pytest.raises(KeyboardInterrupt):
        measured(fake.spec, tmp_path)
    fake.jobs.polls = 0
    result = measured(fake.spec, tmp_path)
    assert any("does not accept 'temperature'" in caution for caution in result.cautions)
    assert "temperature" not in json.dumps([job["requests"] for job in fake.jobs.made.values()])


@pytest.mark.parametrize(("created", "is_ours"), [("11:56", True), ("12:00", True), ("11:45", False)])
def test_a_job_is_found_again_if_the_clocks_differ_by_a_few_minutes(created, is_ours):
    assert anthropic_batches._is_after(f"2030-01-31T{created}:00Z", "2030-01-31T12:00:00+00:00") is is_ours
