"""Stand-ins for unopened local models, from cached information or from their files alone, without importing torch."""

import hashlib
import json
import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from math import prod
from pathlib import Path
from typing import Any

from genderscope.core.errors import UserError
from genderscope.core.languages import LANGUAGES
from genderscope.core.questions import (
    ABILITY,
    Answer,
    Choice,
    Completion,
    Question,
    Reply,
    ReplyStart,
    TokenLikelihood,
    Translation,
)
from genderscope.core.user_cache import cache_folder, keep
from genderscope.models.base import Batch, Model, Plan, ReplyModel, TranslationModel, WordModel
from genderscope.models.chat import CONVERSATION, TranslationPrompt, chat_of, no_template
from genderscope.models.digest import contents_of, file_digest, is_converted
from genderscope.models.hf import smollm2
from genderscope.models.hf.model_files import find_folder, model_files
from genderscope.models.settings import Settings
from genderscope.models.spec import SpecOpening, split_spec
from genderscope.version import __version__, version_of

LIBRARIES = ("torch", "transformers", "tokenizers")
#: schemes of local models
LOCAL = ("hf", "gguf", "smollm2")
#: source language of all translation measures
SOURCE = "en"


class NotKnownError(Exception):
    """Raised if the cached information is insufficient and the model must be opened."""


@dataclass(frozen=True)
class ModelInfo:
    """The information about a model that a run needs before asking the first question."""

    name: str
    kind: str
    scales: bool
    answers: tuple[str, ...]
    fingerprint: str | None = None
    description: dict[str, Any] | None = None
    signature: dict[str, str] | None = None
    sees_after: bool = True
    vocabulary: int | None = None
    #: error message if the model cannot chat
    no_chat: str | None = None
    #: whether the model is a chat model that can be prompted to translate
    prompted: bool = False
    #: target language -> error message if it is not supported, else None
    refused_targets: dict[str, str | None] | None = None

    @classmethod
    def of(cls, model: Model) -> "ModelInfo":
        """Collect the information from an open model."""
        info = cls(
            model.name,
            model.kind,
            model.scales,
            tuple(sorted(kind.__name__ for kind in model.answers)),
            model.fingerprint,
            model.describe(),
            model.signature(),
            no_chat=_refusal(lambda: model.unanswerable(CONVERSATION)),
        )
        if isinstance(model, WordModel):
            info = replace(info, sees_after=model.sees_after, vocabulary=model.vocabulary)
        if isinstance(model, TranslationModel):
            refused = {target: _refusal(partial(model.check, SOURCE, target)) for target in LANGUAGES}
            info = replace(info, refused_targets=refused, prompted=model.translation is not None)
        return info


class KnownModel(WordModel, ReplyModel, TranslationModel):
    """Stand-in for an unopened model, based on cached information."""

    def __init__(self, info: ModelInfo, settings: Settings) -> None:
        super().__init__(info.name)
        self._info = info
        self.kind, self.scales, self.sees_after = info.kind, info.scales, info.sees_after  # type: ignore[misc]
        self.answers = frozenset(kind for kind in ABILITY if kind.__name__ in info.answers)  # type: ignore[misc]
        self.chat = chat_of(settings.remote)
        self.translation = TranslationPrompt.of(settings.remote) if info.prompted else None

    @property
    def fingerprint(self) -> str:
        if self._info.fingerprint is None:
            raise NotKnownError
        return self._info.fingerprint

    @property
    def vocabulary(self) -> int | None:
        return self._info.vocabulary

    def describe(self) -> dict[str, Any]:
        if self._info.description is None:
            raise NotKnownError
        return dict(self._info.description)

    def signature(self) -> dict[str, str]:
        return dict(self._info.signature or {})

    def unanswerable(self, kinds: frozenset[type[Question]]) -> frozenset[type[Question]]:
        if self._info.no_chat is not None and kinds & CONVERSATION:
            raise UserError(self._info.no_chat)
        missing = super().unanswerable(kinds)
        return missing if self._info.no_chat is None else missing | (kinds & {Translation})

    def check(self, source: str, target: str) -> None:
        refused = self._info.refused_targets or {}
        if source != SOURCE or target not in refused:
            raise NotKnownError
        if (reason := refused[target]) is not None:
            raise UserError(reason)

    def load(self) -> None:
        raise NotKnownError

    def plan(self, questions: Sequence[Question], batch_size: int | None) -> Plan:
        raise NotKnownError

    def answer(self, batch: Batch) -> list[Answer]:
        raise NotKnownError

    def __getattr__(self, name: str) -> Any:
        raise NotKnownError(name)


def any_model(name: str, settings: Settings, sees_after: bool) -> KnownModel:
    """Return a stand-in for a model known only by name; it accepts every kind of question."""
    kinds = tuple(kind.__name__ for kind in ABILITY)
    return KnownModel(ModelInfo(name, "language", True, kinds, sees_after=sees_after), settings)


def needs_torch(spec: str) -> bool:
    """Return whether opening the model imports torch, which takes seconds."""
    return split_spec(spec)[0] in LOCAL


def known_model(spec: str, settings: Settings, name: str | None = None) -> KnownModel | None:
    """Return a stand-in for a model that was measured before (as `name`, if given) and is unchanged, or None."""
    located = locate(spec, settings) if _is_cacheable(settings) else None
    if located is None:
        return None
    own_name, folder = located
    cached = _cache_file(name or own_name, contents_of(model_files(folder), folder).sha256, settings)
    info = None if cached is None else _read(cached)
    if info is None:
        return None
    model = KnownModel(info, settings)
    model.opening = SpecOpening(spec, settings)
    return model


