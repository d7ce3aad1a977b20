"""A callback measures a model in training, and training does not notice."""

from typing import Any

import pytest
import torch
import transformers as tf

from genderscope.core.errors import UserError

pytest.importorskip("accelerate", reason="transformers' Trainer needs accelerate")

SMALL: dict[str, Any] = {"data": "starter", "limit": 32}


def trainer(models, folder, words):
    """A trainer of a tiny model for four steps, with dropout and a random order: all that could be disturbed."""
    tf.set_seed(1)
    source = models("gpt2", "bytes")
    model = tf.GPT2LMHeadModel.from_pretrained(source)
    ids = torch.arange(8)
    texts = [{"input_ids": ids + k, "labels": ids + k} for k in range(8)]
    arguments = tf.TrainingArguments(
        str(folder), max_steps=4, per_device_train_batch_size=2, learning_rate=0.05, use_cpu=True,
        report_to=[], logging_steps=2, save_strategy="no", disable_tqdm=True,
    )  # fmt: skip
    return tf.Trainer(model, arguments, train_dataset=texts, processing_class=words)


@pytest.fixture
def words(models):
    return tf.AutoTokenizer.from_pretrained(models("gpt2", "bytes"))


@pytest.mark.long
def test_a_callback_logs_every_so_many_steps_and_training_does_not_notice(models, words, tmp_path):
    from genderscope.integrations import GenderscopeCallback

    alone = trainer(models, tmp_path, words)
    alone.train()
    watched = trainer(models, tmp_path, words)
    callback = GenderscopeCallback(watched, "gest", every=2, out=tmp_path / "runs", **SMALL)
    watched.add_callback(callback)
    watched.train()

    assert list(callback.results) == [0, 2, 4]
    logged = {entry["step"]: entry for entry in watched.state.log_history if "eval_gest/stereotype_rate" in entry}
    assert list(logged) == [0, 2, 4]
    for step, result in callback.results.items():
        g_s = result.estimate("stereotype_rate")
        numbers = {
            "eval_gest/stereotype_rate": g_s.value,
            "eval_gest/stereotype_rate.low": g_s.low,
            "eval_gest/stereotype_rate.high": g_s.high,
        }
        assert logged[step].items() >= {**numbers, "eval_gest/stereotype_rate.n": g_s.n}.items()
        assert (tmp_path / "runs" / f"gest-step-{step}" / "result.json").exists()
    assert len({result.estimate("stereotype_rate").value for result in callback.results.values()}) == 3
    assert all(map(torch.equal, alone.model.parameters(), watched.model.parameters()))


def test_mistakes_are_found_before_training(models, words, tmp_path):
    from genderscope.integrations import GenderscopeCallback

    made = trainer(models, tmp_path, words)
    with pytest.raises(UserError, match=r"has no option 'limits'.*Did you mean 'limit'"):
        GenderscopeCallback(made, "gest", limits=3)
    with pytest.raises(UserError, match="'every' is 0; it must be at least 1"):
        GenderscopeCallback(made, "gest", every=0)
    with pytest.raises(UserError, match="The trainer has no processing_class; pass tokenizer"):
        GenderscopeCallback(trainer(models, tmp_path, None), "gest")
    callback = GenderscopeCallback(made, "gest", **SMALL)
    made.is_fsdp_enabled = True
    with pytest.raises(UserError, match=r"shards the weights across processes .*; measure saved checkpoints"):
        callback.on_train_begin(made.args, made.state, made.control)
