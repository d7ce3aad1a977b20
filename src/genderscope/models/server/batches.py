"""Batch jobs: created from many requests, they work for up to a day and return one result per request.

Questions are answered by jobs that a later command finds again: their IDs are stored with the run.
"""

import json
import logging
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

from genderscope.core.errors import UserError
from genderscope.core.questions import Reply, ReplyAnswer
from genderscope.models.base import JobStore
from genderscope.models.http.requests import Bill, NoAnswerError, TransientError, first_pause, pause
from genderscope.models.server.chat_client import ChatClient
from genderscope.models.server.json_access import is_count, listed, most_tokens, part, used_tokens
from genderscope.models.server.transport import RefusedError, Transport, refusal_of
from genderscope.models.settings import RequestOptions

#: most requests per job, and most bytes of all of them: less than every vendor allows
MOST_REQUESTS, MOST_BYTES = 50_000, 100_000_000
#: number of recent jobs among which a job is looked for
RECENT = 100

#: requests by their names, which their results repeat
Requests = Mapping[str, dict[str, Any]]
#: a response, a refusal, or None if the request was not processed and can be sent again
Outcome = dict[str, Any] | RefusedError | None


@dataclass(frozen=True)
class JobState:
    """Progress of a job; `failure` is the reason why it was rejected as a whole."""

    ended: bool
    done: int
    total: int
    failure: str | None = None


class BatchAPI(ABC):
    """A vendor's batch API. Jobs are created in two steps, so that an interrupted creation can be traced."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    @abstractmethod
    def prepare(self, requests: Requests) -> str:
        """Return a marker that identifies the job to be created from these requests."""

    @abstractmethod
    def create(self, marker: str, requests: Requests) -> str:
        """Create the job and return its ID; not retried, because a lost response does not mean a failure."""

    @abstractmethod
    def find(self, marker: str) -> str | None:
        """Return the ID of the job with this marker if it was created."""

    @abstractmethod
    def state(self, job: str) -> JobState:
        """Return a job's progress."""

    @abstractmethod
    def results(self, job: str) -> Iterator[tuple[str, Outcome]]:
        """Yield the name of each request of a job that has ended, with its outcome."""

    def _refusal(self, status: int, message: str) -> RefusedError:
        """Return the refusal of one request, with the server's message on one line and without the key."""
        return refusal_of(status, self._transport.clean(message))

    def _json(self, method: str, path: str, retries: int | None = None, **content: Any) -> dict[str, Any]:
        return _object(self._transport.transfer(method, path, retries, **content))

    def _lines(self, path: str) -> Iterator[dict[str, Any]]:
        for line in self._transport.transfer("GET", path).splitlines():
            if line.strip():
                yield _object(line)


class OpenAIBatches(BatchAPI):
    """OpenAI's batch API, which reads requests from an uploaded file and writes results to others."""

    ENDED: ClassVar[frozenset[str]] = frozenset({"completed", "failed", "expired", "cancelled"})

    def prepare(self, requests: Requests) -> str:
        lines = (
            json.dumps({"custom_id": name, "method": "POST", "url": "/v1/chat/completions", "body": body})
            for name, body in requests.items()
        )
        files = {"file": ("requests.jsonl", "\n".join(lines).encode(), "application/jsonl")}
        return identifier(self._json("POST", "/files", files=files, data={"purpose": "batch"}))

    def create(self, marker: str, requests: Requests) -> str:
        job = {"input_file_id": marker, "endpoint": "/v1/chat/completions", "completion_window": "24h"}
        return identifier(self._json("POST", "/batches", 0, json=job))

    def find(self, marker: str) -> str | None:
        jobs = listed(self._json("GET", f"/batches?limit={RECENT}"), "data")
        return next(
            (identifier(job) for job in jobs if isinstance(job, dict) and job.get("input_file_id") == marker), None
        )

    def state(self, job: str) -> JobState:
        batch = self._json("GET", f"/batches/{job}")
        counts = part(batch, "request_counts")
        failure = None
        if batch.get("status") == "failed":
            errors = [
                str(part({"error": error}, "error").get("message")) for error in listed(part(batch, "errors"), "data")
            ]
            failure = self._transport.clean("; ".join(errors[:3])) or "no reason was given"
        done = count(counts.get("completed")) + count(counts.get("failed"))
        return JobState(batch.get("status") in self.ENDED, done, count(counts.get("total")), failure)

    def results(self, job: str) -> Iterator[tuple[str, Outcome]]:
        batch = self._json("GET", f"/batches/{job}")
        for name in ("output_file_id", "error_file_id"):
            if batch.get(name):
                for line in self._lines(f"/files/{identifier({'id': batch[name]})}/content"):
                    yield str(line.get("custom_id")), self._outcome(part(line, "response"))

    def _outcome(self, response: dict[str, Any]) -> Outcome:
        """Interpret a result line; one without a response (a request that expired) is not processed."""
        status, body = count(response.get("status_code")), part(response, "body")
        if status == 200:
            return body
        if 400 <= status < 500 and status not in (408, 409, 429):
            return self._refusal(status, str(part(body, "error").get("message") or f"HTTP {status}"))
        return None


