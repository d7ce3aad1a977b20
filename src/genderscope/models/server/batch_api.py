"""Batch APIs: a job is created from many requests, works for up to a day, and returns one result per request."""

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from genderscope.models.server.json_access import is_count, listed, part
from genderscope.models.server.transport import RefusedError, Transport, refusal_of

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
        found = self._json("GET", f"/batches/{job}")
        counts = part(found, "request_counts")
        failure = None
        if found.get("status") == "failed":
            errors = [
                str(part({"error": each}, "error").get("message")) for each in listed(part(found, "errors"), "data")
            ]
            failure = self._transport.clean("; ".join(errors[:3])) or "no reason was given"
        done = count(counts.get("completed")) + count(counts.get("failed"))
        return JobState(found.get("status") in self.ENDED, done, count(counts.get("total")), failure)

    def results(self, job: str) -> Iterator[tuple[str, Outcome]]:
        found = self._json("GET", f"/batches/{job}")
        for name in ("output_file_id", "error_file_id"):
            if found.get(name):
                for line in self._lines(f"/files/{identifier({'id': found[name]})}/content"):
                    yield str(line.get("custom_id")), self._outcome(part(line, "response"))

    def _outcome(self, response: dict[str, Any]) -> Outcome:
        """Interpret a result line; one without a response (a request that expired) is not processed."""
        status, body = count(response.get("status_code")), part(response, "body")
        if status == 200:
            return body
        if 400 <= status < 500 and status not in (408, 409, 429):
            return self._refusal(status, str(part(body, "error").get("message") or f"HTTP {status}"))
        return None


def identifier(found: dict[str, Any]) -> str:
    """Return an object's ID; raise for one that is missing or could change the path of a request."""
    name = found.get("id")
    if not isinstance(name, str) or re.fullmatch(r"[\w-]{1,200}", name, re.ASCII) is None:
        raise RefusedError(200, "its response contains no valid ID")
    return name


def count(value: Any) -> int:
    """Return a count; 0 for anything else."""
    return int(value) if is_count(value) else 0


def _object(content: bytes) -> dict[str, Any]:
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise RefusedError(200, "its response is not a JSON object")
    return found
