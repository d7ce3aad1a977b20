"""Opens a GGUF file. Reading one is slow, so a converted copy is kept in the cache and used from then on."""

import hashlib
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from genderscope.cache import building, cache_folder
from genderscope.errors import UserError
from genderscope.models.base import Model
from genderscope.models.huggingface import open_folder, sampled_digest
from genderscope.models.settings import Settings
from genderscope.models.weights import quiet

#: holds the checksum of the folder's other files
SEAL = "converted.sha256"


def open_gguf(reference: str, settings: Settings) -> Model:
    """Open the GGUF file at `reference`, converting it first if that was not done before."""
    path = Path(reference).expanduser()
    if not path.is_file():
        raise UserError(f"There is no GGUF file at '{reference}'.")
    return open_folder(path.name, converted(path, cache_folder("gguf", sampled_digest([path]))), settings)


def converted(path: Path, target: Path) -> Path:
    """Return `target`, a folder with the file's weights as float32 safetensors; it is written whole or not at all."""
    if is_converted(target):
        return target
    with building(target):  # another process may be converting the same file
        return target if is_converted(target) else _converted(path, target)


def _converted(path: Path, target: Path) -> Path:
    shutil.rmtree(target, ignore_errors=True)  # what is there was damaged
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=".converting-", dir=target.parent))
    except OSError as error:
        raise UserError(
            f"The cache folder '{target.parent}' cannot be written ({error.strerror}); set GENDERSCOPE_CACHE."
        ) from None
    try:
        _convert(path, aside)
        (aside / SEAL).write_text(_digest(aside))
        aside.chmod(0o755)
        try:
            aside.replace(target)
        except OSError:  # another process finished the same conversion first
            if not is_converted(target):
                raise
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return target


def is_converted(target: Path) -> bool:
    """Tell whether a folder holds a converted model, every byte as it was written."""
    seal = target / SEAL
    if not seal.is_file():  # nothing, or a model that was converted before there were seals
        return (target / "config.json").is_file()
    return seal.read_text() == _digest(target)


def _digest(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        if path.name != SEAL:
            with path.open("rb") as file:
                digest.update(f"{path.name}\0".encode() + hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


def _convert(path: Path, target: Path) -> None:
    try:
        with quiet(), _read_once():
            tokenizer = AutoTokenizer.from_pretrained(path.parent, gguf_file=path.name)
            model: Any = AutoModelForCausalLM.from_pretrained(path.parent, gguf_file=path.name, dtype=torch.float32)
    except ModuleNotFoundError:
        raise
    except Exception as error:  # the readers raise whatever a broken file makes them raise
        raise UserError(
            f"'{path}' cannot be read as a GGUF language model: {' '.join(str(error).split())[:200]}"
        ) from None
    # The weights are plain float32 now; as long as the model says it is quantized it refuses to be saved.
    model.hf_quantizer = None
    model.is_quantized = False
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    with quiet():
        model.save_pretrained(target)
        tokenizer.save_pretrained(target)


@contextmanager
def _read_once() -> Iterator[None]:
    """Let the file's fields be read once: configuration, tokenizer and weights would each read all of them again."""
    import gguf

    kept = {name: getattr(gguf, name) for name in ("GGUFReader", "get_tensor_name_map")}
    for name, function in kept.items():
        setattr(gguf, name, cache(function))
    try:
        yield
    finally:
        for name, function in kept.items():
            setattr(gguf, name, function)
