"""EuroGEST's sentences, by language."""

import pytest

from genderscope.errors import UserError
from genderscope.samples import eurogest


@pytest.fixture(autouse=True)
def _mirrored(mirror, monkeypatch):
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))


#: language -> pairs and neutral sentences, as the authors count them
@pytest.mark.parametrize(
    ("language", "pairs", "neutral"),
    [("bg", 778, 1884), ("de", 82, 2747), ("da", 0, 3281), ("cs", 1570, 238), ("mt", 68, 1053), ("uk", 1006, 460)],
)
def test_a_language_has_as_many_sentences_as_its_authors_count(language, pairs, neutral):
    rows = eurogest.load(language)
    assert sum(row.masculine is not None and row.feminine is not None for row in rows) == pairs
    assert sum(row.neutral is not None for row in rows) == neutral
    assert len(eurogest.neutral_samples(language).samples) == neutral
    assert all(row.neutral is None or row.masculine is None for row in rows)
    assert {row.stereotype for row in rows} <= set(range(1, 17))


def test_an_unknown_language_is_one_sentence():
    assert len(eurogest.languages()) == 29
    with pytest.raises(UserError, match="Unknown language of EuroGEST 'xx'"):
        eurogest.load("xx")
