"""Opens a model folder or a model of the Hugging Face hub, and tells from its configuration what kind it is."""

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from transformers import AutoConfig

from genderscope.errors import UserError, did_you_mean
from genderscope.models.base import Model
from genderscope.models.causal import CausalModel
from genderscope.models.masked import MaskedModel
from genderscope.models.seq2seq import Seq2SeqTranslator
from genderscope.models.settings import Settings

NAMED = ("smollm2",)

#: What a model needs to run; other frameworks' weights and documentation are not fetched.
FILES = ["*.json", "*.txt", "*.model", "*.jinja", "*.safetensors"]

#: checkpoints of these hold the head that fills masks beside another
PRETRAINING = {f"{family}ForPreTraining" for family in ("Bert", "Roberta", "Albert", "MobileBert")}

PICKLES = "pytorch_model*.bin"

_SAMPLES = 64
_SAMPLE_BYTES = 4096


def open_hf(reference: str, settings: Settings) -> Model:
    """Open `reference`, a folder or a hub id, without loading its weights."""
    folder = Path(reference).expanduser()
    if folder.is_dir():
        return open_folder(folder.resolve().name, folder, settings)
    return open_folder(reference, _from_hub(reference, settings), settings)


def open_folder(name: str, folder: Path, settings: Settings) -> Model:
    """Open a folder in the layout of transformers' save_pretrained."""
    try:
        config = AutoConfig.from_pretrained(folder, trust_remote_code=False)
    except (OSError, ValueError) as error:
        reason = " ".join(str(error).split())[:200]
        raise UserError(f"'{name}' is not a model that transformers can open: {reason}") from None
    model_class = model_class_of(config, name)
    if not settings.allow_pickle and not any(folder.glob("*.safetensors")) and any(folder.glob(PICKLES)):
        raise _pickled(name)
    return model_class(name, folder, config, weights_fingerprint(folder), settings)


def model_class_of(config: Any, name: str) -> Callable[..., Model]:
    """Return the class for a configuration; a kind of model that answers no question is refused with a sentence."""
    from transformers.models.auto import modeling_auto as registered

    masked, causal = registered.MODEL_FOR_MASKED_LM_MAPPING_NAMES, registered.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES
    architecture, kind = (config.architectures or [""])[0], config.model_type
    if getattr(config, "is_encoder_decoder", False):
        if not architecture or architecture.endswith(("ForConditionalGeneration", "MTModel")):
            return Seq2SeqTranslator
    elif getattr(config, "causal", False) and kind in causal:  # XLM and its kin are either, under one name
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


def weights_fingerprint(folder: Path) -> str:
    """Hash what decides the model's output: small files whole, large ones by size and samples spread over them.

    Training or fine-tuning changes numbers everywhere, so samples tell two models apart without reading gigabytes.
    """
    kept = {".json", ".safetensors", ".bin", ".model", ".txt"}
    return sampled_digest(sorted(path for path in folder.iterdir() if path.suffix in kept and path.is_file()))


def sampled_digest(paths: Iterable[Path]) -> str:
    """Hash files by name, size and content: small ones whole, large ones by samples."""
    digest = hashlib.sha256()
    for path in paths:
        size = path.stat().st_size
        digest.update(f"{path.name}\0{size}\0".encode())
        with path.open("rb") as file:
            if size <= 2 * _SAMPLES * _SAMPLE_BYTES:
                digest.update(file.read())
                continue
            for k in range(_SAMPLES):
                file.seek(k * (size - _SAMPLE_BYTES) // (_SAMPLES - 1))
                digest.update(file.read(_SAMPLE_BYTES))
    return digest.hexdigest()[:16]


def _pickled(name: str) -> UserError:
    return UserError(
        f"'{name}' has no weights in safetensors, only pickled ones if any, and a pickle can run any code: give "
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
        folder = Path(snapshot_download(reference, allow_patterns=FILES))
        if not any(folder.glob("*.safetensors")):
            if not settings.allow_pickle:
                raise _pickled(reference)
            folder = Path(snapshot_download(reference, allow_patterns=[*FILES, PICKLES]))
    except HFValidationError:
        raise UserError(f"'{reference}' is neither a model folder nor a hub id such as 'org/name'.{hint}") from None
    except RepositoryNotFoundError:
        raise UserError(
            f"The hub has no model '{reference}', or it needs a token (HF_TOKEN) that was not given.{hint}"
        ) from None
    except (LocalEntryNotFoundError, HfHubHTTPError, OSError):
        raise UserError(
            f"Model '{reference}' is no folder here, is not in the hub's cache, and the hub cannot be reached; "
            f"give the path of a model folder or try again with a network.{hint}"
        ) from None
    return folder
