"""Opens a model folder or a model from the Hugging Face hub, and determines its kind from its configuration."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from transformers import AutoConfig

from genderscope.errors import UserError, did_you_mean
from genderscope.models.base import Model
from genderscope.models.digest import contents_of
from genderscope.models.hf.causal import CausalModel
from genderscope.models.hf.masked import MaskedModel
from genderscope.models.settings import Settings
from genderscope.network import is_offline

NAMED = ("smollm2",)

#: What a model needs to run; other frameworks' weights and documentation are not downloaded.
FILES = ["*.json", "*.txt", "*.model", "*.spm", "*.jinja", "*.safetensors"]

#: checkpoints of these contain the masked-LM head next to another
PRETRAINING = {f"{family}ForPreTraining" for family in ("Bert", "Roberta", "Albert", "MobileBert")}

PICKLES = "pytorch_model*.bin"

#: Files next to a model that do not affect it: documents, other frameworks' weights, training state.
NO_PART = {".md", ".pdf", ".png", ".jpg", ".svg", ".html", ".log", ".py", ".ipynb", ".gguf"}
NO_PART |= {".h5", ".msgpack", ".onnx", ".ot", ".tflite", ".pt", ".pth"}


#: returns the model class for a configuration, given a name for messages
ClassOf = Callable[[Any, str], Callable[..., Model]]


def open_reference(reference: str, settings: Settings, class_of: ClassOf) -> Model:
    """Open `reference`, a folder or a hub id, without loading its weights."""
    folder = Path(reference).expanduser()
    if folder.is_dir():
        return open_folder(folder.resolve().name, folder, settings, class_of)
    return open_folder(reference, _from_hub(reference, settings), settings, class_of)


def open_folder(name: str, folder: Path, settings: Settings, class_of: ClassOf | None = None) -> Model:
    """Open a folder written by save_pretrained; without `class_of`, a language model."""
    model_class = (class_of or model_class_of)(_config(folder, name), name)
    if (folder / "adapter_config.json").is_file():
        raise UserError(
            f"'{name}' holds an adapter (adapter_config.json), which modifies the model next to it; merge it into the "
            "model's weights (PEFT: merge_and_unload, save_pretrained) and name the folder of the merged model."
        )
    if not settings.allow_pickle and not any(folder.glob("*.safetensors")) and any(folder.glob(PICKLES)):
        raise _pickled(name)
    contents = contents_of(model_files(folder), folder, settings.rehash)
    # Read again now: everything loaded from here on is checked against what was hashed.
    return model_class(name, folder, _config(folder, name), contents, settings)


def _config(folder: Path, name: str) -> Any:
    try:
        return AutoConfig.from_pretrained(folder, trust_remote_code=False)
    except (OSError, ValueError) as error:
        reason = " ".join(str(error).split())[:200]
        raise UserError(f"'{name}' is not a model that transformers can open: {reason}") from None


def model_class_of(config: Any, name: str) -> Callable[..., Model]:
    """Return the class for a configuration; refuse a kind of model that cannot answer any question."""
    from transformers.models.auto import modeling_auto as registered

    masked, causal = registered.MODEL_FOR_MASKED_LM_MAPPING_NAMES, registered.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES
    architecture, kind = (config.architectures or [""])[0], config.model_type
    if getattr(config, "is_encoder_decoder", False):
        pass  # translation models are not language models; the others cannot answer any question
    elif getattr(config, "causal", False) and kind in causal:  # XLM and its relatives can be either, under one name
        return CausalModel
    elif architecture == masked.get(kind, "") or architecture.endswith("ForMaskedLM") or architecture in PRETRAINING:
        return MaskedModel
    elif architecture == causal.get(kind, "") or architecture.endswith(("ForCausalLM", "LMHeadModel")):
        return CausalModel
    elif not architecture and kind in masked | causal:
        return MaskedModel if kind in masked else CausalModel
    raise UserError(
        f"'{name}' is a {architecture or config.model_type} model, which does not fill blanks or translate; "
        "use a masked, causal or translation model."
    )


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


def _pickled(name: str) -> UserError:
    return UserError(
        f"'{name}' has no weights in safetensors, only pickled ones if any, and a pickle can run arbitrary code: give "
        "--allow-pickle if you trust where they come from, or convert them to safetensors."
    )


def _from_hub(reference: str, settings: Settings) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import (
        HfHubHTTPError,
        HFValidationError,
        LocalEntryNotFoundError,
        RepositoryNotFoundError,
    )

    hint = did_you_mean(reference, NAMED)
    try:
        folder = Path(snapshot_download(reference, allow_patterns=FILES, local_files_only=is_offline()))
        if not any(folder.glob("*.safetensors")):
            if not settings.allow_pickle:
                raise _pickled(reference)
            every = [*FILES, PICKLES]
            folder = Path(snapshot_download(reference, allow_patterns=every, local_files_only=is_offline()))
    except HFValidationError:
        raise UserError(f"'{reference}' is neither a model folder nor a hub id such as 'org/name'.{hint}") from None
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
