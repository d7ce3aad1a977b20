"""Token likelihoods in context: masked models mask tokens, causal models need one pass per text."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar, NamedTuple

import numpy as np

from genderscope.core.errors import UserError
from genderscope.core.questions import Answer, LikelihoodAnswer, TokenLikelihood
from genderscope.models.base import Batch, Plan
from genderscope.models.hf.blanks import NOT_FINITE
from genderscope.models.hf.language_model import Answerer
from genderscope.models.hf.passes.base import PREFIX_TREE, REFERENCE, Array, Strategy, TokenizedTexts
from genderscope.models.hf.passes.exactness_check import spread_places
from genderscope.models.hf.passes.layouts import LAYOUTS, groups
from genderscope.models.hf.passes.needed_logits import log_normalisers
from genderscope.models.hf.token_spans import positions_in_spans

#: maximum number of logits in memory: 128 MiB on a CPU, 1 GiB on a GPU
LOGITS_PER_PASS = {"cpu": 2**25, "cuda": 2**28}
#: passes per batch; a batch is split into passes with texts of similar length
PASSES_PER_BATCH = 8


@dataclass(frozen=True, slots=True)
class LikelihoodItem:
    """A tokenized text, the positions of the tokens in the spans, and the positions to be scored."""

    ids: tuple[int, ...]
    within: tuple[int, ...]
    positions: tuple[int, ...]
    together: bool
    #: if a word is scored piecewise, the input text for each of its tokens; `ids` are then the word's own tokens
    pieces: tuple[tuple[int, ...], ...] = ()

    @property
    def length(self) -> int:
        """The length of the longest input text."""
        return max(map(len, self.pieces or (self.ids,)))


class Wanted(NamedTuple):
    """A token to be scored: its index in the item, the position of its logits in the text, and its id."""

    spot: int
    place: int
    token: int


class ScoredInput(NamedTuple):
    """An input text for an item, and the tokens to be scored in it."""

    ids: tuple[int, ...]
    wanted: tuple[Wanted, ...]


class LikelihoodAnswerer(Answerer):
    """Finds the tokens in the spans and computes their log-probabilities."""

    #: whether an item may have several input texts
    several_texts: ClassVar[bool]

    def plan(self, questions: Sequence[TokenLikelihood], batch_size: int | None) -> Plan:
        immediate: list[tuple[int, Answer]] = []
        items: list[tuple[int, LikelihoodItem]] = []
        for index, item in enumerate(tokens_in_spans(self.model.tokenizer, questions)):
            if isinstance(item, str):
                immediate.append((index, LikelihoodAnswer(None, unread=item)))
            elif (reason := self._cannot_ask(item)) is not None:
                immediate.append((index, LikelihoodAnswer(None, unread=reason)))
            elif item.positions:
                items.append((index, item))
            else:  # no token is shared with the other text
                immediate.append((index, self._finish(item, ())))
        return Plan(tuple(immediate), tuple(self._batches(items, batch_size)))

    def _batches(self, items: Sequence[tuple[int, LikelihoodItem]], batch_size: int | None) -> Iterator[Batch]:
        """Batch texts of similar length, several passes per batch; with a prefix tree, one pass per batch."""
        if not items:
            return
        # Longest first, because the strategy is checked on the first batch.
        ordered = sorted(items, key=lambda pair: (-pair[1].length, pair[0]))
        costs = [1 if batch_size else self._cost(asked) for _, asked in ordered]
        parts = list(_split(ordered, costs, batch_size or PASSES_PER_BATCH * self.model.tokens_per_pass))
        texts = self._texts(asked for _, asked in (parts[0] if self.several_texts else ordered))
        strategy = self._choose_strategy(texts, batch_size)
        if strategy.layout == PREFIX_TREE:  # only texts in the same pass can share the computation of a prefix
            passes = groups(PREFIX_TREE, texts, self._tokens_per_pass, batch_size)
            parts = [[ordered[k] for k in indices.tolist()] for indices in passes]
        yield from (Batch.of(part, strategy=strategy) for part in parts)

    @property
    def _tokens_per_pass(self) -> int:
        """The number of tokens per pass, limited by memory if one text yields many vocabulary rows."""
        most = self.model.tokens_per_pass
        return most if self.several_texts else min(most, self._most_rows)

    @property
    def _most_rows(self) -> int:
        """The number of full vocabulary rows that fit into memory."""
        return max(1, LOGITS_PER_PASS.get(self.model.device.type, LOGITS_PER_PASS["cpu"]) // len(self.model.tokenizer))

    def _choose_strategy(self, texts: TokenizedTexts, batch_size: int | None) -> Strategy:
        return self.model.exactness.choose_strategy(
            texts, batch_size if not self.several_texts else None, tokens=self._tokens_per_pass
        )

    def _texts(self, items: Iterable[LikelihoodItem]) -> TokenizedTexts:
        """Return the input texts of items, without duplicates if an item may have several."""
        texts = (scored.ids for item in items for scored in self._inputs(item))
        return TokenizedTexts.of(dict.fromkeys(texts) if self.several_texts else texts)

    def answer(self, items: Sequence[LikelihoodItem], strategy: Strategy) -> list[Answer]:
        scores = self._scores(items, strategy)
        return [self._finish(item, token_scores) for item, token_scores in zip(items, scores, strict=True)]

    def _cannot_ask(self, asked: LikelihoodItem) -> str | None:
        """Return why the model cannot answer the question, or None if it can."""
        return self.model.too_long(max(map(len, (asked.ids, *asked.pieces))))

    @abstractmethod
    def _cost(self, asked: LikelihoodItem) -> int:
        """Return the number of tokens the model must process for this item."""

    @abstractmethod
    def _inputs(self, asked: LikelihoodItem) -> Iterator[ScoredInput]:
        """Yield the input texts for an item."""

    def _scores(self, items: Sequence[LikelihoodItem], strategy: Strategy) -> list[list[float | None]]:
        """Return the log-probability of every token to be scored, or None for tokens without preceding context."""
        scores: list[list[float | None]] = [[None] * len(item.positions) for item in items]
        asked: dict[tuple[int, ...], list[tuple[int, Wanted]]] = {}  # a text shared by several items is computed once
        for k, item in enumerate(items):
            for scored in self._inputs(item):
                asked.setdefault(scored.ids, []).extend((k, wanted) for wanted in scored.wanted)
        texts, wants = TokenizedTexts.of(asked), list(asked.values())
        for selected in groups(strategy.layout, texts, self._tokens_per_pass, None):
            # The full vocabulary rows of a pass must fit into memory; a prefix tree has no more rows than tokens.
            rows = [0 if strategy.layout == PREFIX_TREE else len(wants[k]) for k in selected.tolist()]
            for part in _split(selected, rows, self._most_rows):
                read = [wants[k] for k in part.tolist()]
                log_probabilities = iter(self._log_probabilities(texts[part], read, strategy))
                for k, wanted in chain.from_iterable(read):
                    scores[k][wanted.spot] = next(log_probabilities)
        return scores

    def _log_probabilities(
        self, texts: TokenizedTexts, wanted: Sequence[Sequence[tuple[int, Wanted]]], strategy: Strategy
    ) -> list[float]:
        """Run one pass; return the log-probabilities of the wanted tokens, text by text."""
        which = np.repeat(np.arange(len(texts)), [len(tokens) for tokens in wanted])
        if not len(which):
            return []
        places, targets = np.array([(w.place, w.token) for tokens in wanted for _, w in tokens]).T
        asked, same = self._distinct(texts, which, places, strategy)
        logits = self.model.logits_of(strategy, texts, which[asked], places[asked], None)
        rows, columns = (self.model.array(index).to(logits.device) for index in (same, targets))
        log_probabilities: list[float] = (logits[rows, columns] - log_normalisers(logits)[rows]).tolist()
        return log_probabilities

    def _distinct(self, texts: TokenizedTexts, which: Array, places: Array, strategy: Strategy) -> tuple[Array, Array]:
        """Return the indices of the distinct positions and, for each wanted position, its index among them."""
        if strategy.layout != PREFIX_TREE:
            return np.arange(len(which)), np.arange(len(which))
        # In a prefix tree, texts share the positions of their common prefix.
        (forward_pass,) = LAYOUTS[strategy.layout](self.model, texts)
        width = forward_pass.inputs["input_ids"].shape[1]
        nodes = forward_pass.rows[which] * width + forward_pass.columns[which, places]
        _, asked, same = np.unique(nodes, return_index=True, return_inverse=True)
        return asked, same

    def _finish(self, asked: LikelihoodItem, scores: Sequence[float | None]) -> LikelihoodAnswer:
        ids = tuple(asked.ids[k] for k in asked.within)
        tokens = tuple(map(str, self.model.tokenizer.convert_ids_to_tokens(list(ids))))
        if not all(score is None or -1e30 < score < 1e30 for score in scores):
            return LikelihoodAnswer(None, tokens, ids, unread=NOT_FINITE)
        scores_by_position = dict(zip(asked.positions, scores, strict=True))
        return LikelihoodAnswer(tuple(map(scores_by_position.get, asked.within)), tokens, ids)


class MaskedLikelihoods(LikelihoodAnswerer):
    """Masks the tokens to be scored, all at once or one at a time."""

    several_texts = True

    def _cost(self, asked: LikelihoodItem) -> int:
        if asked.pieces:
            return sum(map(len, asked.pieces))
        return len(asked.ids) * (1 if asked.together else len(asked.positions))

    def _inputs(self, asked: LikelihoodItem) -> Iterator[ScoredInput]:
        mask = self.model.tokenizer.mask_token_id
        for first, piece in enumerate(asked.pieces):
            yield ScoredInput(piece, (Wanted(first, piece.index(mask), asked.ids[first]),))
        if asked.pieces:
            return
        groups = [asked.positions] if asked.together else [(position,) for position in asked.positions]
        for first, positions in enumerate(groups):
            ids = tuple(mask if k in positions else token for k, token in enumerate(asked.ids))
            wanted = (Wanted(first + k, place, asked.ids[place]) for k, place in enumerate(positions))
            yield ScoredInput(ids, tuple(wanted))


def _split(items: Any, costs: Iterable[int], most: int) -> Iterator[Any]:
    """Split a sequence into parts that cost at most `most`; an item that costs more gets its own part."""
    start = total = 0
    for k, cost in enumerate(costs):
        if k > start and total + cost > most:
            yield items[start:k]
            start, total = k, 0
        total += cost
    yield items[start:]


def tokens_in_spans(tokenizer: Any, questions: Sequence[TokenLikelihood]) -> Iterator[LikelihoodItem | str]:
    """Yield the tokens in each question's spans, or the reason why they cannot be scored."""
    if not questions:
        return
    encoded = tokenizer([q.text for q in questions], return_offsets_mapping=True, return_special_tokens_mask=True)
    others = list(dict.fromkeys(q.shared_with for q in questions if q.shared_with is not None))
    tokens_of = dict(zip(others, map(set, tokenizer(others)["input_ids"]), strict=True)) if others else {}
    for row, question in enumerate(questions):
        if question.piecewise and tokenizer.mask_token_id is not None:
            yield _in_pieces(tokenizer, question)
            continue
        ids, offsets = encoded["input_ids"][row], encoded["offset_mapping"][row]
        plain = [not special for special in encoded["special_tokens_mask"][row]]
        if question.piecewise and not question.spans and tokenizer.bos_token_id not in (None, ids[0]):
            ids, plain = [tokenizer.bos_token_id, *ids], [False, *plain]
        if not question.spans:  # the whole text
            positions = [k for k, real in enumerate(plain) if real]
        else:
            in_spans = positions_in_spans(question, offsets, plain, encoded.tokens(row))
            if isinstance(in_spans, str):
                yield in_spans
                continue
            positions = in_spans
            if tokenizer.unk_token_id is not None and any(ids[k] == tokenizer.unk_token_id for k in positions):
                words = " ".join(question.text[begin:end] for begin, end in question.spans)
                yield f"the word '{words}' is unknown to the tokenizer"
                continue
        if not positions:
            yield "the tokenizer returns no tokens for the text"
            continue
        shared = tokens_of.get(question.shared_with) if question.shared_with is not None else None
        wanted = positions if shared is None else [k for k in positions if ids[k] in shared]
        yield LikelihoodItem(tuple(ids), tuple(positions), tuple(wanted), question.together)


