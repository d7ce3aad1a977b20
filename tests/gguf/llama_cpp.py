"""llama.cpp itself, for comparison: `xllamacpp` runs its server in this process."""

import json
import math
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from genderscope.core.questions import Choice


class LlamaCpp:
    """A model file, opened by llama.cpp; `exact` has it keep in float32 what it keeps in half precision otherwise."""

    def __init__(self, path: Path, exact: bool = False) -> None:
        xllamacpp = pytest.importorskip("xllamacpp", reason="xllamacpp (llama.cpp) is not installed")
        settings = xllamacpp.CommonParams()
        settings.model.path = str(path)
        settings.n_ctx, settings.n_parallel = 1024, 1
        settings.warmup = settings.ui = False
        settings.cpuparams.n_threads = 1
        settings.verbosity = -1
        if exact:
            settings.cache_type_k = settings.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_F32
            settings.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
        self._server = xllamacpp.Server(settings)

    def ask(self, path: str, **question: Any) -> Any:
        request = urllib.request.Request(
            self._server.listening_address + path, json.dumps(question).encode(), {"Content-Type": "application/json"}
        )
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request) as answer:
            return json.load(answer)

    def tokens(self, text: str) -> list[int]:
        """Return the token ids of a text as a prompt has them."""
        return list(self.ask("/tokenize", content=text, add_special=True, parse_special=True)["tokens"])

    def log_probabilities(self, ids: Sequence[int], vocabulary: int, written: int) -> dict[int, float]:
        """Return the log-probability of every token after these.

        `written` is a whole letter: where a token is half of one, the server waits for the rest and tells nothing.
        """
        answer = self.ask(
            "/completion", prompt=list(ids), n_predict=1, n_probs=vocabulary, logit_bias=[[written, 1000]]
        )
        return {entry["id"]: entry["logprob"] for entry in answer["completion_probabilities"][0]["top_logprobs"]}

    def log_ratio(self, ids: Sequence[int], one: int, other: int) -> float:
        """Return log P(one) / P(other) after these tokens. Lifted alike, the two are the likeliest of all."""
        answer = self.ask(
            "/completion",
            prompt=list(ids),
            n_predict=1,
            n_probs=2,
            post_sampling_probs=True,
            samplers=["temperature"],
            temperature=1.0,
            logit_bias=[[one, 100], [other, 100]],
        )
        found = {entry["id"]: entry["prob"] for entry in answer["completion_probabilities"][0]["top_probs"]}
        return math.log(found[one] / found[other])

    def choice(self, question: Choice) -> float:
        """Return the log-ratio of a question's two options, located with llama.cpp's own tokens."""
        one, other = (self.tokens(question.before + option) for option in question.options)
        assert one[:-1] == other[:-1], "each option is one token"
        return self.log_ratio(one[:-1], one[-1], other[-1])


def assert_same_ids(tokenizer: Any, llama: LlamaCpp, texts: Sequence[str]) -> None:
    """Every text has the ids that llama.cpp gives it."""
    for text, ids in zip(texts, tokenizer(list(texts))["input_ids"], strict=True):
        assert ids == llama.tokens(text), text


def assert_near(ours: Sequence[float], theirs: Sequence[float], each: float, mean: float) -> None:
    """Log-ratios agree: llama.cpp rounds activations to eight bits, so not to the last digit."""
    differences = np.subtract(ours, theirs)
    assert np.abs(differences).mean() <= each
    assert abs(differences.mean()) <= mean
