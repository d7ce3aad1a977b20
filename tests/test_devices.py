"""Where a model runs: one device, or spread over several by accelerate."""

import pytest

from genderscope.core.errors import UserError
from genderscope.core.questions import Choice
from genderscope.models import open_model
from genderscope.models.hf.language_model import LanguageModel
from tests.support.answers import answers_to
from tests.support.kinds import of_kind

ASKED = [Choice('"I was there.", the ', " said.", ("man", "woman")), Choice("We saw that ", " cried.", ("he", "she"))]


@pytest.mark.parametrize(("architecture", "tokenizer"), [("bert", "wordpiece-uncased"), ("gpt2", "bytes")])
def test_a_model_that_is_spread_gives_the_same_scores(models, architecture, tokenizer):
    folder = str(models(architecture, tokenizer))
    plain, spread = (answers_to(open_model(folder, device), ASKED) for device in ("cpu", "map"))
    assert any(answer.scores is not None for answer in plain)
    for a, b in zip(plain, spread, strict=True):
        assert a.unread == b.unread
        assert a.scores == pytest.approx(b.scores, abs=1e-5)


@pytest.mark.parametrize(
    ("architecture", "tokenizer", "part"),
    [("bert", "wordpiece-uncased", 0.1), ("gpt2", "bytes", 0.1), ("gpt2", "bytes", 0.6)],
)
def test_a_model_larger_than_memory_is_asked_from_disk(models, monkeypatch, architecture, tokenizer, part):
    """As transformers does it where accelerate finds less memory than the weights need."""
    folder = models(architecture, tokenizer)
    room = int(part * sum(path.stat().st_size for path in folder.glob("*.safetensors")))
    monkeypatch.setattr("transformers.integrations.accelerate.get_max_memory", lambda *_, **__: {"cpu": room})
    plain, spread = (of_kind(open_model(str(folder), device), LanguageModel) for device in ("cpu", "map"))
    answered = [answers_to(model, ASKED) for model in (plain, spread)]
    assert "disk" in spread.model.hf_device_map.values()
    for a, b in zip(*answered, strict=True):
        assert a.unread == b.unread
        assert a.scores == pytest.approx(b.scores, abs=1e-5)


def test_the_spread_is_no_part_of_what_a_model_is(models):
    folder = str(models("gpt2", "bytes"))
    assert open_model(folder, "map").fingerprint == open_model(folder, "cpu").fingerprint


@pytest.mark.parametrize("device", ["map:sideways", "gpu", "cuda:7"])
def test_a_device_that_is_not_there_gets_one_sentence(models, device):
    with pytest.raises(UserError, match="device"):
        open_model(str(models("gpt2", "bytes")), device)
