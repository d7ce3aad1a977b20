"""Opens model folders; selects the model class from the configuration."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from transformers import AutoConfig

from genderscope.core.errors import UserError
from genderscope.models.base import Model
from genderscope.models.digest import contents_of
from genderscope.models.hf.causal_choice import CausalModel
from genderscope.models.hf.masked_choice import MaskedModel
from genderscope.models.hf.model_files import model_files, unsupported
from genderscope.models.hf.weights import one_line
from genderscope.models.settings import Settings

#: classes whose checkpoints contain a masked-LM head in addition to another head
PRETRAINING = {f"{family}ForPreTraining" for family in ("Bert", "Roberta", "Albert", "MobileBert")}

#: function that returns the model class for a configuration and a name (for error messages)
ClassOf = Callable[[Any, str], Callable[..., Model]]


def open_folder(name: str, folder: Path, settings: Settings, class_of: ClassOf | None = None) -> Model:
    """Open a folder written by `save_pretrained`, as a language model unless `class_of` is given."""
    model_class = (class_of or model_class_of)(_config(folder, name), name)
    contents = contents_of(model_files(folder), folder, settings.rehash)
    # The configuration is read again after hashing, so that everything used from here on matches the hashes.
    return model_class(name, folder, _config(folder, name), contents, settings)


def _config(folder: Path, name: str) -> Any:
    try:
        return AutoConfig.from_pretrained(folder, trust_remote_code=False)
    except MemoryError:
        raise
    except Exception as error:  # transformers can raise any exception for an invalid value
        raise UserError(f"'{name}' is not a model that transformers can open: {one_line(error)[:200]}") from None


def model_class_of(config: Any, name: str) -> Callable[..., Model]:
    """Return the model class for a configuration; raise `UserError` if such a model cannot answer any questions."""
    from transformers.models.auto import modeling_auto as registered

    masked, causal = registered.MODEL_FOR_MASKED_LM_MAPPING_NAMES, registered.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES
    architecture, kind = (config.architectures or [""])[0], config.model_type
    if getattr(config, "is_encoder_decoder", False):
        pass  # translation models have their own class; other encoder-decoders are unsupported
    elif getattr(config, "causal", False) and kind in causal:  # XLM-like models can be causal or masked
        return CausalModel
    elif architecture == masked.get(kind, "") or architecture.endswith("ForMaskedLM") or architecture in PRETRAINING:
        return MaskedModel
    elif architecture == causal.get(kind, "") or architecture.endswith(("ForCausalLM", "LMHeadModel")):
        return CausalModel
    elif not architecture and kind in masked | causal:
        return MaskedModel if kind in masked else CausalModel
    raise unsupported(name, architecture or config.model_type)