def _in_pieces(tokenizer: Any, question: TokenLikelihood) -> LikelihoodItem | str:
    """Return the tokens of a word that is scored piecewise with a masked model, as in StereoSet, or why there are none.

    The word is encoded in isolation. The input for its k-th token contains the first k - 1 tokens, a mask, and the text
    after the word. If the word occurs several times, all occurrences are masked and the first is scored.
    """
    begin, end = question.spans[0]
    word = question.text[begin:end]
    own = tuple(tokenizer.encode(word, add_special_tokens=False))
    if not own:
        return f"the tokenizer returns no token for the word '{word}'"
    texts = [_filled(question, tokenizer.decode(list(own[:k])) + tokenizer.mask_token) for k in range(len(own))]
    places = tuple(range(len(own)))
    return LikelihoodItem(own, places, places, False, tuple(map(tuple, tokenizer(texts)["input_ids"])))


def _filled(question: TokenLikelihood, filler: str) -> str:
    text = question.text
    for begin, end in sorted(question.spans, reverse=True):
        text = text[:begin] + filler + text[end:]
    return text


NOTHING_BEFORE = "there is no text before the word and the tokenizer adds no beginning-of-text token"


class CausalLikelihoods(LikelihoodAnswerer):
    """Computes each token's log-probability given the text before it."""

    several_texts = False

    def _cannot_ask(self, asked: LikelihoodItem) -> str | None:
        if asked.together and asked.within[0] == 0:
            return NOTHING_BEFORE
        return super()._cannot_ask(asked)

    def _choose_strategy(self, texts: TokenizedTexts, batch_size: int | None) -> Strategy:
        strategy = super()._choose_strategy(texts, batch_size)
        self.require_causal(texts, strategy)
        return strategy

    def require_causal(self, texts: TokenizedTexts, strategy: Strategy) -> None:
        """Raise `UserError` if predictions depend on later tokens; only the longest of these texts is checked."""
        model, exactness = self.model, self.model.exactness
        # The prefix tree masks later tokens, so a model that gives the same logits there does not attend to them.
        if strategy.layout == PREFIX_TREE or not len(texts) or int(texts.lengths.max()) <= exactness.causal_up_to:
            return
        ids = texts[np.array([np.argmax(texts.lengths)])].ids
        places = spread_places(len(ids), 32)[:-1]
        with model.without_gradients():
            beginnings = TokenizedTexts.of(ids[: place + 1].tolist() for place in places)
            read = model.logits_of(REFERENCE, beginnings, np.arange(len(places)), places, None)
            gap = exactness.gap(TokenizedTexts.of([ids.tolist()]), read, places)
        if gap.share > 1:
            raise UserError(
                f"'{model.name}' is a causal model, but in a text of {len(ids)} tokens its predictions depend on later "
                f"words (logits differ by {gap.gap:.2g}), so its text likelihoods are not valid."
            )
        exactness.causal_up_to = len(ids)

    def _cost(self, asked: LikelihoodItem) -> int:
        return len(asked.ids)

    def _inputs(self, asked: LikelihoodItem) -> Iterator[ScoredInput]:
        # The input ends before the last token to be scored; a token is predicted at the preceding position.
        read = asked.ids[: max(1, asked.positions[-1])]
        wanted = (Wanted(k, place - 1, asked.ids[place]) for k, place in enumerate(asked.positions) if place > 0)
        yield ScoredInput(read, tuple(wanted))
