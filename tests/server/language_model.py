"""A server of a real language model that speaks OpenAI's protocol, in the dialects of vLLM and of older servers."""

import threading
from functools import cache, lru_cache
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from genderscope.models.server.capabilities import PROBE, SAY, STEADY, TEXTS
from tests.server.http_fake import HttpFake

#: what a server may offer
ALL = ("prompt_logprobs", "echo", "logprobs", "completions", "chat", "chat_logprobs", "many")
#: what llama.cpp's server offers; it tells as many next tokens as it is asked for
LLAMA = {"offers": ("logprobs", "completions", "one"), "listed": True, "top": 10**9}
#: texts of the ladder's own, and how many of a run's texts are asked twice before it begins
PROBES, TWICE = {*STEADY, PROBE, SAY}, 2 * TEXTS


def text_of(body):
    return body["prompt"] if "prompt" in body else body["messages"][0]["content"]


@lru_cache(maxsize=4)  # a model of a test elsewhere may be large
def _loaded(folder):
    """Load a model once, however many servers answer for it."""
    return AutoTokenizer.from_pretrained(folder), AutoModelForCausalLM.from_pretrained(folder).eval()


@cache
def _decoded(folder, token):
    return _loaded(folder)[0].decode([token], clean_up_tokenization_spaces=False)


#: what was read of tiny models, whose servers are asked about the same few texts in all dialects
_READ: dict[Any, Any] = {}


def _log_probabilities(folder, ids):
    found = _READ.get((folder, ids))
    if found is None:
        with torch.inference_mode():
            found = _loaded(folder)[1](input_ids=torch.tensor([ids])).logits[0].double().log_softmax(-1)
        if found.numel() < 100_000:
            _READ[folder, ids] = found
    return found


