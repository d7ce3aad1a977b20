"""The naive way to the scores of word filling: one token, one pass, one full softmax at a time."""

from functools import lru_cache

import torch
from transformers import AutoModelForCausalLM, AutoModelForMaskedLM, AutoTokenizer


class NaiveLikelihood:
    """A model that is asked for one token after the other."""

    def __init__(self, folder, masked):
        self.tokenizer = AutoTokenizer.from_pretrained(folder)
        self.masked = masked
        kind = AutoModelForMaskedLM if masked else AutoModelForCausalLM
        self.model = kind.from_pretrained(folder, dtype=torch.float32).eval()
        self.read = {}

    def of(self, question):
        """Return the log-probability of every token in the spans."""
        encoded = self.tokenizer(question.text, return_offsets_mapping=True, return_special_tokens_mask=True)
        ids, special = encoded["input_ids"], encoded["special_tokens_mask"]
        spans = [(self._first(question.text, begin), end) for begin, end in question.spans] or [(0, len(question.text))]
        chosen = [
            k
            for k, (a, _) in enumerate(encoded["offset_mapping"])
            if not special[k] and any(first <= k and a < end for first, end in spans)
        ]
        return [self._token(ids, k, chosen if question.together else [k]) for k in chosen]

    def _first(self, text, begin):
        """Return the first token of a word: where the text goes on that ended before the word and its space."""
        ended = self.tokenizer(text[: max(0, begin - 1)], return_special_tokens_mask=True)
        while ended["special_tokens_mask"] and ended["special_tokens_mask"].pop() and ended["input_ids"]:
            ended["input_ids"].pop()
        whole = self.tokenizer(text)["input_ids"]
        pairs = zip(ended["input_ids"], whole, strict=False)
        return next((k for k, (a, b) in enumerate(pairs) if a != b), len(ended["input_ids"]))

    def _token(self, ids, position, hidden):
        if not self.masked:
            return float(self._logits(ids[:position])[-1].log_softmax(-1)[ids[position]]) if position else None
        seen = [self.tokenizer.mask_token_id if k in hidden else token for k, token in enumerate(ids)]
        return float(self._logits(seen)[position].log_softmax(-1)[ids[position]])

    def _logits(self, ids):
        """Many questions are about the same text, which is read once."""
        if tuple(ids) not in self.read:
            with torch.no_grad():
                self.read[tuple(ids)] = self.model(input_ids=torch.tensor([ids])).logits[0].double()
        return self.read[tuple(ids)]


@lru_cache(maxsize=64)
def naive_likelihood(folder, masked):
    """Return the reference of a folder, loaded once."""
    return NaiveLikelihood(folder, masked)
