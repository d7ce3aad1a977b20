"""Settings of models: device, precision, HTTP requests and chat; does not import torch, which takes seconds."""

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError

from genderscope.core.errors import UserError, option_name
from genderscope.models.http.requests import FIRST, MOST, Spending

if TYPE_CHECKING:
    import torch


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


DEVICE_MAPS = ("auto", "balanced", "balanced_low_0", "sequential")
DTYPES = ("float32", "bfloat16", "float16")
#: device files of GPU drivers in /dev: NVIDIA, AMD, WSL, Tegra
DRIVERS = ("nvidiactl", "nvidia0", "kfd", "dxg", "nvhost-ctrl")

#: PyTorch device names; whether the device exists is checked when the model is opened
_DEVICE = re.compile(r"auto|(cpu|cuda|mps|xpu|hpu|npu|mtia|xla)(:\d+)?")


def _unknown_device(device: str) -> UserError:
    return UserError(f"Unknown device '{device}'; use auto, cpu, cuda, cuda:N, mps or map.")


@dataclass(frozen=True)
class Settings:
    """How to run a model: device, precision and other options chosen by the user."""

    device: str = "auto"
    dtype: str = "float32"
    #: beam size for translation
    beams: int = 4
    #: options for remote and chat models
    remote: Remote = DEFAULTS
    #: whether weights may be unpickled, which can execute arbitrary code
    allow_pickle: bool = False
    #: whether to hash files even if their hashes are cached
    rehash: bool = False

    def check_names(self) -> None:
        """Raise `UserError` for an unknown device or precision, without importing torch."""
        if self.dtype not in DTYPES:
            raise UserError(f"Unknown dtype '{self.dtype}'; use one of {', '.join(DTYPES)}.")
        if self.device_map is None and not _DEVICE.fullmatch(self.device):
            raise _unknown_device(self.device)

    @property
    def device_map(self) -> str | None:
        """The accelerate device map, or None if the model runs on a single device."""
        kind, _, how = self.device.partition(":")
        if kind != "map":
            return None
        if (how or "auto") not in DEVICE_MAPS:
            raise UserError(f"Unknown device map '{how}'; use map or map: followed by one of {', '.join(DEVICE_MAPS)}.")
        return how or "auto"

    @property
    def expects_gpu(self) -> bool:
        """Whether the model will probably run on a GPU, without importing torch; with `auto`, if there is a driver."""
        return self.device != "cpu" and (self.device != "auto" or any(Path("/dev", name).exists() for name in DRIVERS))

    def require_driver(self) -> None:
        """Raise `UserError` if the GPU has no driver on this machine, without importing torch."""
        driven = sys.platform != "linux" or any(Path("/dev", name).exists() for name in DRIVERS)
        if self.device.startswith("cuda") and not driven:
            raise self._none_here()
        if self.device.startswith("mps") and sys.platform != "darwin":
            raise self._none_here()

    def _none_here(self) -> UserError:
        kind = self.device.partition(":")[0].upper()
        return UserError(f"Device '{self.device}' is unavailable: this machine has no {kind} device; use --device cpu.")

    def torch_device(self) -> "torch.device":
        """Return the torch device; raise `UserError` if it does not exist."""
        import torch

        if self.device == "auto" or self.device_map is not None:
            return torch.device("cuda" if torch.cuda.is_available() else "cpu")
        try:
            device = torch.device(self.device)
        except RuntimeError:
            raise _unknown_device(self.device) from None
        if device.type == "cuda" and not torch.cuda.is_available():
            raise self._none_here()
        if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
            raise UserError(f"Device '{self.device}' is unavailable; number of GPUs: {torch.cuda.device_count()}.")
        try:
            torch.empty(0, device=device)
        except (RuntimeError, AssertionError, ImportError):  # torch was built without support for it
            raise self._none_here() from None
        return device

    def torch_dtype(self) -> "torch.dtype":
        """Return the torch dtype."""
        import torch

        self.check_names()
        return cast("torch.dtype", getattr(torch, self.dtype))
