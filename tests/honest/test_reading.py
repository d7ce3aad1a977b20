"""Which completions are hurtful: a table of edge cases, and the published rules beside ours."""

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from genderscope.core.errors import UserError
from genderscope.measures.honest.hurtful import HurtfulWords, dictionary, without_accents
from genderscope.measures.honest.published import HurtfulWordsAsPublished
from genderscope.samples import hurtlex
from tests.reference.honest_original import OriginalHonest

# A lexicon written for these tests: the "hurtful" words hurt nobody.
ENTRIES = [
    ("plonk", "an"),
    ("plonk", "cds"),
    ("wéazlé", "pr"),
    ("mud pie", "qas"),
    ("half-wonk", "ddp"),
    ("Zorb", "ps"),
    ("wonk", "re"),
    ("twee's", "om"),
    ("nœud", "asm"),
    ("⚣", "om"),
    ("plonk", "an"),
]
# What the original's transliteration makes of an emoji, a sign or another script is beside any sense.
IN_LATIN_LETTERS = "plonkweazldihfZrbvcxyt é.-"
ROWS = [(lemma, category, "conservative") for lemma, category in ENTRIES] + [("vole", "an", "inclusive")]

CASES = [
    # completion, categories by sense, category as published where completions are words
    ("plonk", ("an", "cds"), "an"),
    ("Plonk", ("an", "cds"), None),
    ("PLONK", ("an", "cds"), None),
    ("plonk.", ("an", "cds"), None),
    ("«plonk»", ("an", "cds"), None),
    ("plonks", (), None),
    ("splonk", (), None),
    ("plonk-like", (), None),
    ("plonking", (), None),
    ("weazle", ("pr",), "pr"),
    ("wéazlé", ("pr",), "pr"),
    ("we\u0301azle\u0301", ("pr",), "pr"),
    ("Wéazle", ("pr",), None),
    ("mud pie", ("qas",), "qas"),
    ("mud-pie", ("qas",), None),
    ("Mud  Pie!", ("qas",), None),
    ("mud", (), None),
    ("pie", (), None),
    ("mudpie", (), None),
    ("half-wonk", ("ddp",), "ddp"),
    ("half\u2011wonk", ("ddp",), "ddp"),
    ("half wonk", ("ddp", "re"), None),
    ("wonk", ("re",), "re"),
    ("un-wonk", (), None),
    ("zorb", ("ps",), None),
    ("Zorb", ("ps",), "ps"),
    ("l'wonk", ("re",), None),
    ("twee’s", ("om",), "om"),
    ("noeud", ("asm",), "asm"),
    ("nœud", ("asm",), "asm"),
    ("a plonk and a wonk", ("an", "cds", "re"), None),
    ("плонк", (), "an"),  # letters of any script are transliterated
    ("Плонк", (), None),
    ("", (), "om"),  # nothing is left of the lemma ⚣, nor of these
    ("👮", (), "om"),
    ("##plonk", ("an", "cds"), None),
    ("…", (), None),
    ("⚣", (), "om"),
    ("vole", (), None),
]


@pytest.mark.parametrize(("completion", "categories", "published"), CASES, ids=[repr(case[0]) for case in CASES])
def test_edge_cases(completion, categories, published):
    [reading] = HurtfulWords(ENTRIES).read([completion])
    assert reading.categories == categories
    assert reading.hurtful is bool(categories)
    reader = HurtfulWordsAsPublished(ENTRIES)
    reader.read(["word"])  # the first completion has no space: words
    [reading] = reader.read([completion])
    assert reading.categories == ((published,) if published else ())


def test_a_lemma_in_several_categories_counts_once_but_in_each_of_them():
    [reading] = HurtfulWords(ENTRIES).read(["plonk"])
    assert reading.lemmas == ("plonk",)
    assert reading.categories == ("an", "cds")


def test_the_first_completion_decides_how_the_published_rules_read_all():
    words, sentences = (HurtfulWordsAsPublished(ENTRIES) for _ in range(2))
    assert [r.hurtful for r in words.read(["house", "a plonk", "plonk!", "mud pie"])] == [False, False, False, True]
    assert [r.hurtful for r in sentences.read(["a house", "a plonk", "plonk!", "mud pie"])] == [
        False,
        True,
        True,
        False,
    ]


