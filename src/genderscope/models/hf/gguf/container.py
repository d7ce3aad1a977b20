"""Parser for GGUF files, and the hyperparameters in them; the `gguf` package takes 15 seconds for 262,144 tokens."""

import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

#: GGUF scalar type -> struct format character
_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
_VERSIONS = (2, 3)
_ALIGNMENT = 32


class GgufError(Exception):
    """Raised for an unusable GGUF file; the message is a clause whose subject, "it", is the file."""


class UnlikeLlamaCppError(GgufError):
    """Raised for a file that llama.cpp supports but whose results here would or might differ from llama.cpp's."""


@dataclass(frozen=True)
class StoredTensor:
    """Location of a tensor in the file; `shape` is in torch's order, with the slowest-varying dimension first."""

    shape: tuple[int, ...]
    kind: int
    offset: int


class GgufFile:
    """A GGUF file: metadata `fields` by full name, and the locations of its `tensors`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._bytes: npt.NDArray[np.uint8] = np.memmap(path, mode="r")
        except (OSError, ValueError) as error:  # an empty file cannot be mapped
            raise GgufError(f"it cannot be opened ({error})") from None
        self._cursor = _Cursor(self._bytes)
        self.fields: dict[str, Any] = {}
        self.tensors: dict[str, StoredTensor] = {}
        self._read()

    def _read(self) -> None:
        cursor = self._cursor
        if bytes(self._bytes[:4]) != b"GGUF":
            raise GgufError("it does not start with the GGUF magic number")
        cursor.skip(4)
        version = cursor.number("I")
        if version not in _VERSIONS:
            raise GgufError(f"it is version {version}, but only little-endian versions 2 and 3 are supported")
        tensors, fields = cursor.number("Q"), cursor.number("Q")
        for _ in range(fields):
            name = cursor.text()
            if name in self.fields:
                raise GgufError(f"it has the field '{name}' twice")
            self.fields[name] = cursor.value(cursor.number("I"))
        for _ in range(tensors):
            name = cursor.text()
            if name in self.tensors:
                raise GgufError(f"it has the tensor '{name}' twice")
            shape = tuple(cursor.number("Q") for _ in range(cursor.number("I")))
            self.tensors[name] = StoredTensor(shape[::-1], cursor.number("I"), cursor.number("Q"))
        alignment = int(self.fields.get("general.alignment", _ALIGNMENT)) or _ALIGNMENT
        self._data = math.ceil(cursor.at / alignment) * alignment

    def weights(self, name: str) -> npt.NDArray[np.float32]:
        """Return a tensor dequantised to float32."""
        from gguf import GGML_QUANT_SIZES, GGMLQuantizationType, dequantize

        stored = self.tensors[name]
        try:
            kind = GGMLQuantizationType(stored.kind)
            in_block, block_bytes = GGML_QUANT_SIZES[kind]
        except (ValueError, KeyError):
            raise GgufError(f"its tensor '{name}' has the unknown type {stored.kind}") from None
        elements = math.prod(stored.shape)
        begin, size = self._data + stored.offset, elements // in_block * block_bytes
        if begin + size > len(self._bytes):
            raise GgufError(f"it is truncated: the tensor '{name}' extends beyond the end of the file")
        if not stored.shape or stored.shape[-1] % in_block:
            raise GgufError(f"its tensor '{name}' does not consist of whole {kind.name} blocks")
        rows = self._bytes[begin : begin + size].reshape(*stored.shape[:-1], -1)
        try:
            values = dequantize(rows, kind)
        except NotImplementedError:
            raise UnlikeLlamaCppError(f"its tensor '{name}' uses {kind.name}, which is not supported") from None
        return np.ascontiguousarray(values, dtype=np.float32).reshape(stored.shape)


class _Cursor:
    """Position in the header, which advances with every read."""

    def __init__(self, data: npt.NDArray[np.uint8]) -> None:
        self.data = memoryview(data)  # type: ignore[arg-type]
        self.at = 0

    def skip(self, length: int) -> int:
        """Advance by `length` bytes and return the previous position."""
        begin, self.at = self.at, self.at + length
        if self.at > len(self.data):
            raise GgufError("its header is truncated")
        return begin

    def number(self, kind: str) -> Any:
        layout = struct.Struct("<" + kind)
        return layout.unpack_from(self.data, self.skip(layout.size))[0]

    def text(self) -> str:
        length = self.number("Q")
        begin = self.skip(length)
        try:
            return str(self.data[begin : begin + length], "utf-8")
        except UnicodeDecodeError:
            raise GgufError("one of its strings is not valid UTF-8") from None

    def value(self, kind: int) -> Any:
        if kind == _STRING:
            return self.text()
        if kind in _SCALARS:
            return self.number(_SCALARS[kind])
        if kind != _ARRAY:
            raise GgufError(f"one of its fields has the unknown type {kind}")
        inner, length = self.number("I"), self.number("Q")
        if inner in _SCALARS:
            item = np.dtype(_SCALARS[inner]).newbyteorder("<")
            begin = self.skip(item.itemsize * length)
            return np.frombuffer(self.data, item, length, begin).tolist()
        if inner == _ARRAY:
            raise GgufError("one of its fields contains nested lists, which is not supported")
        return [self.value(inner) for _ in range(length)]


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
