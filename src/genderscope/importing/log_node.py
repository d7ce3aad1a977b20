"""Values of a log with their place in it, so that a message can name the first field that differs; JSON and JSONL."""

import json
import math
import sys
from collections.abc import Container, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from genderscope.core.errors import UserError
from genderscope.core.tables import opened

#: type -> its name in messages
_NAMES: dict[type, str] = {str: "text", dict: "an object", list: "a list", int: "a whole number", bool: "true or false"}


@dataclass(frozen=True)
class Node:
    """A JSON value of a log."""

    value: Any
    #: the log and the line or sample, e.g. "'samples.jsonl', line 3"
    where: str
    #: the format, e.g. "the logs of lm-evaluation-harness 0.4.9 to 0.4.13"
    writer: str
    #: path of the value, e.g. "doc.context"
    path: str = ""

    def error(self, problem: str) -> UserError:
        """Return the error about this value."""
        named = f"the field '{self.path}'" if self.path else "the record"
        return UserError(f"{self.where}: {named} {problem}; this does not match {self.writer}.")

    def at(self, *names: str | int) -> "Node":
        """Return the value below this one; raise if there is none."""
        node = self
        for name in names:
            below = node.maybe(name)
            if below is None:
                raise node._below(name, None).error("is missing")
            node = below
        return node

    def maybe(self, name: str | int) -> "Node | None":
        """Return the value below this one; None if it is missing or null."""
        if isinstance(name, int):
            listed = self._typed(list)
            return self._below(name, listed[name]) if name < len(listed) and listed[name] is not None else None
        value = self._typed(dict).get(name)
        return None if value is None else self._below(name, value)

    def _below(self, name: str | int, value: Any) -> "Node":
        step = f"[{name}]" if isinstance(name, int) else f".{name}" if self.path else name
        return Node(value, self.where, self.writer, f"{self.path}{step}")

    def _typed(self, kind: type) -> Any:
        if not isinstance(self.value, kind) or (kind is int and isinstance(self.value, bool)):
            raise self.error(f"is not {_NAMES[kind]}")
        return self.value

    def text(self) -> str:
        """Return a string."""
        text = str(self._typed(str))
        # A reply that was cut inside an emoji ends with half of it, which no table can store.
        return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")

    def whole(self) -> int:
        """Return a whole number."""
        return int(self._typed(int))

    def flag(self) -> bool:
        """Return a truth value."""
        return bool(self._typed(bool))

    def number(self) -> float:
        """Return a finite number, which some tools write as text."""
        try:
            number = float(self.value) if isinstance(self.value, int | float | str) else math.nan
        except (ValueError, OverflowError):
            number = math.nan
        if not math.isfinite(number) or isinstance(self.value, bool):
            raise self.error("is not a number")
        return number

    def name(self) -> str:
        """Return a string, or a whole number as one."""
        return str(self.value) if type(self.value) is int else self.text()

    def one_of(self, *allowed: str) -> str:
        """Return a string that is one of the known ones."""
        if (text := self.text()) not in allowed:
            raise self.error(f"is '{text[:40]}', not {' or '.join(allowed)}")
        return text

    def items(self) -> "Iterator[Node]":
        """Yield the elements of a list."""
        return (self._below(k, value) for k, value in enumerate(self._typed(list)))

    def fields(self) -> "dict[str, Node]":
        """Return the entries of an object that are not null."""
        return {
            str(name): self._below(str(name), value) for name, value in self._typed(dict).items() if value is not None
        }


def is_finite_number(value: Any) -> bool:
    """Return whether a value is a number that is neither infinite nor missing."""
    return type(value) in {int, float} and abs(value) <= sys.float_info.max


def first_bytes(path: Path, endings: Container[str], count: int) -> bytes:
    """Return the beginning of a file, to recognise its format; empty for another ending or an unreadable file."""
    if path.suffix not in endings:
        return b""
    try:
        with opened(path, "log") as file:
            return bytes(file.read(count))
    except UserError:
        return b""


def json_node(content: bytes | str, where: str, writer: str, advice: str) -> Node:
    """Parse JSON; an error gives the advice."""
    try:
        return Node(json.loads(content), where, writer)
    except (ValueError, RecursionError):
        raise UserError(f"{where} is not complete JSON; {advice}.") from None


def json_lines(content: bytes, path: Path, writer: str, advice: str) -> Iterator[Node]:
    """Parse JSON lines, except empty ones."""
    for number, line in enumerate(content.decode("utf-8", "replace").split("\n"), 1):
        if line.strip():
            yield json_node(line, f"'{path}', line {number}", writer, advice)
