"""Device and precision settings; does not import torch, which many models do not need."""

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from genderscope.core.errors import UserError
from genderscope.models.options import DEFAULTS, Remote

if TYPE_CHECKING:
    import torch

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
