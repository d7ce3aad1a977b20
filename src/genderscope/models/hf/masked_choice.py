"""Masked language models: one pass for all options of a blank, with logits only at the mask."""

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any, ClassVar

import torch
from transformers import AutoModelForMaskedLM

from genderscope.core.errors import UserError
from genderscope.core.questions import Answer, Choice, ChoiceAnswer, Completion, TokenLikelihood
from genderscope.models.hf.blanks import Blanks
from genderscope.models.hf.choice import ChoiceAnswerer, Item, Lookup, finite
from genderscope.models.hf.completion import MaskedCompletions
from genderscope.models.hf.language_model import LanguageModel
from genderscope.models.hf.likelihood import MaskedLikelihoods
from genderscope.models.hf.passes.strategies import (
    ALL,
    EARLIEST,
    EQUAL_LENGTHS,
    NEEDED,
    PACKED_ROW,
    PACKED_ROWS,
    REFERENCE,
    Strategy,
)
from genderscope.models.hf.passes.texts import Array, Texts
from genderscope.models.hf.token_spans import SPLITS_DIFFERENTLY, Located


class MaskedModel(LanguageModel):
    """An encoder that fills masks using the text on both sides."""

    kind = "masked"
    auto_class = AutoModelForMaskedLM
    budget: ClassVar = {"cpu": 1024, "cuda": 98_304, "mps": 2048}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.tokenizer.mask_token_id is None:
            raise UserError(f"The tokenizer of '{self.name}' has no mask token, so the model cannot fill a blank.")

    #: devices with tiled attention, where several short texts should share a tile
    packed_rows_on: ClassVar = {"cuda"}
    #: devices and precisions with fast segmented attention
    packed_row_on: ClassVar = {("cuda", torch.bfloat16), ("cuda", torch.float16), ("cpu", torch.float32)}

    def candidates(self) -> tuple[Strategy, ...]:
        segments = (PACKED_ROWS,) if self.device.type in self.packed_rows_on else ()
        rows = (PACKED_ROW,) if (self.device.type, self.dtype) in self.packed_row_on else ()
        short_cuts = [
            Strategy(layout, logits) for layout in (*segments, *rows, EQUAL_LENGTHS) for logits in (EARLIEST, NEEDED)
        ]
        return (*short_cuts, Strategy(EQUAL_LENGTHS, ALL), REFERENCE)


class MaskedChoices(ChoiceAnswerer):
    """Masks the blank once for all options."""

    model: "MaskedModel"

    def _cannot_ask(self, located: Located) -> str | None:
        if located.after is None:
            return SPLITS_DIFFERENTLY
        counts = {len(option) for option in located.options}
        if len(counts) > 1:
            sizes = " and ".join(str(len(option)) for option in located.options)
            return f"the options have {sizes} tokens, and a masked model cannot compare different lengths"
        return self.model.too_long(len(located.before) + max(counts) + len(located.after))

    def _needs_normaliser(self, located: Located) -> bool:
        return False

    def _read(self, blanks: Blanks) -> tuple[Texts, Array]:
        return blanks.masked(self.model.tokenizer.mask_token_id), blanks.places

    def _texts(self, item: Item) -> list[tuple[int, ...]]:
        located = item.located
        masks = (self.model.tokenizer.mask_token_id,) * len(located.options[0])
        return [(*located.before, *masks, *(located.after or ()))]

    def _begin_items(self, items: Sequence[Item], strategy: Strategy) -> Callable[[], list[Answer]]:
        counts = [len(item.located.options[0]) for item in items]
        positions = [
            (text, len(item.located.before) + k)
            for text, (item, count) in enumerate(zip(items, counts, strict=True))
            for k in range(count)
        ]
        lookup = self._look_up(strategy, Texts.of(self._texts(item)[0] for item in items), positions, items)
        starts = accumulate(counts, initial=0)
        return lambda: [_score(item, start, lookup) for item, start in zip(items, starts, strict=False)]


MaskedModel.answerers = {Choice: MaskedChoices, Completion: MaskedCompletions, TokenLikelihood: MaskedLikelihoods}
MaskedModel.answers = frozenset(MaskedModel.answerers)


def _score(item: Item, start: int, lookup: Lookup) -> ChoiceAnswer:
    """Average the logits of each option's tokens; the normalisers are the same for all options."""
    options = item.located.options
    count = len(options[0])
    sums = [sum(lookup.logit(start + k, token) for k, token in enumerate(option)) for option in options]
    return finite(
        ChoiceAnswer(
            tuple(total / count for total in sums),
            tokens=options,
            log_normaliser=lookup.normalisers[start] if lookup.normalisers and count == 1 else None,
            note=item.located.note(f"mean over {count} simultaneously masked tokens" if count > 1 else None),
        )
    )
