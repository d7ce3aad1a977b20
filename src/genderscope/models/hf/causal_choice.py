"""Causal language models: log P(option | text before the blank), with many sentences in one prefix tree."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import Any, ClassVar

import torch
from transformers import AutoModelForCausalLM
from transformers.models.auto.modeling_auto import MODEL_FOR_MASKED_LM_MAPPING_NAMES as MASKED

from genderscope.core.errors import UserError
from genderscope.core.questions import (
    Answer,
    Choice,
    ChoiceAnswer,
    Completion,
    Question,
    Reply,
    ReplyStart,
    TokenLikelihood,
    Translation,
)
from genderscope.models.base import Plan, ReplyModel, TranslationModel
from genderscope.models.chat import chat_of
from genderscope.models.digest import short_hash
from genderscope.models.hf.blanks import Blanks
from genderscope.models.hf.causal_likelihood import CausalLikelihoods
from genderscope.models.hf.choice import ChoiceAnswerer, Item, Lookup, finite
from genderscope.models.hf.completion import CausalCompletions
from genderscope.models.hf.language_model import LanguageModel
from genderscope.models.hf.passes.strategies import ALL, EQUAL_LENGTHS, NEEDED, PREFIX_TREE, REFERENCE, Strategy
from genderscope.models.hf.passes.texts import Array, Texts
from genderscope.models.hf.replies import CausalReplies
from genderscope.models.hf.token_spans import Located
from genderscope.models.hf.translations import CausalTranslations
from genderscope.models.prompted_translation import TranslationPrompt

#: tokens per pass on a CPU if attention covers whole rows, at quadratic cost
WHOLE_ROWS = 256


class CausalModel(LanguageModel, ReplyModel, TranslationModel):
    """A decoder that predicts the next token without seeing the text after a blank."""

    kind = "causal"
    sees_after = False
    auto_class = AutoModelForCausalLM
    budget: ClassVar = {"cpu": 1024, "cuda": 32_768, "mps": 512}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.chat = chat_of(self.settings.remote)
        self.translation = TranslationPrompt.of(self.settings.remote)

    @cached_property
    def fingerprint(self) -> str:
        if self.settings.remote.chat_template is None:
            return super().fingerprint
        return short_hash(f"{super().fingerprint}|{self.conversation.digest}")

    def signature(self) -> dict[str, str]:
        if self.settings.remote.chat_template is None:
            return super().signature()
        return {**super().signature(), "template": self.conversation.digest[:8]}

    def take_on(self, kinds: frozenset[type[Question]]) -> frozenset[type[Question]]:
        if kinds & {Reply, ReplyStart}:
            self.conversation.require()
            self.chat = replace(self.chat, render=self.conversation.render)
        missing = super().take_on(kinds)
        return missing | (kinds & {Translation}) if self.conversation.template is None else missing

    def set_date(self, moment: datetime) -> None:
        self.conversation.moment, self.conversation.dated = moment, False

    @property
    def prompts_are_dated(self) -> bool:
        return self.conversation.dated

    def candidates(self) -> tuple[Strategy, ...]:
        return (
            Strategy(PREFIX_TREE, NEEDED),
            Strategy(PREFIX_TREE, ALL),
            Strategy(EQUAL_LENGTHS, NEEDED),
            Strategy(EQUAL_LENGTHS, ALL),
            REFERENCE,
        )

    @property
    def tokens_per_pass(self) -> int:
        most = super().tokens_per_pass
        whole = self.device.type == "cpu" and getattr(self.model.config, "_attn_implementation", None) != "sdpa"
        return min(most, WHOLE_ROWS) if whole else most

    def load(self) -> None:
        if self.model is None:
            super().load()
            try:
                self._require_next_token_logits()
            except BaseException:
                self.unload()
                raise

    def _require_next_token_logits(self) -> None:
        """Raise `UserError` unless the logits at a position predict the next token."""
        if getattr(self.config, "is_decoder", True) is False and self.config.model_type in MASKED:
            raise UserError(
                f"'{self.name}' was saved as a causal model, but `is_decoder` is false in its config.json, so its "
                "predictions would use the words that follow; set it to true if the model was trained as a decoder."
            )
        asked = self.tensor([0, 1])[None]
        try:
            prepared = self.model.prepare_inputs_for_generation(asked)
        except Exception:  # the model needs more input than text; the exactness check reports that
            return
        if "target_mapping" in prepared or not torch.equal(prepared.get("input_ids", asked), asked):
            raise UserError(
                f"'{self.name}' is a {self.config.model_type} model, which predicts the next word in a non-standard "
                "way; such models cannot be measured."
            )


class CausalChoices(ChoiceAnswerer):
    """Scores each option by the sum of its tokens' log-probabilities given the text before the blank."""

    model: "CausalModel"

    def _cannot_ask(self, located: Located) -> str | None:
        if not located.before:
            return "there is no text before the blank and the tokenizer adds no beginning-of-text token"
        return self.model.too_long(len(located.before) + max(map(len, located.options)))

    def _needs_normaliser(self, located: Located) -> bool:
        return any(len(option) > 1 for option in located.options)

    def _read(self, blanks: Blanks) -> tuple[Texts, Array]:
        return blanks.texts.first(blanks.places), blanks.places - 1

    def _texts(self, item: Item) -> list[tuple[int, ...]]:
        """Return the distinct inputs: the text before the blank, followed by each option without its last token."""
        located = item.located
        if all(len(option) == 1 for option in located.options):
            return [located.before]
        return list(dict.fromkeys(located.before + option[:-1] for option in located.options))

    def _begin_items(self, items: Sequence[Item], strategy: Strategy) -> Callable[[], list[Answer]]:
        texts: dict[tuple[int, ...], int] = {}
        for item in items:
            for text in self._texts(item):
                texts.setdefault(text, len(texts))
        positions: dict[tuple[int, int], int] = {}
        spots: list[list[list[int]]] = []
        for item in items:
            # A token is predicted at the preceding position.
            before = len(item.located.before) - 1
            routes = []
            for option in item.located.options:
                k = texts[item.located.before + option[:-1]]
                route = range(before, before + len(option))
                routes.append([positions.setdefault((k, at), len(positions)) for at in route])
            spots.append(routes)
        lookup = self._look_up(strategy, Texts.of(texts), positions, items)
        return lambda: [self._score(item, spot, lookup) for item, spot in zip(items, spots, strict=True)]

    def _score(self, item: Item, spots: Sequence[Sequence[int]], lookup: Lookup) -> ChoiceAnswer:
        """Sum the log-probabilities of each option's tokens, omitting the first normaliser, which all options share."""
        scores = []
        for option, spot in zip(item.located.options, spots, strict=True):
            score = sum(lookup.logit(at, token) for token, at in zip(option, spot, strict=True))
            scores.append(score - sum(lookup.normalisers[at] for at in spot[1:]) if lookup.normalisers else score)
        first = spots[0][0]
        return finite(
            ChoiceAnswer(
                tuple(scores),
                tokens=item.located.options,
                log_normaliser=lookup.normalisers[first] if lookup.normalisers and item.want_mass else None,
                note="sum over each option's tokens" if self._needs_normaliser(item.located) else None,
            )
        )


class CausalStarts(CausalChoices):
    """Scores reply prefixes as options that follow the prompt of a conversation."""

    def plan(self, questions: Sequence[ReplyStart], batch_size: int | None) -> Plan:  # type: ignore[override]
        immediate: list[tuple[int, Answer]] = []
        items: list[tuple[int, Item]] = []
        for index, question in enumerate(questions):
            prompt = self.model.conversation.prompt(question)
            located = Located(prompt.ids, tuple(prompt.beginnings(question.starts)), ())
            if (reason := self._cannot_ask(located)) is not None:
                immediate.append((index, ChoiceAnswer(None, unread=reason)))
            else:
                items.append((index, Item(located, True, True)))
        return Plan(tuple(immediate), tuple(self._item_batches(items, True, batch_size)))


CausalModel.answerers = {
    Choice: CausalChoices,
    Completion: CausalCompletions,
    TokenLikelihood: CausalLikelihoods,
    Reply: CausalReplies,
    ReplyStart: CausalStarts,
    Translation: CausalTranslations,
}
CausalModel.answers = frozenset(CausalModel.answerers)
