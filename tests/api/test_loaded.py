"""A model that the caller has loaded is measured as its folder is, and given back as it was."""

import copy
from typing import Any

import pytest
import torch
import transformers as tf

from genderscope.core.errors import UserError
from tests.support.evaluation import evaluate

SMALL: dict[str, Any] = {"data": "starter", "limit": 32}
MODELS = [("bert", "wordpiece-cased", tf.AutoModelForMaskedLM), ("gpt2", "bytes", tf.AutoModelForCausalLM)]


def loaded(models, architecture, tokenizer, auto, **how):
    folder = models(architecture, tokenizer)
    return folder, auto.from_pretrained(folder, **how), tf.AutoTokenizer.from_pretrained(folder)


@pytest.mark.long_but("bert-*")
@pytest.mark.parametrize(("architecture", "tokenizer", "auto"), MODELS)
def test_a_loaded_model_gets_the_numbers_of_its_folder_and_stays_as_it_was(models, architecture, tokenizer, auto):
    folder, model, words = loaded(models, architecture, tokenizer, auto)
    model.train()
    frozen = next(module for module in model.modules() if isinstance(module, torch.nn.Dropout))
    frozen.eval()
    modes = [module.training for module in model.modules()]
    weights = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    config = copy.deepcopy(model.config).to_dict()

    with torch.autocast("cpu", dtype=torch.bfloat16):
        result = evaluate("gest", model=model, tokenizer=words, **SMALL)

    same = evaluate("gest", model=str(folder), **SMALL)
    assert result.estimate("stereotype_rate").value == pytest.approx(same.estimate("stereotype_rate").value, abs=1e-5)
    assert (result.rows["log_ratio"] - same.rows["log_ratio"]).abs().max() < 1e-4
    assert [module.training for module in model.modules()] == modes
    assert model.config.to_dict() == config
    assert all(torch.equal(weights[name], tensor) for name, tensor in model.state_dict().items())
    assert not any(module._forward_hooks or module._forward_pre_hooks for module in model.modules())
    # What was asked must leave nothing behind that cannot be trained with.
    ids = torch.tensor([words("The man said it.")["input_ids"]])
    model(input_ids=ids, labels=ids).loss.backward()


def test_the_signature_of_a_loaded_model_follows_its_weights_and_tokenizer(models):
    folder, model, words = loaded(models, *MODELS[1])
    first = evaluate("gest", model=model, tokenizer=words, **SMALL)
    assert f"model:{folder.name}@" in first.signature
    assert "dtype:float32" in first.signature
    words("The man said it.", truncation=True, max_length=4, padding="max_length")  # a call changes nothing
    again = evaluate("gest", model=torch.nn.DataParallel(model), tokenizer=words, **SMALL)
    assert again.folder == first.folder
    with torch.no_grad():
        next(model.parameters())[0, 0] += 1
    other = evaluate("gest", model=model, tokenizer=words, **SMALL)
    assert other.folder != first.folder
    assert other.signature != first.signature


def test_what_cannot_be_asked_of_a_loaded_model_is_one_sentence(models):
    _, model, words = loaded(models, *MODELS[1], dtype=torch.bfloat16)
    with pytest.raises(UserError, match=r"is loaded in bfloat16, but dtype is 'float32'; omit dtype or convert"):
        evaluate("gest", model=model, tokenizer=words, dtype="float32", **SMALL)
    with pytest.raises(UserError, match="has dtype float64; convert it to one of float32, bfloat16, float16 first"):
        evaluate("gest", model=copy.deepcopy(model).double(), tokenizer=words, **SMALL)
    with pytest.raises(UserError, match=r"class torch.nn.*Linear, which is not a transformers language model"):
        evaluate("gest", model=torch.nn.Linear(1, 1), tokenizer=words)
    heads: dict[str, Any] = {"encoder_attention_heads": 1, "decoder_attention_heads": 1}
    bart = tf.BartModel(tf.BartConfig(vocab_size=9, d_model=8, encoder_layers=1, decoder_layers=1, **heads))
    with pytest.raises(UserError, match="is a BartModel model, which does not fill blanks"):
        evaluate("gest", model=bart, tokenizer=words)
    with pytest.raises(UserError, match=r"The tokenizer of '.*' .*is slow and gives no character offsets"):
        evaluate("gest", model=model, tokenizer=lambda text: text)  # type: ignore[arg-type]
    with pytest.raises(UserError, match="was not opened from a model string, so workers cannot open it"):
        evaluate("gest", model=model, tokenizer=words, engine="processes", workers=2, **SMALL)
