"""Causal language models: log P(option | text before the blank), many sentences in one prefix tree."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import ClassVar

import numpy as np
import torch
from transformers import AutoModelForCausalLM

from genderscope.errors import UserError
from genderscope.models.blanks import Blanks
from genderscope.models.choices import ChoiceAnswerer, Item, Lookup, finite
from genderscope.models.completions_causal import CausalCompletions
from genderscope.models.language import LanguageModel
from genderscope.models.likelihood_causal import CausalLikelihoods
from genderscope.models.locate import Located
from genderscope.models.texts import Array, Texts
from genderscope.models.ways import ALL, EQUAL, NEEDED, OWN, TREE, Way
from genderscope.questions import Answer, Choice, ChoiceAnswer, Completion, TokenLikelihood


class CausalModel(LanguageModel):
    """A decoder that predicts the next token. It sees nothing after the blank."""

    kind = "causal"
    sees_after = False
    auto_class = AutoModelForCausalLM
    budget: ClassVar = {"cpu": 256, "cuda": 16_384, "mps": 512}

    def candidates(self) -> tuple[Way, ...]:
        return (Way(TREE, NEEDED), Way(TREE, ALL), Way(EQUAL, NEEDED), Way(EQUAL, ALL), OWN)

    def settle(self, texts: Texts, batch_size: int | None) -> Way:
        way = super().settle(texts, batch_size)
        if way.layout != TREE and len(texts) and not self.is_causal:
            raise UserError(
                f"'{self.name}' was saved as a causal model, but what it says of a word depends on the words after it, "
                "so it gives no probability of the next word; is `is_decoder` false in its config.json?"
            )
        return way

    @cached_property
    def is_causal(self) -> bool:
        """Whether what the model says at a place stays the same when more text follows."""
        ids = list(range(min(12, self.width)))
        with torch.inference_mode():
            beginning = self.logits_of(OWN, Texts.of([ids[:6]]), np.array([0]), np.array([5]), None)
            return self.trials.gap(Texts.of([ids]), beginning, np.array([5])).share <= 1


class CausalChoices(ChoiceAnswerer):
    """Sums the log-probabilities of an option's tokens given what stands before the blank."""

    model: "CausalModel"

    def _cannot_ask(self, located: Located) -> str | None:
        if not located.before:
            return "nothing stands before the blank and the tokenizer adds no beginning-of-text token"
        return self.model.too_long(len(located.before) + max(map(len, located.options)))

    def _needs_normaliser(self, located: Located) -> bool:
        return any(len(option) > 1 for option in located.options)

    def _read(self, blanks: Blanks) -> tuple[Texts, Array]:
        return blanks.texts.first(blanks.places), blanks.places - 1

    def _texts(self, item: Item) -> list[tuple[int, ...]]:
        """Return the text before the blank, with all of each option but its last token."""
        located = item.located
        if all(len(option) == 1 for option in located.options):
            return [located.before]
        return list(dict.fromkeys(located.before + option[:-1] for option in located.options))

    def _begin_items(self, items: Sequence[Item], way: Way) -> Callable[[], list[Answer]]:
        texts: dict[tuple[int, ...], int] = {}
        for item in items:
            for text in self._texts(item):
                texts.setdefault(text, len(texts))
        positions: dict[tuple[int, int], int] = {}
        spots: list[list[list[int]]] = []
        for item in items:
            # A token's logit stands at the position before it.
            before = len(item.located.before) - 1
            routes = []
            for option in item.located.options:
                k = texts[item.located.before + option[:-1]]
                route = range(before, before + len(option))
                routes.append([positions.setdefault((k, at), len(positions)) for at in route])
            spots.append(routes)
        lookup = self._look_up(way, Texts.of(texts), positions, items)
        return lambda: [self._score(item, spot, lookup) for item, spot in zip(items, spots, strict=True)]

    def _score(self, item: Item, spots: Sequence[Sequence[int]], lookup: Lookup) -> ChoiceAnswer:
        """Sum the log-probabilities of each option's tokens, but for the first token's normaliser, which all share."""
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
                note="sum over the tokens of an option" if self._needs_normaliser(item.located) else None,
            )
        )


CausalModel.answerers = {Choice: CausalChoices, Completion: CausalCompletions, TokenLikelihood: CausalLikelihoods}
CausalModel.answers = frozenset(CausalModel.answerers)