def test_without_the_package_that_transliterates_one_sentence_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "unidecode", None)
    with pytest.raises(UserError, match=r"'Unidecode'; install it with: pip install 'genderscope\[honest\]'"):
        HurtfulWordsAsPublished(ENTRIES)


def test_inflected_forms_are_found_only_with_the_dictionary():
    pytest.importorskip("simplemma")
    entries = [("donkey", "an"), ("ânesse", "an"), ("old goose", "an")]
    assert [r.hurtful for r in HurtfulWords(entries).read(["donkeys", "ânesses", "old geese"])] == [False] * 3
    english = HurtfulWords(entries, dictionary("en")).read(["donkeys", "Donkey", "old geese", "monkeys"])
    assert [r.hurtful for r in english] == [True, True, True, False]
    assert HurtfulWords(entries, dictionary("fr")).read(["Ânesses"])[0].hurtful


def test_accents_are_taken_off_and_nothing_else():
    assert without_accents("Éàçñțşăô œuvre ß Ł") == "Eacntsao oeuvre ss L"
    assert without_accents("wort 火 слово") == "wort 火 слово"


WORDS = st.sampled_from(
    [
        "plonk",
        "Plonk",
        "weazle",
        "wéazlé",
        "mud",
        "pie",
        "mud pie",
        "half-wonk",
        "wonk",
        "Zorb",
        "zorb",
        "vole",
        "nice",
        "x.y",
        "плонк",
        "👮",
        "мuд",
        "⚣",
    ]
)
COMPLETIONS = st.lists(WORDS, min_size=1, max_size=4).map(" ".join) | WORDS
LISTS = st.integers(1, 4).flatmap(
    lambda k: st.lists(st.lists(COMPLETIONS, min_size=k, max_size=k), min_size=1, max_size=5)
)


@pytest.mark.long
@given(lists=LISTS)
@settings(max_examples=300, deadline=None)
def test_the_published_rules_equal_the_original_on_any_lists(lists):
    original = OriginalHonest(ROWS)
    reader = HurtfulWordsAsPublished([(lemma, category) for lemma, category, level in ROWS if level == "conservative"])
    found = [[c for r in reader.read(completions) for c in r.categories] for completions in lists]
    assert found == original.hurtful(lists)
    assert sum(map(len, found)) / (len(lists) * len(lists[0])) == original.score(lists)


@pytest.mark.long
@given(lists=LISTS)
@settings(max_examples=100, deadline=None)
def test_the_sensible_rules_miss_nothing_that_the_original_finds(lists):
    reader = HurtfulWords([(lemma, category) for lemma, category, level in ROWS if level == "conservative"])
    original = OriginalHonest(ROWS)
    for completions, theirs in zip(lists, original.hurtful(lists), strict=True):
        # Hyphenated words are whole words to us; the original's sentences cut them in two.
        if not any("-" in completion or not set(completion) <= set(IN_LATIN_LETTERS) for completion in completions):
            assert sum(r.hurtful for r in reader.read(completions)) >= len(theirs)


def test_both_rules_on_the_real_lexicon(mirror, monkeypatch):
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))
    lexicon = hurtlex.load("en")
    original = OriginalHonest([(lemma, category, "conservative") for lemma, category in lexicon.entries])
    reader = HurtfulWordsAsPublished(lexicon.entries)
    lists = [[lemma for lemma, _ in lexicon.entries[k : k + 5]] for k in range(0, 300, 5) if k]
    lists.insert(0, ["house", "👮", "☃", "дом", "…"])  # the lexicon lists 👮, of which the original leaves nothing
    found = [[c for r in reader.read(completions) for c in r.categories] for completions in lists]
    assert found == original.hurtful(lists)
    assert len(found[0]) == 2
    assert all(reading.hurtful for reading in HurtfulWords(lexicon.entries).read(lists[1]))
