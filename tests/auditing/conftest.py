"""Measures that need no data of others, brought as a package brings them, and a model that notes what it is asked."""

import pytest

from genderscope import plugins
from genderscope.models import Batch, Model, Plan
from genderscope.questions import Choice, ChoiceAnswer

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
POINTS = "[genderscope.measures]\ngest-again = again_measure:Again\nmt-again = again_measure:MtAgain\n"


@pytest.fixture
def again(tmp_path, monkeypatch):
    """Install the measures `gest-again` and `mt-again`."""
    folder = tmp_path / "again"
    metadata = folder / "again-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: again\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(POINTS)
    (folder / "again_measure.py").write_text(CODE)
    monkeypatch.syspath_prepend(str(folder))
    plugins._all_points.cache_clear()
    yield "gest-again"
    plugins._all_points.cache_clear()


@pytest.fixture
def bare(monkeypatch):
    """A machine without a mirror: what is there are the starter sets."""
    monkeypatch.delenv("GENDERSCOPE_MIRROR", raising=False)


class Noting(Model):
    """Answers every choice alike, two at a time, and notes what it is asked."""

    kind = "noting"
    answers = frozenset({Choice})
    fingerprint = "noting"

    def __init__(self):
        super().__init__("noting")
        self.asked = []
        self.loads = 0

    def describe(self):
        return {"name": self.name, "fingerprint": self.fingerprint}

    def load(self):
        self.loads += 1

    def plan(self, questions, batch_size):
        pairs = [tuple(range(k, min(k + 2, len(questions)))) for k in range(0, len(questions), 2)]
        return Plan((), tuple(Batch(pair, tuple(questions[k] for k in pair)) for pair in pairs))

    def answer(self, batch):
        self.asked += batch.items
        return [ChoiceAnswer((1.0 + len(q.before) % 3, 1.0), ((1,), (2,))) for q in batch.items]
