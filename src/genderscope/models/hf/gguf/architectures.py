"""Mapping of GGUF architectures to transformers, each tested against llama.cpp; others are rejected."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from genderscope.models.hf.gguf.container import Shape, UnlikeLlamaCppError

Settings = dict[str, Any]
Weights = npt.NDArray[np.float32]
#: function that returns part of an architecture's configuration
Part = Callable[[Shape], Settings]

#: tensors with rotary embedding factors, which become part of the configuration
ROTATIONS = frozenset({"rope_freqs.weight", "rope_factors_long.weight", "rope_factors_short.weight"})


@dataclass(frozen=True)
class Architecture:
    """An architecture's name and configuration in transformers, and the inverse of llama.cpp's weight conversion."""

    model_type: str
    parts: tuple[Part, ...]
    restore: Callable[[str, Weights, Shape], Weights] = lambda name, weights, shape: weights

    def settings(self, shape: Shape) -> Settings:
        """Return the configuration; later parts override earlier ones."""
        return {name: value for part in self.parts for name, value in part(shape).items()}


def _always(**settings: Any) -> Part:
    return lambda shape: settings


def _layer_norm(name: str) -> Part:
    return lambda shape: {name: shape.get("attention.layer_norm_epsilon")}


def _decoder(shape: Shape, groups: int | None = None) -> Settings:
    """Return the settings common to Llama-like architectures; `groups` is the number of key-value heads."""
    return {
        "hidden_size": shape.get("embedding_length"),
        "intermediate_size": shape.get("feed_forward_length"),
        "num_hidden_layers": shape.get("block_count"),
        "num_attention_heads": shape.heads,
        "num_key_value_heads": groups or shape.groups,
        "max_position_embeddings": shape.get("context_length"),
    }


def _rms(shape: Shape) -> Settings:
    return {"rms_norm_eps": shape.get("attention.layer_norm_rms_epsilon")}


def _wholly_rotated(shape: Shape) -> Settings:
    if shape.rotated != 1.0:
        raise UnlikeLlamaCppError(f"it rotates only {shape.rotated:.0%} of each attention head, which is not supported")
    return {"rope_parameters": shape.rope()}


def _partly_rotated(shape: Shape) -> Settings:
    return {"rope_parameters": shape.rope() | {"partial_rotary_factor": shape.rotated}}


def _biases(shape: Shape) -> Settings:
    return {"attention_bias": "blk.0.attn_q.bias" in shape.tensors, "mlp_bias": "blk.0.ffn_up.bias" in shape.tensors}


def _head_size(shape: Shape) -> Settings:
    return {"head_dim": shape.head_size}


def _granite(shape: Shape) -> Settings:
    return {
        "attention_multiplier": shape.get("attention.scale", shape.head_size**-0.5),
        "embedding_multiplier": shape.get("embedding_scale", 1.0),
        "residual_multiplier": shape.get("residual_scale", 1.0),
        "logits_scaling": shape.get("logit_scale", 1.0),
    }


def _heads_as_wide_as_embeddings(shape: Shape) -> Settings:
    if shape.head_size * shape.heads != shape.get("embedding_length"):
        raise UnlikeLlamaCppError("its attention heads do not add up to the embedding width, which is not supported")
    return {}


def _query_scale(shape: Shape, layers_of_largest: int) -> int:
    """Return the number whose square root scales the queries; the largest model in a family uses another number."""
    if shape.get("block_count") == layers_of_largest:
        return int(shape.get("embedding_length") // shape.heads)
    return shape.head_size


def _layer_types(shape: Shape, every: int) -> list[str]:
    return ["sliding_attention" if slides else "full_attention" for slides in shape.layers_that_slide(every)]


def _gemma2(shape: Shape) -> Settings:
    return {
        "query_pre_attn_scalar": _query_scale(shape, 46),
        "sliding_window": shape.get("attention.sliding_window", 4096),
        "layer_types": _layer_types(shape, 2),
        "attn_logit_softcapping": shape.get("attn_logit_softcapping", 50.0),
        "final_logit_softcapping": shape.get("final_logit_softcapping", 30.0),
    }


def _gemma3(shape: Shape) -> Settings:
    local = {"rope_type": "default", "rope_theta": float(shape.get("rope.freq_base_swa", 10000.0))}
    return {
        "rope_parameters": {"full_attention": shape.rope(), "sliding_attention": local},
        "query_pre_attn_scalar": _query_scale(shape, 62),
        "sliding_window": shape.get("attention.sliding_window"),
        "layer_types": _layer_types(shape, 6),
        "attn_logit_softcapping": None,
        "final_logit_softcapping": None,
    }


def _phi3(shape: Shape) -> Settings:
    shape.get("attention.sliding_window", 0)  # llama.cpp ignores the sliding window
    original = shape.get("rope.scaling.original_context_length", shape.get("context_length"))
    return {"sliding_window": None, "original_max_position_embeddings": original}


def _stablelm(shape: Shape) -> Settings:
    shape.get("use_parallel_residual", True)  # llama.cpp infers this from the tensors
    return {
        "use_qkv_bias": "blk.0.attn_q.bias" in shape.tensors,
        "use_parallel_residual": "blk.0.ffn_norm.weight" not in shape.tensors,
    }


def _gpt_neox(shape: Shape) -> Settings:
    shape.refuse_groups()
    shared = _decoder(shape) | _partly_rotated(shape)
    del shared["num_key_value_heads"]
    return shared | {
        "layer_norm_eps": shape.get("attention.layer_norm_epsilon"),
        "use_parallel_residual": shape.get("use_parallel_residual", True),
    }


def _gpt2(shape: Shape) -> Settings:
    shape.refuse_groups()
    return {
        "n_embd": shape.get("embedding_length"),
        "n_inner": shape.get("feed_forward_length"),
        "n_layer": shape.get("block_count"),
        "n_head": shape.heads,
        "n_positions": shape.get("context_length"),
        "layer_norm_epsilon": shape.get("attention.layer_norm_epsilon"),
    }


def _bloom(shape: Shape) -> Settings:
    shape.refuse_groups()
    if shape.get("attention.max_alibi_bias", 8.0) != 8.0:
        raise UnlikeLlamaCppError("its ALiBi slopes differ from BLOOM's, which is not supported")
    shape.get("context_length")  # positions are unlimited with ALiBi
    if shape.get("feed_forward_length") != 4 * shape.get("embedding_length"):
        raise UnlikeLlamaCppError(
            "its feed-forward width is not four times its embedding width, which is not supported"
        )
    return {
        "hidden_size": shape.get("embedding_length"),
        "n_layer": shape.get("block_count"),
        "n_head": shape.heads,
        "layer_norm_epsilon": shape.get("attention.layer_norm_epsilon"),
    }


def _falcon(shape: Shape) -> Settings:
    shared = _decoder(shape) | _wholly_rotated(shape)
    width, groups = shared.pop("intermediate_size"), shared.pop("num_key_value_heads")
    return shared | {
        "ffn_hidden_size": width,
        "num_kv_heads": groups,
        "multi_query": groups == 1,
        "new_decoder_architecture": "blk.0.attn_norm_2.weight" in shape.tensors,
        "layer_norm_epsilon": shape.get("attention.layer_norm_epsilon"),
    }


def _lfm2(shape: Shape) -> Settings:
    groups = shape.by_layer("attention.head_count_kv")
    return _decoder(shape, max(groups)) | {
        "rope_parameters": shape.rope(),
        "norm_eps": shape.get("attention.layer_norm_rms_epsilon"),
        "layer_types": ["full_attention" if heads else "conv" for heads in groups],
        "conv_L_cache": shape.get("shortconv.l_cache"),
        "block_auto_adjust_ff_dim": False,
    }


def _mamba(shape: Shape) -> Settings:
    if shape.get("ssm.inner_size") % shape.get("embedding_length"):
        raise UnlikeLlamaCppError("its inner size is not a multiple of its embedding width, which is not supported")
    for name in ("feed_forward_length", "attention.head_count"):
        shape.get(name, 0)  # marks the field as used; its value is zero
    return {
        "hidden_size": shape.get("embedding_length"),
        "num_hidden_layers": shape.get("block_count"),
        "expand": shape.get("ssm.inner_size") // shape.get("embedding_length"),
        "conv_kernel": shape.get("ssm.conv_kernel"),
        "state_size": shape.get("ssm.state_size"),
        "time_step_rank": shape.get("ssm.time_step_rank"),
        "layer_norm_epsilon": shape.get("attention.layer_norm_rms_epsilon"),
        "max_position_embeddings": shape.get("context_length"),
    }


def _interleaved(name: str, weights: Weights, shape: Shape) -> Weights:
    """Undo llama.cpp's interleaving of the two halves of each rotary head."""
    if ".attn_q." not in name and ".attn_k." not in name:
        return weights
    heads = shape.heads if ".attn_q." in name else shape.groups
    pairs = weights.reshape(heads, weights.shape[0] // heads // 2, 2, *weights.shape[1:])
    return pairs.swapaxes(1, 2).reshape(weights.shape)


def _norms_by_one(name: str, weights: Weights, _shape: Shape) -> Weights:
    """Subtract the 1 that llama.cpp adds to norm weights."""
    return weights - 1 if name.endswith("norm.weight") else weights


def _conv1d(name: str, weights: Weights, _shape: Shape) -> Weights:
    """Transpose GPT-2's Conv1D matrices."""
    turned = ("attn_qkv.weight", "attn_output.weight", "ffn_up.weight", "ffn_down.weight")
    return weights.T if name.startswith("blk.") and name.endswith(turned) else weights


def _by_head(name: str, weights: Weights, shape: Shape) -> Weights:
    """Group query, key and value by head; llama.cpp stores all queries first."""
    if ".attn_qkv." not in name:
        return weights
    parts = weights.reshape(3, shape.heads, -1, *weights.shape[1:])
    return parts.swapaxes(0, 1).reshape(weights.shape)


def _by_group(name: str, weights: Weights, shape: Shape) -> Weights:
    """Within each group of heads, place the queries before the key and the value."""
    if ".attn_qkv." not in name:
        return weights
    size, groups = shape.head_size, shape.groups
    queries, keys, values = np.split(weights, [shape.heads * size, (shape.heads + groups) * size])
    parts = [part.reshape(groups, -1, size, *weights.shape[1:]) for part in (queries, keys, values)]
    return np.concatenate(parts, axis=1).reshape(weights.shape)


def _convolutions(name: str, weights: Weights, _shape: Shape) -> Weights:
    """Restore the convolution dimension that llama.cpp drops, and invert its transformation of state matrices."""
    if name.endswith((".ssm_conv1d.weight", ".shortconv.conv.weight")):
        return weights[:, None]
    return np.log(-weights) if name.endswith(".ssm_a") else weights


_ROTARY = (_decoder, _rms, _wholly_rotated)
_LLAMA = (_head_size, *_ROTARY, _biases, _always(hidden_act="silu"))
_GEMMA = (*_ROTARY, _head_size)

ARCHITECTURES: Mapping[str, Architecture] = {
    "llama": Architecture("llama", _LLAMA, _interleaved),
    "granite": Architecture("granite", (*_LLAMA, _granite), _interleaved),
    "smollm3": Architecture(
        "smollm3", (*_LLAMA, _always(no_rope_layer_interval=4, use_sliding_window=False)), _interleaved
    ),
    "qwen2": Architecture("qwen2", (_heads_as_wide_as_embeddings, *_ROTARY, _always(use_sliding_window=False))),
    "qwen3": Architecture("qwen3", (_head_size, *_ROTARY, _always(use_sliding_window=False, attention_bias=False))),
    "olmo2": Architecture("olmo2", _ROTARY),
    "gemma": Architecture("gemma", _GEMMA, _norms_by_one),
    "gemma2": Architecture("gemma2", (*_GEMMA, _gemma2), _norms_by_one),
    "gemma3": Architecture("gemma3_text", (*_GEMMA, _gemma3), _norms_by_one),
    "phi3": Architecture("phi3", (_phi3, _decoder, _rms, _partly_rotated)),
    "phi2": Architecture("phi", (_decoder, _partly_rotated, _layer_norm("layer_norm_eps"))),
    "stablelm": Architecture("stablelm", (_decoder, _partly_rotated, _layer_norm("layer_norm_eps"), _stablelm)),
    "starcoder2": Architecture(
        "starcoder2",
        (_decoder, _wholly_rotated, _layer_norm("norm_epsilon"), _always(use_bias=True, sliding_window=None)),
    ),
    "nemotron": Architecture(
        "nemotron", (_layer_norm("norm_eps"), _decoder, _partly_rotated, _biases, _head_size), _norms_by_one
    ),
    "gptneox": Architecture("gpt_neox", (_gpt_neox,), _by_head),
    "gpt2": Architecture("gpt2", (_gpt2,), _conv1d),
    "bloom": Architecture("bloom", (_bloom,), _by_head),
    "falcon": Architecture("falcon", (_falcon,), _by_group),
    "lfm2": Architecture("lfm2", (_lfm2,), _convolutions),
    "mamba": Architecture("mamba", (_mamba,), _convolutions),
}
