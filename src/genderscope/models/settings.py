"""The user's choice of device and precision; imports no torch, so that models that do not need it open without it."""

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from genderscope.errors import UserError
from genderscope.models.options import DEFAULTS, Remote

if TYPE_CHECKING:
    import torch

DEVICE_MAPS = ("auto", "balanced", "balanced_low_0", "sequential")
DTYPES = ("float32", "bfloat16", "float16")
#: files that a driver of graphics cards leaves in /dev: NVIDIA's, AMD's, that of Windows for Linux
DRIVERS = ("nvidiactl", "nvidia0", "kfd", "dxg", "nvhost-ctrl")

#: what PyTorch may run on; whether this machine has it is found out when the model is opened
_DEVICE = re.compile(r"auto|(cpu|cuda|mps|xpu|hpu|npu|mtia|xla)(:\d+)?")


def _unknown_device(device: str) -> UserError:
    return UserError(f"Unknown device '{device}'; use auto, cpu, cuda, cuda:N, mps or map.")


@dataclass(frozen=True)
class Settings:
    """How a model is run: the user's choice of device and precision."""

    device: str = "auto"
    dtype: str = "float32"
    #: beam size for translations
    beams: int = 4
    #: options of models behind HTTP
    remote: Remote = DEFAULTS
    #: whether weights may be unpickled, which can run arbitrary code
    allow_pickle: bool = False
    #: whether files are hashed even if their hash is cached
    rehash: bool = False

    def check_names(self) -> None:
        """Refuse what is no device or no precision, before anything is imported for it."""
        if self.dtype not in DTYPES:
            raise UserError(f"Unknown dtype '{self.dtype}'; use one of {', '.join(DTYPES)}.")
        if self.device_map is None and not _DEVICE.fullmatch(self.device):
            raise _unknown_device(self.device)

    @property
    def device_map(self) -> str | None:
        """How accelerate spreads the model over devices, or None if it is on one."""
        kind, _, how = self.device.partition(":")
        if kind != "map":
            return None
        if (how or "auto") not in DEVICE_MAPS:
            raise UserError(f"Unknown device map '{how}'; use map or map: with one of {', '.join(DEVICE_MAPS)}.")
        return how or "auto"

    def require_driver(self) -> None:
        """Refuse a graphics card where there is no driver for one; torch need not be imported to know that."""
        driven = sys.platform != "linux" or any(Path("/dev", name).exists() for name in DRIVERS)
        if self.device.startswith("cuda") and not driven:
            raise self._none_here()
        if self.device.startswith("mps") and sys.platform != "darwin":
            raise self._none_here()

    def _none_here(self) -> UserError:
        kind = self.device.partition(":")[0].upper()
        return UserError(
            f"Device '{self.device}' was asked for but this machine has no {kind} device; use --device cpu."
        )

    def torch_device(self) -> "torch.device":
        """Return the device to run on; refuse one that does not exist."""
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
            raise UserError(
                f"Device '{self.device}' was asked for but there are only {torch.cuda.device_count()} devices."
            )
        try:
            torch.empty(0, device=device)
        except (RuntimeError, AssertionError, ImportError):  # torch was built without it
            raise self._none_here() from None
        return device

    def torch_dtype(self) -> "torch.dtype":
        """Return the precision to run in."""
        import torch

        self.check_names()
        return cast("torch.dtype", getattr(torch, self.dtype))
