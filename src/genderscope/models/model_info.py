"""What is known of a local model that was measured before, so that a finished run is shown without torch.

All of it follows from the model's files, the settings and the libraries, whose versions are part of the key.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from genderscope.cache import cache_folder, keep
from genderscope.errors import UserError
from genderscope.languages import LANGUAGES
from genderscope.models.base import Batch, Model, Plan
from genderscope.models.chat import CONVERSATION, chat_of
from genderscope.models.digest import Contents, contents_of, file_digest
from genderscope.models.hf import smollm2
from genderscope.models.hf.conversion_cache import is_converted
from genderscope.models.hf.model_files import find_folder, model_files
from genderscope.models.settings import Settings
from genderscope.models.spec import SpecOpening, split_spec
from genderscope.questions import ABILITY, Answer, Question, Translation
from genderscope.version import __version__, version_of

LIBRARIES = ("torch", "transformers", "tokenizers")
#: schemes of models that are files on this machine
LOCAL = ("hf", "gguf", "smollm2")
#: the language that measures translate from
SOURCE = "en"
#: all that is kept of a model
_ENTRIES = {"name", "kind", "sees_after", "scales", "fingerprint", "vocabulary", "description", "signature"}
_ENTRIES |= {"answers", "no_chat", "refused"}


class NotKnownError(Exception):
    """Something is asked that only the model itself can tell."""


class KnownModel(Model):
    """Stands for a model until something has to be asked of it."""

    def __init__(self, kept: dict[str, Any], settings: Settings) -> None:
        super().__init__(kept["name"])
        self._kept = kept
        self.kind = kept["kind"]  # type: ignore[misc] # of this one, not of the class
        self.sees_after = kept["sees_after"]  # type: ignore[misc]
        self.scales = kept["scales"]  # type: ignore[misc]
        self.answers = frozenset(kind for kind in ABILITY if kind.__name__ in kept["answers"])  # type: ignore[misc]
        self._no_chat: str | None = kept["no_chat"]
        self._refused: dict[str, str | None] = kept["refused"]
        self.chat = chat_of(settings.remote)

    @cached_property
    def fingerprint(self) -> str:
        return str(self._kept["fingerprint"])

    @property
    def vocabulary(self) -> int | None:
        size: int | None = self._kept["vocabulary"]
        return size

    def describe(self) -> dict[str, Any]:
        return dict(self._kept["description"])

    def signature(self) -> dict[str, str]:
        return dict(self._kept["signature"])

    def take_on(self, kinds: frozenset[type[Question]]) -> frozenset[type[Question]]:
        if self._no_chat is not None and kinds & CONVERSATION:
            raise UserError(self._no_chat)
        return super().take_on(kinds)

    def check(self, source: str, target: str) -> None:
        if source != SOURCE or target not in self._refused:
            raise NotKnownError
        if (reason := self._refused[target]) is not None:
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
    """Return what stands for a model of which nothing is known but its name: it takes on whatever is asked."""
    able = [kind.__name__ for kind in ABILITY]
    known = {"name": name, "kind": "language", "sees_after": sees_after, "scales": True, "vocabulary": None}
    return KnownModel({**known, "answers": able, "no_chat": None, "refused": {}}, settings)


def needs_torch(spec: str) -> bool:
    """Tell whether a model is opened with torch, which takes seconds to import."""
    return split_spec(spec)[0] in LOCAL


def known_model(spec: str, settings: Settings, name: str | None = None) -> KnownModel | None:
    """Return what stands for the model, if it was measured before and its files are the same, byte for byte.

    `name` is what it was called then, if not by its own name.
    """
    found = _folder(spec, settings) if _is_told_by_files(settings) else None
    if found is None:
        return None
    own, folder = found
    memo = _memo(name or own, contents_of(model_files(folder), folder).sha256, settings)
    kept = None if memo is None else _read(memo)
    if kept is None:
        return None
    model = KnownModel(kept, settings)
    model.opening = SpecOpening(spec, settings)
    return model


def _read(memo: Path) -> dict[str, Any] | None:
    """Return what was kept of a model; None where there is nothing, or not what this version writes."""
    try:
        kept = json.loads(memo.read_bytes())
        return dict(kept) if kept.keys() >= _ENTRIES else None
    except (OSError, ValueError, AttributeError):
        return None


def remember(model: Model) -> None:
    """Keep what is known of a model that was measured; without a writable cache it is opened again next time."""
    opening = model.opening
    if opening is None or split_spec(opening.spec)[0] not in LOCAL or not _is_told_by_files(opening.settings):
        return
    contents: Contents = model.contents  # type: ignore[attr-defined] # as every local model has
    memo = _memo(model.name, contents.sha256, opening.settings)
    if memo is None or _read(memo) is not None:
        return
    with suppress(OSError, ModuleNotFoundError):  # a chat template is rendered by a package that may not be there
        keep(memo, _told(model))


def _told(model: Model) -> dict[str, Any]:
    return {
        "name": model.name,
        "kind": model.kind,
        "sees_after": model.sees_after,
        "scales": model.scales,
        "fingerprint": model.fingerprint,
        "vocabulary": model.vocabulary,
        "description": model.describe(),
        "signature": model.signature(),
        "answers": sorted(kind.__name__ for kind in model.answers),
        "no_chat": _refusal(lambda: model.take_on(CONVERSATION)),
        "refused": {to: _refusal(partial(model.check, SOURCE, to)) for to in LANGUAGES if Translation in model.answers},
    }


def _refusal(ask: Callable[[], object]) -> str | None:
    """Return the sentence with which something is refused; None where it is not."""
    try:
        ask()
    except UserError as error:
        return str(error)
    return None


def _is_told_by_files(settings: Settings) -> bool:
    """Whether a model's own files tell all about it, and need not be read anew."""
    return not settings.rehash and settings.remote.chat_template is None


def _memo(name: str, sha256: str, settings: Settings) -> Path | None:
    """Return the file for a model with these contents; None where the libraries are not there."""
    libraries = list(map(version_of, LIBRARIES))
    if None in libraries:
        return None
    parts = [name, sha256, repr(replace(settings, device="")), __version__, *libraries, *sorted(_ENTRIES)]
    return cache_folder("known", f"{hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]}.json")


def _folder(spec: str, settings: Settings) -> tuple[str, Path] | None:
    """Return a local model's name and folder, if it is one and need not be converted first."""
    scheme, reference = split_spec(spec)
    if scheme == "hf":
        return find_folder(reference, settings)
    folder, name = None, scheme
    if scheme == "smollm2":
        folder = smollm2.folder()
    elif scheme == "gguf" and (path := Path(reference).expanduser()).is_file():
        folder, name = cache_folder("gguf", file_digest(path)[:16]), path.name
    return (name, folder) if folder is not None and is_converted(folder) else None
