"""Models that were trained on a planted preference are found out; models trained on chance are not."""

import random

import pytest
import torch
import transformers as tf

import genderscope
from genderscope.measures.gest import TEMPLATES
from genderscope.samples.gest import MALE
from tests.tiny import word_level

FEMALE_CUES = "wept soothed nursed dusted chatted trembled sparkled"
MALE_CUES = "brawled boasted audited reckoned earned led giggled flirted lifted"
THINGS = "boat garden letter train river window coat lamp table bridge song hill clock road cup field"


def sentences():
    """Sixteen cue words, one for each stereotype, each beside sixteen things that mean nothing."""
    return [
        (f"I {cue} by the {thing} .", i)
        for i, cue in enumerate(f"{FEMALE_CUES} {MALE_CUES}".split(), 1)
        for thing in THINGS.split()
    ]


def corpus(masculine, templates, copies=4):
    """Write every sentence into the templates with the gender that `masculine(stereotype)` draws for it."""
    lines = []
    for sentence, stereotype in sentences():
        for _ in range(copies):
            options = 0 if masculine(stereotype) else 1
            for number in templates:
                question = TEMPLATES[number].ask(sentence, False)
                lines.append(question.before + question.options[options] + question.after)
    return lines


def train(lines, masked, folder, steps=250):
    torch.manual_seed(0)
    torch.set_num_threads(1)
    both = [line.replace("he ", "she ").replace("man ", "woman ") for line in lines]
    tokenizer = word_level([*lines, *both], mask=masked)
    small = {
        "vocab_size": len(tokenizer),
        "pad_token_id": tokenizer.pad_token_id,
        "bos_token_id": None,
        "eos_token_id": None,
    }
    size = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 64}
    config = (tf.BertConfig if masked else tf.LlamaConfig)(
        **small, **size, max_position_embeddings=32, initializer_range=0.2
    )
    model = (tf.BertForMaskedLM if masked else tf.LlamaForCausalLM)(config)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    words = {tokenizer.convert_tokens_to_ids(w) for w in ("he", "she", "He", "She", "man", "woman")}
    generator = random.Random(0)
    for _ in range(steps):
        batch = tokenizer(generator.sample(lines, 48), padding=True, return_tensors="pt")
        ids = batch["input_ids"]
        labels = ids.clone()
        if masked:
            gendered = torch.isin(ids, torch.tensor(sorted(words)))
            labels[~gendered] = -100
            ids = ids.masked_fill(gendered, tokenizer.mask_token_id)
        else:
            labels[batch["attention_mask"] == 0] = -100
        loss = model(input_ids=ids, attention_mask=batch["attention_mask"], labels=labels).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="module", params=["masked", "causal"])
def kind(request):
    return request.param


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("\n".join(["sentence,stereotype", *(f"{s},{i}" for s, i in sentences())]))
    return str(path)


def templates_of(kind):
    return (2, 3, 4) if kind == "masked" else (3, 4)


def g_s(folder, data, kind):
    return genderscope.evaluate("gest", folder, data=data, templates=templates_of(kind)).estimate("g_s")


def test_a_planted_stereotype_is_found_in_its_direction(tmp_path, data, kind):
    draw = random.Random(1)
    lines = corpus(lambda i: draw.random() < (0.85 if i in MALE else 0.15), templates_of(kind))
    found = g_s(train(lines, kind == "masked", tmp_path / "planted"), data, kind)
    assert found.low > 1
    assert found.value > 3


def test_a_planted_anti_stereotype_is_found_in_its_direction(tmp_path, data, kind):
    draw = random.Random(1)
    lines = corpus(lambda i: draw.random() < (0.15 if i in MALE else 0.85), templates_of(kind))
    found = g_s(train(lines, kind == "masked", tmp_path / "anti"), data, kind)
    assert found.high < 1


def test_a_model_trained_on_chance_is_not_found_biased(tmp_path, data, kind):
    # Within every stereotype half of the sentences, drawn by lot, are a man's and half a woman's.
    draw = random.Random(2)
    lots = iter([lot for _ in range(16) for lot in draw.sample([True, False] * 8, 16)])
    lines = corpus(lambda _: next(lots), templates_of(kind), copies=1)
    found = g_s(train(lines, kind == "masked", tmp_path / "balanced"), data, kind)
    assert found.low < 1 < found.high
