"""Stand-ins for unopened local language models, based on their files alone, for plans without importing torch."""

import json
import struct
from collections.abc import Iterator
from math import prod
from pathlib import Path
from typing import Any

from genderscope.core.languages import LANGUAGES
from genderscope.core.questions import Choice, Completion, Question, Reply, ReplyStart, TokenLikelihood, Translation
from genderscope.models.chat import no_template
from genderscope.models.model_info import KnownModel, ModelInfo, locate
from genderscope.models.settings import Settings
from genderscope.models.spec import SpecOpening

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
