"""Translation models from transformers (NLLB, M2M-100, MADLAD, mBART-50, Marian) and their language tokens."""

import copy
import json
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForSeq2SeqLM, GenerationConfig

from genderscope.core.errors import UserError
from genderscope.core.languages import LANGUAGES
from genderscope.models.base import Translated, Translator, output_cut, source_cut
from genderscope.models.digest import Contents, short_hash
from genderscope.models.hf.checkpoints import (
    count_parameters,
    input_device,
    load_weights,
    quiet,
    read_tokenizer,
    require_fitting,
)
from genderscope.models.settings import Settings


@dataclass(frozen=True)
class Convention:
    """A model family's language tokens: the decoder's forced first token, or a prefix of the text."""

    family: str
    token: str
    mark: bool = False

    def of(self, language: str) -> str | None:
        """Return the family's token for a two-letter code; None for an unlisted language."""
        entry = LANGUAGES.get(language)
        if entry is None or ("{region}" in self.token and entry.mbart is None):
            return None
        nllb = entry.nllb or entry.iso3
        return self.token.format(two=language, three=entry.iso3, nllb=nllb, script=entry.scripts[0], region=entry.mbart)


CONVENTIONS = (
    Convention("NLLB", "{nllb}_{script}"),
    Convention("M2M-100", "__{two}__"),
    Convention("MADLAD", "<2{two}>", mark=True),
    Convention("mBART-50", "{two}_{region}"),
    Convention("Marian", ">>{three}<<", mark=True),
)


class Naming:
    """The language tokens in a tokenizer's vocabulary."""

    def __init__(self, tokenizer: Any, name: str) -> None:
        vocabulary = tokenizer.get_vocab()
        self.name = name
        self.convention: Convention | None = None
        self.known: dict[str, str] = {}
        for convention in CONVENTIONS:
            named = ((code, convention.of(code)) for code in LANGUAGES)
            language_tokens = {code: token for code, token in named if token is not None and token in vocabulary}
            if len(language_tokens) > len(self.known):
                self.convention, self.known = convention, language_tokens
        #: a single-pair model has no language tokens; its tokenizer states the pair
        self.pair = (getattr(tokenizer, "source_lang", None), getattr(tokenizer, "target_lang", None))

    def check(self, source: str, target: str) -> None:
        """Raise if the model does not support a language."""
        if self.convention is None:
            if self.pair[1] is not None and target != self.pair[1]:
                raise UserError(f"'{self.name}' translates only {self.pair[0]} to {self.pair[1]}, not to '{target}'.")
            return
        for language in (target,) if self.convention.mark else (source, target):
            if language not in self.known:
                can = ", ".join(sorted(self.known))
                raise UserError(
                    f"'{self.name}' ({self.convention.family}) does not support '{language}'; available: {can}."
                )


#: Longer output is a repetition loop or a translation of more than a few sentences; both count as unread.
NEW_TOKENS = 256
#: Tokenizers without a length limit report a number at least this large.
ENDLESS = 10**9
#: settings that do not affect the output
_IDLE = ("transformers_version", "use_cache", "num_return_sequences", "_", "output_", "return_", "cache_")
#: settings that the signature shows separately, or that only name tokens
_SHOWN = ("num_beams", "do_sample", "max_new_tokens", "length_penalty")
_TOKENS = ("_token_id", "_token_ids")


class NeuralTranslator(Translator):
    """Encoder-decoder model with its Hugging Face tokenizer."""

    scales = True

    def __init__(self, name: str, folder: Path, config: Any, contents: Contents, settings: Settings) -> None:
        super().__init__(name)
        self.folder, self.config, self.contents, self.settings = folder, config, contents, settings
        self.weights = contents.short
        self.tokenizer = read_tokenizer(folder, name)
        self.naming = Naming(self.tokenizer, name)
        self.source_tokens = source_limit(self.tokenizer, config)
        self.model: Any = None

    def check(self, source: str, target: str) -> None:
        self.naming.check(source, target)

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[Translated]:
        marked, first = self._marked(texts, source, target)
        with quiet():
            encoded = self.tokenizer(marked)
        lengths = [len(ids) for ids in encoded["input_ids"]]
        fitting = [k for k, length in enumerate(lengths) if self.source_tokens is None or length <= self.source_tokens]
        translations: list[Translated] = [source_cut(length, self.source_tokens or 0) for length in lengths]
        if fitting:
            names = [name for name in ("input_ids", "attention_mask") if name in encoded]
            kept = {name: [encoded[name][k] for k in fitting] for name in names}
            for k, text in zip(fitting, self._search(kept, first), strict=True):
                translations[k] = text
        return translations

    def _marked(self, texts: Sequence[str], source: str, target: str) -> tuple[list[str], str | None]:
        """Return the texts with any language prefix, and the decoder's forced first token."""
        convention, language_tokens = self.naming.convention, self.naming.known
        if convention is None:
            return list(texts), None
        if convention.mark:
            return [f"{language_tokens[target]} {text}" for text in texts], None
        if hasattr(self.tokenizer, "src_lang"):
            self.tokenizer.src_lang = source if convention.family == "M2M-100" else language_tokens[source]
        return list(texts), language_tokens[target]

    @abstractmethod
    def _search(self, encoded: dict[str, list[list[int]]], first: str | None) -> list[Translated]:
        """Translate tokenized texts; `first` is the output's forced first token."""


