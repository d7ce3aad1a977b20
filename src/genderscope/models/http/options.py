"""Options for requests to servers and services; other kinds of models ignore them."""

import math
import os

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from genderscope.errors import UserError, option_name
from genderscope.models.http.spending import Spending


class RequestOptions(BaseModel):
    """Options for requests over HTTP. The first three only affect how long a run takes."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    concurrency: int = Field(8, ge=1, le=512, description="Servers and services: concurrent requests.")
    timeout: float = Field(
        60.0, gt=0, le=86_400, description="Servers and services: timeout for a whole answer, in seconds."
    )
    retries: int = Field(6, ge=0, le=100, description="Servers and services: retries after a failed request.")
    prompt: str | None = Field(
        None, description="Servers that translate: prompt template, with {text}, {source} and {target}; @FILE reads it."
    )
    samples: int = Field(
        20, ge=1, le=10_000, description="Servers without log-probabilities: answers to sample per question."
    )
    price_in: float | None = Field(
        None, ge=0, description="Servers that chat: price per million input tokens, to estimate the cost."
    )
    price_out: float | None = Field(None, ge=0, description="Servers that chat: price per million output tokens.")
    price: float | None = Field(None, ge=0, description="Translation services: price per million characters.")
    max_requests: int | None = Field(
        None, ge=0, description="Servers and services: stop before this many requests are exceeded, retries included."
    )
    max_cost: float | None = Field(
        None, ge=0, description="Servers and services: stop before this cost is exceeded, at the prices given."
    )
    key_env: str | None = Field(
        None,
        pattern=r"^[A-Za-z_][A-Za-z0-9_]*$",
        description="Servers: environment variable that holds the key; default: GENDERSCOPE_API_KEY.",
    )
    allow_http: bool = Field(False, description="Allow keys to be sent to other machines over unencrypted http.")
    yes: bool = Field(False, description="Paid services: proceed without asking.")

    _spending: Spending = PrivateAttr(default_factory=Spending)

    @property
    def spending(self) -> Spending:
        """Requests and costs so far, over all models opened with these options."""
        return self._spending

    def tokens_cost(self, sent: int, received: int) -> float:
        """Return the cost of this many tokens."""
        return (sent * (self.price_in or 0) + received * (self.price_out or 0)) / 1e6

    def characters_cost(self, characters: int) -> float:
        """Return the cost of translating this many characters."""
        return characters * (self.price or 0) / 1e6

    def require_prices(self, *names: str) -> None:
        """Refuse --max-cost if a price that it needs is missing."""
        missing = [option_name(name) for name in names if getattr(self, name) is None]
        if self.max_cost is not None and missing:
            raise UserError(f"--max-cost needs prices to count with; give {' and '.join(missing)} (per million) too.")


def first_pause() -> float:
    """Return the seconds to wait before the first retry: GENDERSCOPE_BACKOFF, or one."""
    text = os.environ.get("GENDERSCOPE_BACKOFF", "1")
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds < math.inf:
        raise UserError(f"GENDERSCOPE_BACKOFF is '{text}'; give the seconds before the first retry, such as 1.")
    return seconds
