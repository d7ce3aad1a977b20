"""Selection of the fastest strategy that reproduces the reference on the given texts (docs/forward-passes.md)."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import torch

from genderscope.core.errors import UserError
from genderscope.models.hf.checkpoints import one_line
from genderscope.models.hf.passes.base import (
    ALL,
    EQUAL_LENGTHS,
    PACKED_ROWS,
    PREFIX_TREE,
    REFERENCE,
    Array,
    LogitsModel,
    Strategy,
    TokenizedTexts,
)
from genderscope.models.hf.passes.layouts import LAYOUTS, ForwardPass, groups, row_width, tree_width, with_room

#: maximum difference between float32 logits, absolute and relative to the largest logit; allows for rounding
TOLERANCE = 2e-5
RELATIVE_TOLERANCE = 5e-6
#: tolerance in half precision, where every layer rounds, relative to the norm of the logits
HALF_PRECISION_TOLERANCE = 0.05
#: alternative tolerance in half precision: a multiple of the difference that another batch size alone causes
NOISE = 4.0

#: number of positions per probe at which logits are compared
PLACES = 8
TOKENS = 64


@dataclass(frozen=True)
class CheckedSize:
    """Size covered by a check: longest text and widest row in tokens, and whether texts share a pass."""

    longest: int
    widest: int
    several: bool = True

    def within(self, other: "CheckedSize") -> bool:
        """Return whether a check of size `other` covers this size."""
        return self.longest <= other.longest and self.widest <= other.widest and self.several <= other.several

    def joined(self, other: "CheckedSize") -> "CheckedSize":
        """Return the elementwise maximum of both sizes."""
        several = self.several or other.several
        return CheckedSize(max(self.longest, other.longest), max(self.widest, other.widest), several)


#: the size covered if nothing has been checked
NOTHING = CheckedSize(0, 0, several=False)


class PassLimits(NamedTuple):
    """Limits on the size of a pass, in the order of the arguments of `groups`."""

    tokens: int
    batch_size: int | None
    most: int | None


class Probe(NamedTuple):
    """A text's index within its pass, and the positions at which its logits are compared."""

    text: int
    places: Array


class LogitDifference(NamedTuple):
    """Difference between two sets of logits: the largest gap, and the size relative to the tolerance."""

    gap: float
    share: float


