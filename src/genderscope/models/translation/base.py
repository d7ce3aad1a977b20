"""Base class of the translation systems: batches by length, one language pair at a time."""

from abc import abstractmethod
from collections.abc import Sequence
from itertools import groupby

from genderscope.core.questions import Answer, Question, Translation, TranslationAnswer
from genderscope.models.base import Batch, Plan, TranslationModel
from genderscope.models.batching import length_batches

#: a translation, None, or an answer with the reason why there is none
Translated = str | TranslationAnswer | None

#: Default number of characters per batch.
CHARACTERS = 2000


class Translator(TranslationModel):
    """Base class of translation systems."""

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
            for batch in length_batches(group, lambda q: len(q.text) + 1, CHARACTERS, batch_size):
                batches.append(Batch(batch.indices, batch.items, Translation))
        return Plan((), tuple(batches))

    def answer(self, batch: Batch) -> list[Answer]:
        first: Translation = batch.items[0]
        texts = self.translate([q.text for q in batch.items], first.source, first.target)
        return [t if isinstance(t, TranslationAnswer) else answer_of(t) for t in texts]


def answer_of(text: str | None) -> TranslationAnswer:
    """Return the answer for a translation, or for a missing one."""
    return TranslationAnswer(text, None if text is not None else "no translation was given")


def source_cut(tokens: int, most: int) -> TranslationAnswer:
    """Return the answer for a source that exceeds the model's limit; truncating it would translate another text."""
    return TranslationAnswer(None, f"the source has {tokens:,} tokens, the model takes {most:,}")


def output_cut(most: int) -> TranslationAnswer:
    """Return the answer for an output that reached the length limit."""
    return TranslationAnswer(None, f"the output reached the limit of {most:,} tokens")


def _pair(question: Translation) -> tuple[str, str]:
    return question.source, question.target
