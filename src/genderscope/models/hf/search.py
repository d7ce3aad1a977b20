"""Decoding of multi-token continuations: beam search and sampling."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field

import torch

from genderscope.core.questions import Completion
from genderscope.models.hf.passes.prefix_cache import Path, Reader


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A partial continuation and its log-probability."""

    tokens: Path
    score: float

    @property
    def mean(self) -> float:
        """The log-probability per token, used to rank finished continuations of different lengths."""
        return self.score / len(self.tokens)

    def plus(self, token: int, score: float) -> "Hypothesis":
        """Return the continuation extended by one token."""
        return Hypothesis((*self.tokens, token), self.score + score)


@dataclass
class Search(ABC):
    """The search for continuations of one text. `running` contains the continuations to be extended next."""

    question: Completion
    ends: frozenset[int]
    before: Path
    running: list[Hypothesis] = field(default_factory=lambda: [Hypothesis((), 0.0)])

    @abstractmethod
    def take(self, log_probs: torch.Tensor) -> None:
        """Extend the running continuations, given the log-probabilities [running, vocabulary] of the next token."""

    @abstractmethod
    def found(self) -> list[Hypothesis]:
        """Return the k continuations found."""

    def _ends(self, hypothesis: Hypothesis) -> bool:
        return hypothesis.tokens[-1] in self.ends or len(hypothesis.tokens) == self.question.new_tokens


@dataclass
class BeamSearch(Search):
    """Beam search with k beams, as in transformers' `generate` (no early stopping, length penalty 1)."""

    finished: list[Hypothesis] = field(default_factory=list)
    open: bool = True

    def take(self, log_probs: torch.Tensor) -> None:
        k = self.question.k
        # Enough candidates to continue k beams even if all the best candidates are complete.
        width = max(2, 1 + len(self.ends)) * k
        values, tokens = log_probs.topk(min(width, log_probs.shape[-1]))
        totals = values + torch.tensor([h.score for h in self.running], device=values.device)[:, None]
        best = totals.flatten().topk(min(width, totals.numel())).indices
        beams, columns = (best // totals.shape[1]).tolist(), (best % totals.shape[1]).tolist()
        chosen, scores = tokens.tolist(), values.tolist()
        candidates = [self.running[b].plus(chosen[b][c], scores[b][c]) for b, c in zip(beams, columns, strict=True)]
        if self.open:
            self.finished += filter(self._ends, candidates[:k])
            self.finished = sorted(self.finished, key=lambda h: -h.mean)[:k]
        self.running = [h for h in candidates if not self._ends(h)][:k]
        if not self.running or (len(self.finished) == k and self.running[0].mean <= self.finished[-1].mean):
            self.open, self.running = False, []

    def found(self) -> list[Hypothesis]:
        return self.finished


@dataclass
class Sampling(Search):
    """k independent random continuations. The samples depend only on the seed and the text."""

    drawn: list[Hypothesis] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._generator = seeded_generator(self.question.seed, self.before)

    def take(self, log_probs: torch.Tensor) -> None:
        row = {h.tokens: k for k, h in enumerate(self.running)}
        drawn = self.drawn or [Hypothesis((), 0.0)] * self.question.k
        live = [k for k, h in enumerate(drawn) if h.tokens in row]
        rows = log_probs.cpu()[[row[drawn[k].tokens] for k in live]]
        tokens = torch.multinomial(rows.exp(), 1, generator=self._generator)
        scores = rows.gather(1, tokens)
        for k, token, score in zip(live, tokens[:, 0].tolist(), scores[:, 0].tolist(), strict=True):
            drawn[k] = drawn[k].plus(token, score)
        self.drawn = drawn
        # Identical continuations are computed once.
        self.running = list({h.tokens: h for h in drawn if not self._ends(h)}.values())

    def found(self) -> list[Hypothesis]:
        return self.drawn


def seeded_generator(seed: int, text: Path) -> torch.Generator:
    """Return a random generator whose numbers depend only on the seed and the text."""
    digest = hashlib.sha256(repr((seed, text)).encode()).digest()
    return torch.Generator().manual_seed(int.from_bytes(digest[:7], "big"))


def run(searches: Sequence[Search], tree: Reader) -> None:
    """Run all searches to completion, with one pass per step for all of them."""
    while live := [search for search in searches if search.running]:
        paths = [search.before + h.tokens for search in live for h in search.running]
        log_probs = tree.next_logits(paths).log_softmax(-1)
        start = 0
        for search in live:
            count = len(search.running)
            search.take(log_probs[start : start + count])
            start += count
