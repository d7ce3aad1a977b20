"""Causal language models: log P(option | text before the blank), many sentences in one prefix tree."""

from collections.abc import Iterable, Sequence
from typing import Any

import torch
from transformers import AutoModelForCausalLM

from genderscope.models.base import Batch
from genderscope.models.language import FULL_POSITIONS, Item, LanguageModel, as_batch, finite, length_batches, padded
from genderscope.models.locate import Located
from genderscope.models.narrow import needed_logits, plain_logits
from genderscope.models.packing import Pack
from genderscope.questions import Answer, ChoiceAnswer

PROBE = '"I was there when it began.", the man said.'


class CausalModel(LanguageModel):
    """A decoder that predicts the next token. It sees nothing after the blank."""

    kind = "causal"
    sees_after = False
    auto_class = AutoModelForCausalLM
    budget = {"cpu": 256, "cuda": 2048, "mps": 512}

    packs = True

    def describe(self) -> dict[str, Any]:
        method = "prefix tree" if self.packs else "padded"
        return {**super().describe(), "method": f"{method}, {'needed' if self.logits is needed_logits else 'all'} logits"}

    def _choose_method(self) -> None:
        ids = tuple(self.tokenizer(PROBE)["input_ids"])
        half = len(ids) // 2
        paths = [ids, ids[:half] + ids[: len(ids) - half]]
        wanted = torch.tensor(sorted(set(ids)), device=self.device)

        def logits() -> torch.Tensor:
            inputs, places = self._lay_out(paths)
            rows, columns = zip(*(places[k][-1] for k in range(len(paths))), strict=True)
            return self.logits(self.model, inputs, self._index(rows), self._index(columns), wanted)

        self.packs, self.logits = False, plain_logits
        plain = torch.cat([self.model(input_ids=torch.tensor([p], device=self.device)).logits[:, -1] for p in paths])
        plain = plain.float()[:, wanted]
        for self.packs, self.logits in ((True, needed_logits), (False, needed_logits), (False, plain_logits)):
            if self._agree(logits, plain):
                return

    def _cannot_ask(self, located: Located) -> str | None:
        if not located.before:
            return "nothing stands before the blank and the tokenizer adds no beginning-of-text token"
        return self._too_long(len(located.before) + max(map(len, located.options)))

    def _needs_normaliser(self, located: Located) -> bool:
        return any(len(option) > 1 for option in located.options)

    def _batches(self, items: list[tuple[int, Item]], batch_size: int | None) -> Iterable[Batch]:
        if not self.packs:
            yield from length_batches(items, _length, self._tokens_a_pass(), batch_size)
            return
        limit = self._tokens_a_pass()
        group: list[tuple[int, Item]] = []
        pack = Pack()
        for index, item in sorted(items, key=lambda pair: (pair[1].full, pair[1].located.before, pair[0])):
            fresh = sum(map(pack.new_nodes, _paths(item)))
            full_up = len(group) >= batch_size if batch_size else len(pack.tokens) + fresh > limit
            if group and (full_up or group[-1][1].full != item.full or (item.full and len(group) >= FULL_POSITIONS)):
                yield as_batch(group)
                group, pack = [], Pack()
            for path in _paths(item):
                pack.add(path)
            group.append((index, item))
        if group:
            yield as_batch(group)

    def answer(self, batch: Batch) -> list[Answer]:
        items: tuple[Item, ...] = batch.items
        with torch.inference_mode():
            return self._answer(items)

    def _answer(self, items: Sequence[Item]) -> list[Answer]:
        full = items[0].full
        paths: dict[tuple[int, ...], int] = {}
        for item in items:
            for path in _paths(item):
                paths.setdefault(path, len(paths))
        inputs, places = self._lay_out(list(paths))
        tokens = None if full else sorted({t for item in items for option in item.located.options for t in option})
        column_of = {token: k for k, token in enumerate(tokens)} if tokens is not None else None
        positions: dict[tuple[int, int], int] = {}
        # (option's first token .. last token) -> where its logit is: the position before it
        where: list[list[list[int]]] = []
        for item in items:
            depth = len(item.located.before) - 1
            where.append([])
            for option in item.located.options:
                place = places[paths[item.located.before + option[:-1]]]
                where[-1].append([positions.setdefault(place[depth + j], len(positions)) for j in range(len(option))])
        rows, columns = zip(*positions, strict=True)
        logits = self.logits(
            self.model,
            inputs,
            self._index(rows),
            self._index(columns),
            None if tokens is None else torch.tensor(tokens, device=self.device),
        )
        normaliser = logits.logsumexp(-1).tolist() if full else None
        table = logits.cpu().numpy()
        answers: list[Answer] = []
        for item, spots in zip(items, where, strict=True):
            scores = []
            for option, spot in zip(item.located.options, spots, strict=True):
                # The first token's normaliser is shared by all options; the later ones' are not.
                score = sum(
                    float(table[at, column_of[token] if column_of else token]) for token, at in zip(option, spot, strict=True)
                )
                scores.append(score - sum(normaliser[at] for at in spot[1:]) if normaliser else score)
            answers.append(
                finite(
                    ChoiceAnswer(
                        tuple(scores),
                        tokens=item.located.options,
                        log_normaliser=normaliser[spots[0][0]] if normaliser and item.want_mass else None,
                        note="sum over the tokens of an option" if self._needs_normaliser(item.located) else None,
                    )
                )
            )
        return answers

    def _lay_out(self, paths: Sequence[tuple[int, ...]]) -> tuple[dict[str, torch.Tensor], list[list[tuple[int, int]]]]:
        """Return the model's inputs for these paths and, for each path, the (row, column) of each of its tokens."""
        if not self.packs:
            inputs = padded(paths, self.tokenizer.pad_token_id or 0, self.device)
            return inputs, [[(row, column) for column in range(len(path))] for row, path in enumerate(paths)]
        pack = Pack()
        places = [[(0, node) for node in pack.add(path)] for path in paths]
        hidden = torch.from_numpy(~pack.visible()).to(self.device)
        mask = torch.zeros(hidden.shape, dtype=self.dtype, device=self.device)
        mask.masked_fill_(hidden, torch.finfo(self.dtype).min)
        inputs = {
            "input_ids": torch.tensor([pack.tokens], device=self.device),
            "position_ids": torch.tensor([pack.depths], device=self.device),
            "attention_mask": mask[None, None],
        }
        return {**inputs, "use_cache": False}, places  # type: ignore[dict-item]

    def _index(self, values: Iterable[int]) -> torch.Tensor:
        return torch.tensor(list(values), device=self.device)


def _paths(item: Item) -> list[tuple[int, ...]]:
    """Return what the model must read for this item: the text before, and all of each option but its last token."""
    return list(dict.fromkeys(item.located.before + option[:-1] for option in item.located.options))


def _length(item: Item) -> int:
    return max(map(len, _paths(item)))
