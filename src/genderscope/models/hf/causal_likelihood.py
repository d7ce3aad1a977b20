"""Token likelihoods with causal models: one pass per text; shared prefixes are computed once."""

from collections.abc import Iterator

import numpy as np

from genderscope.core.errors import UserError
from genderscope.models.hf.likelihood import Asked, LikelihoodAnswerer, Reading, Wanted
from genderscope.models.hf.passes.exactness_check import spread_places
from genderscope.models.hf.passes.strategies import PREFIX_TREE, REFERENCE, Strategy
from genderscope.models.hf.passes.texts import Texts

NOTHING_BEFORE = "there is no text before the word and the tokenizer adds no beginning-of-text token"


class CausalLikelihoods(LikelihoodAnswerer):
    """Computes each token's log-probability given the text before it."""

    several_texts = False

    def _cannot_ask(self, asked: Asked) -> str | None:
        if asked.together and asked.within[0] == 0:
            return NOTHING_BEFORE
        return super()._cannot_ask(asked)

    def _choose_strategy(self, texts: Texts, batch_size: int | None) -> Strategy:
        strategy = super()._choose_strategy(texts, batch_size)
        self.require_causal(texts, strategy)
        return strategy

    def require_causal(self, texts: Texts, strategy: Strategy) -> None:
        """Raise `UserError` if predictions depend on later tokens; only the longest of these texts is checked."""
        model, exactness = self.model, self.model.exactness
        # The prefix tree masks later tokens, so a model that gives the same logits there does not attend to them.
        if strategy.layout == PREFIX_TREE or not len(texts) or int(texts.lengths.max()) <= exactness.causal_up_to:
            return
        ids = texts[np.array([np.argmax(texts.lengths)])].ids
        places = spread_places(len(ids), 32)[:-1]
        with model.without_gradients():
            beginnings = Texts.of(ids[: place + 1].tolist() for place in places)
            read = model.logits_of(REFERENCE, beginnings, np.arange(len(places)), places, None)
            gap = exactness.gap(Texts.of([ids.tolist()]), read, places)
        if gap.share > 1:
            raise UserError(
                f"'{model.name}' is a causal model, but in a text of {len(ids)} tokens its predictions depend on later "
                f"words (logits differ by {gap.gap:.2g}), so its text likelihoods are not valid."
            )
        exactness.causal_up_to = len(ids)

    def _cost(self, asked: Asked) -> int:
        return len(asked.ids)

    def _readings(self, asked: Asked) -> Iterator[Reading]:
        # The input ends before the last token to be scored; a token is predicted at the preceding position.
        read = asked.ids[: max(1, asked.positions[-1])]
        wanted = (Wanted(k, place - 1, asked.ids[place]) for k, place in enumerate(asked.positions) if place > 0)
        yield Reading(read, tuple(wanted))
