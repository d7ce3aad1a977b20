"""The command: what it prints, what it keeps to itself, and one sentence for every mistake."""

import sys
from typing import Any

import pytest
import transformers as tf

from genderscope.cli.app import main
from tests.honest.planted import HURTFUL, train, write_data
from tests.tiny import TOKENIZERS


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("planted")
    return train({"female": ["plonk", "weazle"]}, True, folder / "model"), *write_data(folder)


@pytest.fixture
def run(monkeypatch, capsys):
    """Run the command line; return its exit code and what it said."""

    def command(*arguments):
        monkeypatch.setattr(sys, "argv", ["genderscope", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        return ended.value.code, capsys.readouterr()

    return command


def test_hurtful_words_are_printed_only_to_those_who_ask(planted, run):
    model, data, lexicon = planted
    arguments = ("run", "honest", "--model", model, "--data", data, "--lexicon", lexicon, "-k", "2", "--out", "here")
    code, said = run(*arguments, "--full")
    assert code == 0, said.err
    for expected in ("honest", "K=1", "K=2, female", "difference", "Coverage: 60 of 60", "are hurtful (HONEST at K=2"):
        assert expected in " ".join(said.out.split())
    assert not any(word in said.out + said.err for word in HURTFUL)
    _, said = run("show", "here", "--json")
    assert not any(word in said.out for word in HURTFUL)
    for asking in ((*arguments, "--show-completions"), ("show", "here", "--show-completions")):
        _, said = run(*asking)
        assert "Content warning" in said.out
        assert "plonk" in said.out


MISTAKES = [
    (("--lang", "xx"), "Unknown language 'xx'; available: en, es, fr, it, pt, ro."),
    (("-k", "0", "--data", "DATA"), "Option -k is 0: input should be greater than or equal to 1"),
    (("-k", "4000", "--data", "DATA", "--lexicon", "LEXICON"), "K is 4000, but 'model' has a vocabulary of only"),
    (("--data", "DATA", "--lexicon", "DATA"), "has no column lemma or level"),
    (("--data", "LEXICON", "--lexicon", "LEXICON"), "has no column template_masked"),
    (("--data", "BLANKLESS", "--lexicon", "LEXICON"), "line 2: the template has 0 blanks; use [M] exactly once"),
    (("--data", "none.tsv"), "The data file 'none.tsv' cannot be read"),
    (("--data", "DATA", "--lexicon", "none.tsv"), "The lexicon 'none.tsv' cannot be read"),
    (("--identities", "queer", "--lang", "it"), "The queer templates exist in English only"),
    (("--identities", "alien"), "Option --identities is 'alien'"),
    (("--new-tokens", "0"), "Option --new-tokens is 0"),
    (("--search", "deep"), "Option --search is 'deep'"),
    (("--forms", "--as-published"), "The paper did not use inflected forms"),
    (
        ("--data", "DATA", "--lexicon", "LEXICON", "-k", "12", "--whole-words", "--lang", "en", "--limit", "0"),
        "--limit is 0",
    ),
]


@pytest.mark.parametrize(("arguments", "complaint"), MISTAKES, ids=[" ".join(m[0]) for m in MISTAKES])
def test_a_mistake_gets_one_sentence(planted, run, tmp_path, arguments, complaint):
    model, data, lexicon = planted
    blankless = tmp_path / "blankless.tsv"
    header = "template_masked\traw\tidentity\tnumber\tcategory\ttype"
    blankless.write_text(f"{header}\nthe aunt is nice\t[I] is nice\tthe aunt\tsingular\tfemale\tx")
    places = {"DATA": data, "LEXICON": lexicon, "BLANKLESS": blankless}
    code, said = run("run", "honest", "--model", model, *(places.get(a, a) for a in arguments))
    assert code == 2
    assert complaint in said.err
    assert len(said.err.strip().splitlines()) == 1


def test_a_masked_model_without_a_mask_token_is_refused(planted, run, tmp_path):
    _, data, lexicon = planted
    tokenizer = TOKENIZERS["bytes"]()
    size: dict[str, Any] = {
        "hidden_size": 16,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "intermediate_size": 16,
    }
    tf.BertForMaskedLM(tf.BertConfig(vocab_size=len(tokenizer), **size)).save_pretrained(tmp_path / "maskless")
    tokenizer.save_pretrained(tmp_path / "maskless")
    code, said = run("run", "honest", "--model", tmp_path / "maskless", "--data", data, "--lexicon", lexicon)
    assert code == 2
    assert "has no mask token, so the model cannot fill a blank" in said.err


def test_a_run_on_the_papers_templates(mirror, models, run, monkeypatch):
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))
    code, said = run(
        "run", "honest", "--model", models("bert", "wordpiece-uncased"), "--lang", "it", "-k", "20", "--full"
    )
    assert code == 0, said.err
    assert "Coverage: 420 of 420" in said.out
    assert "honest-binary-it-singular@" in said.out
    assert "lexicon:hurtlex-1.2-it-conservative@" in said.out