def remember(model: Model) -> None:
    """Cache information about a measured model; without a writable cache, the model is opened again next time."""
    opening = model.opening
    if opening is None or split_spec(opening.spec)[0] not in LOCAL or not _is_cacheable(opening.settings):
        return
    contents = model.contents  # type: ignore[attr-defined] # every local model has it
    cached = _cache_file(model.name, contents.sha256, opening.settings)
    if cached is None or _read(cached) is not None:
        return
    with suppress(OSError, ModuleNotFoundError):  # the package for chat templates may be missing
        keep(cached, asdict(ModelInfo.of(model)))


def _read(path: Path) -> ModelInfo | None:
    """Return the cached information, or None if it is missing or was written by another version."""
    try:
        return ModelInfo(**json.loads(path.read_bytes()))
    except (OSError, ValueError, TypeError):
        return None


def _refusal(ask: Callable[[], object]) -> str | None:
    """Return the message of the `UserError` that a call raises, or None if it succeeds."""
    try:
        ask()
    except UserError as error:
        return str(error)
    return None


def _is_cacheable(settings: Settings) -> bool:
    """Return whether the model depends only on its own files and cached hashes may be used."""
    return not settings.rehash and settings.remote.chat_template is None


def _cache_file(name: str, sha256: str, settings: Settings) -> Path | None:
    """Return the path of the cache file for a model with this hash, or None if a library is missing."""
    libraries = list(map(version_of, LIBRARIES))
    if None in libraries:
        return None
    entries = sorted(field.name for field in fields(ModelInfo))
    parts = [name, sha256, repr(replace(settings, device="")), __version__, *libraries, *entries]
    return cache_folder("known", f"{hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]}.json")


def locate(spec: str, settings: Settings) -> tuple[str, Path] | None:
    """Return a local model's name and folder, or None for remote and unconverted models."""
    scheme, reference = split_spec(spec)
    if scheme == "hf":
        return find_folder(reference, settings)
    folder, name = None, scheme
    if scheme == "smollm2":
        folder = smollm2.folder()
    elif scheme == "gguf" and (path := Path(reference).expanduser()).is_file():
        folder, name = cache_folder("gguf", file_digest(path)[:16]), path.name
    return (name, folder) if folder is not None and is_converted(folder) else None


#: kind of model -> kinds of questions that it answers
ANSWERS: dict[str, tuple[type[Question], ...]] = {
    "masked": (Choice, Completion, TokenLikelihood),
    "causal": (Choice, Completion, TokenLikelihood, Reply, ReplyStart, Translation),
}
#: suffixes of class names -> kind of model; the configuration of any other class must be read by transformers
KINDS = {"ForMaskedLM": "masked", "ForCausalLM": "causal", "LMHeadModel": "causal"}
#: largest header of a safetensors file that is read
LARGEST_HEADER = 100_000_000


class PreviewedModel(KnownModel):
    """Stand-in for a language model that was not opened; its fingerprint is unknown, so it has no earlier answers."""

    def __init__(self, info: ModelInfo, settings: Settings, parameters: int | None) -> None:
        super().__init__(info, settings)
        self._parameters = parameters

    def parameter_count(self) -> int | None:
        return self._parameters


def previewed_model(spec: str, settings: Settings, name: str | None = None) -> PreviewedModel | None:
    """Return a stand-in for a local language model, or None if it must be opened to know what it can answer."""
    if settings.remote.chat_template is not None or (located := locate(spec, settings)) is None:
        return None
    own_name, folder = located
    config = _json(folder / "config.json")
    kind = next((kind for end, kind in KINDS.items() if _architecture(config).endswith(end)), None)
    if kind is None or config.get("is_encoder_decoder") or config.get("causal"):
        return None
    info = _info(name or own_name, kind, folder)
    model = PreviewedModel(info, settings, sum(_tensor_sizes(folder)) or None)
    model.opening = SpecOpening(spec, settings)
    return model


def _info(name: str, kind: str, folder: Path) -> ModelInfo:
    masked = kind == "masked"
    return ModelInfo(
        name,
        kind,
        scales=True,
        answers=tuple(question.__name__ for question in ANSWERS[kind]),
        fingerprint="not opened",
        description={"name": name, "kind": kind, "fingerprint": "not opened"},
        signature={},
        sees_after=masked,
        no_chat=None if masked or _has_template(folder) else no_template(name),
        prompted=not masked,
        refused_targets=None if masked else dict.fromkeys(LANGUAGES),
    )


def _architecture(config: dict[str, Any]) -> str:
    named = config.get("architectures")
    return named[0] if isinstance(named, list) and named and isinstance(named[0], str) else ""


def _has_template(folder: Path) -> bool:
    in_config = _json(folder / "tokenizer_config.json").get("chat_template")
    return bool(in_config) or (folder / "chat_template.jinja").is_file()


def _json(path: Path) -> dict[str, Any]:
    """Return a file's JSON object; empty if there is none, because opening the model reports what is wrong with it."""
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def _tensor_sizes(folder: Path) -> Iterator[int]:
    """Yield the number of parameters of every tensor, from the headers of the weight files."""
    for path in sorted(folder.glob("*.safetensors")):
        with path.open("rb") as file:
            try:
                (length,) = struct.unpack("<Q", file.read(8))
                header = json.loads(file.read(min(length, LARGEST_HEADER)))
                yield sum(prod(tensor["shape"]) for name, tensor in header.items() if name != "__metadata__")
            except (struct.error, ValueError, TypeError, KeyError, AttributeError, RecursionError):
                return  # loading reports the error
