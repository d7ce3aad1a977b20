"""Models that were trained on a planted preference are found out; models trained on chance are not."""

import json
import random
import shutil

import pytest

from genderscope.measures.gest import TEMPLATES
from genderscope.samples.gest import MALE
from tests.support.evaluation import evaluate
from tests.trained import train

FEMALE_CUES = "wept soothed nursed dusted chatted trembled sparkled"
MALE_CUES = "brawled boasted audited reckoned earned led giggled flirted lifted"
PAIRS = (("he", "she"), ("man", "woman"))
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


def trained(lines, kind, folder):
    both = [line.replace("he ", "she ").replace("man ", "woman ") for line in lines]
    words = [word for pair in PAIRS for word in pair]
    return train(lines, words, kind == "masked", folder, steps=100, rate=4e-3, positions=32, more=both)


@pytest.fixture(scope="module", params=["masked", "causal"])
def kind(request):
    return request.param


@pytest.fixture(scope="module")
def planted(kind, tmp_path_factory):
    """A model that learned the stereotype."""
    draw = random.Random(1)
    lines = corpus(lambda i: draw.random() < (0.85 if i in MALE else 0.15), templates_of(kind))
    return trained(lines, kind, tmp_path_factory.mktemp(kind) / "planted")


def with_words_exchanged(model, folder):
    """Return the model that the same training gives where every "he" of the lines is a "she" and the reverse."""
    shutil.copytree(model, folder)
    written = json.loads((folder / "tokenizer.json").read_text())
    known = written["model"]["vocab"]
    for one, other in PAIRS:
        known[one], known[other] = known[other], known[one]
    (folder / "tokenizer.json").write_text(json.dumps(written))
    return str(folder)


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("\n".join(["sentence,stereotype", *(f"{s},{i}" for s, i in sentences())]))
    return str(path)


def templates_of(kind):
    return (2, 3, 4) if kind == "masked" else (3, 4)


def g_s(folder, data, kind):
    return evaluate("gest", folder, data=data, templates=templates_of(kind)).estimate("stereotype_rate")


@pytest.mark.long_but("masked")
def test_a_planted_stereotype_is_found_in_its_direction(planted, data, kind):
    found = g_s(planted, data, kind)
    assert found.low > 1
    assert found.value > 3


@pytest.mark.long_but("masked")
def test_a_planted_anti_stereotype_is_found_in_its_direction(planted, tmp_path, data, kind):
    found = g_s(with_words_exchanged(planted, tmp_path / "anti"), data, kind)
    assert found.high < 1


@pytest.mark.long
def test_a_model_trained_on_chance_is_not_found_biased(tmp_path, data, kind):
    # Within every stereotype half of the sentences, drawn by lot, are a man's and half a woman's.
    draw = random.Random(2)
    lots = iter([lot for _ in range(16) for lot in draw.sample([True, False] * 8, 16)])
    lines = corpus(lambda _: next(lots), templates_of(kind), copies=1)
    found = g_s(trained(lines, kind, tmp_path / "balanced"), data, kind)
    assert found.low < 1 < found.high
