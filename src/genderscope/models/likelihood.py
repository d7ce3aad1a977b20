"""Likelihoods of tokens where they stand in a text, by masked models: the head runs at the masked positions only.

A log-probability needs the normaliser, so whole vocabulary rows are computed; but for few positions at a time.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from genderscope.models.answering import Answerer
from genderscope.models.base import Plan
from genderscope.models.batching import length_batches
from genderscope.models.locate import positions_in_spans
from genderscope.models.pieces import pieces
from genderscope.models.texts import Texts
from genderscope.questions import Answer, LikelihoodAnswer, TokenLikelihood

if TYPE_CHECKING:
    from genderscope.models.masked import MaskedModel

#: So many logits are held at once: 64 MiB on a processor, 1 GiB on a graphics card.
LOGITS_A_PASS = {"cpu": 2**24, "cuda": 2**28}
#: The texts of a batch are cut into passes of about equal length, so a batch holds several passes' worth.
PASSES_A_BATCH = 8


@dataclass(frozen=True, slots=True)
class Asked:
    """A text in token ids, the positions of the tokens in the spans, and those of them that are asked about."""

    ids: tuple[int, ...]
    within: tuple[int, ...]
    positions: tuple[int, ...]
    together: bool
    #: where a word is asked piece by piece, the text for each of its tokens; `ids` are then the word's own
    pieces: tuple[tuple[int, ...], ...] = ()


class LikelihoodAnswerer(Answerer):
    """Finds the tokens in the spans and puts their log-probabilities together."""

    def plan(self, questions: Sequence[TokenLikelihood], batch_size: int | None) -> Plan:
        immediate: list[tuple[int, Answer]] = []
        items: list[tuple[int, Asked]] = []
        for index, found in enumerate(tokens_in_spans(self.model.tokenizer, questions)):
            reason = found if isinstance(found, str) else self._cannot_ask(found)
            if reason is not None:
                immediate.append((index, LikelihoodAnswer(None, unread=reason)))
                continue
            assert isinstance(found, Asked)
            if found.positions:
                items.append((index, found))
            else:  # nothing is shared
                immediate.append((index, self._finish(found, ())))
        tokens = PASSES_A_BATCH * self.model.tokens_a_pass
        return Plan(tuple(immediate), tuple(length_batches(items, self._cost, tokens, batch_size)))

    def answer(self, items: Sequence[Asked]) -> list[Answer]:
        scores = self._scores(items)
        return [self._finish(item, found) for item, found in zip(items, scores, strict=True)]

    def _cannot_ask(self, asked: Asked) -> str | None:
        """Say why this model cannot be asked, or None if it can."""
        return self.model.too_long(max(map(len, (asked.ids, *asked.pieces))))

    @abstractmethod
    def _cost(self, asked: Asked) -> int:
        """Return how many tokens the model must read for this item."""

    @abstractmethod
    def _scores(self, items: Sequence[Asked]) -> list[list[float | None]]:
        """Return the log-probability of every token that is asked about."""

    def _finish(self, asked: Asked, scores: Sequence[float | None]) -> LikelihoodAnswer:
        ids = tuple(asked.ids[k] for k in asked.within)
        tokens = tuple(map(str, self.model.tokenizer.convert_ids_to_tokens(list(ids))))
        if not all(score is None or -1e30 < score < 1e30 for score in scores):
            reason = "the model's logits are not finite in this precision"
            return LikelihoodAnswer(None, tokens, ids, unread=reason)
        known = dict(zip(asked.positions, scores, strict=True))
        return LikelihoodAnswer(tuple(map(known.get, asked.within)), tokens, ids)

    def log_probabilities(
        self, inputs: dict[str, torch.Tensor], places: Sequence[tuple[int, int]], targets: Sequence[int]
    ) -> list[float]:
        """Run one pass and return the targets' log-probabilities at these (row, column) places."""
        model = self.model
        rows, columns = (model.tensor(axis) for axis in zip(*places, strict=True))
        logits = model.logits(model.model, inputs, rows, columns, None)
        chosen = logits.gather(1, model.tensor(targets)[:, None])[:, 0]
        found: list[float] = (chosen - logits.logsumexp(-1)).tolist()
        return found

    @property
    def rows_a_pass(self) -> int:
        """How many whole vocabulary rows fit into the memory that a pass may take."""
        return max(1, LOGITS_A_PASS.get(self.model.device.type, LOGITS_A_PASS["cpu"]) // len(self.model.tokenizer))


@dataclass(frozen=True, slots=True)
class Masking:
    """One sequence with masks in it: whose it is, and which of its item's positions are masked."""

    item: int
    ids: tuple[int, ...]
    positions: tuple[int, ...]
    first: int
    targets: tuple[int, ...]


class MaskedLikelihoods(LikelihoodAnswerer):
    """Masks the tokens, all at once or each alone."""

    model: "MaskedModel"

    def _cost(self, asked: Asked) -> int:
        if asked.pieces:
            return sum(map(len, asked.pieces))
        return len(asked.ids) * (1 if asked.together else len(asked.positions))

    def _scores(self, items: Sequence[Asked]) -> list[list[float | None]]:
        scores: list[list[float | None]] = [[None] * len(item.positions) for item in items]
        for group in self._passes(masking for k, item in enumerate(items) for masking in self._maskings(k, item)):
            places = [(row, column) for row, masking in enumerate(group) for column in masking.positions]
            targets = [token for masking in group for token in masking.targets]
            inputs = self.model.side_by_side(Texts.of(masking.ids for masking in group))
            found = iter(self.log_probabilities(inputs, places, targets))
            for masking in group:
                for k in range(len(masking.positions)):
                    scores[masking.item][masking.first + k] = next(found)
        return scores

    def _maskings(self, index: int, asked: Asked) -> Iterator[Masking]:
        mask = self.model.tokenizer.mask_token_id
        for first, piece in enumerate(asked.pieces):
            yield Masking(index, piece, (piece.index(mask),), first, (asked.ids[first],))
        if asked.pieces:
            return
        groups = [asked.positions] if asked.together else [(position,) for position in asked.positions]
        for first, positions in enumerate(groups):
            ids = tuple(mask if k in positions else token for k, token in enumerate(asked.ids))
            yield Masking(index, ids, positions, first, tuple(asked.ids[k] for k in positions))

    def _passes(self, maskings: Iterable[Masking]) -> Iterator[list[Masking]]:
        """Cut the sequences into passes of like length, bounded in tokens and in vocabulary rows."""
        group: list[Masking] = []
        rows = 0
        for masking in sorted(maskings, key=lambda m: len(m.ids)):
            wide = (len(group) + 1) * len(masking.ids) > self.model.tokens_a_pass
            # Once a pass is large enough to be quick, padding costs more than another pass.
            longer = bool(group) and len(masking.ids) > len(group[0].ids)
            ragged = longer and len(group) * len(masking.ids) > self.model.tokens_a_pass // 4
            if group and (wide or ragged or rows + len(masking.positions) > self.rows_a_pass):
                yield group
                group, rows = [], 0
            group.append(masking)
            rows += len(masking.positions)
        if group:
            yield group


def tokens_in_spans(tokenizer: Any, questions: Sequence[TokenLikelihood]) -> Iterator[Asked | str]:
    """Find the tokens that lie in each question's spans; a string is the reason why that cannot be done."""
    if not questions:
        return
    encoded = tokenizer([q.text for q in questions], return_offsets_mapping=True, return_special_tokens_mask=True)
    others = list(dict.fromkeys(q.shared_with for q in questions if q.shared_with is not None))
    tokens_of = dict(zip(others, map(set, tokenizer(others)["input_ids"]), strict=True)) if others else {}
    for row, question in enumerate(questions):
        if question.piecewise and tokenizer.mask_token_id is not None:
            yield _in_pieces(pieces(tokenizer, question))
            continue
        ids, offsets = encoded["input_ids"][row], encoded["offset_mapping"][row]
        plain = [not special for special in encoded["special_tokens_mask"][row]]
        if not question.spans:  # the whole text
            positions = [k for k, real in enumerate(plain) if real]
        else:
            found = positions_in_spans(question, offsets, plain)
            if isinstance(found, str):
                yield found
                continue
            positions = found
            if tokenizer.unk_token_id is not None and any(ids[k] == tokenizer.unk_token_id for k in positions):
                yield f"the word '{_words(question)}' is unknown to the tokenizer"
                continue
        if not positions:
            yield "the tokenizer leaves no token of the text"
            continue
        shared = tokens_of.get(question.shared_with) if question.shared_with is not None else None
        wanted = positions if shared is None else [k for k in positions if ids[k] in shared]
        yield Asked(tuple(ids), tuple(positions), tuple(wanted), question.together)


def _in_pieces(found: tuple[tuple[int, ...], tuple[tuple[int, ...], ...]] | str) -> Asked | str:
    if isinstance(found, str):
        return found
    own, texts = found
    return Asked(own, tuple(range(len(own))), tuple(range(len(own))), False, texts)


def _words(question: TokenLikelihood) -> str:
    return " ".join(question.text[begin:end] for begin, end in question.spans)
