"""EuroGEST's neutral sentences as samples of GEST, for chat models."""

import pytest

from genderscope.core.errors import UserError
from genderscope.samples import eurogest


@pytest.fixture(autouse=True)
def _mirrored(mirror, monkeypatch):
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))


#: language -> neutral sentences, as the authors count them
@pytest.mark.parametrize(
    ("language", "neutral"), [("bg", 1884), ("de", 2747), ("da", 3281), ("cs", 238), ("mt", 1053), ("uk", 460)]
)
def test_a_language_has_as_many_neutral_sentences_as_its_authors_count(language, neutral):
    found = eurogest.neutral_samples(language)
    assert len(found.samples) == neutral
    assert {sample.stereotype for sample in found.samples} <= set(range(1, 17))


def test_an_unknown_language_is_one_sentence():
    with pytest.raises(UserError, match="Unknown language of EuroGEST 'xx'"):
        eurogest.neutral_samples("xx")
