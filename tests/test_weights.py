"""The model that is loaded is the one that was named: no weight is made up, none is left out, the tokenizer fits."""

import json
import re
import shutil
from typing import Any

import pytest
import torch
import transformers as tf
from safetensors.torch import load_file, save_file

from genderscope.core.errors import UserError
from genderscope.core.questions import Choice, TokenLikelihood
from genderscope.engine.worker import Load, Worker
from genderscope.models import open_model
from genderscope.models.hf.model_files import READERS, quantisation_of
from tests.support.answers import answers_to
from tests.tiny import TOKENIZERS

TOKENIZER = {"bert": "wordpiece-cased", "roberta": "bytes-mask", "albert": "wordpiece-uncased"}


@pytest.fixture
def changed(models, tmp_path):
    """Copy a tiny model with other weights or another configuration: changed('bert', weights, num_hidden_layers=3)."""

    def change(architecture, weights=lambda held: held, **config):
        source = models(architecture, TOKENIZER.get(architecture, "bytes"))
        folder = shutil.copytree(source, tmp_path / "model")
        held = load_file(folder / "model.safetensors")
        save_file(weights(held), folder / "model.safetensors", metadata={"format": "pt"})
        kept = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps(kept | config))
        return folder

    return change


def without(part):
    return lambda held: {key: value for key, value in held.items() if part not in key}


def named(prefix):
    return lambda held: {prefix + key: value for key, value in held.items()}


def beside(**shapes):
    return lambda held: held | {key.replace("__", "."): torch.zeros(shape) for key, shape in shapes.items()}


