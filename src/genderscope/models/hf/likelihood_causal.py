"""Likelihoods of tokens by causal models: one pass over a text gives them all; shared prefixes are computed once."""

from collections.abc import Iterator

from genderscope.models.hf.asked import AskedCausalModel
from genderscope.models.hf.likelihood import Asked, LikelihoodAnswerer, Reading, Wanted
from genderscope.models.hf.passes.texts import Texts
from genderscope.models.hf.passes.ways import Way

NOTHING_BEFORE = "there is no text before the word and the tokenizer adds no beginning-of-text token"


class CausalLikelihoods(LikelihoodAnswerer):
    """Gives each token's log-probability given the text before it."""

    several_texts = False
    model: AskedCausalModel

    def _cannot_ask(self, asked: Asked) -> str | None:
        if asked.together and asked.within[0] == 0:
            return NOTHING_BEFORE
        return super()._cannot_ask(asked)

    def _settle(self, texts: Texts, batch_size: int | None) -> Way:
        way = super()._settle(texts, batch_size)
        self.model.refuse_to_look_ahead(texts, way)
        return way

    def _cost(self, asked: Asked) -> int:
        return len(asked.ids)

    def _readings(self, asked: Asked) -> Iterator[Reading]:
        # Everything before the last token to be scored; a token's logit is at the position before it.
        read = asked.ids[: max(1, asked.positions[-1])]
        wanted = (Wanted(k, place - 1, asked.ids[place]) for k, place in enumerate(asked.positions) if place > 0)
        yield Reading(read, tuple(wanted))
