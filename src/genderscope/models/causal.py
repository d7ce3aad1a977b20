"""Causal language models: log P(option | text before the blank), many sentences in one prefix tree."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar

import numpy as np
import torch
from transformers import AutoModelForCausalLM

from genderscope.models.base import Batch
from genderscope.models.batching import as_batch, by_length
from genderscope.models.blanks import Blanks
from genderscope.models.choices import ChoiceAnswerer, Item, Lookup, finite
from genderscope.models.completions_causal import CausalCompletions
from genderscope.models.language import LanguageModel
from genderscope.models.likelihood_causal import CausalLikelihoods
from genderscope.models.locate import Located
from genderscope.models.narrow import needed_logits, plain_logits
from genderscope.models.packing import forest
from genderscope.models.texts import Array, Texts
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
            return self.logits_at(*self.last_positions(Texts.of(paths)), wanted)

        self.packs, self.logits = False, plain_logits
        plain = torch.cat([self.model(input_ids=torch.tensor([p], device=self.device)).logits[:, -1] for p in paths])
        plain = plain.float()[:, wanted]
        for self.packs, self.logits in ((True, needed_logits), (False, needed_logits), (False, plain_logits)):
            if self.agree(logits, plain):
                return

    def lay_out(self, texts: Texts) -> tuple[dict[str, Any], Array, Array]:
        """Return the inputs for these texts, and each one's row and (one text a row) the columns of its tokens."""
        if not self.packs:
            inputs = self.side_by_side(texts)
            shape = tuple(inputs["input_ids"].shape)
            return inputs, np.arange(len(texts)), np.broadcast_to(np.arange(shape[1]), shape)
        made = forest(texts, ROW)
        ends = self.array(made.ends)
        place = torch.arange(made.tokens.shape[1], device=self.device)
        seen_by = (place[:, None] >= place) & (place[:, None] < ends[:, None])
        mask = torch.zeros(seen_by.shape, dtype=self.dtype, device=self.device)
        mask.masked_fill_(~seen_by, torch.finfo(self.dtype).min)
        inputs = {
            "input_ids": self.array(made.tokens),
            "position_ids": self.array(made.depths),
            "attention_mask": mask[:, None],
            "use_cache": False,
        }
        return inputs, made.rows, made.nodes

    def last_positions(self, texts: Texts) -> tuple[dict[str, Any], Array, Array]:
        """Return the inputs for these texts, and row and column of each one's last token."""
        inputs, rows, columns = self.lay_out(texts)
        return inputs, rows, columns[np.arange(len(texts)), texts.lengths - 1]


class CausalChoices(ChoiceAnswerer):
    """Sums the log-probabilities of an option's tokens given what stands before the blank."""

    model: "CausalModel"

    def _cannot_ask(self, located: Located) -> str | None:
        if not located.before:
            return "nothing stands before the blank and the tokenizer adds no beginning-of-text token"
        return self.model.too_long(len(located.before) + max(map(len, located.options)))

    def _needs_normaliser(self, located: Located) -> bool:
        return any(len(option) > 1 for option in located.options)

    def _groups(self, blanks: Blanks, batch_size: int | None) -> Iterable[Array]:
        return self._passes(blanks.texts.first(blanks.places), batch_size)

    def _passes(self, texts: Texts, batch_size: int | None) -> Iterator[Array]:
        """Yield which texts are read in one pass; those that begin alike are together."""
        tokens = self.model.tokens_a_pass
        if not self.model.packs:
            yield from by_length(texts.lengths, tokens, batch_size)
            return
        order = texts.order()
        ordered = texts[order]
        start = nodes = 0
        for k, (length, shared) in enumerate(zip(ordered.lengths.tolist(), ordered.in_common().tolist(), strict=True)):
            fresh = length - shared
            if k > start and (k - start >= batch_size if batch_size else nodes + fresh > tokens):
                yield order[start:k]
                start, nodes, fresh = k, 0, length
            nodes += fresh
        yield order[start:]

    def _lay_out(self, blanks: Blanks) -> tuple[dict[str, Any], Array, Array]:
        return self.model.last_positions(blanks.texts.first(blanks.places))

    def _batches(self, items: list[tuple[int, Item]], batch_size: int | None) -> Iterable[Batch]:
        if items:
            # Where options have several tokens, one path stands for all: they differ in little.
            paths = Texts.of(max(_paths(item), key=len) for _, item in items)
            for chosen in self._passes(paths, batch_size):
                yield as_batch([items[k] for k in chosen.tolist()])

    def _begin_items(self, items: Sequence[Item]) -> Callable[[], list[Answer]]:
        paths: dict[tuple[int, ...], int] = {}
        for item in items:
            for path in _paths(item):
                paths.setdefault(path, len(paths))
        inputs, rows, columns = self.model.lay_out(Texts.of(paths))
        positions: dict[tuple[int, int], int] = {}
        spots: list[list[list[int]]] = []
        for item in items:
            # A token's logit stands at the position before it.
            before = len(item.located.before) - 1
            routes = []
            for option in item.located.options:
                k = paths[item.located.before + option[:-1]]
                route = columns[k, before : before + len(option)].tolist()
                routes.append([positions.setdefault((int(rows[k]), at), len(positions)) for at in route])
            spots.append(routes)
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
