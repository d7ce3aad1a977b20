"""What Genderscope reads from a GGUF file is the model that llama.cpp runs."""

import pytest
import torch

from genderscope.models import open_model
from genderscope.models.hf.gguf.architectures import ARCHITECTURES
from genderscope.models.hf.language_model import LanguageModel
from tests.gguf.architectures import SMALL, TOKENS
from tests.gguf.llama_cpp import LlamaCpp
from tests.gguf.sentences import sentences
from tests.support.kinds import of_kind


def test_every_architecture_is_compared():
    assert {small.architecture for small in SMALL.values()} == set(ARCHITECTURES)


@pytest.fixture(scope="module")
def prompt():
    """A text longer than the windows of the small models."""
    return torch.randint(1, len(TOKENS) - 1, (1, 40), generator=torch.Generator().manual_seed(1))


@pytest.mark.long_but("llama", "gpt2", "qwen2")
@pytest.mark.parametrize("name", SMALL)
def test_next_words_are_those_of_llama_cpp(tmp_path, prompt, name):
    path = tmp_path / "small.gguf"
    original = SMALL[name].build(path)
    read = of_kind(open_model(f"gguf:{path}"), LanguageModel)
    read.load()
    with torch.inference_mode():
        ours, wanted = (model(prompt).logits[0, -1].double().log_softmax(-1) for model in (read.model, original))
    assert wanted.std() > 1, "a model that prefers nothing would hide a fault"
    assert torch.allclose(ours, wanted, atol=1e-4)
    llama = LlamaCpp(path, exact=True)
    found = llama.log_probabilities(prompt[0].tolist(), len(TOKENS), written=TOKENS.index("a"))
    theirs = torch.tensor([found[token] for token in range(len(TOKENS))], dtype=torch.float64)
    assert torch.allclose(ours, theirs, atol=SMALL[name].tolerance)
    texts = sentences(5)
    assert read.tokenizer(texts)["input_ids"] == [llama.tokens(text) for text in texts]
