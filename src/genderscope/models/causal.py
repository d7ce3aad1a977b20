"""Causal language models: log P(option | text before the blank), many sentences in one prefix tree."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar

import torch
from transformers import AutoModelForCausalLM

from genderscope.models.answering import padded
from genderscope.models.base import Batch
from genderscope.models.batching import as_batch, length_batches
from genderscope.models.choices import ChoiceAnswerer, Item, Lookup, finite
from genderscope.models.completions_causal import CausalCompletions
from genderscope.models.language import LanguageModel
from genderscope.models.likelihood_causal import CausalLikelihoods
from genderscope.models.locate import Located
from genderscope.models.narrow import needed_logits, plain_logits
from genderscope.models.packing import forest, length_in_common
from genderscope.questions import Answer, Choice, ChoiceAnswer, Completion, TokenLikelihood

#: tokens in a row of a pass: all of a row is compared with all of it
ROW = 1024
PROBE = '"I was there when it began.", the man said.'


class CausalModel(LanguageModel):
    """A decoder that predicts the next token. It sees nothing after the blank."""

    kind = "causal"
    sees_after = False
    auto_class = AutoModelForCausalLM
    budget: ClassVar = {"cpu": 256, "cuda": 16_384, "mps": 512}

    packs = True
    #: whether texts can be continued in a growing tree; None until it was tried
    grows: bool | None = None

    def describe(self) -> dict[str, Any]:
        method = "prefix tree" if self.packs else "padded"
        return {
            **super().describe(),
            "method": f"{method}, {'needed' if self.logits is needed_logits else 'all'} logits",
        }

    def _choose_method(self) -> None:
        ids = tuple(self.tokenizer(PROBE)["input_ids"])
        half = len(ids) // 2
        paths = [ids, ids[:half] + ids[: len(ids) - half]]
        wanted = torch.tensor(sorted(set(ids)), device=self.device)

        def logits() -> torch.Tensor:
            inputs, places = self.lay_out(paths)
            rows, columns = (self.tensor(axis) for axis in zip(*(place[-1] for place in places), strict=True))
            return self.logits(self.model, inputs, rows, columns, wanted)

        self.packs, self.logits = False, plain_logits
        plain = torch.cat([self.model(input_ids=torch.tensor([p], device=self.device)).logits[:, -1] for p in paths])
        plain = plain.float()[:, wanted]
        for self.packs, self.logits in ((True, needed_logits), (False, needed_logits), (False, plain_logits)):
            if self.agree(logits, plain):
                return

    def lay_out(self, paths: Sequence[tuple[int, ...]]) -> tuple[dict[str, torch.Tensor], list[list[tuple[int, int]]]]:
        """Return the model's inputs for these paths and, for each path, the (row, column) of each of its tokens."""
        if not self.packs:
            inputs = padded(paths, self.tokenizer.pad_token_id or 0, self.device)
            return inputs, [[(row, column) for column in range(len(path))] for row, path in enumerate(paths)]
        packs, places = forest(paths, ROW)
        # Rows that are a multiple of eight long suit the fast attention of graphics cards.
        width = -(-max(len(pack.tokens) for pack in packs) // 8) * 8
        tokens = torch.tensor([_filled(pack.tokens, width) for pack in packs], device=self.device)
        depths = torch.tensor([_filled(pack.depths, width) for pack in packs], device=self.device)
        ends = torch.tensor([[*pack.ends(), *range(len(pack.tokens) + 1, width + 1)] for pack in packs]).to(self.device)
        place = torch.arange(width, device=self.device)
        seen = (place[:, None] >= place) & (place[:, None] < ends[:, None])
        mask = torch.zeros(seen.shape, dtype=self.dtype, device=self.device)
        mask.masked_fill_(~seen, torch.finfo(self.dtype).min)
        inputs = {"input_ids": tokens, "position_ids": depths, "attention_mask": mask[:, None]}
        return {**inputs, "use_cache": False}, places  # type: ignore[dict-item]


class CausalChoices(ChoiceAnswerer):
    """Sums the log-probabilities of an option's tokens given what stands before the blank."""

    model: "CausalModel"

    def _cannot_ask(self, located: Located) -> str | None:
        if not located.before:
            return "nothing stands before the blank and the tokenizer adds no beginning-of-text token"
        return self.model.too_long(len(located.before) + max(map(len, located.options)))

    def _needs_normaliser(self, located: Located) -> bool:
        return any(len(option) > 1 for option in located.options)

    def _batches(self, items: list[tuple[int, Item]], batch_size: int | None) -> Iterable[Batch]:
        if not self.model.packs:
            yield from length_batches(items, _length, self.model.tokens_a_pass, batch_size)
            return
        group: list[tuple[int, Item]] = []
        nodes = 0
        last: tuple[int, ...] = ()
        for index, item in sorted(items, key=lambda pair: (pair[1].located.before, pair[0])):
            fresh, end = _fresh(last, item)
            if group and (len(group) >= batch_size if batch_size else nodes + fresh > self.model.tokens_a_pass):
                yield as_batch(group)
                group, nodes = [], 0
                fresh, end = _fresh((), item)
            nodes, last = nodes + fresh, end
            group.append((index, item))
        if group:
            yield as_batch(group)

    def begin(self, items: Sequence[Item]) -> Callable[[], list[Answer]]:
        paths: dict[tuple[int, ...], int] = {}
        for item in items:
            for path in _paths(item):
                paths.setdefault(path, len(paths))
        inputs, places = self.model.lay_out(list(paths))
        positions: dict[tuple[int, int], int] = {}
        spots: list[list[list[int]]] = []
        for item in items:
            # A token's logit stands at the position before it.
            before = len(item.located.before) - 1
            routes = [places[paths[item.located.before + option[:-1]]][before:] for option in item.located.options]
            spots.append([[positions.setdefault(place, len(positions)) for place in route] for route in routes])
        lookup = self._look_up(inputs, positions, items)
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


def _paths(item: Item) -> list[tuple[int, ...]]:
    """Return what the model must read for this item: the text before, and all of each option but its last token."""
    located = item.located
    if all(len(option) == 1 for option in located.options):
        return [located.before]
    return list(dict.fromkeys(located.before + option[:-1] for option in located.options))


def _fresh(last: tuple[int, ...], item: Item) -> tuple[int, tuple[int, ...]]:
    """Count the tokens that an item adds to those of the path before it, and return its own last path."""
    count = 0
    for path in _paths(item):
        count += len(path) - length_in_common(last, path)
        last = path
    return count, last


def _length(item: Item) -> int:
    return max(map(len, _paths(item)))


def _filled(values: list[int], width: int) -> list[int]:
    return [*values, *[0] * (width - len(values))]
