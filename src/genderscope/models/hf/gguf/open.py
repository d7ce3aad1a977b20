"""Opens GGUF files, interpreted as in llama.cpp; the slow conversion is cached."""

import warnings
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from transformers import AutoConfig, AutoModelForCausalLM, GenerationConfig

from genderscope.core.errors import UserError
from genderscope.core.user_cache import cache_folder
from genderscope.models.base import Model
from genderscope.models.digest import converted, file_digest
from genderscope.models.hf.checkpoints import one_line, quiet
from genderscope.models.hf.gguf.architectures import ARCHITECTURES, ROTATIONS
from genderscope.models.hf.gguf.container import GgufError, GgufFile, Shape, UnlikeLlamaCppError
from genderscope.models.hf.gguf.tokenizer import build_tokenizer
from genderscope.models.hf.model_classes import open_folder
from genderscope.models.settings import Settings

_SUFFIXES = (".weight", ".bias")
#: alternative name of an LFM2 tensor in some files
_OTHER_NAMES = {"token_embd_norm.weight": "output_norm.weight"}


def refuse_architecture(file: GgufFile) -> None:
    """Raise unless models with this architecture are known to give the same results as in llama.cpp."""
    if (name := Shape(file).architecture) not in ARCHITECTURES:
        supported = ", ".join(sorted(ARCHITECTURES))
        raise UnlikeLlamaCppError(
            f"its architecture '{name}' is not among those known to give the same results as llama.cpp ({supported})"
        )


def build_model(file: GgufFile, vocabulary: int, special: dict[str, Any]) -> tuple[Any, dict[str, torch.Tensor]]:
    """Return the model's configuration and weights, for this vocabulary size and these special tokens."""
    shape = Shape(file)
    architecture = ARCHITECTURES[shape.architecture]
    settings = architecture.settings(shape)
    shape.refuse_leftovers()
    tied = "output.weight" not in file.tensors
    config = AutoConfig.for_model(
        architecture.model_type, **settings, **special, vocab_size=vocabulary, tie_word_embeddings=tied
    )
    auto: Any = AutoModelForCausalLM
    with torch.device("meta"):
        model = auto.from_config(config)
        model.tie_weights()  # transformers 5.0 does not tie weights on the meta device
    config.architectures, config.dtype = [type(model).__name__], torch.float32
    empty = model.state_dict()
    weights = {}
    for name, wanted in _names(model, file).items():
        stored, expected = architecture.restore(wanted, file.weights(wanted), shape), tuple(empty[name].shape)
        if stored.shape != expected:
            raise GgufError(f"its tensor '{wanted}' has the shape {stored.shape}, not {expected}")
        weights[name] = torch.from_numpy(stored.copy())
    return config, weights


def _names(model: Any, file: GgufFile) -> dict[str, str]:
    """Map each weight of the model to its tensor name in the file."""
    from gguf import MODEL_ARCH_NAMES, get_tensor_name_map

    number = next(key for key, name in MODEL_ARCH_NAMES.items() if name == file.fields["general.architecture"])
    tensor_names = get_tensor_name_map(number, model.config.num_hidden_layers)
    same = {id(parameter): name for name, parameter in reversed(list(model.named_parameters(remove_duplicate=False)))}
    names: dict[str, str] = {}
    for name, parameter in model.state_dict(keep_vars=True).items():
        if same.get(id(parameter), name) != name:  # a tied output layer shares the embedding, which is listed first
            continue
        spellings = name, name.removeprefix("transformer.")  # BLOOM's weights are listed without this prefix
        stored = next(
            filter(None, (tensor_names.get_name(spelling, try_suffixes=_SUFFIXES) for spelling in spellings)), None
        )
        stored = _OTHER_NAMES[stored] if stored in _OTHER_NAMES and stored not in file.tensors else stored
        if stored is None or stored not in file.tensors:
            raise GgufError(f"it lacks the tensor '{stored or name}'")
        names[name] = stored
    unused = sorted(set(file.tensors) - set(names.values()) - ROTATIONS)
    if unused:
        raise UnlikeLlamaCppError(f"its tensor '{unused[0]}' does not exist in the transformers model")
    return names


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
