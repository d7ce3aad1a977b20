"""Any real GGUF file against llama.cpp, which takes minutes: GENDERSCOPE_TEST_GGUF=model.gguf pytest tests/gguf."""

import os
from pathlib import Path

import pytest

from genderscope.measures.gest import TEMPLATES
from genderscope.measures.gest.templates import SENTENCE_FIRST
from genderscope.models import open_model
from genderscope.samples.gest import load
from tests.gguf.llama_cpp import LlamaCpp, assert_near, assert_same_ids
from tests.gguf.sentences import sentences
from tests.support.answers import answers_to
from tests.support.log_ratios import log_ratio

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def file():
    """The file that was named."""
    path = os.environ.get("GENDERSCOPE_TEST_GGUF")
    if not path:
        pytest.skip("GENDERSCOPE_TEST_GGUF names no GGUF file")
    return Path(path)


@pytest.fixture(scope="module")
def llama(file):
    return LlamaCpp(file)


@pytest.fixture(scope="module")
def model(file, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GENDERSCOPE_CACHE", str(tmp_path_factory.mktemp("converted")))
        yield open_model(f"gguf:{file}")


def test_a_thousand_sentences_have_the_same_ids(model, llama):
    assert_same_ids(model.tokenizer, llama, sentences(1000))


@pytest.mark.parametrize("template", SENTENCE_FIRST)
def test_the_starter_set_has_the_same_log_ratios(model, llama, template):
    questions = [TEMPLATES[template].ask(sample.sentence, False) for sample in load("starter", "1.1").samples]
    ours = [log_ratio(answer) for answer in answers_to(model, questions)]
    assert_near(ours, [llama.choice(question) for question in questions], each=0.1, mean=0.05)
