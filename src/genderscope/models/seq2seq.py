"""Translation models of transformers: NLLB, M2M-100, MADLAD, mBART-50, Marian."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

from genderscope.errors import UserError
from genderscope.models.digest import Contents
from genderscope.models.language import count_parameters
from genderscope.models.languages import Naming
from genderscope.models.settings import Settings
from genderscope.models.translator import Translator
from genderscope.models.weights import load_weights, quiet, require_fitting

#: Longer output than this is a loop, not a translation.
NEW_TOKENS = 256


class Seq2SeqTranslator(Translator):
    """An encoder-decoder; a search of the given width, no sampling."""

    kind = "sequence-to-sequence"
    scales = True

    def __init__(self, name: str, folder: Path, config: Any, contents: Contents, settings: Settings) -> None:
        super().__init__(name)
        self.folder, self.config, self.contents, self.settings = folder, config, contents, settings
        self.weights = contents.short
        self.device, self.dtype = settings.torch_device(), settings.torch_dtype()
        self.tokenizer = translation_tokenizer(folder, name)
        self.naming = Naming(self.tokenizer, name)
        self.model: Any = None
        self.parameters: int | None = None

    @property
    def fingerprint(self) -> str:
        parts = f"{self.kind}|{self.weights}|{self.settings.dtype}|{self.settings.beams}|{NEW_TOKENS}"
        return hashlib.sha256(parts.encode()).hexdigest()[:12]

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
            "new_tokens": NEW_TOKENS,
            "parameters": self.parameters,
            **self.signature(),
        }

    def signature(self) -> dict[str, str]:
        return {"dtype": self.settings.dtype, "beams": str(self.settings.beams)}

    def check(self, source: str, target: str) -> None:
        self.naming.check(source, target)

    def load(self) -> None:
        if self.model is not None:
            return
        model = load_weights(AutoModelForSeq2SeqLM, self.folder, self.name, self.settings, self.contents)
        require_fitting(self.tokenizer, model, self.name, self.naming.known.values())
        self.model = model
        self.device = self.model.device
        self.parameters = sum(p.numel() for p in self.model.parameters())

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[str | None]:
        marked, first = prepared(self.tokenizer, self.naming, texts, source, target)
        inputs = self.tokenizer(marked, return_tensors="pt", padding=True, truncation=True)
        inputs.pop("token_type_ids", None)
        more = {} if first is None else {"forced_bos_token_id": self.tokenizer.convert_tokens_to_ids(first)}
        with torch.inference_mode(), quiet():
            written = self.model.generate(
                **inputs.to(self.device),
                num_beams=self.settings.beams,
                do_sample=False,
                max_new_tokens=NEW_TOKENS,
                **more,
            )
        return [text.strip() for text in self.tokenizer.batch_decode(written, skip_special_tokens=True)]


def translation_tokenizer(folder: Path, name: str) -> Any:
    """Load the tokenizer that lies with a translation model."""
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, trust_remote_code=False)
    except Exception as error:  # tokenizers raise whatever a missing or broken file makes them raise
        raise UserError(f"'{name}' has no tokenizer that can be read: {' '.join(str(error).split())[:200]}") from None
    if len(tokenizer) <= len(tokenizer.all_special_ids):
        raise UserError(f"'{name}' has no tokenizer that can be read: add its tokenizer files to the model's folder.")
    return tokenizer


def prepared(
    tokenizer: Any, naming: Naming, texts: Sequence[str], source: str, target: str
) -> tuple[list[str], str | None]:
    """Return the texts as the family wants them, and the token that its decoder must begin with."""
    convention = naming.convention
    if convention is None:
        return list(texts), None
    if convention.mark:
        return [f"{naming.known[target]} {text}" for text in texts], None
    if hasattr(tokenizer, "src_lang"):
        tokenizer.src_lang = source if convention.family == "M2M-100" else naming.known[source]
    return list(texts), naming.known[target]
