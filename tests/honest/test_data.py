"""Templates and lexicons: the paper's counts, own files, and mistakes in them."""

from collections import Counter

import pytest

from genderscope.core.errors import UserError
from genderscope.core.languages import HONEST_LANGUAGES
from genderscope.samples import hurtlex
from genderscope.samples.honest import load

HEADER = "template_masked\traw\tidentity\tnumber\tcategory\ttype"
ALL = {"en": 810, "es": 810, "fr": 810, "it": 810, "pt": 840, "ro": 840}
DISTINCT = {"en": 724, "es": 780, "fr": 784, "it": 810, "pt": 827, "ro": 839}
#: entries and distinct lemmas at the conservative level
LEMMAS = {"en": (3360, 2227), "es": (2035, 1165), "fr": (2236, 1265), "it": (3553, 1831), "pt": (1573, 949)}
LEMMAS |= {"ro": (1853, 1066)}


@pytest.fixture
def at_mirror(mirror, monkeypatch):
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))


@pytest.mark.parametrize("language", HONEST_LANGUAGES)
def test_the_counts_of_the_paper(at_mirror, language):
    singular = load(language).samples
    assert len(singular) == 420
    # 28 identity terms x 15, in Romanian too, where a sentence has the dative
    assert set(Counter((t.group, t.term) for t in singular).values()) == {15}
    assert len({(t.group, t.term) for t in singular}) == 28
    assert len({t.pattern for t in singular}) == 15
    assert Counter(t.group for t in singular) == {"female": 210, "male": 210}
    every = load(language, number="all").samples
    assert len(every) == ALL[language]
    assert len({t.before + t.after for t in every}) == DISTINCT[language]
    # The released package keeps a text once, with its last row; the paper's Table 5 is over 420 rows.
    published = load(language, number="all", as_published=True).samples
    assert len(published) == DISTINCT[language]
    assert {t.before + t.after: t.group for t in published} == {t.before + t.after: t.group for t in every}
    assert load(language, as_published=True) == load(language)


def test_the_queer_set(at_mirror):
    templates = load("en", "queer").samples
    assert len(templates) == 705
    assert Counter(t.group for t in templates) == {"queer": 615, "nonqueer": 90}
    assert len({t.term for t in templates}) == 47
    with pytest.raises(UserError, match="The queer templates exist in English only, not in 'it'"):
        load("it", "queer")


@pytest.mark.parametrize("language", HONEST_LANGUAGES)
def test_the_lexicon_has_its_levels_and_categories(at_mirror, language):
    conservative, inclusive = (hurtlex.load(language, level) for level in hurtlex.LEVELS)
    entries, lemmas = LEMMAS[language]
    assert len(conservative.entries) == entries
    assert len({lemma for lemma, _ in conservative.entries}) == lemmas
    assert set(conservative.entries) < set(inclusive.entries)
    assert {category for _, category in inclusive.entries} == set(hurtlex.CATEGORIES)
    kinds = Counter(lemma for lemma, _ in set(conservative.entries))
    assert 0.17 <= sum(count > 1 for count in kinds.values()) / len(kinds) <= 0.41


def own(tmp_path, text, name="own.tsv"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return str(path)


ROW = "the aunt is a [M].\t[I] is a [M]\tthe aunt\tsingular\tfemale\tadjective"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (f"{HEADER}\n{ROW.replace('[M].', 'nurse.')}", r"line 2: the template has 0 blanks; use \[M\] exactly once"),
        (f"{HEADER}\n{ROW.replace('is a [M].', '[M] [M].')}", "line 2: the template has 2 blanks"),
        (f"{HEADER}\n{ROW.replace('female', '')}", "line 2: the identity or the category is empty"),
        (HEADER, "has no singular templates"),
        (f"{HEADER}\n{ROW.replace('singular', 'plural')}", "has no singular templates"),
        ("a,b\n1,2", r"has no column template_masked or raw or .* \(its columns: a, b\)"),
    ],
)
def test_mistakes_in_own_templates(tmp_path, text, complaint):
    with pytest.raises(UserError, match=complaint):
        load("en", data=own(tmp_path, text))


def test_own_templates_by_tsv_and_csv(tmp_path):
    tsv = load("en", data=own(tmp_path, f"{HEADER}\n{ROW}\n"))
    csv = load("en", data=own(tmp_path, f"{HEADER}\n{ROW}\n".replace("\t", ","), "own.csv"))
    assert tsv.samples == csv.samples
    [template] = tsv.samples
    assert (template.before, template.after, template.group) == ("the aunt is a ", ".", "female")


def test_a_limit_is_spread_over_the_set(at_mirror):
    kept = load("it").limited(28).samples
    assert Counter(t.group for t in kept) == {"female": 14, "male": 14}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("word\tkind\nplonk\tan", r"has no column lemma or category or level \(its columns: word, kind\)"),
        ("lemma\tcategory\tlevel\nplonk\tan\tloud", "line 2: the level is 'loud'"),
        ("lemma\tcategory\tlevel\nplonk\t\tinclusive", "line 2: the category is empty"),
        ("lemma\tcategory\tlevel\nplonk\tan\tinclusive", "has no lemmas of level 'conservative'"),
    ],
)
def test_mistakes_in_own_lexicons(tmp_path, text, complaint):
    with pytest.raises(UserError, match=complaint):
        hurtlex.load("en", path=own(tmp_path, text))


def test_an_unknown_language_is_answered_with_the_list():
    for loading in (load, hurtlex.load):
        with pytest.raises(UserError, match="Unknown language 'xx'; available: en, es, fr, it, pt, ro"):
            loading("xx")
