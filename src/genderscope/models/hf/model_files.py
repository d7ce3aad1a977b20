"""The files of a model: where a name leads to, and which of them decide what the model answers. No torch here."""

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from genderscope.errors import UserError, did_you_mean
from genderscope.models.settings import Settings
from genderscope.network import is_offline, require_connection, require_encryption

NAMED = ("smollm2",)

#: what the hub accepts as the name of a repository: letters, digits and -_. in one or two parts
_HUB_ID = re.compile(r"\w[\w.-]{0,95}(/\w[\w.-]{0,95})?")

#: What a model needs to run; other frameworks' weights and documentation are not downloaded.
FILES = ["*.json", "*.txt", "*.model", "*.spm", "*.jinja", "*.safetensors"]

PICKLES = "pytorch_model*.bin"

#: Files next to a model that do not affect it: documents, other frameworks' weights, training state.
NO_PART = {".md", ".pdf", ".png", ".jpg", ".svg", ".html", ".log", ".py", ".ipynb", ".gguf"}
NO_PART |= {".h5", ".msgpack", ".onnx", ".ot", ".tflite", ".pt", ".pth"}


#: hub id and whether pickles may be read -> folder, while names are looked up once
_looked_up: ContextVar[dict[tuple[str, bool], Path] | None] = ContextVar("looked_up", default=None)


@contextmanager
def looked_up_once() -> Iterator[None]:
    """Within: a hub id is looked up once, since each time asks the hub; the next run may find another version."""
    if _looked_up.get() is not None:
        yield
        return
    before = _looked_up.set({})
    try:
        yield
    finally:
        _looked_up.reset(before)


def located(reference: str, settings: Settings) -> tuple[str, Path]:
    """Return the name and the folder of a model, which is downloaded if `reference` is a hub id."""
    folder = Path(reference).expanduser()
    if folder.is_dir():
        return folder.resolve().name, folder
    known, key = _looked_up.get(), (reference, settings.allow_pickle)
    found = _from_hub(reference, settings) if known is None or key not in known else known[key]
    if known is not None:
        known[key] = found
    return reference, found


def model_files(folder: Path) -> list[Path]:
    """Return every file that may affect the model's answers: weights, configuration, tokenizer, templates."""
    try:
        beside = list(folder.iterdir())
    except OSError as error:
        raise UserError(f"The folder '{folder}' cannot be read: {error.strerror or error}.") from None
    found = [path for path in beside if path.suffix.lower() not in NO_PART and not path.name.startswith(".")]
    found += (folder / "additional_chat_templates").glob("*.jinja")
    for path in folder.glob("*.json"):
        found += (folder / name for name in _named_in(path))
    return [path for path in found if path.is_file()]


def _named_in(path: Path) -> set[str]:
    """Return the weight files that a configuration or shard index names; they may be in other folders."""
    if path.name != "config.json" and not path.name.endswith(".index.json"):
        return set()
    try:
        held = json.loads(path.read_bytes())
        named = [held["transformers_weights"]] if "transformers_weights" in held else held["weight_map"].values()
        return {name for name in named if isinstance(name, str) and "\0" not in name}
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):  # the loader will complain
        return set()


def pickled(name: str) -> UserError:
    """Return the error for a model that has only pickled weights."""
    return UserError(
        f"'{name}' has no weights in safetensors, only pickled ones if any, and a pickle can run arbitrary code: give "
        "--allow-pickle if you trust where they come from, or convert them to safetensors."
    )


def adapter(name: str) -> UserError:
    """Return the error for a folder that modifies another model."""
    return UserError(
        f"'{name}' holds an adapter (adapter_config.json), which modifies the model next to it; merge it into the "
        "model's weights (PEFT: merge_and_unload, save_pretrained) and name the folder of the merged model."
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
        raise UserError(
            f"The hub has no model '{reference}', or it needs a token (HF_TOKEN) that was not given.{hint}"
        ) from None
    except (LocalEntryNotFoundError, HfHubHTTPError, OSError):
        raise UserError(
            f"Model '{reference}' is not a folder here or in the hub's cache, and the hub cannot be reached; "
            f"give the path of a model folder or try again online.{hint}"
        ) from None
    return folder


def _no_model(reference: str) -> UserError:
    hint = did_you_mean(reference, NAMED)
    return UserError(f"'{reference}' is neither a model folder nor a hub id such as 'org/name'.{hint}")
