"""Conversion of GGUF tensors to the weights of a transformers model; missing or extra tensors are errors."""

from typing import Any

import torch
from transformers import AutoConfig, AutoModelForCausalLM

from genderscope.models.hf.gguf.architectures import ARCHITECTURES, ROTATIONS
from genderscope.models.hf.gguf.container import GgufError, GgufFile, UnlikeLlamaCppError
from genderscope.models.hf.gguf.shape import Shape

_SUFFIXES = (".weight", ".bias")
#: alternative name of an LFM2 tensor in some files
_OTHER_NAMES = {"token_embd_norm.weight": "output_norm.weight"}


def refuse_architecture(file: GgufFile) -> None:
    """Raise unless models with this architecture are known to give the same results as in llama.cpp."""
    if (name := Shape(file).architecture) not in ARCHITECTURES:
        known = ", ".join(sorted(ARCHITECTURES))
        raise UnlikeLlamaCppError(
            f"its architecture '{name}' is not among those known to give the same results as llama.cpp ({known})"
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
    known = get_tensor_name_map(number, model.config.num_hidden_layers)
    same = {id(parameter): name for name, parameter in reversed(list(model.named_parameters(remove_duplicate=False)))}
    names: dict[str, str] = {}
    for name, parameter in model.state_dict(keep_vars=True).items():
        if same.get(id(parameter), name) != name:  # a tied output layer shares the embedding, which is listed first
            continue
        spellings = name, name.removeprefix("transformer.")  # BLOOM's weights are listed without this prefix
        stored = next(filter(None, (known.get_name(each, try_suffixes=_SUFFIXES) for each in spellings)), None)
        stored = _OTHER_NAMES[stored] if stored in _OTHER_NAMES and stored not in file.tensors else stored
        if stored is None or stored not in file.tensors:
            raise GgufError(f"it lacks the tensor '{stored or name}'")
        names[name] = stored
    unused = sorted(set(file.tensors) - set(names.values()) - ROTATIONS)
    if unused:
        raise UnlikeLlamaCppError(f"its tensor '{unused[0]}' does not exist in the transformers model")
    return names
