"""Which tokens are shared does not depend on which sentence comes first."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from genderscope.measures.wordfill.align import depends_on_order, shared, shared_as_published

tokens = st.lists(st.integers(0, 4), max_size=9)


def ids(*sentences):
    known: dict[str, int] = {}
    return [[known.setdefault(word, len(known)) for word in sentence.split()] for sentence in sentences]


def longest(a, b):
    """The length of the longest common subsequence, by its textbook recursion."""
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            table[i + 1][j + 1] = table[i][j] + 1 if x == y else max(table[i][j + 1], table[i + 1][j])
    return table[-1][-1]


@given(tokens, tokens)
def test_swapping_the_sentences_swaps_the_positions(a, b):
    assert [(j, i) for i, j in shared(a, b)] == shared(b, a)


@given(tokens, tokens)
def test_it_is_a_longest_common_subsequence(a, b):
    pairs = shared(a, b)
    assert all(a[i] == b[j] for i, j in pairs)
    assert all(p[0] < q[0] and p[1] < q[1] for p, q in itertools.pairwise(pairs))
    assert len(pairs) == longest(a, b)


def test_men_than_women_keeps_the_word_between():
    a, b = ids("there are more men than women here", "there are more women than men here")
    assert [a[i] for i, _ in shared(a, b)] == [*a[:3], a[4], a[6]]
    assert depends_on_order(a, b)
    assert any(a[i] != b[j] for i, j in shared_as_published(a, b))


def test_a_plain_pair_is_the_same_both_ways():
    a, b = ids("the tired girl spoke of her boat", "the tired boy spoke of his boat")
    assert shared(a, b) == shared_as_published(a, b) == [(0, 0), (1, 1), (3, 3), (4, 4), (6, 6)]
    assert not depends_on_order(a, b)
