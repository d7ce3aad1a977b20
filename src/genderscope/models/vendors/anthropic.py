"""Anthropic's Messages and Message Batches APIs: `anthropic:MODEL`, with the key from ANTHROPIC_API_KEY."""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from genderscope.core.errors import UserError
from genderscope.core.questions import Reply, ReplyAnswer, StructuredReply
from genderscope.models.chat import without_thoughts
from genderscope.models.server.batches import RECENT, BatchAPI, JobState, Outcome, Requests, count, identifier
from genderscope.models.server.chat_client import NAME, NO_REPLY, schema, served_by
from genderscope.models.server.json_access import listed, part
from genderscope.models.server.transport import Access
from genderscope.models.settings import Settings
from genderscope.models.vendors.service import ChatService, VendorChatClient, system_and_turns
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
        batch = self._json("GET", f"{PATH}/{job}")
        counts = {name: count(value) for name, value in part(batch, "request_counts").items()}
        total = sum(counts.values())
        return JobState(batch.get("processing_status") == "ended", total - counts.get("processing", 0), total)

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


TOOL = "Give the answer."
NO_SEED = "Anthropic's API has no seed parameter, so sampling is not reproducible."


class AnthropicClient(VendorChatClient):
    """Client for the Messages API, which has a separate system prompt, a required maximum length and content blocks."""

    seeded = False
    path = "/messages"
    #: some models accept neither temperature nor top_p, some only one of them, and older models reject `effort`
    options = {  # noqa: RUF012 - only read
        "temperature": ("temperature",),
        "top_p": ("topp",),
        "reasoning_effort": ("effort", "outputconfig", "thinking"),
    }

    def body(self, question: Reply) -> dict[str, Any]:
        system, turns = system_and_turns(question.messages)
        body: dict[str, Any] = {
            "model": self.model,
            "max_tokens": question.max_tokens,
            "messages": [{"role": turn.role, "content": turn.content} for turn in turns],
        }
        if system is not None:
            body["system"] = system
        # The API's defaults are not sent: the newest models reject even those.
        for name in ("temperature", "top_p"):
            if self.given(name, question) and name not in self.left_out:
                body[name] = getattr(question, name)
        if question.reasoning_effort is not None and "reasoning_effort" not in self.left_out:
            body["thinking"] = {"type": "adaptive"}
            body["output_config"] = {"effort": question.reasoning_effort}
        if isinstance(question, StructuredReply):  # the reply is the input of a tool that the model must use
            body["tools"] = [{"name": NAME, "description": TOOL, "input_schema": schema(question)}]
            body["tool_choice"] = {"type": "tool", "name": NAME}
        return body

    def given(self, name: str, question: Reply) -> bool:
        usual = {"temperature": 1.0, "top_p": 1.0}.get(name)
        return bool(getattr(question, name) != usual)

    def read(self, response: dict[str, Any]) -> ReplyAnswer:
        blocks = [block for block in listed(response, "content") if isinstance(block, dict)]
        ended = response.get("stop_reason")
        if not isinstance(response.get("content"), list):
            return ReplyAnswer(None, unread=NO_REPLY)
        used = [json.dumps(part(block, "input"), ensure_ascii=False) for block in blocks if _is_choice(block)]
        said, more = without_thoughts(used[0] if len(used) == 1 else "".join(_texts(blocks, "text", "text")))
        thought = "\n".join(filter(None, [*_texts(blocks, "thinking", "thinking"), more])) or None
        other = served_by(self.model, response.get("model"))
        if ended == "refusal":
            told = part(response, "stop_details").get("explanation")
            return ReplyAnswer(said or (told if isinstance(told, str) else ""), thought, "refusal", other)
        cut = ended in ("max_tokens", "model_context_window_exceeded")
        return ReplyAnswer(said, thought, "length" if cut else None, other)


def _is_choice(block: dict[str, Any]) -> bool:
    return block.get("type") == "tool_use" and block.get("name") == NAME


def _texts(blocks: list[dict[str, Any]], kind: str, name: str) -> list[str]:
    return [block[name] for block in blocks if block.get("type") == kind and isinstance(block.get(name), str)]


class AnthropicModel(ChatService):
    """A Claude model."""

    vendor = "Anthropic"
    scheme = "anthropic"
    access = Access(("ANTHROPIC_API_KEY",), "x-api-key", "", {"anthropic-version": "2023-06-01"})
    address_variable = "ANTHROPIC_BASE_URL"
    address = "https://api.anthropic.com"
    version = "v1"
    chatter = AnthropicClient
    batch_api = AnthropicBatches

    def __init__(self, reference: str, settings: Settings) -> None:
        super().__init__(reference, settings)
        if self.chat.temperature > 1:
            raise UserError(f"--temperature is {self.chat.temperature:g}, but Anthropic's API accepts only 0 to 1.")
        self._draws = self.chat.temperature > 0

    def cautions(self) -> list[str]:
        return [*super().cautions(), *([NO_SEED] if self._draws else [])]
