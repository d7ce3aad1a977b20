"""Mistakes are told before anything large is imported for them, however much of the command made sense."""

import json
import shlex
import shutil
import subprocess
import sys

import pytest

import genderscope
from genderscope.models.spec import cannot_answer
from genderscope.samples import gest, parse_cache
from genderscope.version import version_of

LARGE = ("torch", "transformers", "pandas", "scipy", "ray", "deepl", "google.cloud.translate_v2")


@pytest.fixture
def place(models, tmp_path, monkeypatch):
    """A folder with a finished run, runs and models that lack something, and a model nobody has measured yet."""
    monkeypatch.chdir(tmp_path)
    model = shutil.copytree(models("gpt2", "bytes"), tmp_path / "measured")
    genderscope.evaluate("gest", str(model), data="starter", limit=16, out="good")
    genderscope.evaluate("gest", str(model), data="starter", limit=32, out="longer")
    for name in ("many/half", "many/torn", "pair/one", "pair/two"):
        shutil.copytree("good", tmp_path / name)
    (tmp_path / "many/half/result.json").unlink()
    rows = tmp_path / "many/torn/rows.parquet"
    rows.write_bytes(rows.read_bytes()[:100])
    for name in ("new", "bare", "embedder", "unheard", "adapted", "empty"):
        shutil.copytree(model, tmp_path / name)
    (tmp_path / "new" / "added.txt").write_text("another model than the one that was measured")
    for path in (tmp_path / "bare").glob("*token*"):
        path.unlink()
    for path in (tmp_path / "empty").iterdir():
        path.unlink()
    changed(tmp_path / "embedder" / "config.json", architectures=["BertModel"], model_type="bert")
    changed(tmp_path / "unheard" / "config.json", model_type="oracle")
    (tmp_path / "adapted" / "adapter_config.json").write_text("{}")
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(tmp_path / "empty"))  # nor are the papers' data there
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    for name in ("DEEPL_AUTH_KEY", "GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS", "RAY_ADDRESS"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "x.gguf").write_text("not one")
    (tmp_path / "a_file").write_text("text\n")
    return tmp_path


def changed(path, **entries):
    path.write_text(json.dumps({**json.loads(path.read_text()), **entries}))


