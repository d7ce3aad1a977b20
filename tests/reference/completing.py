"""Completions the naive way: one text at a time, full softmax, and transformers' own `generate` for the beams."""

from functools import lru_cache
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoModelForMaskedLM, AutoTokenizer

from genderscope.core.questions import Completion


class NaiveCompleter:
    """A model that is asked one thing after the other and shares no code with the fast way."""

    def __init__(self, folder: Path, masked: bool) -> None:
        self.tokenizer = AutoTokenizer.from_pretrained(folder)
        self.masked = masked
        kind = AutoModelForMaskedLM if masked else AutoModelForCausalLM
        self.model = kind.from_pretrained(folder, dtype=torch.float32).eval()
        self.read: dict[tuple[int, ...], torch.Tensor] = {}
        self.made: dict[tuple[tuple[int, ...], int, int], list[list[int]]] = {}

    def log_probabilities(self, question: Completion) -> torch.Tensor:
        """log P(token) at the blank, for the whole vocabulary."""
        if self.masked:
            text = question.before + self.tokenizer.mask_token + question.after
            ids = self.tokenizer(text)["input_ids"]
            at = ids.index(self.tokenizer.mask_token_id)
        else:
            ids = self.prompt(question)
            at = -1
        if tuple(ids) not in self.read:
            with torch.no_grad():
                logits = self.model(input_ids=torch.tensor([ids])).logits[0, at]
            self.read[tuple(ids)] = logits.double().log_softmax(-1)
        return self.read[tuple(ids)]

    def prompt(self, question: Completion) -> list[int]:
        """The text before the blank, without what the tokenizer puts at the end of a text."""
        ids = self.tokenizer(question.before.rstrip())["input_ids"]
        return ids[:-1] if ids[-1] in (self.tokenizer.sep_token_id, self.tokenizer.eos_token_id) else ids

    def likeliest(self, question: Completion) -> list[tuple[int, float]]:
        """The k likeliest tokens with their log-probabilities."""
        table = self.log_probabilities(question)
        best = sorted(range(len(table)), key=lambda token: -float(table[token]))[: question.k]
        return [(token, float(table[token])) for token in best]

    def beams(self, question: Completion) -> list[list[int]]:
        """The k best continuations by transformers' beam search with k beams, padding taken off."""
        ids = self.prompt(question)
        key = tuple(ids), question.k, question.new_tokens
        if key not in self.made:
            self.made[key] = self._beams(ids, question)
        return self.made[key]

    def _beams(self, ids: list[int], question: Completion) -> list[list[int]]:
        with torch.no_grad():
            made = self.model.generate(
                torch.tensor([ids]),
                attention_mask=torch.ones(1, len(ids), dtype=torch.long),
                num_beams=question.k,
                num_return_sequences=question.k,
                max_new_tokens=question.new_tokens,
                do_sample=False,
                pad_token_id=FILLER,
            )
        return [[token for token in row if token != FILLER] for row in made[:, len(ids) :].tolist()]


@lru_cache(maxsize=64)
def completer(folder: Path, masked: bool) -> NaiveCompleter:
    """Return the reference of a folder, loaded once: the fast ways are many, and all are compared with it."""
    return NaiveCompleter(folder, masked)


#: No token of any vocabulary: what generate fills short continuations up with.
FILLER = 10**6
