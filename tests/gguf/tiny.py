"""Tiny GGUF files, written with the `gguf` package."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import gguf

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)
LLAMA_SHAPE = {
    "context_length": 1024, "embedding_length": 32, "block_count": 1, "feed_forward_length": 32,
    "attention.head_count": 2, "attention.layer_norm_rms_epsilon": 1e-5,
}  # fmt: skip


def write(path: Path, architecture: str, fields: Mapping[str, Any], tensors: Mapping[str, np.ndarray]) -> Path:
    """Write a file with these fields and tensors; a field whose value is None is left out."""
    writer = gguf.GGUFWriter(path, architecture)
    for name, value in fields.items():
        match value:
            case None:
                pass
            case bool():
                writer.add_bool(name, value)
            case int():
                writer.add_uint32(name, value)
            case float():
                writer.add_float32(name, value)
            case str():
                writer.add_string(name, value)
            case _:
                writer.add_array(name, value)
    for name, array in tensors.items():
        writer.add_tensor(name, np.ascontiguousarray(array, dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def llama_file(path: Path, tokens: Sequence[str], types: Sequence[int], **tokenizer: Any) -> Path:
    """Write a llama of one layer over a vocabulary; `tokenizer` are fields below tokenizer.ggml."""
    fields: dict[str, Any] = {f"llama.{name}": value for name, value in LLAMA_SHAPE.items()}
    fields |= {"tokenizer.ggml.tokens": list(tokens), "tokenizer.ggml.token_type": list(types)}
    fields |= {f"tokenizer.ggml.{name}": value for name, value in tokenizer.items()}
    return write(path, "llama", fields, llama_tensors(len(tokens)))


def llama_tensors(vocabulary: int) -> dict[str, np.ndarray]:
    """Return random weights of the shape above."""
    random = np.random.default_rng(7)
    shapes = {"token_embd": (vocabulary, 32), "output_norm": (32,), "blk.0.attn_norm": (32,), "blk.0.ffn_norm": (32,)}
    shapes |= {f"blk.0.{name}": (32, 32) for name in ("attn_q", "attn_k", "attn_v", "attn_output")}
    shapes |= {f"blk.0.{name}": (32, 32) for name in ("ffn_up", "ffn_gate", "ffn_down")}
    return {f"{name}.weight": random.normal(size=shape) for name, shape in shapes.items()}
