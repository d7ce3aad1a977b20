"""The naive way to the scores of word filling: one token, one pass, one full softmax at a time."""

import torch
from transformers import AutoModelForCausalLM, AutoModelForMaskedLM, AutoTokenizer


class NaiveLikelihood:
    """A model that is asked for one token after the other."""

    def __init__(self, folder, masked):
        self.tokenizer = AutoTokenizer.from_pretrained(folder)
        self.masked = masked
        kind = AutoModelForMaskedLM if masked else AutoModelForCausalLM
        self.model = kind.from_pretrained(folder, dtype=torch.float32).eval()

    def of(self, question):
        """Return the log-probability of every token in the spans."""
        encoded = self.tokenizer(question.text, return_offsets_mapping=True, return_special_tokens_mask=True)
        ids, special = encoded["input_ids"], encoded["special_tokens_mask"]
        spans = question.spans or ((-1, len(question.text) + 1),)
        chosen = [
            k
            for k, (a, b) in enumerate(encoded["offset_mapping"])
            if not special[k] and any((a < end and b > begin and a < b) or begin < 0 for begin, end in spans)
        ]
        return [self._token(ids, k, chosen if question.together else [k]) for k in chosen]

    def _token(self, ids, position, hidden):
        with torch.no_grad():
            if not self.masked:
                if position == 0:
                    return None
                logits = self.model(input_ids=torch.tensor([ids[:position]])).logits[0, -1]
            else:
                seen = [self.tokenizer.mask_token_id if k in hidden else token for k, token in enumerate(ids)]
                logits = self.model(input_ids=torch.tensor([seen])).logits[0, position]
            return float(logits.softmax(-1)[ids[position]].log())
