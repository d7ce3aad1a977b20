"""Token likelihoods with causal models: one pass per text; shared prefixes are computed once."""

from collections.abc import Iterator

from genderscope.models.hf.likelihood import Asked, LikelihoodAnswerer, Reading, Wanted
from genderscope.models.hf.passes.strategies import Strategy
from genderscope.models.hf.passes.texts import Texts
from genderscope.models.hf.protocols import CausalScoringModel

NOTHING_BEFORE = "there is no text before the word and the tokenizer adds no beginning-of-text token"


class CausalLikelihoods(LikelihoodAnswerer):
    """Computes each token's log-probability given the text before it."""

    several_texts = False
    model: CausalScoringModel

    def _cannot_ask(self, asked: Asked) -> str | None:
        if asked.together and asked.within[0] == 0:
            return NOTHING_BEFORE
        return super()._cannot_ask(asked)

    def _choose_strategy(self, texts: Texts, batch_size: int | None) -> Strategy:
        strategy = super()._choose_strategy(texts, batch_size)
        self.model.require_causal(texts, strategy)
        return strategy

    def _cost(self, asked: Asked) -> int:
        return len(asked.ids)

    def _readings(self, asked: Asked) -> Iterator[Reading]:
        # The input ends before the last token to be scored; a token is predicted at the preceding position.
        read = asked.ids[: max(1, asked.positions[-1])]
        wanted = (Wanted(k, place - 1, asked.ids[place]) for k, place in enumerate(asked.positions) if place > 0)
        yield Reading(read, tuple(wanted))
