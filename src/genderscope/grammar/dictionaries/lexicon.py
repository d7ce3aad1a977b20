"""Index of a dictionary's gendered forms: a small sorted file in the user's cache, searched in place.

Loading the raw tables takes seconds and up to 420 MB of memory; the memory-mapped index avoids both costs.
"""

import contextlib
import mmap
from bisect import bisect_right
from collections.abc import Callable, Mapping
from functools import cached_property
from importlib import metadata
from pathlib import Path
from zlib import crc32

from genderscope.core.user_cache import cache_folder, keep_bytes
from genderscope.grammar.dictionaries.agreement_forms import Agreeing, index_agreeing
from genderscope.grammar.dictionaries.checksum import SIZE, with_checksum, without_checksum
from genderscope.grammar.dictionaries.slavic_forms import FormRules, index_forms
from genderscope.grammar.problems import MissingDictionary

# Blocks are searched linearly; smaller blocks would be faster, but the list of their first words would be larger.
_BLOCK = 4096
INDEX_FORMAT = 19  # increment when slavic_forms.py, agreement_forms.py or traits.py change the content of an index


class Lexicon:
    """Traits of word forms, stored in a file of sorted lines ``form TAB traits`` that is opened on first lookup."""

    def __init__(self, open_lines: Callable[[], bytes | mmap.mmap]) -> None:
        self._open = open_lines

    @cached_property
    def _lines(self) -> bytes | mmap.mmap:
        return self._open()

    @cached_property
    def _starts(self) -> list[int]:
        lines, starts = self._lines, [0]
        while (line_break := lines.find(b"\n", starts[-1] + _BLOCK)) >= 0 and line_break + 1 < len(lines):
            starts.append(line_break + 1)
        return starts

    @cached_property
    def _firsts(self) -> list[bytes]:
        return [self._lines[start : self._lines.find(b"\t", start)] for start in self._starts]

    def traits(self, form: str) -> int:
        """Return the traits of a form; 0 if it is not in the dictionary."""
        lines, key = self._lines, form.encode()
        block = bisect_right(self._firsts, key) - 1
        if block < 0:
            return 0
        start = self._starts[block]
        if self._firsts[block] != key:
            end = self._starts[block + 1] if block + 1 < len(self._starts) else len(lines)
            start = lines.find(b"\n%s\t" % key, start, end) + 1
            if not start:
                return 0
        return int(lines[start + len(key) + 1 : lines.find(b"\n", start)], 16)


def encode_lines(traits: Mapping[str, int]) -> bytes:
    """Encode the index as newline-terminated lines, one per form, sorted bytewise."""
    rows = sorted((form.encode(), bits) for form, bits in traits.items() if bits and "\t" not in form)
    return b"".join(b"%s\t%x\n" % row for row in rows)


def simplemma_lexicon(table: str, language: str, rules: FormRules | Agreeing) -> Lexicon:
    """Return the indexed forms of a simplemma table, from the cache if possible."""
    try:
        version = metadata.version("simplemma")
    except metadata.PackageNotFoundError:
        raise MissingDictionary("simplemma", language) from None

    def build() -> bytes:
        words = _simplemma_table(table, language)
        return encode_lines(index_forms(words, rules) if isinstance(rules, FormRules) else index_agreeing(words, rules))

    # The file name contains a hash of the rules, so that changed rules do not reuse an old index.
    made_by = f"{INDEX_FORMAT}-{crc32(repr(rules).encode()):08x}"
    path = cache_folder("grammar") / f"{table}-simplemma-{version}-{made_by}.tsv"
    return Lexicon(lambda: _cached(path, build))


def _simplemma_table(table: str, language: str) -> Mapping[str, str]:
    try:
        from simplemma.strategies.dictionaries import DefaultDictionaryFactory
    except ImportError:
        raise MissingDictionary("simplemma", language) from None
    # A separate factory, so that the table is freed once the index is built.
    dictionary: Mapping[str, str] = DefaultDictionaryFactory().get_dictionary(table)
    return dictionary


def _cached(path: Path, build: Callable[[], bytes]) -> bytes | mmap.mmap:
    """Memory-map a file, building it first if necessary; return the bytes if it cannot be written."""
    with contextlib.suppress(OSError, ValueError):  # ValueError: the file is empty or damaged
        return _mapped(path)
    lines = build()
    keep_bytes(path, with_checksum(lines))
    with contextlib.suppress(OSError, ValueError):
        return _mapped(path)
    return lines


def _mapped(path: Path) -> mmap.mmap:
    with path.open("rb") as file:
        without_checksum(memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)))
        return mmap.mmap(file.fileno(), path.stat().st_size - SIZE, access=mmap.ACCESS_READ)
