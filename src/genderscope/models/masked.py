"""Masked language models: one pass for all options of a blank, the head at the mask only."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import accumulate
from typing import Any, ClassVar

import torch
from transformers import AutoModelForMaskedLM

from genderscope.errors import UserError
from genderscope.models.answering import padded
from genderscope.models.base import Batch
from genderscope.models.batching import length_batches
from genderscope.models.choices import ChoiceAnswerer, Item, Lookup, finite
from genderscope.models.completions import MaskedCompletions
from genderscope.models.language import LanguageModel
from genderscope.models.likelihood import MaskedLikelihoods
from genderscope.models.locate import SPLITS_DIFFERENTLY, Located
from genderscope.models.narrow import needed_logits, plain_logits, soonest_logits
from genderscope.questions import Answer, Choice, ChoiceAnswer, Completion, TokenLikelihood

PROBES = ("I was there.", "I was there when it all began.")


class MaskedModel(LanguageModel):
    """An encoder that fills masks and sees the text on both sides."""

    kind = "masked"
    auto_class = AutoModelForMaskedLM
    budget: ClassVar = {"cpu": 1024, "cuda": 32_768, "mps": 2048}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.tokenizer.mask_token_id is None:
            raise UserError(f"The tokenizer of '{self.name}' has no mask token, so the model cannot fill a blank.")

    def describe(self) -> dict[str, Any]:
        return {**super().describe(), "method": f"padded, {'all' if self.logits is plain_logits else 'needed'} logits"}

    def _choose_method(self) -> None:
        sequences = [self.tokenizer(text)["input_ids"] for text in PROBES]
        inputs = padded(sequences, self.pad_id(), self.device)
        rows, columns = torch.tensor([0, 1, 1], device=self.device), torch.tensor([1, 2, 1], device=self.device)
        wanted = torch.tensor(sorted(set(sequences[0])), device=self.device)
        plain = plain_logits(self.model, inputs, rows, columns, wanted)
        for way in (soonest_logits, needed_logits):
            if self.agree(partial(way, self.model, inputs, rows, columns, wanted), plain):
                self.logits = way
                return
        self.logits = plain_logits

    def pad_id(self) -> int:
        """Return the token that fills rows up."""
        pad = self.tokenizer.pad_token_id
        return int(self.tokenizer.mask_token_id if pad is None else pad)


class MaskedChoices(ChoiceAnswerer):
    """Masks the blank once for all options."""

    model: "MaskedModel"

    def _cannot_ask(self, located: Located) -> str | None:
        if located.after is None:
            return SPLITS_DIFFERENTLY
        counts = {len(option) for option in located.options}
        if len(counts) > 1:
            sizes = " and ".join(str(len(option)) for option in located.options)
            return f"the options have {sizes} tokens, which a masked model cannot compare"
        return self.model.too_long(len(located.before) + max(counts) + len(located.after))

    def _needs_normaliser(self, located: Located) -> bool:
        return False

    def _batches(self, items: list[tuple[int, Item]], batch_size: int | None) -> Iterable[Batch]:
        return length_batches(items, _length, self.model.tokens_a_pass, batch_size)

    def begin(self, items: Sequence[Item]) -> Callable[[], list[Answer]]:
        counts = [len(item.located.options[0]) for item in items]
        sequences = [
            (*item.located.before, *[self.model.tokenizer.mask_token_id] * count, *(item.located.after or ()))
            for item, count in zip(items, counts, strict=True)
        ]
        positions = [
            (row, len(item.located.before) + k)
            for row, (item, count) in enumerate(zip(items, counts, strict=True))
            for k in range(count)
        ]
        lookup = self._look_up(padded(sequences, self.model.pad_id(), self.model.device), positions, items)
        starts = accumulate(counts, initial=0)
        return lambda: [_score(item, start, lookup) for item, start in zip(items, starts, strict=False)]


MaskedModel.answerers = {Choice: MaskedChoices, Completion: MaskedCompletions, TokenLikelihood: MaskedLikelihoods}
MaskedModel.answers = frozenset(MaskedModel.answerers)


def _length(item: Item) -> int:
    located = item.located
    return len(located.before) + len(located.options[0]) + len(located.after or ())


def _score(item: Item, start: int, lookup: Lookup) -> ChoiceAnswer:
    """Take the mean over the option's masked tokens; their normalisers are the same for every option."""
    options = item.located.options
    count = len(options[0])
    sums = [sum(lookup.logit(start + k, token) for k, token in enumerate(option)) for option in options]
    return finite(
        ChoiceAnswer(
            tuple(total / count for total in sums),
            tokens=options,
            log_normaliser=lookup.normalisers[start] if lookup.normalisers and count == 1 else None,
            note=f"mean over {count} simultaneously masked tokens" if count > 1 else None,
        )
    )
