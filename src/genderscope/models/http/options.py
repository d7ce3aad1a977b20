"""Options for models behind HTTP and for models that chat; other kinds of models ignore them."""

import math
import os
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from genderscope.errors import UserError


class Remote(BaseModel):
    """Options of servers, services and chat models. The first three change how long a run takes."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    concurrency: int = Field(8, ge=1, le=512, description="Servers and services: concurrent requests.")
    timeout: float = Field(60.0, gt=0, description="Servers and services: timeout for a whole answer, in seconds.")
    retries: int = Field(6, ge=0, le=100, description="Servers and services: retries after a failed request.")
    prompt: str | None = Field(
        None, description="Servers that translate: prompt template, with {text}, {source} and {target}; @FILE reads it."
    )
    samples: int = Field(
        20, ge=1, le=10_000, description="Servers without log-probabilities: answers to sample per question."
    )
    temperature: float | None = Field(
        None,
        ge=0,
        le=2,
        description="Servers and chat models: temperature; default 0 to translate and 1 to draw answers or to chat.",
    )
    top_p: float = Field(
        1.0, gt=0, le=1, description="Chat models: draw from the likeliest tokens that hold this much probability."
    )
    max_tokens: int | None = Field(
        None, ge=1, le=100_000, description="Chat models: longest reply, in tokens; the default is the measure's."
    )
    system: str | None = Field(None, description="Chat models: system prompt; @FILE reads it.")
    reasoning_effort: str | None = Field(
        None, description="Chat models that reason: how much, in the model's own words, such as low."
    )
    chat_template: str | None = Field(
        None, description="Local chat models: file with the chat template (Jinja) in place of the model's own."
    )
    price_in: float | None = Field(
        None, ge=0, description="Servers that chat: price of a million tokens of input, to tell the cost beforehand."
    )
    price_out: float | None = Field(None, ge=0, description="Servers that chat: price of a million tokens of output.")
    yes: bool = Field(False, description="Paid services: proceed without asking.")


#: the defaults
AS_USUAL = Remote.model_validate({})


def remote_of(given: Mapping[str, Any], remote: Remote | None = None) -> Remote:
    """Build the options of servers and services: those given by name override those of `remote`."""
    if not isinstance(remote, Remote | None):
        raise UserError(f"The option remote is {remote!r}; give a genderscope.models.Remote.")
    try:
        return Remote(**{**(remote or AS_USUAL).model_dump(), **given})
    except ValidationError as error:
        first = error.errors()[0]
        message = f"{first['msg'][0].lower()}{first['msg'][1:]}"
        raise UserError(f"Option --{first['loc'][0]} is {first['input']!r}: {message}.") from None


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
