"""Inverse transformations for the weights that llama.cpp's converter rearranges, by architecture."""

import numpy as np
import numpy.typing as npt

from genderscope.models.hf.gguf.shape import Shape

Weights = npt.NDArray[np.float32]


def interleaved(name: str, weights: Weights, shape: Shape) -> Weights:
    """Undo llama.cpp's interleaving of the two halves of each rotary head."""
    if ".attn_q." not in name and ".attn_k." not in name:
        return weights
    heads = shape.heads if ".attn_q." in name else shape.groups
    pairs = weights.reshape(heads, weights.shape[0] // heads // 2, 2, *weights.shape[1:])
    return pairs.swapaxes(1, 2).reshape(weights.shape)


def norms_by_one(name: str, weights: Weights, _shape: Shape) -> Weights:
    """Subtract the 1 that llama.cpp adds to norm weights."""
    return weights - 1 if name.endswith("norm.weight") else weights


def conv1d(name: str, weights: Weights, _shape: Shape) -> Weights:
    """Transpose GPT-2's Conv1D matrices."""
    turned = ("attn_qkv.weight", "attn_output.weight", "ffn_up.weight", "ffn_down.weight")
    return weights.T if name.startswith("blk.") and name.endswith(turned) else weights


def by_head(name: str, weights: Weights, shape: Shape) -> Weights:
    """Group query, key and value by head; llama.cpp stores all queries first."""
    if ".attn_qkv." not in name:
        return weights
    parts = weights.reshape(3, shape.heads, -1, *weights.shape[1:])
    return parts.swapaxes(0, 1).reshape(weights.shape)


def by_group(name: str, weights: Weights, shape: Shape) -> Weights:
    """Within each group of heads, place the queries before the key and the value."""
    if ".attn_qkv." not in name:
        return weights
    size, groups = shape.head_size, shape.groups
    queries, keys, values = np.split(weights, [shape.heads * size, (shape.heads + groups) * size])
    parts = [part.reshape(groups, -1, size, *weights.shape[1:]) for part in (queries, keys, values)]
    return np.concatenate(parts, axis=1).reshape(weights.shape)


def convolutions(name: str, weights: Weights, _shape: Shape) -> Weights:
    """Restore the convolution dimension that llama.cpp drops, and invert its transformation of state matrices."""
    if name.endswith((".ssm_conv1d.weight", ".shortconv.conv.weight")):
        return weights[:, None]
    return np.log(-weights) if name.endswith(".ssm_a") else weights
