"""What a server can tell: probed once with small requests, from the most exact way down.

prompt    the log-probability of every token of a text that we send     exact, for options of any length
top       the likeliest next tokens with their log-probabilities        exact, for options among them
sampled   answers drawn at random                                       frequencies only
"""

from dataclasses import asdict, dataclass
from typing import Any, Literal

from genderscope.errors import UserError, did_you_mean
from genderscope.models.server_next import next_tokens
from genderscope.models.server_tokens import UnreadableError, tokens_of
from genderscope.models.server_transport import RefusedError, Transport

PROBE = '"I was there.", he said.'
#: Servers bound how many next tokens they tell: vLLM 20 unless told otherwise, OpenAI 5 for completions.
TOPS = (20, 5)

EXPLAINED = {
    "prompt": "prompt log-probabilities",
    "top": "next-token top log-probabilities",
    "sampled": "sampled answers",
}


@dataclass(frozen=True)
class Rung:
    """How a server is asked: what it tells, through which endpoint, in which form, and how many next tokens."""

    name: Literal["prompt", "top", "sampled"]
    through: Literal["completions", "chat"]
    form: str | None = None
    top: int = 0

    def __str__(self) -> str:
        how = f"{self.through}, {self.form}" if self.form else self.through
        return f"{EXPLAINED[self.name]} ({how}{f', the {self.top} likeliest' if self.name == 'top' else ''})"

    def as_json(self) -> dict[str, Any]:
        """Return it as a run records it."""
        return {"explained": str(self), **asdict(self)}


def probe(transport: Transport, model: str) -> Rung:
    """Find the best rung that the server offers for this model."""
    transport.knock()
    refusals: list[RefusedError] = []
    ask = _Asker(transport, model, refusals)
    top = next((count for count in TOPS if ask.gives_next(count)), 0)
    for form in ("prompt_logprobs", "echo"):
        if ask.gives_prompt(form):
            return Rung("prompt", "completions", form, top)
    if top:
        return Rung("top", "completions", None, top)
    if ask.answers("/completions", {"prompt": PROBE}):
        return Rung("sampled", "completions")
    message = {"messages": [{"role": "user", "content": "Say yes."}]}
    for count in TOPS:
        if (found := ask.answers("/chat/completions", {**message, "logprobs": True, "top_logprobs": count})) and (
            next_tokens(found)
        ):
            return Rung("top", "chat", None, count)
    if ask.answers("/chat/completions", message):
        return Rung("sampled", "chat")
    raise UserError(_complaint(transport, model, refusals))


@dataclass
class _Asker:
    transport: Transport
    model: str
    refusals: list[RefusedError]

    def answers(self, path: str, body: dict[str, Any]) -> dict[str, Any] | None:
        """Return the server's answer to a small request, or None where it refuses."""
        limit = {"max_tokens": 1, "temperature": 0}
        try:
            return self.transport.post(path, {"model": self.model, **limit, **body})
        except RefusedError as refusal:
            self.refusals.append(refusal)
            return None

    def gives_next(self, count: int) -> bool:
        found = self.answers("/completions", {"prompt": PROBE, "logprobs": count})
        return found is not None and len(next_tokens(found)) > 1

    def gives_prompt(self, form: str) -> bool:
        """Tell whether the server gives each token of a prompt, and whether they spell the prompt."""
        found = self.answers("/completions", {"prompt": PROBE, **prompt_options(form)})
        if found is None:
            return False
        try:
            tokens = tokens_of(found, PROBE, form)
        except UnreadableError:
            return False
        covered = [span for span in tokens.offsets if span[0] < span[1]]
        return len(covered) > 2 and covered[0][0] == 0 and covered[-1][1] == len(PROBE)


def prompt_options(form: str) -> dict[str, Any]:
    """Return what a request for prompt log-probabilities adds."""
    return {"prompt_logprobs": 0} if form == "prompt_logprobs" else {"echo": True, "logprobs": 1}


def _complaint(transport: Transport, model: str, refusals: list[RefusedError]) -> str:
    """Say why no rung holds: most often the model's name is wrong."""
    names = _names(transport)
    said = refusals[-1].message if refusals else "it gives no answers"
    if names and model not in names:
        return (
            f"The server at {transport.url} has no model '{model}'; it has: {', '.join(names[:10])}."
            f"{did_you_mean(model, names)}"
        )
    return f"The server at {transport.url} does not answer for model '{model}': {said}"


def _names(transport: Transport) -> list[str]:
    try:
        listed = transport.get("/models").get("data", [])
        return [str(each["id"]) for each in listed]
    except (RefusedError, KeyError, TypeError):
        return []
