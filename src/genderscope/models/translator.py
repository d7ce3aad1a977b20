"""What all translators share: batches by length for one language pair at a time, and a word before they start."""

from abc import abstractmethod
from collections.abc import Sequence
from itertools import groupby

from genderscope.models.base import Batch, Model, Plan
from genderscope.models.batching import length_batches
from genderscope.questions import Answer, Question, Translation, TranslationAnswer

#: Characters in one pass where the user names no batch size.
CHARACTERS = 2000


class Translator(Model):
    """A system that translates."""

    answers = frozenset({Translation})
    kind = "translation"

    @abstractmethod
    def translate(self, texts: Sequence[str], source: str, target: str) -> list[str | None]:
        """Translate texts of one language pair; None where the system has nothing to say."""

    def load(self) -> None:
        """Most translators have nothing to load."""

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
        return [TranslationAnswer(t, None if t is not None else "no translation was given") for t in texts]


def _pair(question: Translation) -> tuple[str, str]:
    return question.source, question.target
