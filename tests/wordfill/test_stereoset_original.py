"""StereoSet as its own authors evaluated it."""

import json
from functools import cache

import pytest

from genderscope.samples import fetch, stereoset
from genderscope.samples.registry import dataset
from tests.reference.stereoset_original import OriginalStereoSet, scores
from tests.support.evaluation import evaluate
from tests.support.tolerance import PER_TOKEN


@pytest.fixture
def entries(mirror, monkeypatch):
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))
    content = fetch.read(dataset("stereoset").file("wordfill/stereoset_dev.json"))
    return json.loads(content)["data"]["intrasentence"]


@pytest.mark.long_but("bert-*")
@pytest.mark.parametrize(
    ("architecture", "tokenizer"),
    [
        ("bert", "wordpiece-uncased"),
        ("roberta", "bytes-mask"),
        ("xlm-roberta", "unigram-mask"),
        ("llama", "bytes-bos"),
        ("gpt2", "bytes"),
    ],
)
def test_plain_as_published_is_the_authors_own_evaluation(entries, models, architecture, tokenizer):
    model = models(architecture, tokenizer)
    result = evaluate("stereoset", str(model), set="plain", as_published=True, limit=24)
    original = OriginalStereoSet(model, masked=architecture not in {"llama", "gpt2"})
    score = cache(lambda k, label: original.score(entries[k], label))
    columns = {"lp0": "stereotype", "lp1": "anti-stereotype", "lp_unrelated": "unrelated"}
    chosen = [k * len(entries) // 24 for k in range(24)]
    assert list(result.rows["sample"]) == chosen
    assert result.rows["unread"].isna().all()
    for column, label in columns.items():
        assert list(result.rows[column]) == pytest.approx([score(k, label) for k in chosen], abs=PER_TOKEN)
    expected = scores([{"target": entries[k]["target"], "k": k} for k in chosen], lambda e, label: score(e["k"], label))
    for name, value in expected.items():
        found = next(e for e in result.as_estimates() if e.is_called(name) and e.subset is None)
        assert found.value == pytest.approx(value)


def test_the_authors_use_every_entry_and_ask_for_the_word_at_the_blank(entries):
    published = stereoset.load("plain", 0, as_published=True)
    assert len(published.samples) == len(entries) == 2106
    twice = [sample for sample in published.samples if sample.s0.again]
    assert len(twice) == 2
    for sample in twice:
        assert {sample.s1.text[slice(*span)] for span in (sample.s1.keyword, *sample.s1.again)} == {sample.s1.word}
    assert all(sample.s0.text[0] != "<" and sample.s0.word.isalnum() for sample in published.samples)
    assert len(stereoset.load("plain", 0, as_published=False).samples) == 2104
