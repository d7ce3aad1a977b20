"""Translation services played by local servers."""

import pytest

from genderscope.core.journal_codec import answer_from_json, question_key
from genderscope.core.questions import Translation
from genderscope.engine import ask
from genderscope.models import Remote, TranslationModel, open_model
from genderscope.runs import Journal
from tests.server.services_fake import FAKES
from tests.support.keys import KEY
from tests.support.kinds import of_kind

VARIABLES = {
    "deepl": {"DEEPL_AUTH_KEY": KEY, "DEEPL_SERVER_URL": "URL"},
    "google": {"GOOGLE_API_KEY": KEY, "GOOGLE_TRANSLATE_ENDPOINT": "URL"},
    "amazon": {
        "AWS_ACCESS_KEY_ID": KEY,
        "AWS_SECRET_ACCESS_KEY": f"{KEY}-secret",
        "AWS_DEFAULT_REGION": "eu-west-1",
        "AWS_ENDPOINT_URL_TRANSLATE": "URL",
    },
}

SERVICES = sorted(FAKES)

TEXTS = [f"I was there {k} times." for k in range(120)]


@pytest.fixture
def start(monkeypatch):
    """Start a fake and point the environment to it."""
    from contextlib import ExitStack

    with ExitStack() as stack:

        def begin(name, **options):
            fake = stack.enter_context(FAKES[name](key=KEY, **options).running())
            for variable, value in VARIABLES[name].items():
                monkeypatch.setenv(variable, fake.url if value == "URL" else value)
            return fake

        yield begin


def opened(name, targets=("sk",), **options):
    model = of_kind(open_model(name, remote=Remote.model_validate({"yes": True, **options})), TranslationModel)
    for target in targets:
        model.check("en", target)
    return model


def translations(model, journal, texts=TEXTS, target="sk"):
    questions = [Translation(text, "en", target) for text in texts]
    with Journal(journal) as kept:
        ask(model, questions, kept)
        keys = [question_key(model.fingerprint, question) for question in questions]
        return [answer_from_json(Translation, text) for text in kept.read(keys)]