@dataclass
class ExactnessCheck:
    """Exactness of one model's strategies: the size up to which each is exact, and the length at which it failed."""

    model: LogitsModel
    #: candidate strategies, fastest first; the last is the reference
    strategies: tuple[Strategy, ...]
    exact_up_to: dict[Strategy, CheckedSize] = field(default_factory=dict)
    failed: dict[Strategy, tuple[int, str]] = field(default_factory=dict)
    #: strategies whose cached hidden states reproduce the logits of the original pass
    keeps: set[Strategy] = field(default_factory=set)
    #: text length up to which a causal model has been verified not to attend to later tokens
    causal_up_to: int = 1

    def choose_strategy(
        self, texts: TokenizedTexts, batch_size: int | None, most: int | None = None, tokens: int | None = None
    ) -> Strategy:
        """Return the fastest exact strategy for these texts, with at most `most` texts or `tokens` tokens per pass."""
        if not len(texts):
            return self.strategies[0]
        with self.model.without_gradients():
            size = PassLimits(tokens or self.model.tokens_per_pass, batch_size, most)
            strategy = next(strategy for strategy in self.strategies if self._holds(strategy, texts, size))
            if strategy == REFERENCE:
                self._is_repeatable(texts)
        return strategy

    def is_exact(self, strategy: Strategy, reach: CheckedSize, attempt: Callable[[], str | None]) -> bool:
        """Return whether a strategy is exact up to this size; `attempt` tries it and returns the reason for failure."""
        covered = self.exact_up_to.get(strategy, NOTHING)
        if reach.within(covered):
            return True
        if strategy in self.failed and reach.longest >= self.failed[strategy][0]:
            return False
        try:
            with self.model.without_gradients():
                failure = attempt()
        except (MemoryError, torch.OutOfMemoryError):
            raise
        except Exception as error:  # any exception is possible, depending on the architecture
            failure = one_line(error)
        if failure is not None:
            self.failed[strategy] = reach.longest, failure
            return False
        self.exact_up_to[strategy] = reach.joined(covered)
        return True

    def remarks(self) -> tuple[str, ...]:
        """Return why strategies were rejected, one sentence per strategy."""
        return tuple(f"{strategy}: {why}" for strategy, (_, why) in self.failed.items())

    def _holds(self, strategy: Strategy, texts: TokenizedTexts, size: PassLimits) -> bool:
        if strategy == REFERENCE:
            return True
        device = self.model.device
        if strategy.layout == PACKED_ROWS or (strategy.layout == PREFIX_TREE and device.type == "cuda"):
            texts = with_room(texts, self.model.longest)  # checks stall the GPU, so include a longer text
        longest = int(texts.lengths.max())
        if strategy in self.failed and longest >= self.failed[strategy][0]:
            return False
        covered = self.exact_up_to.get(strategy, NOTHING)
        alone = len(texts) == (1 if strategy.mixes else len(np.unique(texts.lengths))) or size.batch_size == 1
        widest = CheckedSize(longest, tree_width(longest, device), not alone)  # no row of a tree can be wider
        if strategy.layout == PREFIX_TREE and widest.within(covered):
            return True
        passes = list(groups(strategy.layout, texts, *size))
        widths = [row_width(strategy.layout, texts[indices], device) for indices in passes]
        if CheckedSize(longest, max(widths), not alone).within(covered):
            return True
        # Check the pass with the longest text, and the largest pass: most tokens per row, or most texts.
        first = max(range(len(passes)), key=lambda k: int(texts.lengths[passes[k]].max()))
        sizes = widths if strategy.mixes else list(map(len, passes))
        largest = first if sizes[first] == max(sizes) else sizes.index(max(sizes))
        for k in dict.fromkeys((first, largest)):
            both = not strategy.mixes
            outcome = self._try(strategy, texts[passes[k]], k == first or both, k == largest or both)
            if isinstance(outcome, str):
                self.failed[strategy] = longest, outcome
                return False
            covered = outcome.joined(covered)
        self.exact_up_to[strategy] = covered
        return True

    def _try(self, strategy: Strategy, texts: TokenizedTexts, longest: bool, furthest: bool) -> CheckedSize | str:
        """Check a strategy on the texts of one pass; return the size covered, or the reason for rejection."""
        model = self.model
        try:
            ends, width = _ends_and_width(LAYOUTS[strategy.layout](model, texts), texts)
            difference = self.difference(strategy, texts, probes(texts, ends, longest, furthest))
        except (MemoryError, torch.OutOfMemoryError):
            if len(texts) == 1:
                raise
            # In a run, the engine would also split a pass that runs out of memory.
            return self._try(strategy, texts[: len(texts) // 2], longest, furthest)
        except Exception as error:  # masks and hooks can raise any exception, depending on the architecture
            return f"{type(error).__name__}: {one_line(error)[:100]}"
        if difference.share > 1:
            return f"logits differ by {difference.gap:.2g} on texts of up to {int(texts.lengths.max())} tokens"
        return CheckedSize(int(texts.lengths.max()), width, len(texts) > 1)

    def difference(self, strategy: Strategy, texts: TokenizedTexts, pass_probes: Iterable[Probe]) -> LogitDifference:
        """Return the difference between a strategy and the reference on the probes of one pass."""
        listed = list(pass_probes)
        which = np.concatenate([np.full(len(w.places), w.text) for w in listed])
        places = np.concatenate([w.places for w in listed])
        tokens = torch.as_tensor(np.unique(texts.ids)[:TOKENS])
        fast = self.model.logits_of(strategy, texts, which, places, tokens, keep=True)
        self._check_kept(strategy, texts, which, places, tokens, fast)
        gaps = []
        for probe in listed:
            logits = fast[torch.as_tensor(which == probe.text, device=fast.device)]
            gaps.append(self.gap(texts[np.array([probe.text])], logits, probe.places, tokens))
        return max(gaps, key=lambda gap: gap.share)

    def _check_kept(
        self,
        strategy: Strategy,
        texts: TokenizedTexts,
        which: Array,
        places: Array,
        tokens: torch.Tensor,
        fast: torch.Tensor,
    ) -> None:
        """Drop the cached hidden states of a pass unless they reproduce its logits."""
        kept = self.model.hidden_states
        if kept.find(strategy, texts) is None:
            return
        self.keeps.discard(strategy)
        try:
            again = self.model.logits_of(strategy, texts, which, places, tokens)
        except Exception:  # the head may need more than hidden states
            kept.forget()
            return
        if _apart(again, fast).max > _allowed(fast):
            kept.forget()
            return
        self.keeps.add(strategy)
        if self.model.device.type != "cpu":
            kept.forget()  # saves memory; on a GPU, repeating the pass takes milliseconds

    def gap(
        self, alone: TokenizedTexts, logits: torch.Tensor, places: Array, tokens: torch.Tensor | None = None
    ) -> LogitDifference:
        """Return the difference between these logits and those of the text when run alone, at the given positions."""
        model = self.model
        zeros = np.zeros_like(places)
        own = model.logits_of(REFERENCE, alone, zeros, places, tokens)
        apart = _apart(logits, own)
        if model.dtype == torch.float32:
            return LogitDifference(apart.max, apart.max / _allowed(own))
        # Allow a multiple of the difference that the batch size alone causes, which is due to rounding.
        several = TokenizedTexts(np.tile(alone.ids, 8), np.tile(alone.lengths, 8))
        repeated = model.logits_of(Strategy(EQUAL_LENGTHS, ALL), several, zeros, places, tokens)
        norm = float(own.nan_to_num(0.0, 0.0, 0.0).norm())
        allowed = max(HALF_PRECISION_TOLERANCE * norm, NOISE * _apart(repeated, own).norm)
        return LogitDifference(apart.max, apart.norm / allowed)

    def _is_repeatable(self, texts: TokenizedTexts) -> None:
        """Raise `UserError` if the model is not deterministic or fails on the longest text."""
        k = int(np.argmax(texts.lengths))
        alone = texts[np.array([k])]
        try:
            difference = self.difference(REFERENCE, alone, [Probe(0, spread_places(int(alone.lengths[0])))])
        except (MemoryError, torch.OutOfMemoryError):
            raise
        except Exception as error:  # any exception is possible, depending on the architecture
            raise UserError(
                f"'{self.model.name}' fails on a text of {int(alone.lengths[0])} tokens: "
                f"{type(error).__name__}: {one_line(error)}"
            ) from None
        if difference.share > 1:
            raise UserError(
                f"'{self.model.name}' gives different logits for the same text (they differ by "
                f"{difference.gap:.2g}), so it cannot be measured; is its architecture stochastic?"
            )


def _ends_and_width(passes: Iterable[ForwardPass], texts: TokenizedTexts) -> tuple[Array, int]:
    """Return the column of each text's last token, and the maximum row width."""
    ends, width = np.zeros(len(texts), dtype=np.int64), 0
    for forward_pass in passes:
        ends[forward_pass.texts] = forward_pass.columns[
            np.arange(len(forward_pass.texts)), texts.lengths[forward_pass.texts] - 1
        ]
        width = max(width, int(forward_pass.inputs["input_ids"].shape[1]))
    return ends, width


def probes(texts: TokenizedTexts, ends: Array, longest: bool, furthest: bool) -> list[Probe]:
    """Select the texts of a pass to compare: the longest, and the one that ends furthest right in its row."""
    # Among the longest texts, prefer the one that ends furthest right: it often serves as both probes.
    most = int(np.argmax(np.where(texts.lengths == texts.lengths.max(), ends, -1)))
    indices = [most] * longest + [len(ends) - 1 - int(np.argmax(ends[::-1]))] * furthest
    return [Probe(k, spread_places(int(texts.lengths[k]))) for k in dict.fromkeys(indices)]


def spread_places(length: int, count: int = PLACES) -> Array:
    """Return up to `count` evenly spaced positions in a text of this length, including the last."""
    return np.unique(np.linspace(0, length - 1, min(count, length)).round().astype(np.int64))


class _Apart(NamedTuple):
    max: float
    norm: float


def _apart(logits: torch.Tensor, own: torch.Tensor) -> _Apart:
    logits = logits.to(own.device)
    finite = own.isfinite()
    if not torch.equal(finite, logits.isfinite()):
        return _Apart(math.inf, math.inf)
    gap = torch.where(finite, logits - own, 0.0)
    shared = gap.mean(dim=-1, keepdim=True)  # adding a constant to all logits leaves the probabilities unchanged
    return _Apart(float((gap - shared).abs().max()), float(gap.norm()))


def _allowed(own: torch.Tensor) -> float:
    return max(TOLERANCE, RELATIVE_TOLERANCE * float(own.nan_to_num(0.0, 0.0, 0.0).abs().max()))
