"""Translation models in CTranslate2 format: int8 on a CPU, several times faster than float32."""

import re
from pathlib import Path
from typing import Any

import ctranslate2

from genderscope.core.errors import UserError
from genderscope.models.base import Translated, output_cut, source_cut
from genderscope.models.digest import contents_of, short_hash
from genderscope.models.hf.checkpoints import one_line
from genderscope.models.hf.seq2seq import NEW_TOKENS, NeuralTranslator
from genderscope.models.settings import Settings

#: int8 on a CPU; int8 weights with float16 arithmetic on a GPU.
COMPUTE = {"cpu": "int8", "cuda": "int8_float16"}
#: Search settings other than the beam size, since the format does not store the model's own.
SEARCH = {"length_penalty": 1.0, "coverage_penalty": 0.0, "repetition_penalty": 1.0, "no_repeat_ngram_size": 0}


class Ct2Translator(NeuralTranslator):
    """Model in a folder written by the CTranslate2 converter, to which the tokenizer files have been added."""

    kind = "CTranslate2"

    def __init__(self, reference: str, settings: Settings) -> None:
        folder = Path(reference).expanduser()
        self.device = settings.torch_device().type
        contents = contents_of((path for path in folder.iterdir() if path.is_file()), folder, settings.rehash)
        super().__init__(folder.resolve().name, folder, None, contents, settings)

    @property
    def fingerprint(self) -> str:
        search = f"{self.settings.beams}|{NEW_TOKENS}|{self.source_tokens}|{SEARCH}"
        return short_hash(f"{self.kind}|{self.weights}|{COMPUTE[self.device]}|{search}")

    def describe(self) -> dict[str, Any]:
        described = {"name": self.name, "kind": self.kind, "weights": self.weights, "fingerprint": self.fingerprint}
        return {**described, "source_tokens": self.source_tokens, "search": SEARCH, **self.signature()}

    def signature(self) -> dict[str, str]:
        return {
            "compute": COMPUTE[self.device],
            "beams": str(self.settings.beams),
            "new_tokens": str(NEW_TOKENS),
            "length_penalty": f"{SEARCH['length_penalty']:g}",
        }

    def load(self) -> None:
        if self.model is not None:
            return
        try:
            self.model = ctranslate2.Translator(str(self.folder), device=self.device, compute_type=COMPUTE[self.device])
        except (RuntimeError, ValueError) as error:
            raise UserError(f"'{self.name}' cannot be loaded: {one_line(error)[:200]}") from None
        self.contents.require_unchanged(self.name)

    def _search(self, encoded: dict[str, list[list[int]]], first: str | None) -> list[Translated]:
        return self._translate([self.tokenizer.convert_ids_to_tokens(ids) for ids in encoded["input_ids"]], first)

    def _translate(self, pieces: list[list[str]], first: str | None) -> list[Translated]:
        try:
            written = self.model.translate_batch(
                pieces,
                target_prefix=None if first is None else [[first]] * len(pieces),
                beam_size=self.settings.beams,
                max_input_length=0,  # otherwise longer sources are silently truncated
                max_decoding_length=NEW_TOKENS,
                return_end_token=True,
                **SEARCH,
            )
        except RuntimeError as error:
            # The number of positions is known only once the source or the output exceeds it.
            places = re.search(r"positions? >= (\d+)", str(error))
            if places is None:
                raise
            if len(pieces) == 1:
                most, tokens = int(places[1]), len(pieces[0])
                return [source_cut(tokens, most) if tokens > most else output_cut(most)]
            return [text for tokens in pieces for text in self._translate([tokens], first)]
        return [self._read(result.hypotheses[0]) for result in written]

    def _read(self, tokens: list[str]) -> Translated:
        if not tokens or tokens[-1] != self.tokenizer.eos_token:
            return output_cut(NEW_TOKENS)
        ids = self.tokenizer.convert_tokens_to_ids(tokens)
        return str(self.tokenizer.decode(ids, skip_special_tokens=True)).strip() or None
