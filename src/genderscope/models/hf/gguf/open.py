"""Opens GGUF files, interpreted as in llama.cpp; the slow conversion is cached."""

import warnings
from pathlib import Path
from typing import Any

from safetensors.torch import save_file
from transformers import GenerationConfig

from genderscope.core.errors import UserError
from genderscope.core.user_cache import cache_folder
from genderscope.models.base import Model
from genderscope.models.digest import file_digest
from genderscope.models.hf.conversion_cache import converted
from genderscope.models.hf.folder import open_folder
from genderscope.models.hf.gguf.container import GgufError, GgufFile, UnlikeLlamaCppError
from genderscope.models.hf.gguf.tokenizer import build_tokenizer
from genderscope.models.hf.gguf.weights import build_model, refuse_architecture
from genderscope.models.hf.weights import one_line, quiet
from genderscope.models.settings import Settings


def open_gguf(reference: str, settings: Settings) -> Model:
    """Open a GGUF file, converting it first if necessary."""
    path = Path(reference).expanduser()
    folder = cache_folder("gguf", file_digest(path, settings.rehash)[:16])
    return open_folder(path.name, converted(folder, lambda target: convert(path, target)), settings)


def convert(path: Path, target: Path) -> None:
    """Convert a GGUF file to a transformers model folder with float32 weights."""
    try:
        with quiet(), warnings.catch_warnings(action="ignore"):
            _convert(GgufFile(path), target)
    except UnlikeLlamaCppError as error:
        raise UserError(
            f"'{path}' cannot be used because {_printable(error)}; serve it with llama.cpp's server and use "
            "--model server:URL#NAME."
        ) from None
    except GgufError as error:
        raise UserError(f"'{path}' cannot be read as a GGUF language model: {_printable(error)}.") from None
    except OSError as error:
        raise UserError(f"Cannot convert '{path}' in '{target.parent}': {error.strerror or error}.") from None
    except ModuleNotFoundError:
        raise
    except Exception as error:  # fields of the wrong type can make the libraries raise anything
        raise UserError(f"'{path}' cannot be read as a GGUF language model: {_printable(error)}.") from None


def _printable(error: Exception) -> str:
    """Return the error message on one line; names and tokens in the file may contain control characters."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in one_line(error)).rstrip(".")


def _convert(file: GgufFile, target: Path) -> None:
    kind, parts = file.fields.get("general.type", "model"), int(file.fields.get("split.count", 0))
    if kind != "model":
        raise GgufError(f"its type is '{kind}', not 'model'")
    if parts > 1:
        raise GgufError(f"it is one of {parts} parts; merge them with llama-gguf-split --merge")
    refuse_architecture(file)
    tokenizer, ends = build_tokenizer(file.fields)
    special = {f"{name}_token_id": getattr(tokenizer, f"{name}_token_id") for name in ("bos", "eos", "pad")}
    config, weights = build_model(file, len(tokenizer), special)
    config.save_pretrained(target)
    save_file(weights, target / "model.safetensors", metadata={"format": "pt"})
    settings: Any = GenerationConfig
    settings(**special | {"eos_token_id": ends or None}).save_pretrained(target)
    tokenizer.model_max_length = getattr(config, "max_position_embeddings", tokenizer.model_max_length)
    tokenizer.save_pretrained(target)
