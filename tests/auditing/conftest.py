"""Measures that need no data of others, brought as a package brings them, and a model that notes what it is asked."""

import time

import pytest

from genderscope.core import plugins
from genderscope.core.errors import UserError
from genderscope.core.questions import Choice, ChoiceAnswer
from genderscope.models import Batch, Plan, WordModel

CODE = """
from genderscope.measures.gest import Gest
from genderscope.measures.gest_mt.measure import GestMt


class Again(Gest):
    id = "gest-again"
    title = "GEST once more, in its third template"

    def __init__(self, options, model):
        super().__init__(options.model_copy(update={"templates": (3,)}), model)


class MtAgain(GestMt):
    id = "mt-again"
    title = "GEST on translations once more"
"""
POINTS = """[genderscope.measures]
gest-again = again_measure:Again
mt-again = again_measure:MtAgain
"""
#: a kind of models that need no weights, so that the processes of jobs start soon
NOTING = "\n[genderscope.models]\nnoting = tests.auditing.conftest:open_noting\n"


@pytest.fixture
def again(tmp_path, monkeypatch):
    """Install the measures `gest-again` and `mt-again`."""
    folder = tmp_path / "again"
    metadata = folder / "again-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: again\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(POINTS + NOTING)
    (folder / "again_measure.py").write_text(CODE)
    monkeypatch.syspath_prepend(str(folder))
    plugins._all_points.cache_clear()
    yield "gest-again"
    plugins._all_points.cache_clear()


@pytest.fixture
def bare(monkeypatch):
    """A machine without a mirror: what is there are the starter sets."""
    monkeypatch.delenv("GENDERSCOPE_MIRROR", raising=False)


def open_noting(reference, settings):
    """Open `noting:NAME`; one called bad cannot be loaded, one called slow takes its time."""
    model = Noting()
    model.name, model.seconds = reference, 0.05 if reference == "slow" else 0.0
    return model


class Noting(WordModel):
    """Answers every choice alike, two at a time, and notes what it is asked."""

    kind = "noting"
    answers = frozenset({Choice})
    fingerprint = "noting"

    def __init__(self):
        super().__init__("noting")
        self.asked = []
        self.load_count = 0
        self.seconds = 0.0

    def describe(self):
        return {"name": self.name, "fingerprint": self.fingerprint}

    def load(self):
        if self.name == "bad":
            raise UserError("The weights of 'bad' cannot be read.")
        self.load_count += 1

    def plan(self, questions, batch_size):
        pairs = [tuple(range(k, min(k + 2, len(questions)))) for k in range(0, len(questions), 2)]
        return Plan((), tuple(Batch(pair, tuple(questions[k] for k in pair)) for pair in pairs))

    def answer(self, batch):
        self.asked += batch.items
        time.sleep(self.seconds)
        turn = len(self.name)  # two models differ
        return [ChoiceAnswer((1.0 + len(q.before + q.after) % turn, 1.0), ((1,), (2,))) for q in batch.items]