def identifier(resource: dict[str, Any]) -> str:
    """Return an object's ID; raise for one that is missing or could change the path of a request."""
    name = resource.get("id")
    if not isinstance(name, str) or re.fullmatch(r"[\w-]{1,200}", name, re.ASCII) is None:
        raise RefusedError(200, "its response contains no valid ID")
    return name


def count(value: Any) -> int:
    """Return a count; 0 for anything else."""
    return int(value) if is_count(value) else 0


def _object(content: bytes) -> dict[str, Any]:
    try:
        parsed = json.loads(content)
    except (ValueError, RecursionError):
        parsed = None
    if not isinstance(parsed, dict):
        raise RefusedError(200, "its response is not a JSON object")
    return parsed


#: jobs in which a question is asked before the command gives up on it
ROUNDS = 3
#: the longest pause between two status queries, in first pauses (of one second each)
LONGEST_PAUSE = 60
#: how many answers are stored at a time
PORTION = 500
REFUSED = "the server refused the request in a batch job: {}"
WAITING = (
    "Waiting for batch job '%s' (%s): %s of %s requests are done. It may take 24 hours. You can stop this command "
    "and repeat it later; nothing is sent twice."
)

_log = logging.getLogger("genderscope")


class MemoryStore:
    """A store for models that are used without a run."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def note(self, texts: Mapping[str, str]) -> None:
        """Store named texts without overwriting existing ones."""
        self._texts = {**texts, **self._texts}

    def notes(self) -> dict[str, str]:
        """Return the stored texts."""
        return dict(self._texts)


def open_jobs(store: JobStore, fingerprint: str) -> list[str]:
    """Return the IDs of the jobs whose results have not all been stored."""
    notes, prefix = store.notes(), f"batch open {fingerprint} "
    names = [name.removeprefix(prefix) for name in notes if name.startswith(prefix)]
    return [job for job in names if f"batch done {fingerprint} {job}" not in notes]


class BatchJobs:
    """Creates jobs, waits for them and reads their results."""

    def __init__(
        self, api: BatchAPI, client: ChatClient, remote: RequestOptions, store: JobStore, fingerprint: str, who: str
    ) -> None:
        self._api, self._client, self._remote, self._store = api, client, remote, store
        self._fingerprint, self._who = fingerprint, who

    def answers(self, questions: Mapping[str, Reply]) -> Iterator[list[tuple[str, ReplyAnswer]]]:
        """Yield portions of answers: first those of earlier jobs, then those of new jobs for the other questions."""
        left = dict(questions)
        self._trace()
        for job in open_jobs(self._store, self._fingerprint):
            self._client.left_out.update(json.loads(self._store.notes()[self._name("open", job)]))
            with self._remote.spending.reserved(self._remote.max_cost, 0.0) as bill:
                yield from self._collected(job, left, bill)
        for _ in range(ROUNDS):
            if not left:
                return
            # A mistake in the model's name, key or options must not take a day to come to light.
            first = next(iter(left))
            yield [(first, self._client.reply(left.pop(first)))]
            waiting = iter(list(left))
            while requests := self._portion(waiting, left):
                limit, most = self._remote.max_cost, sum(map(self._most, requests.values()))
                with self._remote.spending.reserved(limit, most) as bill:
                    yield from self._collected(self._created(requests), left, bill)
        if left:
            raise NoAnswerError(
                f"{self._who} did not process {len(left):,} questions in {ROUNDS} batch jobs; all answers so far are "
                "kept. Run the same command again to resume."
            )

    def _name(self, state: str, job: str) -> str:
        return f"batch {state} {self._fingerprint} {job}"

    def _most(self, request: dict[str, Any]) -> float:
        return self._remote.tokens_cost(*most_tokens(request), in_batch=True)

    def _portion(self, names: Iterator[str], left: Mapping[str, Reply]) -> Requests:
        """Return the requests for the next job, within the limits on jobs."""
        requests: dict[str, dict[str, Any]] = {}
        size = 0
        for name in islice(names, MOST_REQUESTS):
            requests[name] = self._client.request(left[name])
            size += len(json.dumps(requests[name])) + 200
            if size > MOST_BYTES:
                break
        return requests

    def _trace(self) -> None:
        """Find a job whose creation was interrupted before its ID was stored."""
        notes, prefix = self._store.notes(), self._name("creating", "")
        for name in [name for name in notes if name.startswith(prefix)]:
            marker = name.removeprefix(prefix)
            if self._name("created", marker) not in notes and (job := self._api.find(marker)) is not None:
                self._opened(marker, job, notes[name])

    def _opened(self, marker: str, job: str, left_out: str) -> None:
        self._store.note({self._name("open", job): left_out, self._name("created", marker): job})

    def _created(self, requests: Requests) -> str:
        """Create a job and store its ID at once."""
        for _ in requests:
            self._remote.spending.count_request(self._remote.max_requests)
        left_out = json.dumps(sorted(self._client.left_out))
        try:
            marker = self._api.prepare(requests)
            self._store.note({self._name("creating", marker): left_out})
            job = self._once(marker, requests)
        except RefusedError as refusal:
            if refusal.status in (404, 405, 501):
                raise UserError(f"{self._who} has no batch API (HTTP {refusal.status}); leave out --batch.") from None
            raise
        self._opened(marker, job, left_out)
        return job

    def _once(self, marker: str, requests: Requests) -> str:
        """Create a job; if no response arrives, look for the job before creating it again."""
        for tried in range(self._remote.retries + 1):
            try:
                return self._api.create(marker, requests)
            except NoAnswerError:
                if (job := self._api.find(marker)) is not None:
                    return job
                if tried == self._remote.retries:
                    raise
                pause(first_pause() * 2.0**tried)
        raise TransientError("unreachable")

    def _collected(self, job: str, left: dict[str, Reply], bill: Bill) -> Iterator[list[tuple[str, ReplyAnswer]]]:
        """Wait for a job, yield its answers, and remove the answered questions from `left`."""
        self._wait(job)
        bill.cost = 0.0
        refused: list[RefusedError] = []
        read: list[tuple[str, ReplyAnswer]] = []
        for name, outcome in self._api.results(job):
            question = left.get(name)
            if question is None or outcome is None:
                continue
            if isinstance(outcome, RefusedError):
                answer = self._client.refused(question, outcome)
                if answer is None:
                    refused.append(outcome)
                    answer = ReplyAnswer(None, unread=REFUSED.format(outcome.message[:200]))
            else:
                used = used_tokens(outcome) or most_tokens(self._client.request(question))
                bill.cost += self._remote.tokens_cost(*used, in_batch=True)
                answer = self._client.read(outcome)
            del left[name]
            read.append((name, answer))
        if refused and len(refused) == len(read):
            self._store.note({self._name("done", job): "all requests were refused"})
            raise refused[0]
        for k in range(0, len(read), PORTION):
            yield read[k : k + PORTION]
        self._store.note({self._name("done", job): ""})

    def _wait(self, job: str) -> None:
        """Query a job's state until it has ended, reporting its progress."""
        seconds, shown = first_pause(), -1
        while not (state := self._state(job)).ended:
            if shown < 0:
                _log.info(WAITING, job, self._who, f"{state.done:,}", f"{state.total:,}")
            elif state.done != shown:
                _log.info("Batch job '%s': %s of %s requests are done.", job, f"{state.done:,}", f"{state.total:,}")
            shown = state.done
            pause(seconds)
            seconds = min(2 * seconds, LONGEST_PAUSE * first_pause())
        if state.failure is not None:
            self._store.note({self._name("done", job): state.failure[:500]})
            raise UserError(f"{self._who} rejected the batch job '{job}': {state.failure.rstrip('.')}.")

    def _state(self, job: str) -> JobState:
        try:
            return self._api.state(job)
        except RefusedError as refusal:
            if refusal.status != 404:
                raise
            raise UserError(
                f"{self._who} does not know this run's batch job '{job}' (HTTP 404); use the key of the account that "
                "created it, or ask everything again with --fresh."
            ) from None
