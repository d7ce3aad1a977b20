"""Parser for GGUF files; the reader in the `gguf` package takes 15 seconds for 262,144 tokens."""

import math
import struct
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
            found = dequantize(rows, kind)
        except NotImplementedError:
            raise UnlikeLlamaCppError(f"its tensor '{name}' uses {kind.name}, which is not supported") from None
        return np.ascontiguousarray(found, dtype=np.float32).reshape(stored.shape)


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
