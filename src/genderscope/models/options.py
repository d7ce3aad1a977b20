"""Model options beyond device and precision: HTTP requests and chat."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError

from genderscope.core.errors import UserError, option_name
from genderscope.models.http.concurrency import FIRST, MOST
from genderscope.models.http.spending import Spending

#: price of a batch job as a share of the price of single requests, at OpenAI and at Anthropic
BATCH_PRICE = 0.5


class RequestOptions(BaseModel):
    """Options for requests over HTTP. The first three affect only a run's duration."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    concurrency: int | None = Field(
        None,
        ge=1,
        le=512,
        description=f"Send this many requests at a time; default: {FIRST}, and up to {MOST} to servers and chat models "
        "as long as that is faster.",
    )
    timeout: float = Field(60.0, gt=0, le=86_400, description="Wait at most this many seconds for a complete answer.")
    retries: int = Field(6, ge=0, le=100, description="Retry a failed request this many times.")
    prompt: str | None = Field(
        None,
        description="Translate with this prompt, filling in {text}, {source} and {target}; @FILE reads a file.",
    )
    samples: int = Field(
        20,
        ge=1,
        le=10_000,
        description="Sample this many answers per question if a server returns no log-probabilities.",
    )
    price_in: float | None = Field(None, ge=0, description="Price per million input tokens, for cost estimates.")
    price_out: float | None = Field(None, ge=0, description="Price per million output tokens.")
    price: float | None = Field(None, ge=0, description="Price per million characters for a translation service.")
    max_requests: int | None = Field(None, ge=0, description="Send at most this many requests, including retries.")
    max_cost: float | None = Field(None, ge=0, description="Stop before exceeding this cost, at the given prices.")
    require_model: bool = Field(
        False, description="Stop (exit code 5) if the server says that another model gave an answer."
    )
    batch: bool = Field(
        False, description="Send all questions as a batch job, at half the price, and wait for it (OpenAI, Anthropic)."
    )
    key_env: str | None = Field(
        None,
        pattern=r"^[A-Za-z_][A-Za-z0-9_]*$",
        description="Read the server's API key from this environment variable; default: GENDERSCOPE_API_KEY.",
    )
    allow_http: bool = Field(False, description="Allow sending API keys to other machines over unencrypted HTTP.")
    yes: bool = Field(False, description="Use paid services without asking for confirmation.")

    _spending: Spending = PrivateAttr(default_factory=Spending)

    @property
    def spending(self) -> Spending:
        """Requests and costs so far, across all models opened with these options."""
        return self._spending

    def tokens_cost(self, sent: int, received: int, in_batch: bool = False) -> float:
        """Return the cost of these input and output tokens, in a batch job or in single requests."""
        price = BATCH_PRICE if in_batch else 1.0
        return price * (sent * (self.price_in or 0) + received * (self.price_out or 0)) / 1e6

    def characters_cost(self, characters: int) -> float:
        """Return the cost of translating this many characters."""
        return characters * (self.price or 0) / 1e6

    def require_prices(self, *names: str) -> None:
        """Raise if --max-cost is set but a required price is missing."""
        missing = [option_name(name) for name in names if getattr(self, name) is None]
        if self.max_cost is not None and missing:
            raise UserError(f"--max-cost requires prices; also set {' and '.join(missing)} (per million).")


class ChatOptions(BaseModel):
    """Options for chat models, local or remote."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    temperature: float | None = Field(
        None, ge=0, le=2, description="Set the temperature; default: 0 for translation, 1 for sampling and chat."
    )
    top_p: float = Field(1.0, gt=0, le=1, description="Sample from the top tokens with this total probability (top-p).")
    max_tokens: int | None = Field(
        None, ge=1, le=100_000, description="Limit replies to this many tokens; default: the measure's limit."
    )
    system: str | None = Field(None, description="Set the system prompt; @FILE reads a file.")
    reasoning_effort: str | None = Field(None, description="Set the reasoning effort in the model's terms, e.g. low.")
    chat_template: str | None = Field(None, description="Use this Jinja file instead of a local model's chat template.")


class Remote(ChatOptions, RequestOptions):
    """Options for servers, services and chat models."""


DEFAULTS = Remote.model_validate({})


def remote_of(given: Mapping[str, Any], remote: Remote | None = None) -> Remote:
    """Return `remote` (or the defaults), updated with the given options."""
    if not isinstance(remote, Remote | None):
        raise UserError(f"The option remote is {remote!r}; it must be a genderscope.models.Remote.")
    try:
        return Remote(**{**(remote or DEFAULTS).model_dump(), **given})
    except ValidationError as error:
        first = error.errors()[0]
        message = f"{first['msg'][0].lower()}{first['msg'][1:]}"
        raise UserError(f"Option {option_name(str(first['loc'][0]))} is {first['input']!r}: {message}.") from None
