"""Random choice of the next token for many replies at once, on the model's device.

Each random number is a hash of the reply's key and the number of its tokens so far, so that a reply depends only on its
seed and prompt, not on the replies next to it, their order or the batch size.
"""

import hashlib
from collections.abc import Sequence

import torch

from genderscope.core.questions import Reply

#: constants of the splitmix64 generator (Steele, Lea and Flood 2014), as signed integers
_STEP = 0x9E3779B97F4A7C15 - (1 << 64)
_MIX = ((30, 0xBF58476D1CE4E5B9 - (1 << 64)), (27, 0x94D049BB133111EB - (1 << 64)))
_LAST_SHIFT = 31


def reply_key(seed: int, prompt: tuple[int, ...]) -> int:
    """Return the key of a reply's random numbers: 64 bits that depend only on the seed and the prompt."""
    digest = hashlib.sha256(repr((seed, prompt)).encode()).digest()
    return int.from_bytes(digest[:8], "big", signed=True)


def uniform(keys: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
    """Return a number in [0, 1) for each key and count."""
    bits = keys + (counts + 1) * _STEP
    for shift, factor in _MIX:
        bits = (bits ^ _shifted(bits, shift)) * factor
    bits = bits ^ _shifted(bits, _LAST_SHIFT)
    return _shifted(bits, 11).double() * 2.0**-53


def _shifted(bits: torch.Tensor, by: int) -> torch.Tensor:
    """Shift 64 bits to the right, filling up with zeros."""
    return (bits >> by) & ((1 << (64 - by)) - 1)


class Sampler:
    """Chooses the next token of each reply: the most likely one at temperature 0, otherwise a random one."""

    def __init__(self, rows: int, device: torch.device) -> None:
        self.temperature = torch.zeros(rows, dtype=torch.float64, device=device)
        self.top_p = torch.ones(rows, dtype=torch.float64, device=device)
        self.keys = torch.zeros(rows, dtype=torch.int64, device=device)
        #: number of tokens of each reply so far
        self.counts = torch.zeros(rows, dtype=torch.int64, device=device)
        #: whether any reply is sampled, and whether any is restricted to a nucleus
        self.samples = self.nucleus = False

    def set(self, rows: torch.Tensor, questions: Sequence[Reply], prompts: Sequence[tuple[int, ...]]) -> None:
        """Start replies in these rows."""
        device = self.keys.device
        self.temperature[rows] = torch.tensor([q.temperature for q in questions], dtype=torch.float64, device=device)
        self.top_p[rows] = torch.tensor([q.top_p for q in questions], dtype=torch.float64, device=device)
        keys = [reply_key(q.seed, prompt) for q, prompt in zip(questions, prompts, strict=True)]
        self.keys[rows] = torch.tensor(keys, dtype=torch.int64, device=device)
        self.counts[rows] = 0
        sampled = [q for q in questions if q.temperature > 0]
        self.samples |= bool(sampled)
        self.nucleus |= any(q.top_p < 1 for q in sampled)

    def copy_rows(self, rows: torch.Tensor, into: torch.Tensor) -> None:
        """Copy rows to other rows."""
        for values in (self.temperature, self.top_p, self.keys, self.counts):
            values[into] = values[rows]

    def choose(self, logits: torch.Tensor, rows: slice | torch.Tensor) -> torch.Tensor:
        """Return the next token of these rows, given their logits [rows, vocabulary]."""
        likeliest = logits.argmax(-1)
        if self.samples:
            temperature = self.temperature[rows]
            drawn = self._drawn(logits, temperature, uniform(self.keys[rows], self.counts[rows]), self.top_p[rows])
            likeliest = torch.where(temperature > 0, drawn, likeliest)
        self.counts[rows] += 1
        return likeliest

    def _drawn(
        self, logits: torch.Tensor, temperature: torch.Tensor, numbers: torch.Tensor, top_p: torch.Tensor
    ) -> torch.Tensor:
        scale = torch.where(temperature > 0, temperature, 1.0)
        chances = (logits.double() / scale[:, None]).softmax(-1)
        if self.nucleus:
            chances = _nucleus(chances, top_p)
        sums = chances.cumsum(-1)
        found = torch.searchsorted(sums, numbers[:, None] * sums[:, -1:], right=True)
        return found[:, 0].clamp_max(logits.shape[-1] - 1)


def _nucleus(chances: torch.Tensor, top_p: torch.Tensor) -> torch.Tensor:
    """Keep the smallest set of most likely tokens whose total probability reaches `top_p` (nucleus sampling)."""
    ordered, places = chances.sort(dim=-1, descending=True, stable=True)
    beyond = ordered.cumsum(-1) - ordered >= top_p[:, None]
    beyond[:, 0] = False
    return chances.masked_fill(torch.zeros_like(beyond).scatter(-1, places, beyond), 0.0)
