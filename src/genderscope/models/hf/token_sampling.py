"""Next-token selection for replies: greedy, or sampled with the question's own seed."""

import hashlib
from dataclasses import dataclass, field

import torch

from genderscope.core.questions import Reply
from genderscope.models.hf.passes.row_cache import Path


@dataclass
class GrowingReply:
    """A partial reply. Its samples depend only on its seed and prompt, not on other questions."""

    question: Reply
    prompt: Path
    ends: frozenset[int]
    most: int
    tokens: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        digest = hashlib.sha256(repr((self.question.seed, self.prompt)).encode()).digest()
        self._generator = torch.Generator().manual_seed(int.from_bytes(digest[:7], "big"))

    @property
    def ended(self) -> bool:
        """Whether the reply is complete or has reached the maximum length."""
        return self.complete or len(self.tokens) >= self.most

    @property
    def complete(self) -> bool:
        """Whether the reply ends with an end-of-text token."""
        return bool(self.tokens) and self.tokens[-1] in self.ends

    @property
    def said(self) -> list[int]:
        """The reply without its end-of-text token."""
        return self.tokens[:-1] if self.complete else self.tokens

    def take(self, logits: torch.Tensor) -> int:
        """Select the next token from logits [vocabulary], append it and return it."""
        token = self._chosen(logits)
        self.tokens.append(token)
        return token

    def _chosen(self, logits: torch.Tensor) -> int:
        if self.question.temperature == 0:
            return int(logits.argmax())
        chances = (logits.double() / self.question.temperature).softmax(-1).cpu()
        drawn = torch.rand(1, generator=self._generator, dtype=torch.float64)
        if self.question.top_p < 1:
            chances = _nucleus(chances, self.question.top_p)
        sums = chances.cumsum(-1)
        return min(int(torch.searchsorted(sums, drawn * sums[-1], right=True)), len(sums) - 1)


def _nucleus(chances: torch.Tensor, top_p: float) -> torch.Tensor:
    """Keep the smallest set of most likely tokens that reaches this total probability (nucleus sampling)."""
    ordered, places = chances.sort(descending=True)
    beyond = ordered.cumsum(-1) - ordered >= top_p
    beyond[0] = False
    return chances.scatter(0, places[beyond], 0.0)
