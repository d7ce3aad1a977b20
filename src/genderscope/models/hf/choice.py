"""Choices between words to fill a blank, with masked and causal models."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np
import torch

from genderscope.core.questions import (
    Answer,
    Choice,
    ChoiceAnswer,
    ReplyStart,
)
from genderscope.models.base import Batch, Plan
from genderscope.models.hf.blanks import NOT_FINITE, Blanks
from genderscope.models.hf.language_model import Answerer
from genderscope.models.hf.passes.base import (
    Array,
    CachedPass,
    Strategy,
    TokenizedTexts,
)
from genderscope.models.hf.passes.layouts import LAYOUTS, groups
from genderscope.models.hf.passes.needed_logits import LOGITS, Needed, log_normalisers
from genderscope.models.hf.token_spans import SPLITS_DIFFERENTLY, Located


@dataclass(frozen=True, slots=True)
class Item:
    """A located question. `full` means that it needs full vocabulary rows to compute a normaliser."""

    located: Located
    full: bool
    want_mass: bool


class Lookup:
    """Logits of one pass by position and token, copied asynchronously; normalisers require full vocabulary rows."""

    def __init__(self, logits: torch.Tensor, tokens: list[int] | None) -> None:
        self._sums = _Sent(log_normalisers(logits)) if tokens is None else None
        self._logits = _Sent(logits)
        self._column = None if tokens is None else {token: k for k, token in enumerate(tokens)}

    @cached_property
    def normalisers(self) -> list[float] | None:
        """The log-sum-exp over the vocabulary at each position, or None if not computed."""
        return None if self._sums is None else self._sums().tolist()

    @cached_property
    def _table(self) -> Any:
        return self._logits().numpy()

    def logit(self, position: int, token: int) -> float:
        """Return the logit of a token at the position with this index."""
        return float(self._table[position, token if self._column is None else self._column[token]])


class _Sent:
    """Values being copied to the CPU; calling this object waits for the copy and returns the values."""

    def __init__(self, values: torch.Tensor) -> None:
        self._done = None
        if values.device.type != "cuda":
            self._values = values.cpu()
            return
        self._values = torch.empty(values.shape, dtype=values.dtype, pin_memory=True)
        self._values.copy_(values, non_blocking=True)
        self._done = torch.cuda.Event()  # type: ignore[no-untyped-call]
        self._done.record()

    def __call__(self) -> torch.Tensor:
        if self._done is not None:
            self._done.synchronize()
        return self._values

    def ready(self) -> bool:
        """Return whether the copy is complete."""
        return self._done is None or bool(self._done.query())  # type: ignore[no-untyped-call]


class ChoiceAnswerer(Answerer):
    """Locates the options, batches the questions and looks up logits; single-token options are vectorised."""

    def plan(self, questions: Sequence[Choice], batch_size: int | None) -> Plan:
        immediate: list[tuple[int, Answer]] = []
        items: list[tuple[int, Item]] = []
        located_blanks = self.model.blank_locator.locate(questions)
        for index, located in located_blanks.others:
            if isinstance(located, str):
                immediate.append((index, ChoiceAnswer(None, unread=located)))
            elif (reason := self._cannot_ask(located)) is not None:
                immediate.append((index, ChoiceAnswer(None, unread=reason)))
            else:
                want_mass = questions[index].want_mass
                items.append((index, Item(located, want_mass or self._needs_normaliser(located), want_mass)))
        batches: list[Batch] = []
        # Longest texts first: a strategy that is exact for them need not be checked again for shorter ones.
        for indices, blanks in sorted(located_blanks.single_token, key=lambda pair: -int(pair[1].texts.lengths.max())):
            batches += self._blank_batches(indices, blanks, batch_size)
        for full in (False, True):
            batches += self._item_batches([pair for pair in items if pair[1].full == full], full, batch_size)
        return Plan(tuple(immediate), tuple(batches))

    def _blank_batches(self, indices: Array, blanks: Blanks, batch_size: int | None) -> Iterator[Batch]:
        strategy = self.model.exactness.choose_strategy(self._read(blanks)[0], batch_size)
        # Unless one pass can compute both logits and normalisers, questions that need normalisers get their own passes.
        apart = blanks.full and strategy not in self.model.exactness.keeps
        common_strategy = None if apart else strategy._replace(both=blanks.full)
        parts = (blanks.masses, ~blanks.masses) if apart else (np.ones_like(blanks.masses),)
        for here, part in ((indices[part], blanks[part]) for part in parts):
            for selected, strategy in self._groups(self._read(part)[0], part.full, batch_size, common_strategy):
                yield Batch(tuple(here[selected].tolist()), part[selected], strategy=strategy)

    def _item_batches(self, items: Sequence[tuple[int, Item]], full: bool, batch_size: int | None) -> Iterator[Batch]:
        # If an item has several texts, the longest represents them all: their lengths hardly differ.
        texts = TokenizedTexts.of(max(self._texts(item), key=len) for _, item in items)
        for selected, strategy in self._groups(texts, full, batch_size):
            yield Batch.of([items[k] for k in selected.tolist()], strategy=strategy)

    def _groups(
        self, texts: TokenizedTexts, full: bool, batch_size: int | None, strategy: Strategy | None = None
    ) -> Iterator[tuple[Array, Strategy]]:
        """Yield the texts and the strategy of each pass; the strategy is chosen here unless given."""
        if len(texts):
            most = self.full_positions if full and strategy is None else None
            strategy = strategy or self.model.exactness.choose_strategy(texts, batch_size, most)
            for selected in groups(strategy.layout, texts, self.model.tokens_per_pass, batch_size, most):
                yield selected, strategy

    def answer(self, items: Sequence[Item] | Blanks, strategy: Strategy) -> list[Answer]:
        return self.begin(items, strategy)()

    def begin(self, items: Sequence[Item] | Blanks, strategy: Strategy) -> Callable[[], list[Answer]]:
        return self._begin_blanks(items, strategy) if isinstance(items, Blanks) else self._begin_items(items, strategy)

    def _begin_blanks(self, blanks: Blanks, strategy: Strategy) -> Callable[[], list[Answer]]:
        """Run one pass over blanks; copy only the options' logits from the device."""
        model = self.model
        wanted, which = np.unique(blanks.options, return_inverse=True)
        texts, places = self._read(blanks)
        options, masses = which.reshape(blanks.options.shape), np.flatnonzero(blanks.masses)
        normalisers: torch.Tensor | None = None
        if not blanks.full:
            logits = model.logits_of(strategy, texts, np.arange(len(texts)), places, model.array(wanted))
        elif strategy.both:
            logits, normalisers = self._both(texts, places, model.array(wanted), masses, strategy)
        else:
            options = blanks.options
            logits = model.logits_of(strategy, texts, np.arange(len(texts)), places, None)
            normalisers = log_normalisers(logits[model.array(masses).to(logits.device)])
        # The scores are sent last, so once they have arrived, the normalisers have too.
        sums = None if normalisers is None else _Sent(normalisers)
        scores = _Sent(logits.gather(1, model.array(options).to(logits.device)))

        def answers() -> list[Answer]:
            model.blank_locator.free_until(scores.ready)
            return blanks.answers(scores().numpy(), sums().numpy() if sums else None)

        return answers

    def _both(
        self, texts: TokenizedTexts, places: Array, tokens: torch.Tensor, full: Array, strategy: Strategy
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Run one pass; return the logits [texts, tokens] and, from the same hidden states, normalisers for `full`.

        The strategy's passes must be cacheable.
        """
        model = self.model
        [forward_pass] = LAYOUTS[strategy.layout](model, texts)  # all texts share one pass
        kept = model.hidden_states.find(strategy._replace(both=False), texts) or CachedPass(strategy, texts)
        rows, columns = model.array(np.stack([forward_pass.rows, forward_pass.columns[np.arange(len(texts)), places]]))

        def head(selection: slice | torch.Tensor, wanted: torch.Tensor | None) -> torch.Tensor:
            needed = Needed(rows[selection], columns[selection], wanted)
            return LOGITS[strategy.logits](model.model, forward_pass.inputs, needed, kept)

        logits = head(slice(None), tokens)
        sums = [log_normalisers(head(part, None)) for part in torch.split(model.array(full), self.full_positions)]
        return logits, torch.cat(sums)

    @abstractmethod
    def _read(self, blanks: Blanks) -> tuple[TokenizedTexts, Array]:
        """Return the model inputs for these blanks, and the position of each blank's logits."""

    @abstractmethod
    def _texts(self, item: Item) -> list[tuple[int, ...]]:
        """Return the model inputs for an item."""

    @abstractmethod
    def _begin_items(self, items: Sequence[Item], strategy: Strategy) -> Callable[[], list[Answer]]:
        """Run one pass over items; return a function that waits for the answers."""

    @abstractmethod
    def _cannot_ask(self, located: Located) -> str | None:
        """Return why the model cannot answer a located question, or None if it can."""

    @abstractmethod
    def _needs_normaliser(self, located: Located) -> bool:
        """Return whether comparing the options requires full vocabulary rows."""

    def _look_up(
        self, strategy: Strategy, texts: TokenizedTexts, positions: Iterable[tuple[int, int]], items: Sequence[Item]
    ) -> Lookup:
        """Run one pass; return the logits of the items' options at these (text, position) pairs."""
        model = self.model
        which, places = (np.array(axis) for axis in zip(*positions, strict=True))
        if items[0].full:
            return Lookup(model.logits_of(strategy, texts, which, places, None), None)
        tokens = sorted({token for item in items for option in item.located.options for token in option})
        return Lookup(model.logits_of(strategy, texts, which, places, model.tensor(tokens)), tokens)


def finite(answer: ChoiceAnswer) -> ChoiceAnswer:
    """Replace an answer whose scores overflowed with an unread answer."""
    if answer.scores is not None and not all(-1e30 < score < 1e30 for score in answer.scores):
        return ChoiceAnswer(None, tokens=answer.tokens, unread=NOT_FINITE)
    return answer


class MaskedChoices(ChoiceAnswerer):
    """Masks the blank once for all options."""

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

    def _read(self, blanks: Blanks) -> tuple[TokenizedTexts, Array]:
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
        lookup = self._look_up(strategy, TokenizedTexts.of(self._texts(item)[0] for item in items), positions, items)
        starts = accumulate(counts, initial=0)
        return lambda: [_mean_score(item, start, lookup) for item, start in zip(items, starts, strict=False)]


def _mean_score(item: Item, start: int, lookup: Lookup) -> ChoiceAnswer:
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


class CausalChoices(ChoiceAnswerer):
    """Scores each option by the sum of its tokens' log-probabilities given the text before the blank."""

    def _cannot_ask(self, located: Located) -> str | None:
        if not located.before:
            return "there is no text before the blank and the tokenizer adds no beginning-of-text token"
        return self.model.too_long(len(located.before) + max(map(len, located.options)))

    def _needs_normaliser(self, located: Located) -> bool:
        return any(len(option) > 1 for option in located.options)

    def _read(self, blanks: Blanks) -> tuple[TokenizedTexts, Array]:
        return blanks.texts.first(blanks.places), blanks.places - 1

    def _texts(self, item: Item) -> list[tuple[int, ...]]:
        """Return the distinct inputs: the text before the blank, followed by each option without its last token."""
        located = item.located
        if all(len(option) == 1 for option in located.options):
            return [located.before]
        return list(dict.fromkeys(located.before + option[:-1] for option in located.options))

    def _begin_items(self, items: Sequence[Item], strategy: Strategy) -> Callable[[], list[Answer]]:
        texts: dict[tuple[int, ...], int] = {}
        for item in items:
            for text in self._texts(item):
                texts.setdefault(text, len(texts))
        positions: dict[tuple[int, int], int] = {}
        spots: list[list[list[int]]] = []
        for item in items:
            # A token is predicted at the preceding position.
            before = len(item.located.before) - 1
            routes = []
            for option in item.located.options:
                k = texts[item.located.before + option[:-1]]
                route = range(before, before + len(option))
                routes.append([positions.setdefault((k, at), len(positions)) for at in route])
            spots.append(routes)
        lookup = self._look_up(strategy, TokenizedTexts.of(texts), positions, items)
        return lambda: [self._score(item, spot, lookup) for item, spot in zip(items, spots, strict=True)]

    def _score(self, item: Item, spots: Sequence[Sequence[int]], lookup: Lookup) -> ChoiceAnswer:
        """Sum the log-probabilities of each option's tokens, omitting the first normaliser, which all options share."""
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
                note="sum over each option's tokens" if self._needs_normaliser(item.located) else None,
            )
        )


class CausalStarts(CausalChoices):
    """Scores reply prefixes as options that follow the prompt of a conversation."""

    def plan(self, questions: Sequence[ReplyStart], batch_size: int | None) -> Plan:  # type: ignore[override]
        immediate: list[tuple[int, Answer]] = []
        items: list[tuple[int, Item]] = []
        for index, question in enumerate(questions):
            prompt = self.model.conversation.prompt(question)
            located = Located(prompt.ids, tuple(prompt.beginnings(question.starts)), ())
            if (reason := self._cannot_ask(located)) is not None:
                immediate.append((index, ChoiceAnswer(None, unread=reason)))
            else:
                items.append((index, Item(located, True, True)))
        return Plan(tuple(immediate), tuple(self._item_batches(items, True, batch_size)))
