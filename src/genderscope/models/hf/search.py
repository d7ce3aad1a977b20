"""Decoding of multi-token continuations: beam search and sampling."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

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
    #: continuations found so far; k at the end of the search
    found: list[Hypothesis] = field(default_factory=list)

    @abstractmethod
    def take(self, log_probs: torch.Tensor) -> None:
        """Extend the running continuations, given the log-probabilities [running, vocabulary] of the next token."""

    def _ends(self, hypothesis: Hypothesis) -> bool:
        return hypothesis.tokens[-1] in self.ends or len(hypothesis.tokens) == self.question.new_tokens


@dataclass
class BeamSearch(Search):
    """Beam search with k beams, as in transformers' `generate` (no early stopping, length penalty 1)."""

    open: bool = True

    def take(self, log_probs: torch.Tensor) -> None:
        k = self.question.k
        # Take enough candidates to continue k beams even if the best ones are all complete.
        width = max(2, 1 + len(self.ends)) * k
        values, tokens = log_probs.topk(min(width, log_probs.shape[-1]))
        totals = values + torch.tensor([h.score for h in self.running], device=values.device)[:, None]
        best = totals.flatten().topk(min(width, totals.numel())).indices
        beams, columns = (best // totals.shape[1]).tolist(), (best % totals.shape[1]).tolist()
        chosen, scores = tokens.tolist(), values.tolist()
        candidates = [self.running[b].plus(chosen[b][c], scores[b][c]) for b, c in zip(beams, columns, strict=True)]
        if self.open:
            self.found += filter(self._ends, candidates[:k])
            self.found = sorted(self.found, key=lambda h: -h.mean)[:k]
        self.running = [h for h in candidates if not self._ends(h)][:k]
        if not self.running or (len(self.found) == k and self.running[0].mean <= self.found[-1].mean):
            self.open, self.running = False, []


@dataclass
class Sampling(Search):
    """k independent random continuations. The samples depend only on the seed and the text."""

    def __post_init__(self) -> None:
        self._generator = seeded_generator(self.question.seed, self.before)

    def take(self, log_probs: torch.Tensor) -> None:
        row = {h.tokens: k for k, h in enumerate(self.running)}
        drawn = self.found or [Hypothesis((), 0.0)] * self.question.k
        live = [k for k, h in enumerate(drawn) if h.tokens in row]
        rows = log_probs.cpu()[[row[drawn[k].tokens] for k in live]]
        tokens = torch.multinomial(rows.exp(), 1, generator=self._generator)
        scores = rows.gather(1, tokens)
        for k, token, score in zip(live, tokens[:, 0].tolist(), scores[:, 0].tolist(), strict=True):
            drawn[k] = drawn[k].plus(token, score)
        self.found = drawn
        # Identical continuations are computed once.
        self.running = list({h.tokens: h for h in drawn if not self._ends(h)}.values())


def seeded_generator(seed: int, text: Path) -> torch.Generator:
    """Return a random generator whose numbers depend only on the seed and the text."""
    digest = hashlib.sha256(repr((seed, text)).encode()).digest()
    return torch.Generator().manual_seed(int.from_bytes(digest[:7], "big"))


def end_tokens(model: Any, default: int | None = None) -> frozenset[int]:
    """Return the end-of-text tokens from a transformers model's generation config, or else the default."""
    ends = getattr(getattr(model, "generation_config", None), "eos_token_id", None)
    ends = default if ends is None else ends
    return frozenset(() if ends is None else [ends] if isinstance(ends, int) else ends)


def run(searches: Sequence[Search], next_logits: Reader) -> None:
    """Run all searches to completion, with one pass per step for all of them."""
    while live := [search for search in searches if search.running]:
        paths = [search.before + h.tokens for search in live for h in search.running]
        log_probs = next_logits(paths).log_softmax(-1)
        start = 0
        for search in live:
            count = len(search.running)
            search.take(log_probs[start : start + count])
            start += count