MISTAKES = {
    "show many/half": "The run in 'many/half' is not finished",
    "show many/torn": "rows.parquet' is damaged (its checksum does not match)",
    "compare good": "A comparison needs at least two runs",
    "compare good many/half": "The run in 'many/half' is not finished",
    "compare many/torn good": "rows.parquet' is damaged",
    "compare good good --fail-if 'no sense'": "The condition 'no sense' cannot be parsed",
    "compare good good --fail-if 'zzz > 1'": "which is not among the estimates",
    "gate good --fail-if 'zzz > 1'": "which is not among the estimates",
    "gate many/half --fail-if 'g_s > 1'": "is not finished",
    "validity good": "give runs of exactly two measures",
    "validity good many/half": "is not finished",
    "compare good pair/one --html many": "'many' is a folder; give a file name.",
    "pool good": "Pooling needs at least two runs",
    "pool good longer": "run 1 and run 2 cannot be pooled",
    "power gest --effect 0": "is a ratio and must be positive",
    "power gest --pilot many/half": "is not finished",
    "report many/torn": "rows.parquet' is damaged",
    "report good --out many": "Cannot write 'many' (Is a directory)",
    "figures many/half": "is not finished",
    "figures good --out a_file": "'a_file' is a file; give a folder to --out.",
    "push many/half --repo me/results": "is not finished",
    "scorecard many": "There is no finished run in 'many'",
    "scorecard pair --baseline nobody": "Unknown model 'nobody'",
    "scorecard pair --badge b.svg --model nobody": "Unknown model 'nobody'",
    "scorecard pair --model-card c.md": "Option --model-card needs one model",
    "scorecard pair --csv c.csv --html c.csv": "'c.csv' is given for two formats",
    "scorecard pair --html many": "'many' is a folder; give a file name.",
    "list runs empty": "There is no run in 'empty'",
    "reproduce honest many/half": "is not finished",
    "reproduce gest-lm": "could not be downloaded",
    "reproduce gest-lm --csv many": "Cannot write 'many' (Is a directory)",
    "translate a_file --model new --to es --out many": "Cannot write 'many' (Is a directory)",
    "read speaker nowhere.txt --lang sk": "The text 'nowhere.txt' cannot be read",
    "pairs check nowhere.csv --lang sk": "The file of pairs 'nowhere.csv' cannot be read",
    "run gest --model new --data nowhere.csv": "The data file 'nowhere.csv' cannot be read",
    "run gest --model new --device cuda": "this machine has no CUDA device",
    "run gest --model new --data starter --device mps": "this machine has no MPS device",
    "run gest-chat --model new --data starter --system @nowhere": "The system prompt 'nowhere' cannot be read",
    "run gest-chat --model new --data starter --chat-template nowhere": "The chat template 'nowhere' cannot be read",
    "run gest --model new --data starter --out a_file/run": "Cannot write to the run folder 'a_file/run'",
    "run gest --model bare --data starter": "'bare' has no readable tokenizer",
    "run gest --model embedder --data starter": "'embedder' is a BertModel model, which does not fill blanks",
    "run gest --model unheard --data starter": "does not support model type 'oracle'",
    "run gest --model adapted --data starter": "'adapted' contains an adapter",
    "run gest --model empty --data starter": "is not a model that transformers can open",
    "run gest --model gguf:x.gguf --data starter": "it does not start with the GGUF magic number",
    "run gest --model new --data starter --address nowhere": "Invalid address format: nowhere",
    "run gest --model new --data starter --address 127.0.0.1:9": "There is no Ray cluster at '127.0.0.1:9'",
    "run gest --model marian --data starter": "'marian' is a kind of model",
    "audit --model new --model empty --offline": "is not a model that transformers can open",
    "audit --model new --out a_file/audit --offline": "Cannot write to the run folder 'a_file/audit'",
    "audit --model measured --measure gest-mt --offline": "gest-mt: 'measured' is a causal model",
    "audit --model measured --measure gest-chat --offline": "gest-chat: 'measured' has no chat template",
}
#: those of which the sentence is told where a client or an engine is installed
EXTRAS = {
    "ctranslate2": ("run gest-mt --to es --model ct2:empty", "'empty' is not a CTranslate2 model folder"),
    "deepl": ("run gest-mt --to es --model deepl", "DeepL needs a key"),
    "google-cloud-translate": ("run gest-mt --to es --model google", "Google Cloud Translation needs a key"),
}
MISTAKES |= dict(told for package, told in EXTRAS.items() if version_of(package) is not None)


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere torch must tell which devices there are")
def test_a_mistake_is_told_before_anything_large_is_imported(place):
    code = (
        "import sys\nfrom genderscope.cli.app import main\n"
        f"for command in {list(map(shlex.split, MISTAKES))!r}:\n"
        "    sys.argv = ['genderscope', *command]\n"
        "    try: main()\n"
        f"    except SystemExit as e: print(e.code, [m for m in {LARGE!r} if m in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    told = [line for line in done.stderr.splitlines() if line.startswith("Error: ")]
    assert len(told) == len(MISTAKES), done.stderr
    for line, (command, expected) in zip(told, MISTAKES.items(), strict=True):
        assert expected in line, command
    ends = dict(zip(MISTAKES, done.stdout.splitlines(), strict=True))
    assert ends == dict.fromkeys(MISTAKES, "2 []") | {"reproduce gest-lm": "5 []"}
    there = {path.name for path in place.iterdir()}
    assert not there & {"runs", "audit", "figures", "report.html", "nowhere"}, "something was written"


def test_no_class_that_answers_is_taken_for_one_that_does_not():
    from transformers.models.auto import modeling_auto as registered

    answering = [
        *registered.MODEL_FOR_MASKED_LM_MAPPING_NAMES.values(),
        *registered.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES.values(),
        *registered.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES.values(),
    ]
    assert not list(filter(cannot_answer, answering))
    assert cannot_answer("BertForSequenceClassification")


def test_a_set_is_parsed_once_while_plans_are_made():
    with parse_cache.parsed_once():
        assert gest.load("starter") is gest.load("starter")
    assert gest.load("starter") is not gest.load("starter")
