"""Streaming parser for translation memories (TMX 1.1 to 1.4b) that rejects entities and ignores a DTD."""

from collections.abc import Iterator
from typing import BinaryIO
from xml.parsers import expat

from genderscope.core import tables
from genderscope.core.errors import UserError
from genderscope.core.languages import LANGUAGES
from genderscope.models.translation.records import Record

_BLOCK = 1 << 16
#: maximum nesting depth; real files stay far below it
_DEEPEST = 64
#: maximum number of languages to list in a message
_TOLD = 40
#: elements containing a CAT tool's inline codes rather than text
_CODES = {"bpt", "ept", "it", "ph", "ut", "sub"}
_THREE = {language.iso3: code for code, language in LANGUAGES.items()}


def units(file: BinaryIO, where: str, source: str, target: str) -> Iterator[Record]:
    """Yield the units with both languages; if there are none, raise and list the file's languages."""
    parser = _Parser(where, source, target)
    size = 0
    while block := file.read(_BLOCK):
        size += len(block)
        if size > tables.LARGEST_STREAM:
            raise UserError(f"{where} contains more than {tables.LARGEST_STREAM:,} bytes; split it into smaller files.")
        yield from parser.feed(block)
    yield from parser.close()


class _Parser:
    """Parser that collects the segments of one unit at a time."""

    def __init__(self, where: str, source: str, target: str) -> None:
        self.where, self.source, self.target = where, source, target
        self.found: list[Record] = []
        self.languages: set[str] = set()
        self.pairs = self.depth = self.codes = self.line = self.fed = 0
        self.language = ""
        self.segments: dict[str, str] = {}
        self.text: list[str] | None = None
        self.length = 0
        self.xml = expat.ParserCreate()
        self.xml.buffer_text = True
        self.xml.StartElementHandler = self._start
        self.xml.EndElementHandler = self._end
        self.xml.CharacterDataHandler = self._characters
        self.xml.EntityDeclHandler = self._refused
        self.xml.SkippedEntityHandler = self._refused
        self.xml.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)

    def feed(self, block: bytes, last: bool = False) -> list[Record]:
        """Return the units that end in this block."""
        try:
            self.xml.Parse(block, last)
        except expat.ExpatError as error:
            reason = expat.errors.messages.get(error.code, "") or str(error)
            raise self._wrong(f"not well-formed XML ({reason})", error.lineno) from None
        self.fed += len(block)
        # expat buffers a comment or tag until it ends; one that never ends would exhaust memory.
        if self.fed - self.xml.CurrentByteIndex > tables.LONGEST_LINE + _BLOCK:
            raise self._wrong(f"a tag or comment is longer than {tables.LONGEST_LINE:,} bytes")
        found, self.found = self.found, []
        return found

    def close(self) -> list[Record]:
        """Finish parsing; raise if no unit has both languages."""
        found = self.feed(b"", last=True)
        if not self.pairs:
            there = ", ".join(sorted(self.languages)) or "none"
            raise UserError(
                f"{self.where} contains no unit with '{self.source}' and '{self.target}' (its languages: {there}); "
                "use a translation memory for that pair."
            )
        return found

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        if self.depth == 1 and name != "tmx":
            raise self._wrong(f"not a TMX file: it begins with <{name[:40]}>")
        if self.depth > _DEEPEST:
            raise self._wrong("its elements are nested too deeply")
        if name == "tu":
            self.line, self.segments = self.xml.CurrentLineNumber, {}
        elif name == "tuv":
            self.language = _code(attributes.get("xml:lang") or attributes.get("lang") or "")
            if len(self.languages) < _TOLD:
                self.languages.add(self.language or "unnamed")
        elif name == "seg":
            self.text, self.length = [], 0
        elif name in _CODES:
            self.codes += 1

    def _end(self, name: str) -> None:
        self.depth -= 1
        if name in _CODES:
            self.codes -= 1
        elif name == "seg" and self.text is not None:
            self.segments.setdefault(self.language, "".join(self.text))
            self.text = None
        elif name == "tu" and self.source in self.segments and self.target in self.segments:
            self.pairs += 1
            translation = " ".join(self.segments[self.target].split("\n"))
            self.found.append(Record(self.line, translation, self.segments[self.source]))

    def _characters(self, text: str) -> None:
        if self.text is not None and not self.codes:
            self.length += len(text)
            if self.length > tables.LONGEST_LINE:
                raise self._wrong(f"a segment has more than {tables.LONGEST_LINE:,} characters")
            self.text.append(text)

    def _refused(self, name: str, *_: object) -> None:
        raise self._wrong(f"the entity '{name[:40]}' is not supported; replace it with its text")

    def _wrong(self, what: str, line: int | None = None) -> UserError:
        return UserError(f"{self.where}, line {line or self.xml.CurrentLineNumber}: {what}.")


def _code(name: str) -> str:
    """Return a language's two-letter code without region or script: es for es-ES, ES and spa."""
    base = name.strip().replace("_", "-").partition("-")[0].lower()
    return _THREE.get(base, base)[:12]
