"""Opens transformers language and translation models (`hf:`), from a folder or the hub."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from genderscope.core.errors import UserError
from genderscope.models.base import Model
from genderscope.models.digest import Contents
from genderscope.models.hf.folder import model_class_of, open_folder
from genderscope.models.hf.loaded_model import LoadedModel, unwrapped
from genderscope.models.hf.model_files import find_folder
from genderscope.models.hf.tokenizer import require_fast
from genderscope.models.settings import Settings
from genderscope.models.translation.seq2seq import Seq2SeqTranslator


def open_hf(reference: str, settings: Settings) -> Model:
    """Open a model from a folder or hub id, without loading its weights."""
    return open_folder(*find_folder(reference, settings), settings, class_of)


def open_loaded(model: Any, tokenizer: Any, device: str = "auto", dtype: str | None = None) -> Model:
    """Open a transformers model that is already loaded; it still belongs to the caller.

    Args:
        model: A masked or causal language model; wrappers from distributed training or PEFT are unwrapped.
        tokenizer: Its fast tokenizer.
        device: Device for the measurement; the model is moved back afterwards. `auto` leaves it where it is.
        dtype: Must match the model's precision; None accepts any.
    """
    loaded = LoadedModel(unwrapped(model), tokenizer)
    if not hasattr(loaded.model, "config") or not hasattr(loaded.model, "get_output_embeddings"):
        raise UserError(
            f"The model is an object of the class {type(model).__module__}.{type(model).__qualname__}, which "
            "is not a transformers language model."
        )
    kind = model_class_of(loaded.config, loaded.name)
    require_fast(tokenizer, loaded.name)
    settings = loaded.settings(device, dtype)
    return kind(loaded.name, Path(), loaded.config, Contents(loaded.digest()), settings, loaded)


def class_of(config: Any, name: str) -> Callable[..., Model]:
    """Return the class for a configuration; raise `UserError` if the model cannot answer any questions."""
    architecture = (config.architectures or [""])[0]
    translates = not architecture or architecture.endswith(("ForConditionalGeneration", "MTModel"))
    if getattr(config, "is_encoder_decoder", False) and translates:
        return Seq2SeqTranslator
    return model_class_of(config, name)
