"""Quantised checkpoints: their method, and the packages that transformers needs to load them."""

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from genderscope.core.errors import UserError

#: quantisation method -> packages that transformers needs to load it
READERS: dict[str, tuple[str, ...]] = {
    **{name: (name,) for name in ("aqlm", "bitsandbytes", "hqq", "quark", "torchao", "vptq")},
    **{"auto-round": ("auto_round",), "compressed-tensors": ("compressed_tensors",)},
    **{"awq": ("gptqmodel",), "eetq": ("kernels",), "gptq": ("optimum", "gptqmodel")},
}


def quantisation_of(folder: Path) -> str | None:
    """Return a checkpoint's quantisation, such as `bitsandbytes-4bit`, or None if it is not quantised."""
    settings = _settings(folder)
    bits = _bits(settings)
    method = settings.get("quant_method") or ("bitsandbytes" if bits else None)
    if not isinstance(method, str):
        return None
    return f"{method}-{bits}bit" if bits else method


def require_package(name: str, folder: Path) -> None:
    """Raise `UserError` if a package for loading a quantised checkpoint is not installed."""
    method = quantisation_of(folder)
    packages = READERS.get(method.rpartition("-")[0] if method and method.endswith("bit") else method or "", ())
    missing = next((package for package in packages if find_spec(package) is None), None)
    if missing is not None:
        raise UserError(
            f"'{name}' is quantised ({method}) and needs the package '{missing}', which is not installed; run: "
            f"pip install {missing.replace('_', '-')}, or use an unquantised checkpoint."
        )


def _settings(folder: Path) -> dict[str, Any]:
    try:
        settings = json.loads((folder / "config.json").read_bytes()).get("quantization_config")
    except (OSError, ValueError, AttributeError, RecursionError):  # loading reports the error
        return {}
    return settings if isinstance(settings, dict) else {}


def _bits(settings: dict[str, Any]) -> int | None:
    for key, count in (("load_in_4bit", 4), ("_load_in_4bit", 4), ("load_in_8bit", 8), ("_load_in_8bit", 8)):
        if settings.get(key) is True:
            return count
    bits = settings.get("bits")
    return bits if isinstance(bits, int) else None