class LanguageModelServer(HttpFake):
    """Answers for one model; `offers` says what of the protocol it knows, `chat` what it says in a chat."""

    def __init__(
        self,
        folder,
        offers=ALL,
        name="tiny",
        chat=lambda text: "Plakala som.",
        top=20,
        listed=False,
        said=lambda text, piece, score: score,
        **options,
    ):
        super().__init__(**options)
        self.name, self.offers, self.chat, self.top = name, frozenset(offers), chat, top
        self.listed, self.too_many = listed, "at most {top} logprobs"
        #: what the server says of a token's log-probability, and what it says instead of an answer
        self.said, self.instead = said, lambda body, answer: answer
        self.folder, self.tokenizer = folder, _loaded(folder)[0]
        self._one = threading.Lock()

    @property
    def spec(self):
        return f"server:{self.url}/v1#{self.name}"

    def counts(self, method, path, body):
        # The probes are left in peace, so that faults hit the questions.
        return method == "POST" and len(self.asked()) > TWICE

    def asked(self):
        """Return the requests about texts that are not the ladder's own."""
        return [body for _, _, body in self.requests if body and text_of(body) not in PROBES]

    def reply(self, method, path, body):
        if path == "/v1/models":
            return 200, {"object": "list", "data": [{"id": self.name}]}
        if body.get("model") != self.name:
            return 404, {"error": {"message": f"The model `{body.get('model')}` does not exist."}}
        if path == "/v1/completions" and "completions" in self.offers:
            status, answer = self._complete(body)
            return status, self.instead(body, answer)
        if path == "/v1/chat/completions" and "chat" in self.offers:
            status, answer = self._chat(body)
            return status, self.instead(body, answer)
        return 404, {"error": {"message": "Not Found"}}

    def _complete(self, body):
        if not set(body) & {"prompt_logprobs", "echo", "logprobs"} <= self.offers:
            return 400, {"error": {"message": "unknown field"}}
        if (body.get("logprobs") or 0) > self.top:
            return 400, {"error": {"message": self.too_many.format(top=self.top, asked=body["logprobs"])}}
        if body.get("n", 1) > 1 and "one" in self.offers:  # llama.cpp
            return 400, {"error": {"message": "Field 'n': Value must be between 1 <= value <= 1, but got 5"}}
        ids = self.tokenizer(body["prompt"])["input_ids"]
        if len(ids) + body["max_tokens"] > 128:
            return 400, {"error": {"message": "This model's maximum context length is 128 tokens."}}
        with self._one, torch.inference_mode():
            rows = self._rows(ids)
            wanted = body.get("n", 1) if "many" in self.offers else 1
            generator = torch.Generator().manual_seed(body.get("seed", 0))
            choices = [self._continue(ids, body, generator, rows[-1]) for _ in range(wanted)]
        told = [self._told(body, ids[k], rows[k - 1, ids[k]]) for k in range(1, len(ids))]
        for index, choice in enumerate(choices):
            choice["index"] = index
            if "prompt_logprobs" in body:
                entries = [self._entry(token, score) for token, score in zip(ids[1:], told, strict=True)]
                choice["prompt_logprobs"] = [None, *entries]
            if body.get("echo"):
                self._echo(choice, [None, *told], ids, body["prompt"])
        return 200, {"choices": choices, "usage": {"prompt_tokens": len(ids)}}

    def _rows(self, ids):
        return _log_probabilities(self.folder, tuple(ids))

    def _piece(self, token):
        return _decoded(self.folder, token)

    def _told(self, body, token, score):
        return self.said(text_of(body), self._piece(token), float(score))

    def _entry(self, token, score):
        return {str(token): {"logprob": score, "rank": 1, "decoded_token": self._piece(token)}}

    def _echo(self, choice, scores, ids, prompt):
        choice["text"] = prompt + choice["text"]
        choice["logprobs"]["tokens"] = [*map(self._piece, ids), *choice["logprobs"]["tokens"]]
        choice["logprobs"]["token_logprobs"] = [*scores, *choice["logprobs"]["token_logprobs"]]

    def _continue(self, ids, body, generator, row):
        drawn: list[int] = []
        scores, tops = [], []
        for _ in range(body["max_tokens"]):
            if drawn:
                row = self._rows(ids + drawn)[-1]
            if body["temperature"]:
                token = int(torch.multinomial((row / body["temperature"]).softmax(-1), 1, generator=generator))
            else:
                token = int(row.argmax())
            likeliest = row.topk(min(len(row), max(1, body.get("logprobs") or 1))).indices.tolist()
            known = row.tolist()
            tops.append([(self._piece(t), self._told(body, t, known[t])) for t in likeliest])
            drawn.append(token)
            scores.append(self._told(body, token, row[token]))
        text = self.tokenizer.decode(drawn, clean_up_tokenization_spaces=False)
        pieces = list(map(self._piece, drawn))
        if self.listed:  # as llama.cpp has it: tokens that are written alike stay apart
            named = [[{"token": piece, "logprob": score} for piece, score in top] for top in tops]
            content = zip(pieces, scores, named, strict=True)
            logprobs = {"content": [{"token": p, "logprob": s, "top_logprobs": t} for p, s, t in content]}
        else:
            logprobs = {
                "tokens": pieces,
                "token_logprobs": scores,
                "top_logprobs": [dict(reversed(top)) for top in tops],
            }
        return {"text": text, "finish_reason": "length", "logprobs": logprobs if "logprobs" in body else None}

    def _chat(self, body):
        if "logprobs" in body and "chat_logprobs" not in self.offers:
            return 400, {"error": {"message": "logprobs are not supported"}}
        said = self.chat(body["messages"][0]["content"])
        said = said if isinstance(said, dict) else {"content": said}
        choice = {"message": {"role": "assistant", "content": said["content"]}}
        choice["finish_reason"] = said.get("finish_reason", "stop")
        if "logprobs" in body:
            tops = [{"token": token, "logprob": score} for token, score in said.get("top", {"yes": -0.1}).items()]
            tops = tops[: body["top_logprobs"]]
            choice["logprobs"] = {"content": [{"token": "yes", "logprob": -0.1, "top_logprobs": tops}]}
        return 200, {"choices": [choice] * (body.get("n", 1) if "many" in self.offers else 1)}
