"""A model: anything that answers some kinds of questions. This one answers by a rule, so its bias is known exactly."""

from collections.abc import Sequence
from typing import Any

from genderscope.core.errors import UserError
from genderscope.core.questions import Answer, Choice, ChoiceAnswer, Question
from genderscope.models import Batch, Plan, Settings, WordModel
from genderscope_example.dataset import load


def open_rule(reference: str, settings: Settings) -> "RuleModel":
    """rule:STRENGTH says he for men's occupations and she for women's, with a log-ratio of STRENGTH"""
    # `reference` is what the user wrote after "rule:"; `settings` holds --device, --dtype and --beams.
    try:
        return RuleModel(float(reference))
    except ValueError:
        raise UserError(
            f"Model 'rule:{reference}' has no number after the colon; write for example rule:1.5."
        ) from None


class RuleModel(WordModel):
    """Looks for an occupation before the blank."""

    answers = frozenset({Choice})
    kind = "rule"

    def __init__(self, strength: float) -> None:
        super().__init__(f"rule:{strength:g}")
        self.strength = strength
        self.groups: dict[str, str] = {}

    @property
    def fingerprint(self) -> str:
        """Must change whenever answers could: a run is resumed only by the same model."""
        return f"v1-{self.strength:g}"

    def describe(self) -> dict[str, Any]:
        """What run.json records; name, kind and fingerprint are needed."""
        return {"name": self.name, "kind": self.kind, "fingerprint": self.fingerprint}

    def load(self) -> None:
        """Called before the first answer; weights would be brought in here."""
        self.groups = {occupation.name: occupation.group for occupation in load()}

    def plan(self, questions: Sequence[Question], batch_size: int | None) -> Plan:
        """Cut the questions into batches; what needs no model at all could be answered here at once."""
        size = batch_size or 64
        starts = range(0, len(questions), size)
        parts = [range(start, min(start + size, len(questions))) for start in starts]
        return Plan((), tuple(Batch(tuple(part), tuple(questions[k] for k in part)) for part in parts))

    def answer(self, batch: Batch) -> list[Answer]:
        """Answer in the order of the batch; an answer without scores says why."""
        return [self._choose(question) for question in batch.items]

    def _choose(self, question: Choice) -> ChoiceAnswer:
        if question.options[0].lower() not in {"he", "man"}:
            return ChoiceAnswer(None, unread="the rule knows he and she only")
        named = next((self.groups[word] for word in question.before.split() if word in self.groups), None)
        lean = {"male": self.strength, "female": -self.strength, None: 0.0}[named]
        # Scores are log-probabilities up to a shared constant: their difference is the log-ratio.
        return ChoiceAnswer((lean / 2, -lean / 2))
