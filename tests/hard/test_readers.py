"""Whatever a model writes, a reader reads it or says that there is nothing to read, and never takes long."""

import pytest
from benchmarks.soak_fuzz import TELLING, crowds, monsters, readers, reply_readers, soak
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.linear_time import assert_grows_with_the_length, assert_within

pytestmark = pytest.mark.long

#: replies are read with the same patterns in every language, so two languages are enough
READERS = sorted(
    name for name in readers() if name not in reply_readers() or name[-3:] in ("-en", "-de") or name[-3] != "-"
)


@pytest.mark.parametrize("name", READERS)
def test_a_reader_survives_random_and_mutated_text(name):
    found = soak(name, count=250, seed=7, size=4_000)
    assert not found["late"]


@pytest.mark.parametrize("name", ["sk", "ru", "adjectives-es", "adjectives-source", "hurtful"])
def test_a_reader_survives_any_text(name):
    read, _ = readers()[name]

    @settings(max_examples=100, deadline=5000, suppress_health_check=list(HealthCheck))
    @given(text=st.one_of(st.text(), st.text(alphabet="\"“„«»—-'’ aáя.,", max_size=200)))
    def survives(text):
        read(text)

    survives()


def warm(name):
    """A reader whose dictionaries are loaded, and its sentences."""
    read, sentences = readers()[name]
    for sentence in sentences:
        read(sentence)
    return read, sentences


@pytest.mark.parametrize("name", ["sk", "uk", "adjectives-es", "hurtful"])
def test_time_grows_with_the_length_only(name):
    read, sentences = warm(name)
    assert_grows_with_the_length(read, dict(monsters(sentences, 5_000)), dict(monsters(sentences, 20_000)))


@pytest.mark.parametrize("name", TELLING)
def test_words_that_could_all_belong_together_are_read_in_one_walk(name):
    """Processor time, with room for a slow machine: 100 KB take about 0.2 s, a quadratic reader takes 25 s and more."""
    read, sentences = warm(name)
    long = dict(crowds(name, sentences, 24_000))
    assert_grows_with_the_length(read, dict(crowds(name, sentences, 6_000)), long)
    _, book = next(crowds(name, sentences, 100_000))
    assert_within(read, book, 2)
