"""Quantised checkpoints: which method stored the weights, and which package reads them. They are opened as they are."""

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from genderscope.errors import UserError

#: method -> packages without which transformers does not load it
READERS = {
    "aqlm": ("aqlm",),
    "auto-round": ("auto_round",),
    "awq": ("gptqmodel",),
    "bitsandbytes": ("bitsandbytes",),
    "compressed-tensors": ("compressed_tensors",),
    "eetq": ("kernels",),
    "gptq": ("optimum", "gptqmodel"),
    "hqq": ("hqq",),
    "quark": ("quark",),
    "torchao": ("torchao",),
    "vptq": ("vptq",),
}


def quantisation_of(folder: Path) -> str | None:
    """Return how a checkpoint is quantised, such as `bitsandbytes-4bit`; None where it is not."""
    settings = _settings(folder)
    method = settings.get("quant_method") or ("bitsandbytes" if _bits(settings) else None)
    if not isinstance(method, str):
        return None
    bits = _bits(settings)
    return f"{method}-{bits}bit" if bits else method


def require_reader(name: str, folder: Path) -> None:
    """Refuse a quantised checkpoint whose package is not there, before anything is loaded."""
    method = quantisation_of(folder)
    packages = READERS.get(method.rpartition("-")[0] if method and method.endswith("bit") else method or "", ())
    missing = next((package for package in packages if find_spec(package) is None), None)
    if missing is not None:
        raise UserError(
            f"'{name}' is quantised ({method}) and needs the package '{missing}', which is not installed; run: "
            f"pip install {missing.replace('_', '-')}, or use the checkpoint that is not quantised."
        )


def _settings(folder: Path) -> dict[str, Any]:
    try:
        found = json.loads((folder / "config.json").read_bytes()).get("quantization_config")
    except (OSError, ValueError, AttributeError, RecursionError):  # the loader will complain
        return {}
    return found if isinstance(found, dict) else {}


def _bits(settings: dict[str, Any]) -> int | None:
    for key, bits in (("load_in_4bit", 4), ("_load_in_4bit", 4), ("load_in_8bit", 8), ("_load_in_8bit", 8)):
        if settings.get(key) is True:
            return bits
    told = settings.get("bits")
    return told if isinstance(told, int) else None
