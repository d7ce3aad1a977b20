"""Base class for translation systems; batches texts by length, one language pair at a time."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from itertools import groupby

from genderscope.core.questions import Answer, Question, Translation, TranslationAnswer
from genderscope.models.base import Batch, Plan, TranslationModel

#: a translation, None, or an answer with the reason why there is no translation
Translated = str | TranslationAnswer | None

#: Default number of characters per batch.
CHARACTERS = 2000


class Translator(TranslationModel):
    """Base class for translation systems."""

    answers = frozenset({Translation})
    kind = "translation"

    @abstractmethod
    def translate(self, texts: Sequence[str], source: str, target: str) -> Sequence[Translated]:
        """Translate texts of one language pair; None marks a text without a translation."""

    def load(self) -> None:
        """Do nothing; most translators have nothing to load."""

    def plan(self, questions: Sequence[Question], batch_size: int | None) -> Plan:
        asked = [(k, q) for k, q in enumerate(questions) if isinstance(q, Translation)]
        batches: list[Batch] = []
        for _, group in groupby(sorted(asked, key=lambda pair: _pair(pair[1])), key=lambda pair: _pair(pair[1])):
            ordered = sorted(group, key=lambda pair: len(pair[1].text))
            cuts = _cuts([len(question.text) + 1 for _, question in ordered], batch_size)
            batches += [Batch.of(ordered[start:stop], Translation) for start, stop in cuts]
        return Plan((), tuple(batches))

    def answer(self, batch: Batch) -> list[Answer]:
        first: Translation = batch.items[0]
        texts = self.translate([q.text for q in batch.items], first.source, first.target)
        missing = TranslationAnswer(None, "no translation was given")
        return [TranslationAnswer(t) if isinstance(t, str) else t or missing for t in texts]


def _cuts(lengths: Sequence[int], batch_size: int | None) -> Iterator[tuple[int, int]]:
    """Yield the start and stop index of each batch, given lengths in increasing order."""
    start = 0
    for k, size in enumerate(lengths):
        full = k - start >= (batch_size or max(1, CHARACTERS // size))
        # Once a batch is large enough to be efficient, padding costs more than starting another batch.
        ragged = not batch_size and (k - start) * size > CHARACTERS // 4 and size > lengths[k - 1]
        if k > start and (full or ragged):
            yield start, k
            start = k
    if start < len(lengths):
        yield start, len(lengths)


def source_cut(tokens: int, most: int) -> TranslationAnswer:
    """Return the answer for a source that exceeds the model's limit; a truncated source would be a different text."""
    return TranslationAnswer(None, f"the source has {tokens:,} tokens, but the model's limit is {most:,}")


def output_cut(most: int) -> TranslationAnswer:
    """Return the answer for an output that reached the length limit."""
    return TranslationAnswer(None, f"the output reached the limit of {most:,} tokens")


def _pair(question: Translation) -> tuple[str, str]:
    return question.source, question.target
