"""The masculine and the feminine variant of a text with forms for both genders, and the alternatives that it offers."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

INLINE = re.compile(r"\[\[([^\[\]]{1,1000})\]\]")
_SEPARATOR = re.compile(r"\t|\s*\|\|\|\s*")


@dataclass(frozen=True, slots=True)
class BothForm:
    """Form for both genders: `text[start:end]` stands for `masculine` and `feminine`."""

    start: int
    end: int
    masculine: str
    feminine: str


class Variant:
    """Text in which each form for both genders is replaced by its masculine or its feminine form."""

    def __init__(self, text: str, forms: Sequence[BothForm], *, feminine: bool) -> None:
        pieces: list[str] = []
        self._places: list[tuple[int, int, BothForm]] = []
        position = length = 0
        for form in forms:
            word = form.feminine if feminine else form.masculine
            pieces += (text[position : form.start], word)
            start = length + form.start - position
            length = start + len(word)
            self._places.append((start, length, form))
            position = form.end
        self.text = "".join((*pieces, text[position:]))

    def form_at(self, start: int, end: int) -> BothForm | None:
        """Return the last form for both genders that a span of this variant touches."""
        index = bisect_left(self._places, end, key=itemgetter(0)) - 1
        return self._places[index][2] if index >= 0 and start < self._places[index][1] else None

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return a span's offsets in the original text; a part of a form stands for the whole form."""
        return self._offset(start, is_end=False), self._offset(end, is_end=True)

    def _offset(self, position: int, *, is_end: bool) -> int:
        index = bisect_left(self._places, position + (not is_end), key=itemgetter(0)) - 1
        if index < 0:
            return position
        _, last, form = self._places[index]
        if position - is_end < last:
            return form.end if is_end else form.start
        return position + form.end - last


def variants(text: str, forms: Sequence[BothForm]) -> tuple[Variant, Variant]:
    """Return the masculine and the feminine variant of a text."""
    return Variant(text, forms, feminine=False), Variant(text, forms, feminine=True)


def alternatives(translation: str) -> list[str] | None:
    """Return the translations that a text offers, usually one; None if an inline alternative has not two parts.

    A system may offer alternatives inline, `[[El doctor/La doctora]] llegó.`, or as whole translations, separated by a
    tab or `|||`.
    """
    offered: list[str] = []
    for text in filter(None, (part.strip() for part in _SEPARATOR.split(translation))):
        matches = list(INLINE.finditer(text))
        if any(match[1].count("/") != 1 for match in matches):
            return None
        forms = [BothForm(*match.span(), *match[1].split("/")) for match in matches]
        offered += (variant.text for variant in variants(text, forms))
    return list(dict.fromkeys(offered)) or [translation]
