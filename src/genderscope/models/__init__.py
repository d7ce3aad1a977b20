"""The systems under test: one module per kind of model, opened by a model string."""

from typing import TYPE_CHECKING

from genderscope.doors import door

if TYPE_CHECKING:
    from genderscope.models.base import Batch, Model, Opening, Plan
    from genderscope.models.chat import Chat, file_text
    from genderscope.models.http.options import Remote, remote_of
    from genderscope.models.settings import Settings
    from genderscope.models.spec import BARE, SCHEMES, SpecOpening, model_plugins, open_model, split_spec
    from genderscope.models.transformers_models import open_loaded
    from genderscope.models.translation.at_hand import translator_at_hand
    from genderscope.models.translation.base import Translator
    from genderscope.models.translation.file import FileTranslator, normalised

__all__ = [
    "BARE",
    "SCHEMES",
    "Batch",
    "Chat",
    "FileTranslator",
    "Model",
    "Opening",
    "Plan",
    "Remote",
    "Settings",
    "SpecOpening",
    "Translator",
    "file_text",
    "model_plugins",
    "normalised",
    "open_loaded",
    "open_model",
    "remote_of",
    "split_spec",
    "translator_at_hand",
]

__getattr__ = door(
    __name__,
    {
        "BARE": "spec",
        "Batch": "base",
        "Chat": "chat",
        "FileTranslator": "translation.file",
        "Model": "base",
        "Opening": "base",
        "Plan": "base",
        "Remote": "http.options",
        "SCHEMES": "spec",
        "Settings": "settings",
        "SpecOpening": "spec",
        "Translator": "translation.base",
        "file_text": "chat",
        "model_plugins": "spec",
        "normalised": "translation.file",
        "open_loaded": "transformers_models",
        "open_model": "spec",
        "remote_of": "http.options",
        "split_spec": "spec",
        "translator_at_hand": "translation.at_hand",
    },
)
