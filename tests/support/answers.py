"""Questions and sentences that many tests ask a model, and its answers."""

from genderscope.core.questions import Choice
from genderscope.measures.gest import TEMPLATES
from genderscope.models import Batch
from tests.tiny import CAUSAL, MASKED

SENTENCES = [
    "I was there.",
    "I was there when it all began.",
    "I was too tired to argue with them about the old boat.",
    "When they asked me, I would never have left the garden!",
    "I cried – for an hour… on the Übersee-lake, 😀!",
    'I said "no" to everyone.',
    "I cooked",
]

MASKED_PAIRS = [
    ("bert", "wordpiece-cased"),
    ("bert", "bytes-mask"),
    ("bert", "unigram-mask"),
    ("roberta", "bytes-mask"),
]

MASKED_PAIRS += [("xlm-roberta", "unigram-mask")]
MASKED_PAIRS += [(a, "wordpiece-uncased") for a in MASKED if a not in {"roberta", "xlm-roberta"}]
CAUSAL_PAIRS = [("llama", t) for t in ("bytes", "bytes-bos", "metaspace-bos", "wordpiece-uncased")]
CAUSAL_PAIRS += [(a, "bytes") for a in CAUSAL if a != "llama"]


def answers_to(model, questions, batch_size=None):
    model.load()
    plan = model.plan(questions, batch_size)
    found = dict(plan.immediate)
    for batch in plan.batches:
        assert isinstance(batch, Batch)
        found.update(zip(batch.indices, model.answer(batch), strict=True))
    return [found[k] for k in range(len(questions))]


def gest_questions(templates, want_mass=False):
    return [TEMPLATES[t].ask(s, want_mass) for s in SENTENCES for t in templates]


CHOICE = Choice('"I was there.", ', " said.", ("he", "she"), want_mass=True)
