"""`hf:` opens language models and translation models of transformers, from a folder or the hub."""

from collections.abc import Callable
from typing import Any

from genderscope.models.base import Model
from genderscope.models.hf.folder import model_class_of, open_reference
from genderscope.models.settings import Settings
from genderscope.models.translation.seq2seq import Seq2SeqTranslator


def open_hf(reference: str, settings: Settings) -> Model:
    """Open `reference`, a folder or a hub id, without loading its weights."""
    return open_reference(reference, settings, class_of)


def class_of(config: Any, name: str) -> Callable[..., Model]:
    """Return the class for a configuration; refuse a kind of model that cannot answer any question."""
    architecture = (config.architectures or [""])[0]
    translates = not architecture or architecture.endswith(("ForConditionalGeneration", "MTModel"))
    if getattr(config, "is_encoder_decoder", False) and translates:
        return Seq2SeqTranslator
    return model_class_of(config, name)
