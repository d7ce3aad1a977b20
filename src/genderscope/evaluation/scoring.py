"""Scoring of existing translations in one call, without a run folder."""

import tempfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from genderscope.core.errors import UserError
from genderscope.core.questions import Translation
from genderscope.evaluation.pipeline import evaluate
from genderscope.measures import MEASURES, AnyMeasure, measure_type, parse_options
from genderscope.models import FileTranslator, Translator
from genderscope.runs import Result

MOST_LINES = 2_000_000  # maximum number of piped lines, well above what any measure needs, to stop endless streams


def score(measure: str, translations: Path | Iterable[str], to: str, **options: Any) -> Result:
    """Score translations into one language, given as a file or as lines aligned with `sources(measure)`.

    `options` are the measure's own. The result is not saved to a folder.
    """
    if "," in to:
        raise UserError(f"Option --to is '{to}'; give only one language.")
    translation_measure(measure)
    with tempfile.TemporaryDirectory(prefix="genderscope-score-") as place:
        translator = _open_translations(translations, Path(place))
        result = evaluate(measure, translator, out=Path(place) / "run", report=False, to=to, **options)
    return replace(result, folder=None)


def sources(measure: str, **options: Any) -> list[str]:
    """Return a translation measure's source texts, each as a single line, in the measure's order."""
    kind = translation_measure(measure)
    recorder = _SourceRecorder("sources")
    with suppress(_AllTextsKnown):
        kind(parse_options(kind, {"to": "all", **options}), recorder)
    if len(recorder.targets) > 1:
        raise UserError(f"The sources of '{measure}' depend on the target language; give one, such as --to es.")
    return [" ".join(text.splitlines()) for text in recorder.texts]


def translation_measure(measure: str) -> type[AnyMeasure]:
    """Return a translation measure's class; raise UserError for any other measure."""
    kind = measure_type(measure)
    if kind.asks != frozenset({Translation}):
        able = ", ".join(name for name in MEASURES if measure_type(name).asks == frozenset({Translation}))
        raise UserError(f"Measure '{measure}' does not score translations; those that do: {able}.")
    return kind


class _AllTextsKnown(Exception):  # noqa: N818 - not an error
    """Signal that all texts have been recorded, before the measure loads its dictionaries."""


class _SourceRecorder(Translator):
    """A dummy translator that records the texts a measure asks for."""

    kind = "list of sources"
    texts: Sequence[str] = ()
    #: like a translation file, it receives the texts in advance
    stored = True

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.targets: list[str] = []  # target languages with their own texts

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
            raise _AllTextsKnown

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[str | None]:
        raise NotImplementedError


def _open_translations(translations: Path | Iterable[str], place: Path) -> FileTranslator:
    if isinstance(translations, Path):
        return FileTranslator(str(translations))
    file = place / "lines.txt"
    with file.open("w", encoding="utf-8", newline="\n") as out:
        for count, line in enumerate(translations, 1):
            if count > MOST_LINES:
                raise UserError(f"There are more than {MOST_LINES:,} lines of translations; score fewer at a time.")
            out.write(f"{line}\n")
    return FileTranslator(str(file), piped="standard input")
