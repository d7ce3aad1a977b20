"""Whatever a model writes, a reader reads it or says that there is nothing to read, and never takes long."""

import pytest
from benchmarks.soak_fuzz import monsters, readers, soak, timed
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

READERS = sorted(readers())


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


@pytest.mark.parametrize("name", ["sk", "uk", "adjectives-es", "hurtful"])
def test_time_grows_with_the_length_only(name):
    """Four times the text may take eight times as long on a busy machine; a quadratic reader takes sixteen."""
    read, sentences = readers()[name]
    for sentence in sentences:
        read(sentence)
    short, long = dict(monsters(sentences, 5_000)), dict(monsters(sentences, 20_000))
    for kind, text in long.items():
        base = min(timed(read, short[kind]) for _ in range(2))
        if timed(read, text) > 0.2 + 10 * base:
            again = min(timed(read, text) for _ in range(2))
            assert again <= 0.2 + 10 * base, f"{kind}: {base:.3f} s, then {again:.3f} s for four times the text"
