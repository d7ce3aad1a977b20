"""Systems under test: one module per kind of model, opened by model string."""

from typing import TYPE_CHECKING

from genderscope.util.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from .base import Batch as Batch, Model as Model, Opening as Opening, Plan as Plan, ReplyModel as ReplyModel
    from .base import TranslationModel as TranslationModel, WordModel as WordModel
    from .chat import CONVERSATION as CONVERSATION, Chat as Chat, file_text as file_text
    from .chat import without_thoughts as without_thoughts
    from .digest import short_hash as short_hash
    from .hf.model_files import hub_queried_once as hub_queried_once
    from .http.keys import without_secrets as without_secrets
    from .model_info import ModelInfo as ModelInfo
    from .model_info import KnownModel as KnownModel, NotKnownError as NotKnownError, any_model as any_model
    from .model_info import known_model as known_model, needs_torch as needs_torch, remember as remember
    from .model_info import ANSWERS as ANSWERS
    from .model_info import PreviewedModel as PreviewedModel, previewed_model as previewed_model
    from .settings import ChatOptions as ChatOptions, Remote as Remote, RequestOptions as RequestOptions
    from .settings import remote_of as remote_of
    from .chat import TranslationPrompt as TranslationPrompt
    from .settings import Settings as Settings
    from .spec import BARE as BARE, SCHEMES as SCHEMES, SpecOpening as SpecOpening, model_plugins as model_plugins
    from .spec import open_model as open_model, split_spec as split_spec
    from .hf.model_classes import open_loaded as open_loaded
    from .translation.apertium import translator_at_hand as translator_at_hand
    from .base import Translator as Translator
    from .translation.file import FileTranslator as FileTranslator
    from .translation.records import normalised as normalised

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__)
