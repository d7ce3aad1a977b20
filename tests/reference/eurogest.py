"""EuroGEST's scorings the naive way, from their description: one text at a time, full softmax, no code shared."""

import math

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer


class NaiveEuroGest:
    """A causal model that reads one text after the other."""

    def __init__(self, folder):
        self.tokenizer = AutoTokenizer.from_pretrained(folder)
        self.model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
        self.read = {}

    def scored(self, text):
        """Return the tokens of a text and log P(token | before) of each from the second on."""
        if text not in self.read:
            self.read[text] = self._scored(text)
        return self.read[text]

    def _scored(self, text):
        ids = self.tokenizer(text, return_tensors="pt")["input_ids"]
        with torch.no_grad():
            table = self.model(ids).logits[0, :-1].double().log_softmax(-1)
        return ids[0].tolist(), [float(row[token]) for row, token in zip(table, ids[0, 1:], strict=True)]

    def tokens(self, *texts):
        """How many tokens a score of these texts is summed over."""
        return sum(len(self.scored(text)[0]) for text in texts)

    def defined(self, male, female):
        """log P(male text) - log P(female text); what a model without a beginning cannot predict cancels out."""
        (one, first), (other, second) = self.scored(male), self.scored(female)
        return sum(first) - sum(second) if one[0] == other[0] else None

    def year_2025(self, male, female):
        """Each sum less ln(number of tokens), as a share of both."""
        (one, first), (other, second) = self.scored(male), self.scored(female)
        return share(sum(first) - math.log(len(one)), sum(second) - math.log(len(other)))

    def year_2026(self, male, female):
        """Each mean from the first token that differs on, as a share of both.

        The list of log-probabilities begins at the second token, and the index is one before the first difference; two
        before the end of the shorter text where that is the beginning of the other.
        """
        (one, first), (other, second) = self.scored(male), self.scored(female)
        differing = [k for k in range(min(len(one), len(other))) if one[k] != other[k]]
        start = differing[0] - 1 if differing else min(len(one), len(other)) - 2
        if one == other:
            start = 0
        return share(*(sum(part) / len(part) for part in (first[start:], second[start:])))


def share(male, female):
    """P_m / (P_m + P_f) of two log-probabilities."""
    return 1 / (1 + math.exp(female - male))
