"""Masked language models: one pass for all options of a blank, the head at the mask only."""

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import Any, ClassVar

import numpy as np
import torch
from transformers import AutoModelForMaskedLM

from genderscope.errors import UserError
from genderscope.models.apart import Ends
from genderscope.models.base import Batch
from genderscope.models.batching import by_length, length_batches
from genderscope.models.blanks import Blanks
from genderscope.models.choices import ChoiceAnswerer, Item, Lookup, finite
from genderscope.models.completions import MaskedCompletions
from genderscope.models.language import LanguageModel
from genderscope.models.likelihood import MaskedLikelihoods
from genderscope.models.locate import SPLITS_DIFFERENTLY, Located
from genderscope.models.narrow import needed_logits, plain_logits, soonest_logits
from genderscope.models.texts import Array, Texts
from genderscope.questions import Answer, Choice, ChoiceAnswer, Completion, TokenLikelihood

PROBES = ("I was there.", "I was there when it all began.")


class MaskedModel(LanguageModel):
    """An encoder that fills masks and sees the text on both sides."""

    kind = "masked"
    auto_class = AutoModelForMaskedLM
    budget: ClassVar = {"cpu": 1024, "cuda": 65_536, "mps": 2048}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.tokenizer.mask_token_id is None:
            raise UserError(f"The tokenizer of '{self.name}' has no mask token, so the model cannot fill a blank.")

    #: whether texts stand one after the other in one row, so that none is filled up
    packs = False
    #: where the attention that needs is fast
    packs_on: ClassVar = {("cuda", torch.bfloat16), ("cuda", torch.float16)}

    def describe(self) -> dict[str, Any]:
        laid_out, logits = "packed" if self.packs else "padded", "all" if self.logits is plain_logits else "needed"
        return {**super().describe(), "method": f"{laid_out}, {logits} logits"}

    def _choose_method(self) -> None:
        texts = Texts.of(self.tokenizer(list(PROBES))["input_ids"])
        inputs = self.side_by_side(texts)
        rows, columns = np.array([0, 1, 1]), np.array([1, 2, 1])
        wanted = torch.tensor(np.unique(texts.ids), device=self.device)
        plain = plain_logits(self.model, inputs, self.array(rows), self.array(columns), wanted)

        def logits() -> torch.Tensor:
            return self.logits_at(*self.positions(texts[rows], columns), wanted)

        can_pack = (self.device.type, self.dtype) in self.packs_on
        for self.packs in (True, False) if can_pack else (False,):
            for self.logits in (soonest_logits, needed_logits):
                if self.agree(logits, plain):
                    return
        self.logits = plain_logits

    def positions(self, texts: Texts, places: Array) -> tuple[dict[str, Any], Array, Array]:
        """Return the inputs for these texts, and row and column of a place in each."""
        if not self.packs:
            return self.side_by_side(texts), np.arange(len(texts)), places
        depths = np.arange(len(texts.ids)) - np.repeat(texts.starts, texts.lengths)
        inputs = {
            "input_ids": self.array(texts.ids[None]),
            "position_ids": self.array(depths[None] + self._first_position()),
            "ends": Ends(self.array(np.append(0, texts.lengths.cumsum()).astype(np.int32)), int(texts.lengths.max())),
        }
        return inputs, np.zeros(len(texts), dtype=np.int64), texts.starts + places

    def _first_position(self) -> int:
        """RoBERTa and its kin count positions from the padding token's id on, others from zero."""
        embeddings = getattr(self.model.base_model, "embeddings", None)
        counts = hasattr(embeddings, "create_position_ids_from_input_ids")
        return int(embeddings.padding_idx) + 1 if counts else 0  # type: ignore[union-attr]

    def pad_id(self) -> int:
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

    def _groups(self, blanks: Blanks, batch_size: int | None) -> Iterable[Array]:
        lengths = blanks.texts.lengths
        if self.model.packs:
            size = batch_size or -(-len(blanks) // -(-int(lengths.sum()) // self.model.tokens_a_pass))
            yield from (np.arange(start, min(start + size, len(blanks))) for start in range(0, len(blanks), size))
            return
        yield from by_length(lengths, self.model.tokens_a_pass, batch_size)

    def _lay_out(self, blanks: Blanks) -> tuple[dict[str, Any], Array, Array]:
        return self.model.positions(blanks.masked(self.model.tokenizer.mask_token_id), blanks.places)

    def _begin_items(self, items: Sequence[Item]) -> Callable[[], list[Answer]]:
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
        lookup = self._look_up(self.model.side_by_side(Texts.of(sequences)), positions, items)
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
            note=item.located.note(f"mean over {count} simultaneously masked tokens" if count > 1 else None),
        )
    )
