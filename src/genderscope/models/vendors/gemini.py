"""Google's Gemini API (generateContent): `gemini:MODEL`, with the key from GEMINI_API_KEY or GOOGLE_API_KEY."""

from typing import Any

from genderscope.core.questions import FIELD, Reply, ReplyAnswer, StructuredReply
from genderscope.models.chat import without_thoughts
from genderscope.models.server.chat_client import FILTERED, NO_REPLY, Post, served_by
from genderscope.models.server.json_access import listed, part
from genderscope.models.server.transport import Access
from genderscope.models.settings import Settings
from genderscope.models.vendors.service import ChatService, VendorChatClient, system_and_turns

#: finish reasons that indicate a content filter
FILTERS = frozenset({"SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"})
ENDED = "Google returned no text ({})"


class GeminiClient(VendorChatClient):
    """Client for the generateContent API, which has a separate system instruction and marks thoughts in replies."""

    options = {  # noqa: RUF012 - only read
        "reasoning_effort": ("thinking",),
        "seed": ("seed",),
        "top_p": ("topp",),
        "temperature": ("temperature",),
    }

    def __init__(self, post: Post, model: str, vendor: str) -> None:
        super().__init__(post, model, vendor)
        self.path = f"/models/{model}:generateContent"

    def body(self, question: Reply) -> dict[str, Any]:
        system, turns = system_and_turns(question.messages)
        roles = {"assistant": "model"}
        config: dict[str, Any] = {"maxOutputTokens": question.max_tokens, "candidateCount": 1}
        # Google's defaults differ between models, so every option is sent.
        for name, called in (("temperature", "temperature"), ("top_p", "topP"), ("seed", "seed")):
            if name not in self.left_out:
                config[called] = getattr(question, name)
        if question.reasoning_effort is not None and "reasoning_effort" not in self.left_out:
            config["thinkingConfig"] = {"thinkingLevel": question.reasoning_effort, "includeThoughts": True}
        if isinstance(question, StructuredReply):
            config |= {"responseMimeType": "application/json", "responseSchema": _schema(question)}
        body: dict[str, Any] = {
            "contents": [{"role": roles.get(t.role, t.role), "parts": [{"text": t.content}]} for t in turns],
            "generationConfig": config,
        }
        return body if system is None else body | {"systemInstruction": {"parts": [{"text": system}]}}

    def read(self, response: dict[str, Any]) -> ReplyAnswer:
        other = served_by(self.model, response.get("modelVersion"))
        candidate = next((entry for entry in listed(response, "candidates") if isinstance(entry, dict)), None)
        if candidate is None:
            if part(response, "promptFeedback").get("blockReason"):
                return ReplyAnswer(None, None, "filter", other, FILTERED)
            return ReplyAnswer(None, unread=NO_REPLY)
        said, thought = _parts(candidate)
        ended = str(candidate.get("finishReason") or "STOP")
        if ended in FILTERS:
            return ReplyAnswer(None, thought, "filter", other, FILTERED)
        if ended == "MAX_TOKENS":
            return ReplyAnswer(said, thought, "length", other)
        if not said and ended != "STOP":
            return ReplyAnswer(None, thought, None, other, ENDED.format(ended[:40]))
        return ReplyAnswer(said, thought, None, other)


def _schema(question: StructuredReply) -> dict[str, Any]:
    """Return the schema of a structured reply, with the API's own names of types."""
    options = {"type": "STRING", "enum": list(question.options)}
    return {"type": "OBJECT", "properties": {FIELD: options}, "required": [FIELD]}


def _parts(candidate: dict[str, Any]) -> tuple[str, str | None]:
    """Return a candidate's text and its thoughts, which are separate parts."""
    parts = [piece for piece in listed(part(candidate, "content"), "parts") if isinstance(piece, dict)]
    texts = [(bool(piece.get("thought")), piece["text"]) for piece in parts if isinstance(piece.get("text"), str)]
    said, more = without_thoughts("".join(text for thought, text in texts if not thought))
    return said, "\n".join(filter(None, [*(text for thought, text in texts if thought), more])) or None


class GeminiModel(ChatService):
    """A Gemini model."""

    vendor = "Google"
    scheme = "gemini"
    #: GOOGLE_API_KEY may belong to another Google service, so it comes second
    access = Access(("GEMINI_API_KEY", "GOOGLE_API_KEY"), "x-goog-api-key", "")
    address_variable = "GOOGLE_GEMINI_BASE_URL"
    address = "https://generativelanguage.googleapis.com"
    version = "v1beta"
    chatter = GeminiClient

    def __init__(self, reference: str, settings: Settings) -> None:
        super().__init__(reference.removeprefix("models/"), settings)
