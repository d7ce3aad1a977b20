"""Anthropic's Message Batches API."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from genderscope.models.server.batch_api import RECENT, BatchAPI, JobState, Outcome, Requests, count, identifier
from genderscope.models.server.json_access import listed, part
from genderscope.util import clock

PATH = "/messages/batches"
#: allowed difference between this machine's clock and Anthropic's
TOLERANCE = timedelta(minutes=10)
#: errors that another attempt does not avoid
LASTING = frozenset({"invalid_request_error", "not_found_error", "permission_error", "request_too_large"})


class AnthropicBatches(BatchAPI):
    """Client for jobs that contain their requests."""

    def prepare(self, requests: Requests) -> str:
        """Return the time and the number of requests: the API has no other mark to find a job by."""
        return f"{clock.now().isoformat()} {len(requests)}"

    def create(self, marker: str, requests: Requests) -> str:
        items = [{"custom_id": name, "params": body} for name, body in requests.items()]
        return identifier(self._json("POST", PATH, 0, json={"requests": items}))

    def find(self, marker: str) -> str | None:
        began, _, size = marker.rpartition(" ")
        for job in listed(self._json("GET", f"{PATH}?limit={RECENT}"), "data"):
            counts = part(job, "request_counts").values()
            if sum(map(count, counts)) == int(size) and _is_after(job.get("created_at"), began):
                return identifier(job)
        return None

    def state(self, job: str) -> JobState:
        found = self._json("GET", f"{PATH}/{job}")
        counts = {name: count(value) for name, value in part(found, "request_counts").items()}
        total = sum(counts.values())
        return JobState(found.get("processing_status") == "ended", total - counts.get("processing", 0), total)

    def results(self, job: str) -> Iterator[tuple[str, Outcome]]:
        # `results_url` is not used: the key must not be sent to an address that a response names.
        for line in self._lines(f"{PATH}/{job}/results"):
            yield str(line.get("custom_id")), self._outcome(part(line, "result"))

    def _outcome(self, result: dict[str, Any]) -> Outcome:
        """Interpret a result; requests that expired, were cancelled or met a server error can be sent again."""
        if result.get("type") == "succeeded":
            return part(result, "message")
        error = part(part(result, "error"), "error") or part(result, "error")
        if result.get("type") == "errored" and error.get("type") in LASTING:
            return self._refusal(400, str(error.get("message") or error["type"]))
        return None


def _is_after(moment: Any, began: str) -> bool:
    try:
        return datetime.fromisoformat(str(moment)) > datetime.fromisoformat(began) - TOLERANCE
    except (ValueError, TypeError):
        return False