class Seq2SeqTranslator(NeuralTranslator):
    """transformers model with beam search and no sampling."""

    kind = "sequence-to-sequence"

    def __init__(self, name: str, folder: Path, config: Any, contents: Contents, settings: Settings) -> None:
        self.device, self.dtype = settings.torch_device(), settings.torch_dtype()
        super().__init__(name, folder, config, contents, settings)
        self.search = search_of(folder, config, settings.beams)
        self.parameters: int | None = None

    @property
    def fingerprint(self) -> str:
        parts = f"{self.kind}|{self.weights}|{self.settings.dtype}|{self.source_tokens}|{_written(self._decides())}"
        return short_hash(parts)

    def parameter_count(self) -> int | None:
        return self.parameters or count_parameters(AutoModelForSeq2SeqLM, self.config)

    def describe(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "kind": self.kind,
            "architecture": (self.config.architectures or [self.config.model_type])[0],
            "weights": self.weights,
            "fingerprint": self.fingerprint,
            "languages": self.naming.convention.family if self.naming.convention else "one pair",
            "source_tokens": self.source_tokens,
            "search": json.loads(_written(self._decides())),
            "parameters": self.parameters,
            **self.signature(),
        }

    def signature(self) -> dict[str, str]:
        decides = self._decides().items()
        more = {name: value for name, value in decides if name not in _SHOWN and not name.endswith(_TOKENS)}
        return {
            "dtype": self.settings.dtype,
            "beams": str(self.settings.beams),
            "new_tokens": str(self.search.max_new_tokens),
            "length_penalty": f"{1.0 if self.search.length_penalty is None else self.search.length_penalty:g}",
            **({"search": short_hash(_written(more), 8)} if more else {}),
        }

    def _decides(self) -> dict[str, Any]:
        """Return the non-default search settings that affect the output."""
        settings = self.search.to_diff_dict().items()
        return {name: value for name, value in settings if not name.startswith(_IDLE)}

    def load(self) -> None:
        if self.model is not None:
            return
        model = load_weights(AutoModelForSeq2SeqLM, self.folder, self.name, self.settings, self.contents)
        require_fitting(self.tokenizer, model, self.name, self.naming.known.values())
        self.model = model
        self.device = input_device(self.model)
        self.parameters = sum(p.numel() for p in self.model.parameters())

    def unload(self) -> None:
        self.model = None

    def _search(self, encoded: dict[str, list[list[int]]], first: str | None) -> list[Translated]:
        inputs = self.tokenizer.pad(encoded, return_tensors="pt")
        search = copy.copy(self.search)
        if first is not None:
            search.forced_bos_token_id = self.tokenizer.convert_tokens_to_ids(first)
        with torch.inference_mode(), quiet():
            written = self.model.generate(**inputs.to(self.device), generation_config=search)
        # The first token is the decoder's start token, which in some models is also the end-of-sequence token.
        ended = self._ended(written[:, 1:])
        texts = self.tokenizer.batch_decode(written, skip_special_tokens=True)
        return [
            (text.strip() or None) if whole else output_cut(self.search.max_new_tokens)
            for text, whole in zip(texts, ended, strict=True)
        ]

    def _ended(self, written: Any) -> list[bool]:
        """Return which outputs ended before the limit, at which some models are forced to generate an end token."""
        ids = self.search.eos_token_id if self.search.eos_token_id is not None else self.tokenizer.eos_token_id
        ends = torch.isin(written, torch.tensor(ids, device=written.device).reshape(-1))
        return ends[:, : self.search.max_new_tokens - 1].any(dim=1).tolist()


def _written(settings: dict[str, Any]) -> str:
    return json.dumps(settings, sort_keys=True, default=str)


def search_of(folder: Path, config: Any, beams: int) -> Any:
    """Return the model's own search settings, with the given beam size, no sampling and bounded length."""
    try:
        search = GenerationConfig.from_pretrained(folder)
    except OSError:
        search = GenerationConfig.from_model_config(config)
    places = [getattr(config, name, None) for name in ("max_position_embeddings", "max_decoder_position_embeddings")]
    most = min([NEW_TOKENS, *(place - 1 for place in places if isinstance(place, int) and place > 1)])
    asked = {"num_beams": beams, "do_sample": False, "max_new_tokens": most, "max_length": None}
    search.update(**asked, num_return_sequences=1)  # type: ignore[no-untyped-call]
    return search


def source_limit(tokenizer: Any, config: Any) -> int | None:
    """Return the maximum source length in tokens; None if it is unlimited."""
    names = ("max_position_embeddings", "max_encoder_position_embeddings")
    told = [tokenizer.model_max_length, *(getattr(config, name, None) for name in names)]
    return min((int(most) for most in told if isinstance(most, int | float) and 0 < most < ENDLESS), default=None)
