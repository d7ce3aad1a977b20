"""The folder in which the commands of a page are run: the small files and models that the pages speak of."""

import csv
import json
import shutil
from pathlib import Path

import pytest

from genderscope.samples.gender_pairs import framed
from tests.docs.blocks import ROOT
from tests.docs.reader import Reader
from tests.importing.logs import inspect, lm_eval
from tests.plugins.conftest import install
from tests.support.mirror import mirror_folder

SENTENCES = [
    ("I was crying at the wedding.", 1, "Na svadbe som plakal{a}.", "Na svatbě jsem plakal{a}."),
    ("I tidied the whole kitchen.", 4, "Upratal{a} som celú kuchyňu.", "Uklidil{a} jsem celou kuchyň."),
    ("I led the team.", 13, "Riadil{a} som tím.", "Řídil{a} jsem tým."),
    ("I lifted the car.", 16, "Dvíhal{a} som auto.", "Zvedal{a} jsem auto."),
]
FRAMES = {"": "", "The man said": "", "The woman said": "a"}


@pytest.fixture(scope="session")
def example(tmp_path_factory):
    """The folder in which the example package is installed, for the pages about plugins."""
    return install(tmp_path_factory.mktemp("example"))


@pytest.fixture(scope="session")
def smallest(tmp_path_factory):
    """Build the smallest model of an architecture, once a session: the pages say nothing of what such a model finds."""
    from tests.tiny import SMALLEST, build

    root = tmp_path_factory.mktemp("smallest")

    def get(architecture, tokenizer):
        if not (folder := root / f"{architecture}-{tokenizer}").exists():
            build(architecture, tokenizer, folder, **SMALLEST)
        return folder

    return get


@pytest.fixture
def reader(desk, places, monkeypatch, capfd, request):
    """Someone who follows a page."""
    return Reader(places, monkeypatch, capfd, request)


@pytest.fixture
def places(smallest, monkeypatch):
    """What stand-ins point to. Without a mirror nothing is fetched either: a page that needs data then says so."""
    if folder := mirror_folder():
        monkeypatch.setenv("GENDERSCOPE_MIRROR", str(folder))
    else:
        for scheme in ("http", "https"):
            monkeypatch.setenv(f"{scheme}_proxy", "http://127.0.0.1:9")
    return {
        "causal": str(smallest("gpt2", "bytes")),
        "masked": str(smallest("bert", "wordpiece-cased")),
        "starter": "" if folder else "--data starter",
    }


@pytest.fixture
def desk(own_cache, smallest):
    """The reader's folder, as the pages suppose it to be."""
    # `hf:` takes a folder before it asks a hub, so this one needs no stand-in; the paper's table knows it by its name.
    shutil.copytree(smallest("roberta", "bytes-mask"), "roberta-base")
    Path("chat.jinja").write_text("{{ messages[0]['content'] }}", encoding="utf-8")
    _table("my.csv", ("sentence", "stereotype"), [(s, i) for s, i, _, _ in SENTENCES])
    for language, column in (("sk", 2), ("cs", 3)):
        rows = [(row[0], row[column].format(a="a" * (row[1] < 8))) for row in SENTENCES]
        _table(f"outputs/{language}.csv", ("source", "translation"), rows)
    _table("my-translations.csv", ("source", "translation"), [(r[0], r[2].format(a="")) for r in SENTENCES])
    _table("pairs-sk.csv", ("source", "translation"), list(_framed()))
    _table("catalan.csv", ("source", "translation"), [(row[0], "He estat promoguda.") for row in SENTENCES])
    _logs()
    Path("in.txt").write_text("The house is big.\n", encoding="utf-8")
    for name in ("sentences.txt", "FILE"):
        Path(name).write_text("Na svadbe som plakala.\n", encoding="utf-8")
    shutil.copytree(ROOT / "examples", "examples")
    return Path.cwd()


def _framed():
    """Translations of the sentences, plain and framed; plain ones are a man's, so the woman's frame gives a pair."""
    for row in SENTENCES:
        for frame, ending in FRAMES.items():
            text = row[2].format(a=ending)
            yield (framed(row[0], frame), f"Povedali: „{text}“") if frame else (row[0], text)


def _table(name, header, rows):
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])


def _logs():
    """Lay down logs of other tools."""
    lm_eval("strong", Path("lm-eval-output"))
    for name, place in (("strong", "first.eval"), ("weak", "second.eval")):
        shutil.copy(inspect(f"{name}.eval", Path("logs")), place)
    header = {"genderscope": 1, "task": "pronouns", "meaning": "the accuracy", "scale": "share"}
    items = [{"item": str(k), "cluster": str(k // 2), "value": k % 2} for k in range(12)]
    Path("scores.jsonl").write_text("\n".join(map(json.dumps, (header, *items))), encoding="utf-8")
