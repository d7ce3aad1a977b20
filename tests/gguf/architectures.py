"""Small models of every architecture that is read from GGUF files, written as llama.cpp's converter writes them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import pre_tokenizers
from transformers import AutoConfig, AutoModelForCausalLM

import gguf
from tests.gguf.tiny import CONTROL, NORMAL, write

TOKENS = ["<|end|>", *sorted(pre_tokenizers.ByteLevel.alphabet())]
SIZES = {
    "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2, "num_attention_heads": 4,
    "num_key_value_heads": 2, "max_position_embeddings": 512, "vocab_size": len(TOKENS),
}  # fmt: skip
SHAPE = {
    "embedding_length": 64, "feed_forward_length": 96, "block_count": 2, "attention.head_count": 4,
    "attention.head_count_kv": 2, "context_length": 512,
}  # fmt: skip
RMS = {"attention.layer_norm_rms_epsilon": 1e-5}
LAYER_NORM = {"attention.layer_norm_epsilon": 1e-5}


def as_it_is(_name: str, weights: np.ndarray) -> np.ndarray:
    return weights


def in_turn(name: str, weights: np.ndarray) -> np.ndarray:
    """Llama: the two halves of a rotated head are written in turn."""
    heads = {"attn_q": 4, "attn_k": 2}.get(name.split(".")[-2])
    if heads is None:
        return weights
    halves = weights.reshape(heads, 2, -1, *weights.shape[1:])
    return np.stack([halves[:, 0], halves[:, 1]], axis=2).reshape(weights.shape)


def plus_one(name: str, weights: np.ndarray) -> np.ndarray:
    """Gemma: norms multiply by one and their weight, and llama.cpp by what is written."""
    return weights + 1 if name.endswith("norm.weight") else weights


def turned(name: str, weights: np.ndarray) -> np.ndarray:
    """GPT-2: its matrices multiply from the other side."""
    return weights.T if name.startswith("blk") and weights.ndim == 2 else weights


def queries_first(name: str, weights: np.ndarray) -> np.ndarray:
    """BLOOM and GPT-NeoX: query, key and value of every head come apart."""
    if "attn_qkv" not in name:
        return weights
    by_head = weights.reshape(4, 3, 16, *weights.shape[1:])
    return np.concatenate([by_head[:, part].reshape(64, *weights.shape[1:]) for part in range(3)])


def groups_apart(name: str, weights: np.ndarray) -> np.ndarray:
    """Falcon: the queries, keys and values of two groups of heads come apart."""
    if "attn_qkv" not in name:
        return weights
    by_group = weights.reshape(2, 4, 16, 64)
    parts = (by_group[:, :2], by_group[:, 2], by_group[:, 3])
    return np.concatenate([part.reshape(-1, 64) for part in parts])


def flat(name: str, weights: np.ndarray) -> np.ndarray:
    """Mamba and LFM2: convolutions lose a dimension, states are written as what they decay by."""
    if "conv" in name and weights.ndim == 3:
        return weights[:, 0]
    return -np.exp(weights) if name.endswith("ssm_a") else weights


@dataclass(frozen=True)
class Small:
    """A small model: its name and settings in transformers, its fields and tensors in GGUF."""

    model_type: str
    architecture: str
    config: dict[str, Any] = field(default_factory=dict)
    fields: dict[str, Any] = field(default_factory=dict)
    written: Callable[[str, np.ndarray], np.ndarray] = as_it_is
    extra: dict[str, np.ndarray] = field(default_factory=dict)
    #: llama.cpp looks GELU up in a table of half precision, and layers add that up; all else is float32 on both sides
    tolerance: float = 5e-3

    def build(self, path: Path) -> Any:
        """Write the file and return the model that it is of."""
        torch.manual_seed(3)
        config = AutoConfig.for_model(self.model_type, **{**SIZES, "pad_token_id": 0, **self.config})
        model = AutoModelForCausalLM.from_config(config).eval()
        with torch.no_grad():
            for parameter in model.parameters():  # as made they are so small that no fault would show
                parameter.add_(torch.randn_like(parameter) * 0.25)
        number = next(key for key, name in gguf.MODEL_ARCH_NAMES.items() if name == self.architecture)
        names = gguf.get_tensor_name_map(number, 64)
        tensors = {}
        for name, weights in model.state_dict().items():
            if name == "lm_head.weight" and config.tie_word_embeddings:
                continue
            ways = (name, name.removeprefix("transformer."))
            stored = next(filter(None, (names.get_name(way, try_suffixes=(".weight", ".bias")) for way in ways)))
            tensors[stored] = self.written(stored, weights.numpy())
        fields = {f"{self.architecture}.{name}": v for name, v in {**SHAPE, **self.fields}.items() if v is not None}
        fields |= {
            "tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": "gpt-2", "tokenizer.ggml.merges": ["Ġ t"],
            "tokenizer.ggml.tokens": [*TOKENS[:-1], "Ġt"], "tokenizer.ggml.eos_token_id": 0,
            "tokenizer.ggml.token_type": [CONTROL] + [NORMAL] * (len(TOKENS) - 1),
        }  # fmt: skip
        write(path, self.architecture, fields, {**tensors, **self.extra})
        return model


def llama3_factors() -> np.ndarray:
    """What llama.cpp divides the frequencies of a head of 16 by, after Llama 3.1's rule, for 64 positions made 512."""
    turns = 64 * 10000.0 ** (-np.arange(8) / 8) / (2 * np.pi)
    smooth = np.clip((turns - 1.0) / (4.0 - 1.0), 0, 1)
    return 1 / ((1 - smooth) / 8.0 + smooth)


