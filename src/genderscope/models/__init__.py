"""The systems under test: one module per kind of model, opened by a model string."""

from typing import TYPE_CHECKING

from genderscope.doors import door

if TYPE_CHECKING:
    from genderscope.models.base import Batch, Model, Opening, Plan, ReplyModel, TranslationModel, WordModel
    from genderscope.models.chat import Chat, file_text
    from genderscope.models.hf.model_files import looked_up_once
    from genderscope.models.http.keys import without_secrets
    from genderscope.models.http.options import RequestOptions
    from genderscope.models.model_info import KnownModel, NotKnownError, any_model, known_model, needs_torch, remember
    from genderscope.models.options import ChatOptions, Remote, remote_of
    from genderscope.models.settings import Settings
    from genderscope.models.spec import BARE, SCHEMES, SpecOpening, model_plugins, open_model, split_spec
    from genderscope.models.transformers_models import open_loaded
    from genderscope.models.translation.base import Translator
    from genderscope.models.translation.file import FileTranslator
    from genderscope.models.translation.installed_translator import translator_at_hand
    from genderscope.models.translation.source_alignment import normalised

__all__ = [
    "BARE",
    "SCHEMES",
    "Batch",
    "Chat",
    "ChatOptions",
    "FileTranslator",
    "KnownModel",
    "Model",
    "NotKnownError",
    "Opening",
    "Plan",
    "Remote",
    "ReplyModel",
    "RequestOptions",
    "Settings",
    "SpecOpening",
    "TranslationModel",
    "Translator",
    "WordModel",
    "any_model",
    "file_text",
    "known_model",
    "looked_up_once",
    "model_plugins",
    "needs_torch",
    "normalised",
    "open_loaded",
    "open_model",
    "remember",
    "remote_of",
    "split_spec",
    "translator_at_hand",
    "without_secrets",
]

__getattr__ = door(
    __name__,
    {
        "BARE": "spec",
        "Batch": "base",
        "Chat": "chat",
        "ChatOptions": "options",
        "FileTranslator": "translation.file",
        "KnownModel": "model_info",
        "Model": "base",
        "NotKnownError": "model_info",
        "Opening": "base",
        "Plan": "base",
        "Remote": "options",
        "ReplyModel": "base",
        "RequestOptions": "http.options",
        "SCHEMES": "spec",
        "Settings": "settings",
        "SpecOpening": "spec",
        "TranslationModel": "base",
        "Translator": "translation.base",
        "WordModel": "base",
        "any_model": "model_info",
        "file_text": "chat",
        "known_model": "model_info",
        "looked_up_once": "hf.model_files",
        "model_plugins": "spec",
        "needs_torch": "model_info",
        "normalised": "translation.source_alignment",
        "open_loaded": "transformers_models",
        "open_model": "spec",
        "remember": "model_info",
        "remote_of": "options",
        "split_spec": "spec",
        "translator_at_hand": "translation.installed_translator",
        "without_secrets": "http.keys",
    },
)
