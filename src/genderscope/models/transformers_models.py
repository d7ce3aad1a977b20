"""`hf:` opens language models and translation models of transformers, from a folder or the hub."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from genderscope.errors import UserError
from genderscope.models.base import Model
from genderscope.models.digest import Contents
from genderscope.models.hf.folder import model_class_of, open_reference
from genderscope.models.hf.loaded_model import LoadedModel, unwrapped
from genderscope.models.hf.tokenizer import require_fast
from genderscope.models.settings import Settings
from genderscope.models.translation.seq2seq import Seq2SeqTranslator


def open_hf(reference: str, settings: Settings) -> Model:
    """Open `reference`, a folder or a hub id, without loading its weights."""
    return open_reference(reference, settings, class_of)


def open_loaded(model: Any, tokenizer: Any, device: str = "auto", dtype: str | None = None) -> Model:
    """Open a transformers model that is loaded already; it is asked where it lies, and stays the caller's.

    Args:
        model: A masked or causal language model; what training wraps around it is looked through.
        tokenizer: Its fast tokenizer.
        device: Where to ask it; it is moved back afterwards. `auto` leaves it where it is.
        dtype: None for the precision that it has; another one is refused.
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
    """Return the class for a configuration; refuse a kind of model that cannot answer any question."""
    architecture = (config.architectures or [""])[0]
    translates = not architecture or architecture.endswith(("ForConditionalGeneration", "MTModel"))
    if getattr(config, "is_encoder_decoder", False) and translates:
        return Seq2SeqTranslator
    return model_class_of(config, name)
