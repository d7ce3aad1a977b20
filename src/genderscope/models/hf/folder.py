"""Opens a model folder or hub id, and chooses the model class from its configuration."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from transformers import AutoConfig

from genderscope.errors import UserError
from genderscope.models.base import Model
from genderscope.models.digest import contents_of
from genderscope.models.hf.causal import CausalModel
from genderscope.models.hf.masked import MaskedModel
from genderscope.models.hf.model_files import find_folder, model_files, unsupported
from genderscope.models.settings import Settings

#: classes whose checkpoints contain a masked-LM head besides another
PRETRAINING = {f"{family}ForPreTraining" for family in ("Bert", "Roberta", "Albert", "MobileBert")}

#: returns the model class for a configuration; the name is for messages
ClassOf = Callable[[Any, str], Callable[..., Model]]


def open_reference(reference: str, settings: Settings, class_of: ClassOf) -> Model:
    """Open `reference`, a folder or a hub id, without loading its weights."""
    return open_folder(*find_folder(reference, settings), settings, class_of)


def open_folder(name: str, folder: Path, settings: Settings, class_of: ClassOf | None = None) -> Model:
    """Open a folder written by save_pretrained; without `class_of`, a language model."""
    model_class = (class_of or model_class_of)(_config(folder, name), name)
    contents = contents_of(model_files(folder), folder, settings.rehash)
    # Read again after hashing: everything loaded from here on is checked against the hashes.
    return model_class(name, folder, _config(folder, name), contents, settings)


def _config(folder: Path, name: str) -> Any:
    try:
        return AutoConfig.from_pretrained(folder, trust_remote_code=False)
    except MemoryError:
        raise
    except Exception as error:  # transformers raises any exception for an invalid value
        reason = " ".join(str(error).split())[:200]
        raise UserError(f"'{name}' is not a model that transformers can open: {reason}") from None


def model_class_of(config: Any, name: str) -> Callable[..., Model]:
    """Return the model class for a configuration; refuse architectures that cannot answer any question."""
    from transformers.models.auto import modeling_auto as registered

    masked, causal = registered.MODEL_FOR_MASKED_LM_MAPPING_NAMES, registered.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES
    architecture, kind = (config.architectures or [""])[0], config.model_type
    if getattr(config, "is_encoder_decoder", False):
        pass  # translation models have their own class; other encoder-decoders cannot answer any question
    elif getattr(config, "causal", False) and kind in causal:  # XLM and its relatives can be either, under one name
        return CausalModel
    elif architecture == masked.get(kind, "") or architecture.endswith("ForMaskedLM") or architecture in PRETRAINING:
        return MaskedModel
    elif architecture == causal.get(kind, "") or architecture.endswith(("ForCausalLM", "LMHeadModel")):
        return CausalModel
    elif not architecture and kind in masked | causal:
        return MaskedModel if kind in masked else CausalModel
    raise unsupported(name, architecture or config.model_type)
