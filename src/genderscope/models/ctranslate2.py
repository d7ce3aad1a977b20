"""Translation models in CTranslate2's format: int8 on a CPU, several times faster than float32."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import ctranslate2

from genderscope.errors import UserError
from genderscope.models.digest import contents_of
from genderscope.models.languages import Naming
from genderscope.models.seq2seq import NEW_TOKENS, prepared, translation_tokenizer
from genderscope.models.settings import Settings
from genderscope.models.translator import Translator

#: int8 where the processor has it; on a GPU int8 weights with float16 arithmetic.
COMPUTE = {"cpu": "int8", "cuda": "int8_float16"}


def open_ct2(reference: str, settings: Settings) -> "Ct2Translator":
    """Open a folder that CTranslate2's converter wrote, with the tokenizer's files copied into it."""
    folder = Path(reference).expanduser()
    if not (folder / "model.bin").is_file():
        raise UserError(f"'{reference}' is not a CTranslate2 model folder: it has no model.bin.")
    return Ct2Translator(folder, settings)


class Ct2Translator(Translator):
    """A converted encoder-decoder with its Hugging Face tokenizer."""

    kind = "CTranslate2"
    scales = True

    def __init__(self, folder: Path, settings: Settings) -> None:
        super().__init__(folder.resolve().name)
        self.folder, self.settings = folder, settings
        self.device = settings.torch_device().type
        self.contents = contents_of((path for path in folder.iterdir() if path.is_file()), folder, settings.rehash)
        self.weights = self.contents.short
        self.tokenizer = translation_tokenizer(folder, self.name)
        self.naming = Naming(self.tokenizer, self.name)
        self.model: Any = None

    @property
    def fingerprint(self) -> str:
        parts = f"{self.kind}|{self.weights}|{COMPUTE[self.device]}|{self.settings.beams}|{NEW_TOKENS}"
        return hashlib.sha256(parts.encode()).hexdigest()[:12]

    def describe(self) -> dict[str, Any]:
        described = {"name": self.name, "kind": self.kind, "weights": self.weights, "fingerprint": self.fingerprint}
        return {**described, "new_tokens": NEW_TOKENS, **self.signature()}

    def signature(self) -> dict[str, str]:
        return {"compute": COMPUTE[self.device], "beams": str(self.settings.beams)}

    def check(self, source: str, target: str) -> None:
        self.naming.check(source, target)

    def load(self) -> None:
        if self.model is not None:
            return
        try:
            self.model = ctranslate2.Translator(str(self.folder), device=self.device, compute_type=COMPUTE[self.device])
        except (RuntimeError, ValueError) as error:
            raise UserError(f"'{self.name}' cannot be loaded: {' '.join(str(error).split())[:200]}") from None
        self.contents.require_unchanged(self.name)

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[str | None]:
        marked, first = prepared(self.tokenizer, self.naming, texts, source, target)
        pieces = [self.tokenizer.convert_ids_to_tokens(ids) for ids in self.tokenizer(marked)["input_ids"]]
        written = self.model.translate_batch(
            pieces,
            target_prefix=None if first is None else [[first]] * len(pieces),
            beam_size=self.settings.beams,
            max_decoding_length=NEW_TOKENS,
        )
        ids = [self.tokenizer.convert_tokens_to_ids(result.hypotheses[0]) for result in written]
        return [text.strip() for text in self.tokenizer.batch_decode(ids, skip_special_tokens=True)]
