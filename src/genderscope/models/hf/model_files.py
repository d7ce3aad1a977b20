"""Finds or downloads a model's folder, lists the files that affect its answers, and reads how it is quantised."""

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from genderscope.core.errors import UserError, did_you_mean
from genderscope.core.network import available_offline, is_offline, require_connection, require_encryption
from genderscope.models.settings import Settings

NAMED = ("smollm2",)

#: valid hub repository names: letters, digits and -_. in one or two parts
_HUB_ID = re.compile(r"\w[\w.-]{0,95}(/\w[\w.-]{0,95})?")

#: patterns of files to download; weights for other frameworks and documentation are not needed
FILES = ["*.json", "*.txt", "*.model", "*.spm", "*.jinja", "*.safetensors"]

PICKLES = "pytorch_model*.bin"

#: suffixes of files that do not affect answers: documentation, other frameworks' weights, training state
NO_PART = {".md", ".pdf", ".png", ".jpg", ".svg", ".html", ".log", ".py", ".ipynb", ".gguf"}
NO_PART |= {".h5", ".msgpack", ".onnx", ".ot", ".tflite", ".pt", ".pth"}


#: (hub id, whether pickles are allowed) -> folder, cached within `hub_queried_once`
_folders: ContextVar[dict[tuple[str, bool], Path] | None] = ContextVar("folders", default=None)


@contextmanager
def hub_queried_once() -> Iterator[None]:
    """Query the hub only once per id within this block; a later block may get a newer version."""
    if _folders.get() is not None:
        yield
        return
    before = _folders.set({})
    try:
        yield
    finally:
        _folders.reset(before)


def find_folder(reference: str, settings: Settings) -> tuple[str, Path]:
    """Return a model's name and folder, downloading it from the hub if necessary."""
    folder = Path(reference).expanduser()
    if folder.is_dir():
        return folder.resolve().name, folder
    folders, key = _folders.get(), (reference, settings.allow_pickle)
    if folders is None:
        return reference, _from_hub(reference, settings)
    if key not in folders:
        folders[key] = _from_hub(reference, settings)
    return reference, folders[key]


def model_files(folder: Path) -> list[Path]:
    """Return all files that may affect the model's answers: weights, configuration, tokenizer, templates."""
    try:
        listed = list(folder.iterdir())
    except OSError as error:
        raise UserError(f"The folder '{folder}' cannot be read: {error.strerror or error}.") from None
    files = [path for path in listed if path.suffix.lower() not in NO_PART and not path.name.startswith(".")]
    files += (folder / "additional_chat_templates").glob("*.jinja")
    for path in folder.glob("*.json"):
        files += (folder / name for name in _weight_files(path))
    return [path for path in files if path.is_file()]


def _weight_files(path: Path) -> set[str]:
    """Return the weight files listed in a configuration or shard index; they may be in other folders."""
    if path.name != "config.json" and not path.name.endswith(".index.json"):
        return set()
    try:
        content = json.loads(path.read_bytes())
        key = "transformers_weights"
        names = [content[key]] if key in content else content["weight_map"].values()
        return {name for name in names if isinstance(name, str) and "\0" not in name}
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):  # loading reports the error
        return set()


def pickled(name: str) -> UserError:
    """Return the error for a model without safetensors weights (only pickles, if any)."""
    return UserError(
        f"'{name}' has no safetensors weights, and pickled weights can run arbitrary code; convert them to safetensors "
        "or pass --allow-pickle if you trust their source."
    )


def unsupported(name: str, architecture: str) -> UserError:
    """Return the error for a model that is neither a language model nor a translation model."""
    return UserError(
        f"'{name}' is a {architecture} model, which does not fill blanks or translate; "
        "use a masked, causal or translation model."
    )


def _from_hub(reference: str, settings: Settings) -> Path:
    if not _HUB_ID.fullmatch(reference):
        raise _no_model(reference)
    from huggingface_hub import get_token, snapshot_download
    from huggingface_hub.constants import HF_HUB_OFFLINE
    from huggingface_hub.errors import (
        HfHubHTTPError,
        HFValidationError,
        LocalEntryNotFoundError,
        RepositoryNotFoundError,
    )

    hint = did_you_mean(reference, NAMED)
    if not (is_offline() or HF_HUB_OFFLINE):
        require_connection("socksio")
        if (endpoint := os.environ.get("HF_ENDPOINT")) and get_token() is not None:
            require_encryption(endpoint, "HF_TOKEN")
    try:
        folder = Path(snapshot_download(reference, allow_patterns=FILES, local_files_only=is_offline()))
        if not any(folder.glob("*.safetensors")):
            if not settings.allow_pickle:
                raise pickled(reference)
            every = [*FILES, PICKLES]
            folder = Path(snapshot_download(reference, allow_patterns=every, local_files_only=is_offline()))
    except HFValidationError:
        raise _no_model(reference) from None
    except RepositoryNotFoundError:
        raise UserError(f"The hub has no model '{reference}', or it requires a token; set HF_TOKEN.{hint}") from None
    except (LocalEntryNotFoundError, HfHubHTTPError, OSError):
        raise UserError(
            f"Model '{reference}' is neither a local folder nor in the hub's cache, and the hub cannot be reached; "
            f"give the path of a model folder or try again online; {available_offline('model')}.{hint}"
        ) from None
    return folder


def _no_model(reference: str) -> UserError:
    hint = did_you_mean(reference, NAMED)
    return UserError(f"'{reference}' is neither a model folder nor a hub id such as 'org/name'.{hint}")


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
