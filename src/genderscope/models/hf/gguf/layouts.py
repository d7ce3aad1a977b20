"""Undoes what llama.cpp's converter does to the weights of an architecture, tensor by tensor."""

import numpy as np
import numpy.typing as npt

from genderscope.models.hf.gguf.shape import Shape

Weights = npt.NDArray[np.float32]


def interleaved(name: str, weights: Weights, shape: Shape) -> Weights:
    """Put the two halves of each rotated head one after the other: llama.cpp interleaves them."""
    if ".attn_q." not in name and ".attn_k." not in name:
        return weights
    heads = shape.heads if ".attn_q." in name else shape.groups
    pairs = weights.reshape(heads, weights.shape[0] // heads // 2, 2, *weights.shape[1:])
    return pairs.swapaxes(1, 2).reshape(weights.shape)


def norms_by_one(name: str, weights: Weights, _shape: Shape) -> Weights:
    """Subtract the one that llama.cpp adds to the weights of norms."""
    return weights - 1 if name.endswith("norm.weight") else weights


def conv1d(name: str, weights: Weights, _shape: Shape) -> Weights:
    """Transpose the matrices of GPT-2, which multiply from the other side."""
    turned = ("attn_qkv.weight", "attn_output.weight", "ffn_up.weight", "ffn_down.weight")
    return weights.T if name.startswith("blk.") and name.endswith(turned) else weights


def by_head(name: str, weights: Weights, shape: Shape) -> Weights:
    """Put query, key and value of each head together: llama.cpp has all queries first."""
    if ".attn_qkv." not in name:
        return weights
    parts = weights.reshape(3, shape.heads, -1, *weights.shape[1:])
    return parts.swapaxes(0, 1).reshape(weights.shape)


def by_group(name: str, weights: Weights, shape: Shape) -> Weights:
    """Put the queries of each group of heads before its key and its value."""
    if ".attn_qkv." not in name:
        return weights
    size, groups = shape.head_size, shape.groups
    queries, keys, values = np.split(weights, [shape.heads * size, (shape.heads + groups) * size])
    parts = [part.reshape(groups, -1, size, *weights.shape[1:]) for part in (queries, keys, values)]
    return np.concatenate(parts, axis=1).reshape(weights.shape)


def convolutions(name: str, weights: Weights, _shape: Shape) -> Weights:
    """Add the dimension of convolutions that llama.cpp drops, and take the logarithm of states."""
    if name.endswith((".ssm_conv1d.weight", ".shortconv.conv.weight")):
        return weights[:, None]
    return np.log(-weights) if name.endswith(".ssm_a") else weights