REFUSED: dict[str, tuple[str, Any, dict[str, Any], str]] = {
    "a BERT without its head": (
        "bert", without("cls."), {},
        r"'model' is missing weights, .* randomly: cls\.predictions\.bias, .* and 3 more; use a complete checkpoint",
    ),
    "a RoBERTa without its head": ("roberta", without("lm_head."), {}, r"randomly: lm_head\.bias"),
    "an ALBERT without its transform": ("albert", without("predictions.dense"), {}, r"predictions\.dense\.bias"),
    "a GPT-2 whose head is not its embedding": (
        "gpt2", without("lm_head"), {"tie_word_embeddings": False}, r"randomly: lm_head\.weight; use",
    ),
    "a Llama without its head": ("llama", without("lm_head"), {}, r"randomly: lm_head\.weight; use"),
    "a Llama without an embedding to tie its head to": (
        "llama", without("e"), {"tie_word_embeddings": True}, r"and \d+ more",
    ),
    "names that a parallel training wrote": ("bert", named("module."), {}, r"file stores them as 'module\.…'; save"),
    "the same of a causal model": ("llama", named("module."), {}, r"file stores them as 'module\.…'; save"),
    "a layer more in the configuration": ("bert", without("-"), {"num_hidden_layers": 3}, r"bert\.encoder\.layer\.2\."),
    "the same of a causal model's": ("gpt2", without("-"), {"n_layer": 3}, r"transformer\.h\.2\."),
    "a tensor gone": ("mistral", without("1.mlp.up_proj"), {}, r"randomly: model\.layers\.1\.mlp\.up_proj\.weight;"),
    "a layer less in the configuration": (
        "bert", without("-"), {"num_hidden_layers": 1}, r"do not fit .*: bert\.encoder\.layer\.1\..* and 13 more",
    ),
    "a causal model's layer less": ("llama", without("-"), {"num_hidden_layers": 1}, r"model\.layers\.1\."),
    "a body that was saved alone, and a layer less": (
        "gpt2", lambda held: {k.removeprefix("transformer."): v for k, v in held.items()}, {"n_layer": 1},
        r"do not fit its config\.json, .*: h\.1\.",
    ),
    "an adapter that was never merged": (
        "llama", beside(model__layers__0__self_attn__q_proj__lora_A__weight=(4, 32)), {}, r"do not fit .*lora_A",
    ),
    "a bias that the architecture has not": ("llama", beside(lm_head__bias=(9,)), {}, r"do not fit .*lm_head"),
    "a tensor of another size": (
        "bert", beside(bert__encoder__layer__0__intermediate__dense__weight=(64, 30)), {},
        r"whose sizes do not match .*: bert\.encoder\.layer\.0\.intermediate\.dense\.weight is 64 × 30, not 64 × 32",
    ),
    "a vocabulary of another size": (
        "gpt2", lambda held: held, {"vocab_size": 300},
        r"whose sizes do not match .*: transformer\.wte\.weight is \d+ × 32, not",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_a_checkpoint_that_is_not_the_model_is_refused_in_one_sentence(changed, what):
    architecture, weights, config, complaint = REFUSED[what]
    with pytest.raises(UserError, match=complaint) as raised:
        open_model(str(changed(architecture, weights, **config))).load()
    assert "\n" not in str(raised.value)


FINE: dict[str, tuple[str, Any, dict[str, Any]]] = {
    "other heads, an unused pooler and old buffers": (
        "bert",
        beside(
            bert__pooler__dense__weight=(32, 32), cls__seq_relationship__weight=(2, 32), qa_outputs__bias=(2,),
            bert__embeddings__position_ids=(1, 80), classifier__weight=(2, 32),
        ), {},
    ),
    "the masks of an old GPT-2": (
        "gpt2", beside(transformer__h__0__attn__bias=(4,), transformer__h__1__attn__masked_bias=()), {},
    ),
    "a head that is tied": ("llama", without("lm_head"), {"tie_word_embeddings": True}),
    "an embedding that is tied to the head": ("llama", without("embed_tokens"), {"tie_word_embeddings": True}),
    "a body that was saved alone where the head is tied": (
        "gpt2", lambda held: {k.removeprefix("transformer."): v for k, v in held.items()}, {},
    ),
    "the value head of a reward model": ("gpt-neox", beside(v_head__summary__weight=(1, 32)), {}),
}  # fmt: skip


@pytest.mark.parametrize("what", FINE)
def test_what_no_answer_is_made_of_does_not_matter(changed, what, capfd):
    architecture, weights, config = FINE[what]
    folder = changed(architecture, weights, **config)
    capfd.readouterr()
    open_model(str(folder)).load()
    assert capfd.readouterr().err == ""


def test_a_pooler_that_is_missing_does_not_matter(tmp_path):
    tokenizer = TOKENIZERS["wordpiece-cased"]()
    size: dict[str, Any]
    size = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 4, "intermediate_size": 64}
    tf.SqueezeBertForMaskedLM(
        tf.SqueezeBertConfig(vocab_size=len(tokenizer), embedding_size=32, **size)
    ).save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    held = load_file(tmp_path / "model.safetensors")
    assert any("pooler" in key for key in held)
    save_file(without("pooler")(held), tmp_path / "model.safetensors", metadata={"format": "pt"})
    open_model(str(tmp_path)).load()


def test_a_translator_without_a_layer_is_refused(tmp_path):
    tokenizer = TOKENIZERS["unigram-mask"]()
    size: dict[str, Any]
    size = {"d_model": 32, "d_kv": 16, "d_ff": 64, "num_layers": 2, "num_heads": 2, "vocab_size": len(tokenizer)}
    tf.T5ForConditionalGeneration(tf.T5Config(**size)).save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    open_model(str(tmp_path)).load()
    held = load_file(tmp_path / "model.safetensors")
    save_file(without("encoder.block.1.")(held), tmp_path / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(UserError, match=r"randomly: encoder\.block\.1\.layer"):
        open_model(str(tmp_path)).load()
    save_file(held, tmp_path / "model.safetensors", metadata={"format": "pt"})
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(config | {"num_layers": 1}))
    with pytest.raises(UserError, match=r"do not fit its config\.json, .*: encoder\.block\.1\.layer"):
        open_model(str(tmp_path)).load()


def test_a_shard_that_is_missing_is_one_sentence(models, tmp_path):
    source = models("llama", "bytes")
    tf.AutoModelForCausalLM.from_pretrained(source).save_pretrained(tmp_path, max_shard_size="40KB")
    TOKENIZERS["bytes"]().save_pretrained(tmp_path)
    shards = sorted(tmp_path.glob("*.safetensors"))
    assert len(shards) > 2
    open_model(str(tmp_path)).load()
    shards[1].unlink()
    with pytest.raises(UserError, match=f"The weights of '.*' cannot be read: .*{re.escape(shards[1].name)}"):
        open_model(str(tmp_path)).load()


def test_an_adapter_beside_the_weights_is_refused(changed):
    folder = changed("gpt2")
    (folder / "adapter_config.json").write_text('{"base_model_name_or_path": "gpt2", "peft_type": "LORA"}')
    with pytest.raises(UserError, match=r"'model' contains an adapter .*merge it into its base model"):
        open_model(str(folder))


def test_a_worker_refuses_what_this_process_refuses(changed):
    model = open_model(str(changed("bert", without("cls."))))
    with pytest.raises(UserError, match=r"'model' is missing weights.*: cls\.predictions\.bias, .* and 3 more"):
        raise Worker(model.opening, "here").do(Load()).error()


def test_a_worker_hashes_the_bytes_that_it_has(changed):
    folder = changed("gpt2")
    model = open_model(str(folder))
    assert Worker(model.opening, "here").do(Load()).fingerprint == model.fingerprint
    held = load_file(folder / "model.safetensors")
    save_file({k: v + 1 for k, v in held.items()}, folder / "model.safetensors", metadata={"format": "pt"})
    assert Worker(model.opening, "there").do(Load()).fingerprint != model.fingerprint


def test_weights_that_are_replaced_before_they_are_loaded_are_refused(changed):
    folder = changed("gpt2")
    model = open_model(str(folder))
    held = load_file(folder / "model.safetensors")
    save_file({k: v + 1 for k, v in held.items()}, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(
        UserError, match=r"model\.safetensors' changed while 'model' was being loaded; run the command again"
    ):
        model.load()


@pytest.mark.parametrize("added", [["nurse"], ["<mask>"]], ids=["a word", "the mask"])
def test_a_tokenizer_larger_than_the_embedding_is_refused(models, tmp_path, added):
    masked = added == ["<mask>"]
    folder = shutil.copytree(
        models("bert", "wordpiece-cased") if masked else models("gpt2", "bytes"), tmp_path / "model"
    )
    tokenizer = tf.AutoTokenizer.from_pretrained(folder)
    if masked:
        tokenizer.add_special_tokens({"mask_token": "<mask>"})
    else:
        tokenizer.add_tokens(added)
    tokenizer.save_pretrained(folder)
    rows = len(tokenizer) - 1
    with pytest.raises(UserError) as raised:
        open_model(str(folder)).load()
    assert str(raised.value) == (
        f"The tokenizer of 'model' does not fit the model, which has embeddings for {rows} tokens: {added[0]!r} has "
        f"id {rows}; use the tokenizer that the model was trained with."
    )


def test_an_embedding_that_was_filled_up_to_a_round_number_is_fine(models, tmp_path):
    source = models("llama", "bytes")
    model = tf.AutoModelForCausalLM.from_pretrained(source)
    model.resize_token_embeddings(pad_to_multiple_of=64)
    model.save_pretrained(tmp_path)
    tf.AutoTokenizer.from_pretrained(source).save_pretrained(tmp_path)
    assert model.config.vocab_size > len(tf.AutoTokenizer.from_pretrained(source))
    question = [Choice('"I was there.", ', " said.", ("he", "she"))]
    [one], [other] = (answers_to(open_model(str(folder)), question) for folder in (source, tmp_path))
    assert one.scores == pytest.approx(other.scores, abs=1e-5)


def test_a_special_token_without_embedding_leaves_only_texts_unread_that_spell_it_out(models, tmp_path):
    folder = shutil.copytree(models("gpt2", "bytes"), tmp_path / "model")
    tokenizer = tf.AutoTokenizer.from_pretrained(folder)
    tokenizer.add_special_tokens({"additional_special_tokens": ["<image>"]})
    tokenizer.save_pretrained(folder)
    asked = [
        Choice('"I was there.", ', " said.", ("he", "she")),
        Choice('"I saw <image>.", ', " said.", ("he", "she")),
        TokenLikelihood("I saw <image> there.", (), False),
    ]
    answers = answers_to(open_model(str(folder)), asked)
    [plain] = answers_to(open_model(str(models("gpt2", "bytes"))), asked[:1])
    assert answers[0].scores == plain.scores
    assert {answer.unread for answer in answers[1:]} == {
        "the text contains a special token for which the model has no embedding"
    }


@pytest.mark.parametrize(
    ("settings", "method"),
    [
        ({"quant_method": "bitsandbytes", "load_in_4bit": True}, "bitsandbytes-4bit"),
        ({"quant_method": "bitsandbytes", "_load_in_8bit": True, "load_in_4bit": False}, "bitsandbytes-8bit"),
        ({"load_in_8bit": True}, "bitsandbytes-8bit"),
        ({"quant_method": "gptq", "bits": 4, "group_size": 128}, "gptq-4bit"),
        ({"quant_method": "compressed-tensors"}, "compressed-tensors"),
        ({}, None),
        ("awq", None),
    ],
)
def test_how_weights_are_quantised_is_known_from_the_configuration(tmp_path, settings, method):
    (tmp_path / "config.json").write_text(json.dumps({"quantization_config": settings}))
    assert quantisation_of(tmp_path) == method


def test_a_quantised_model_without_its_package_is_one_sentence(models, tmp_path, monkeypatch):
    folder = shutil.copytree(models("gpt2", "bytes"), tmp_path / "small")
    config = json.loads((folder / "config.json").read_text())
    config["quantization_config"] = {"quant_method": "bitsandbytes", "load_in_4bit": True}
    (folder / "config.json").write_text(json.dumps(config))
    monkeypatch.setitem(READERS, "bitsandbytes", ("no_such_package",))
    with pytest.raises(UserError, match=r"'small' is quantised \(bitsandbytes-4bit\) .*pip install no-such-package"):
        open_model(str(folder))
