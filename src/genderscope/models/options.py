"""Model options beyond device and precision: HTTP requests and chat."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from genderscope.core.errors import UserError, option_name
from genderscope.models.http.options import RequestOptions


class ChatOptions(BaseModel):
    """Options for chat models, local or remote."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    temperature: float | None = Field(
        None, ge=0, le=2, description="Set the temperature; default: 0 for translation, 1 for sampling and chat."
    )
    top_p: float = Field(
        1.0, gt=0, le=1, description="Sample from the most likely tokens with this total probability (top-p)."
    )
    max_tokens: int | None = Field(
        None, ge=1, le=100_000, description="Limit replies to this many tokens; default: the measure's limit."
    )
    system: str | None = Field(None, description="Set the system prompt; @FILE reads a file.")
    reasoning_effort: str | None = Field(
        None, description="Set the reasoning effort, in the model's own terms, e.g. low."
    )
    chat_template: str | None = Field(
        None, description="Use this Jinja file instead of a local model's own chat template."
    )


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