LLAMA3 = llama3_factors()
NEOX = {"num_key_value_heads": 4}
GEMMA = {"head_dim": 32}
GEMMA_SHAPE = {**RMS, "attention.key_length": 32, "attention.value_length": 32}

SMALL = {
    "llama": Small("llama", "llama", {"rms_norm_eps": 1e-5}, RMS, in_turn),
    "llama with biases and its own head": Small(
        "llama", "llama", {"rms_norm_eps": 1e-5, "attention_bias": True, "mlp_bias": True, "tie_word_embeddings": True},
        {**RMS, "rope.freq_base": 10000.0}, in_turn,
    ),
    "llama, scaled linearly": Small(
        "llama", "llama",
        {"rms_norm_eps": 1e-5, "rope_parameters": {"rope_type": "linear", "rope_theta": 5000.0, "factor": 4.0}},
        {**RMS, "rope.freq_base": 5000.0, "rope.scaling.type": "linear", "rope.scaling.factor": 4.0}, in_turn,
    ),
    "llama, scaled by yarn": Small(
        "llama", "llama",
        {
            "rms_norm_eps": 1e-5,
            "rope_parameters": {
                "rope_type": "yarn", "rope_theta": 10000.0, "factor": 4.0, "original_max_position_embeddings": 128,
            },
        },
        {
            **RMS, "rope.scaling.type": "yarn", "rope.scaling.factor": 4.0, "rope.scaling.original_context_length": 128,
        },
        in_turn,
    ),
    "llama, scaled frequency by frequency": Small(
        "llama", "llama",
        {
            "rms_norm_eps": 1e-5,
            "rope_parameters": {
                "rope_type": "llama3", "rope_theta": 10000.0, "factor": 8.0, "low_freq_factor": 1.0,
                "high_freq_factor": 4.0, "original_max_position_embeddings": 64,
            },
        },
        RMS, in_turn, extra={"rope_freqs.weight": LLAMA3},
    ),
    "granite": Small(
        "granite", "granite",
        {
            "rms_norm_eps": 1e-5, "attention_multiplier": 0.2, "embedding_multiplier": 3.0, "residual_multiplier": 0.5,
            "logits_scaling": 2.0,
        },
        {**RMS, "attention.scale": 0.2, "embedding_scale": 3.0, "residual_scale": 0.5, "logit_scale": 2.0}, in_turn,
    ),
    "smollm3": Small("smollm3", "smollm3", {"num_hidden_layers": 5, "rms_norm_eps": 1e-5,
        "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0}}, {**RMS, "block_count": 5}, in_turn),
    "qwen2": Small("qwen2", "qwen2", {"rms_norm_eps": 1e-5}, RMS),
    "qwen3": Small("qwen3", "qwen3", {"rms_norm_eps": 1e-5, "head_dim": 32}, GEMMA_SHAPE),
    "olmo2": Small("olmo2", "olmo2", {"rms_norm_eps": 1e-5}, RMS),
    "gemma": Small("gemma", "gemma", {"rms_norm_eps": 1e-5, **GEMMA}, GEMMA_SHAPE, plus_one),
    "gemma2": Small(
        "gemma2", "gemma2",
        {"rms_norm_eps": 1e-5, **GEMMA, "query_pre_attn_scalar": 32, "sliding_window": 8, "attn_logit_softcapping": 5.0,
         "final_logit_softcapping": 7.0},
        {**GEMMA_SHAPE, "attention.sliding_window": 8, "attn_logit_softcapping": 5.0, "final_logit_softcapping": 7.0},
        plus_one,
    ),
    "gemma3": Small(
        "gemma3_text", "gemma3",
        {"rms_norm_eps": 1e-5, **GEMMA, "query_pre_attn_scalar": 32, "sliding_window": 8, "num_hidden_layers": 7,
         "rope_parameters": {
             "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
             "full_attention": {"rope_type": "linear", "rope_theta": 1e6, "factor": 8.0},
         }},
        {**GEMMA_SHAPE, "attention.sliding_window": 8, "block_count": 7, "rope.freq_base": 1e6,
         "rope.scaling.type": "linear", "rope.scaling.factor": 8.0},
        plus_one,
    ),
    "gemma2, the largest": Small(
        "gemma2", "gemma2", {"rms_norm_eps": 1e-5, **GEMMA, "query_pre_attn_scalar": 16, "num_hidden_layers": 46},
        {**GEMMA_SHAPE, "block_count": 46}, plus_one, tolerance=0.5,
    ),
    "gemma3, the largest": Small(
        "gemma3_text", "gemma3",
        {"rms_norm_eps": 1e-5, **GEMMA, "query_pre_attn_scalar": 16, "num_hidden_layers": 62, "sliding_window": 8},
        {**GEMMA_SHAPE, "block_count": 62, "rope.freq_base": 1e6, "attention.sliding_window": 8}, plus_one,
    ),
    "phi3": Small(
        "phi3", "phi3", {"rms_norm_eps": 1e-5, "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0,
                                                                  "partial_rotary_factor": 0.5}},
        {**RMS, "rope.dimension_count": 8, "attention.sliding_window": 4},
    ),
    "phi3, scaled frequency by frequency": Small(
        "phi3", "phi3",
        {
            "rms_norm_eps": 1e-5, "original_max_position_embeddings": 1024,
            "rope_parameters": {
                "rope_type": "longrope", "rope_theta": 10000.0, "partial_rotary_factor": 1.0, "attention_factor": 1.19,
                "short_factor": LLAMA3.tolist(), "long_factor": (2 * LLAMA3).tolist(),
                "original_max_position_embeddings": 1024,
            },
        },
        {**RMS, "rope.scaling.attn_factor": 1.19, "rope.scaling.original_context_length": 1024},
        extra={"rope_factors_short.weight": LLAMA3, "rope_factors_long.weight": 2 * LLAMA3},
    ),
    "phi2": Small("phi", "phi2", {**NEOX, "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0,
                                                            "partial_rotary_factor": 0.5}},
                  {**LAYER_NORM, "attention.head_count_kv": 4, "rope.dimension_count": 8}),
    "stablelm": Small(
        "stablelm", "stablelm", {"use_qkv_bias": True, "rope_parameters": {
            "rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.25}},
        {**LAYER_NORM, "rope.dimension_count": 4, "use_parallel_residual": True},
    ),
    "starcoder2": Small("starcoder2", "starcoder2", {}, LAYER_NORM),
    "nemotron": Small(
        "nemotron", "nemotron", {"head_dim": 16, "rope_parameters": {
            "rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.5}},
        {**LAYER_NORM, "rope.dimension_count": 8}, plus_one,
    ),
    "gptneox": Small(
        "gpt_neox", "gptneox", {}, {**LAYER_NORM, "attention.head_count_kv": 4, "rope.dimension_count": 4,
                                    "use_parallel_residual": True}, queries_first,
    ),
    "gpt2": Small(
        "gpt2", "gpt2", {"n_positions": 512, "n_inner": 96}, {**LAYER_NORM, "attention.head_count_kv": None}, turned
    ),
    "bloom": Small(
        "bloom", "bloom", {"n_layer": 2, "n_head": 4}, {**LAYER_NORM, "attention.head_count_kv": 4,
                                                       "feed_forward_length": 256}, queries_first,
    ),
    "falcon": Small(
        "falcon", "falcon", {"ffn_hidden_size": 96, "rope_parameters": {"rope_type": "default", "rope_theta": 1e4}},
        {**LAYER_NORM, "attention.head_count_kv": 1},
    ),
    "falcon in groups": Small(
        "falcon", "falcon", {"ffn_hidden_size": 96, "new_decoder_architecture": True, "num_kv_heads": 2},
        LAYER_NORM, groups_apart,
    ),
    "lfm2": Small(
        "lfm2", "lfm2",
        {"num_hidden_layers": 3, "layer_types": ["conv", "full_attention", "conv"], "block_auto_adjust_ff_dim": False,
         "rope_parameters": {"rope_type": "default", "rope_theta": 1e6}},
        {**RMS, "block_count": 3, "attention.head_count_kv": [0, 2, 0], "shortconv.l_cache": 3, "rope.freq_base": 1e6},
        flat,
    ),
    "mamba": Small(
        "mamba", "mamba", {"intermediate_size": 128, "state_size": 8, "time_step_rank": 4, "conv_kernel": 4},
        {**RMS, "ssm.inner_size": 128, "ssm.conv_kernel": 4, "ssm.state_size": 8, "ssm.time_step_rank": 4,
         "attention.head_count": 0, "attention.head_count_kv": None, "feed_forward_length": 0},
        flat,
    ),
}  # fmt: skip
