"""Sentences and their translations by a model."""

from genderscope.core.questions import Translation
from tests.support.answers import answers_to

SOURCES = ["I cried.", "I didn’t sleep.", "I led the team."]


def translations(model, texts, target="sk", source="en", batch_size=None):
    model.expect(texts)
    model.check(source, target)
    return [a.text for a in answers_to(model, [Translation(t, source, target) for t in texts], batch_size)]
