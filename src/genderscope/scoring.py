"""Scores existing translations in one call; only the Result is kept."""

import tempfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from genderscope.errors import UserError
from genderscope.evaluation import evaluate
from genderscope.measures import MEASURES, AnyMeasure, measure_type, parse_options
from genderscope.models import FileTranslator, Translator
from genderscope.questions import Translation
from genderscope.runs import Result

#: lines that may be piped in: no measure asks for as many, and an endless stream ends
MOST_LINES = 2_000_000


def score(measure: str, translations: Path | Iterable[str], to: str, **options: Any) -> Result:
    """Score translations into one language, given as a file or as lines parallel to `sources(measure)`.

    `options` are the measure's own. The result has no folder: keep it yourself if you need it again.
    """
    if "," in to:
        raise UserError(f"Option --to is '{to}'; translations are of one language, so give one.")
    translating(measure)
    with tempfile.TemporaryDirectory(prefix="genderscope-score-") as place:
        translator = _opened(translations, Path(place))
        result = evaluate(measure, translator, out=Path(place) / "run", report=False, to=to, **options)
    return replace(result, folder=None)


def sources(measure: str, **options: Any) -> list[str]:
    """Return the texts to be translated for a measure of translations, in its order, one per line."""
    kind = translating(measure)
    asked = _Asked("sources")
    with suppress(_ToldError):
        kind(parse_options(kind, {"to": "all", **options}), asked)
    if len(asked.targets) > 1:
        raise UserError(f"The sources of '{measure}' differ by target language; give one, such as --to es.")
    return [" ".join(text.splitlines()) for text in asked.texts]


def translating(measure: str) -> type[AnyMeasure]:
    """Return the class of a measure of translations; refuse any other measure."""
    kind = measure_type(measure)
    if kind.asks != frozenset({Translation}):
        able = ", ".join(name for name in MEASURES if measure_type(name).asks == frozenset({Translation}))
        raise UserError(f"Measure '{measure}' does not score translations; those that do: {able}.")
    return kind


class _ToldError(Exception):
    """All texts are known: the dictionaries that would read their translations are not needed."""


class _Asked(Translator):
    """A stand-in for a translator that records what a measure asks for."""

    kind = "list of sources"
    texts: Sequence[str] = ()
    #: it is told what to translate as a file is
    stored = True

    def __init__(self, name: str) -> None:
        super().__init__(name)
        #: the languages that have texts of their own
        self.targets: list[str] = []

    @property
    def fingerprint(self) -> str:
        return self.name

    def describe(self) -> dict[str, Any]:
        return {"name": self.name, "kind": self.kind}

    def expect(self, texts: Sequence[str], target: str | None = None) -> None:
        self.texts = texts
        self.targets += [target] if target is not None else []

    def check(self, source: str, target: str) -> None:
        if self.texts and not self.targets:
            raise _ToldError

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[str | None]:
        raise NotImplementedError


def _opened(translations: Path | Iterable[str], place: Path) -> FileTranslator:
    if isinstance(translations, Path):
        return FileTranslator(str(translations))
    file = place / "lines.txt"
    with file.open("w", encoding="utf-8", newline="\n") as out:
        for count, line in enumerate(translations, 1):
            if count > MOST_LINES:
                raise UserError(f"More than {MOST_LINES:,} lines of translations are given; give less at a time.")
            out.write(f"{line}\n")
    return FileTranslator(str(file), piped="standard input")
