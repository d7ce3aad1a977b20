"""Hyperparameters in a GGUF file; a field that the conversion does not use is treated as an error."""

import math
from collections.abc import Mapping
from typing import Any

from genderscope.models.hf.gguf.container import GgufError, GgufFile, UnlikeLlamaCppError

#: fields that do not affect next-token prediction
_WITHOUT_EFFECT = {"vocab_size", "tensor_data_layout", "pooling_type", "rope.scaling.finetuned", "attention.causal"}


class Shape:
    """A file's architecture-specific fields, without the architecture prefix."""

    def __init__(self, file: GgufFile) -> None:
        self.architecture = str(file.fields.get("general.architecture", ""))
        if not self.architecture:
            raise GgufError("it has no field 'general.architecture'")
        prefix = f"{self.architecture}."
        self._fields: Mapping[str, Any] = {
            name.removeprefix(prefix): value for name, value in file.fields.items() if name.startswith(prefix)
        }
        self._asked = set(_WITHOUT_EFFECT)
        self.tensors = file.tensors
        self._file = file
        if (layers := self._fields.get("block_count", 0)) > len(file.tensors):
            raise GgufError(f"it has {len(file.tensors)} tensors, too few for {layers} layers")

    def get(self, name: str, default: Any = None) -> Any:
        """Return a field; a per-layer list of equal values is reduced to one value."""
        self._asked.add(name)
        value = self._fields.get(name, default)
        if value is None:
            raise GgufError(f"it has no field '{self.architecture}.{name}'")
        if isinstance(value, list) and name != "attention.sliding_window_pattern":
            if len(set(value)) != 1:
                raise UnlikeLlamaCppError(f"its layers differ in '{self.architecture}.{name}', which is not supported")
            return value[0]
        return value

    def by_layer(self, name: str) -> list[Any]:
        """Return the values of a per-layer field."""
        self._asked.add(name)
        value, count = self._fields.get(name), int(self.get("block_count"))
        if not isinstance(value, list) or len(value) < count:
            raise GgufError(f"it does not specify '{self.architecture}.{name}' for each of its {count} layers")
        return value[:count]

    def refuse_leftovers(self) -> None:
        """Raise if a field was not used, since it might affect the model's output, or if attention is not causal."""
        for name, value in self._fields.items():
            if name not in self._asked and value not in (0, False, "none"):
                raise UnlikeLlamaCppError(f"its field '{self.architecture}.{name}' is not supported")
        if self._fields.get("attention.causal") is False:
            raise GgufError("its attention is not causal, so it cannot continue a text")

    @property
    def heads(self) -> int:
        return int(self.get("attention.head_count"))

    @property
    def groups(self) -> int:
        """The number of key-value heads."""
        return int(self.get("attention.head_count_kv", self.heads))

    def refuse_groups(self) -> None:
        """Raise on grouped-query attention, for architectures where transformers does not support it."""
        if self.groups != self.heads:
            raise UnlikeLlamaCppError("it uses grouped-query attention, which is not supported for this architecture")

    @property
    def head_size(self) -> int:
        """The dimension of an attention head."""
        size = int(self.get("attention.key_length", self.get("embedding_length") // self.heads))
        if self.get("attention.value_length", size) != size:
            raise UnlikeLlamaCppError("its keys and values differ in length, which is not supported")
        return size

    @property
    def rotated(self) -> float:
        """The fraction of each head that is rotated by rotary embeddings."""
        return float(self.get("rope.dimension_count", self.head_size)) / self.head_size

    def layers_that_slide(self, every: int) -> list[bool]:
        """Return which layers use sliding-window attention; by default, all but every n-th."""
        count = int(self.get("block_count"))
        pattern = self.get("attention.sliding_window_pattern", every)
        if isinstance(pattern, list):
            if len(pattern) < count:
                raise GgufError(f"it has {count} layers, but its sliding-window pattern covers only {len(pattern)}")
            return [bool(slides) for slides in pattern[:count]]
        return [layer % pattern < pattern - 1 for layer in range(count)]

    def rope(self) -> dict[str, Any]:
        """Return the rotary embedding parameters, with the names used in transformers."""
        base = {"rope_theta": float(self.get("rope.freq_base", 10000.0))}
        kind = self.get("rope.scaling.type", "linear")
        factor = float(self.get("rope.scaling.factor", self.get("rope.scale_linear", 0.0))) or 1.0
        original = int(self.get("rope.scaling.original_context_length", self.get("context_length")))
        attention = float(self.get("rope.scaling.attn_factor", 1.0))
        if kind == "longrope" or "rope_factors_short.weight" in self.tensors:
            return base | self._factors("rope_factors_short.weight", "rope_factors_long.weight", attention, original)
        by_frequency = "rope_freqs.weight" in self.tensors
        if attention != 1.0 or (by_frequency and factor != 1.0):
            raise UnlikeLlamaCppError("it scales positions in two ways at once, which is not supported")
        if by_frequency:
            return base | self._factors("rope_freqs.weight", "rope_freqs.weight", 1.0, original)
        if kind == "none" or factor == 1.0:
            return base | {"rope_type": "default"}
        if kind == "linear":
            return base | {"rope_type": "linear", "factor": factor}
        if kind == "yarn":
            sharpened = 0.1 * math.log(factor) + 1.0
            yarn = {"factor": factor, "attention_factor": sharpened, "original_max_position_embeddings": original}
            return base | {"rope_type": "yarn"} | yarn
        raise UnlikeLlamaCppError(f"it uses '{kind}' position scaling, which is not supported")

    def _factors(self, short: str, long: str, attention: float, original: int) -> dict[str, Any]:
        """Return parameters that divide each frequency by its own factor (longrope in transformers)."""
        for name in (short, long):
            if name not in self.tensors:
                raise GgufError(f"it has no tensor '{name}'")
        return {
            "rope_type": "longrope",
            "short_factor": self._file.weights(short).ravel().tolist(),
            "long_factor": self._file.weights(long).ravel().tolist(),
            "attention_factor": attention,
            "original_max_position_embeddings": original,
        }
