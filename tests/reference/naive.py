"""The naive way, from the paper's definitions: one sample, one option, one full softmax at a time."""

import math
from functools import lru_cache
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoModelForMaskedLM, AutoTokenizer

from genderscope.core.questions import Choice


class Naive:
    """A model that is asked one thing after the other and shares no code with the fast way."""

    def __init__(self, folder: Path, masked: bool) -> None:
        self.tokenizer = AutoTokenizer.from_pretrained(folder)
        self.masked = masked
        kind = AutoModelForMaskedLM if masked else AutoModelForCausalLM
        self.model = kind.from_pretrained(folder, dtype=torch.float32).eval()
        self.read: dict[tuple[int, ...], torch.Tensor] = {}

    def table(self, ids: list[int]) -> torch.Tensor:
        """Return the log-probabilities at every token of a text, which is read once."""
        if tuple(ids) not in self.read:
            with torch.no_grad():
                logits = self.model(input_ids=torch.tensor([ids])).logits[0]
            self.read[tuple(ids)] = logits.double().log_softmax(-1)
        return self.read[tuple(ids)]

    def log_probability(self, question: Choice, option: str) -> float:
        """log P(option | text), by GEST section 4.2."""
        encoded = self.tokenizer(question.before + option + question.after, return_offsets_mapping=True)
        ids = encoded["input_ids"]
        begin, end = len(question.before), len(question.before) + len(option)
        word = [k for k, (a, b) in enumerate(encoded["offset_mapping"]) if a < end and b > begin and a < b]
        if not self.masked:  # a causal model also decides on the space before the word, be it a token of its own
            word = list(range(self._read_before(question.before.rstrip(), ids), word[-1] + 1))
        if self.masked:
            table = self.table([self.tokenizer.mask_token_id if k in word else token for k, token in enumerate(ids)])
            return sum(float(table[k, ids[k]]) for k in word) / len(word)
        table = self.table(ids)
        return sum(float(table[k - 1, ids[k]]) for k in word)

    def _read_before(self, text: str, ids: list[int]) -> int:
        """Return how many tokens of a sentence are those of the text that it begins with."""
        ended = self.tokenizer(text)["input_ids"]
        return next((k for k, (a, b) in enumerate(zip(ended, ids, strict=False)) if a != b), len(ended))

    def log_ratio(self, question: Choice) -> float:
        """log P(first option) / P(second option)."""
        first, second = (self.log_probability(question, option) for option in question.options)
        return first - second

    def mass(self, question: Choice) -> float:
        """The probability of any of the options."""
        return sum(math.exp(self.log_probability(question, option)) for option in question.options)


@lru_cache(maxsize=64)
def naive(folder: Path, masked: bool) -> Naive:
    """Return the reference of a folder, loaded once: the fast ways are many, and all are compared with it."""
    return Naive(folder, masked)
