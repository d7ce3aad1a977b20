"""Translations by local chat models: replies to a prompt that asks for a translation."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from genderscope.core.questions import Answer, ReplyAnswer, Translation
from genderscope.models.base import Plan
from genderscope.models.hf.passes.strategies import Strategy
from genderscope.models.hf.replies import Asked, CausalReplies
from genderscope.models.prompted_translation import TranslationPrompt, translation_in


class CausalTranslations(CausalReplies):
    """Prompts a chat model to translate; each item is a prompt with its question."""

    def plan(self, questions: Sequence[Translation], batch_size: int | None) -> Plan:  # type: ignore[override]
        prompt: TranslationPrompt = self.model.translation  # type: ignore[attr-defined] # every causal model has one
        plan = super().plan([prompt.ask(question) for question in questions], batch_size)
        immediate = tuple((k, translation_in(cast(ReplyAnswer, reply), questions[k])) for k, reply in plan.immediate)
        batches = tuple(
            replace(batch, items=tuple(zip(batch.items, (questions[k] for k in batch.indices), strict=True)))
            for batch in plan.batches
        )
        return Plan(immediate, batches)

    def answer(self, items: Sequence[tuple[Asked, Translation]], strategy: Strategy) -> list[Answer]:  # type: ignore[override]
        replies = super().answer([asked for asked, _ in items], strategy)
        questions = [question for _, question in items]
        return [translation_in(cast(ReplyAnswer, r), q) for r, q in zip(replies, questions, strict=True)]
