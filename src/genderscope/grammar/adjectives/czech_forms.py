"""Czech: the gender of a single word form in predicative position."""

from dataclasses import replace
from functools import lru_cache

from genderscope.grammar.adjectives import readings as r
from genderscope.grammar.adjectives.czech_nouns import ANYONE, person_noun
from genderscope.grammar.adjectives.data import word_lists
from genderscope.grammar.adjectives.dictionaries import lemmas
from genderscope.grammar.adjectives.readings import Form

WORDS = word_lists("cs")
INDECLINABLE = WORDS["indeclinable"]  # Includes loans: "jsem gay" is Czech, not untranslated English
# Nouns and adverbs that no rule covers, or that look like participles or adjectives.
_NOUNS = WORDS["nouns"]


def predicate_form(word: str, polite: bool) -> Form:
    """Return the gender of a word form that describes one person, possibly in the polite plural."""
    if polite and word.endswith("í") and _hard_plural(word):
        return r.MASCULINE_PLURAL
    form = adjective_form(word)
    if polite and form is r.UNREAD and word.endswith("i"):
        return replace(r.MASCULINE_ENDING, plural=True)  # "vy jste vivácni", an unknown word
    if form.strategy == "neuter" and polite and word.endswith("é"):
        return r.FEMININE_PLURAL  # also the polite plural: "vy jste krásné"
    return form


def _hard_plural(word: str) -> bool:
    """Return whether a form in -í is the masculine plural of a hard adjective: drzí (drzý), uvolnění (uvolněný)."""
    table = lemmas("cs")
    if word.endswith(("ení", "ění", "ání")):
        return True  # a person is "calmed" (uklidněný), not "the act of calming"; vzdělání is a misspelling of vzdělaní
    if word.endswith("ší"):
        return f"{word[:-2]}chý" in table  # plaší, tiší; all others are comparatives
    if table.get(word, "").endswith("ý") or table.get(word[:-1] + "ý", "").endswith("ý"):
        return True
    if word not in table and word.endswith("ní"):
        return not word.endswith(_SOFT)
    return word not in table and word.endswith(("ití", "iví", "aví", "čtí", "ští", "lí", "atí"))


# Endings of soft adjectives in -ní, mostly loans; other unknown words in -ní are hard: zcestní.
_SOFT = tuple(WORDS["soft_endings"])
_PAST_ENDINGS = ("l", "la", "li", "ly", "lo")


def past_participle(word: str) -> bool:
    """Return whether a word is an l-participle ("zvítězil", "ovdověla")."""
    lemma = _lemma(word)
    return word.endswith(_PAST_ENDINGS) and (lemma.endswith(("t", "ci")) if lemma else word.endswith(_PAST_BY_SHAPE))


@lru_cache(maxsize=65536)
def adjective_form(word: str) -> Form:
    """Return the gender of a Czech word form used as a predicative adjective."""
    if "/" in word:
        return r.form_of_words(word, adjective_form)
    if word in _NOUNS or word in ANYONE:
        return r.PHRASE
    if word in INDECLINABLE or word.endswith(("ící", "oucí")):
        return r.COMMON
    if word.endswith(("ství", "ctví")):
        return r.PHRASE
    lemma = _lemma(word)
    return _by_ending(word) if lemma is None else _form_with_lemma(word, lemma)


def _form_with_lemma(word: str, lemma: str) -> Form:
    verb = lemma.endswith(("t", "ci"))
    if word.endswith("í") and len(word) > 3 and (lemma.endswith("í") or _comparative(word, verb)):
        return r.COMMON  # soft adjectives and comparatives
    if lemma.endswith("ý") or lemma in ("rád", "nerad", "nerád") or (verb and word.endswith(("lý", "lá"))):
        return _hard_form(word)
    if shown := person_noun(word):
        return shown
    if not verb:
        return r.PHRASE
    if word.endswith(_PAST_ENDINGS):
        return _HARD_ENDINGS.get(word[-1], r.MASCULINE)
    stem = word.rstrip("aioy")  # short passives listed under their verb: okouzlen, spatřena, proklet
    passive = stem.endswith(("en", "ěn", "án")) or (stem.endswith("t") and f"{stem}ý" in lemmas("cs"))
    return _HARD_ENDINGS.get(word[len(stem) :], r.MASCULINE) if passive else r.PHRASE


def _comparative(word: str, like_a_verb: bool) -> bool:
    """Return whether a form in -ší or -čí is a comparative (měkčí: měkký) and not a verb (křičí)."""
    if not like_a_verb or word in ("horší", "lepší", "menší", "větší", "delší", "bližší"):
        return word.endswith(("ší", "čí"))
    return word[:-2] + {"ší": "ý", "čí": "ký"}.get(word[-2:], "?") in lemmas("cs")


def _lemma(word: str) -> str | None:
    """Return the lemma; for a negated form that is not listed, return the lemma of the positive form."""
    table = lemmas("cs")
    lemma = table.get(word)
    if lemma is None and word.startswith("ne"):
        lemma = table.get(word[2:])
    return lemma


_HARD_ENDINGS = (
    dict.fromkeys(("ý", "ým", "ého", "ej"), r.MASCULINE)
    | dict.fromkeys(("á", "ou", "a", "u"), r.FEMININE)
    | dict.fromkeys(("é", "o"), r.NEUTER)
    | {"í": r.MASCULINE_PLURAL, "i": r.MASCULINE_PLURAL, "y": r.FEMININE_PLURAL}
)


def _hard_form(word: str) -> Form:
    """Return the gender of a hard adjective or its short form: unavený, unavená, unaven, unavena."""
    for length in (3, 2, 1):
        if form := _HARD_ENDINGS.get(word[-length:]):
            return form
    return r.COMMON if word.endswith(_OBLIQUE) else r.MASCULINE


_OBLIQUE = ("e", "ě", "ů", "ých", "ích", "ém", "ím", "ými", "ími", "ému", "ímu")


_PAST_BY_SHAPE = tuple(
    vowel + ending for vowel in ("a", "i", "e", "ě", "u", "k", "h", "r") for ending in ("l", "la", "li", "ly", "lo")
)
_ENDINGS = (
    (r.MASCULINE_ENDING, ("ý", "ej", "rny", "dny", "lny", "vny", "sny", "en", "ěn", "án", "av", "iv", "uv")),
    (r.FEMININE_ENDING, ("á", "ena", "ěna", "ána", "eta", "uta")),
    (r.NEUTER_ENDING, ("é",)),
    (r.COMMON_ENDING, ("í",)),
    (r.MASCULINE_ENDING, tuple(ending for ending in _PAST_BY_SHAPE if ending.endswith(("l", "li")))),
    (r.FEMININE_ENDING, tuple(ending for ending in _PAST_BY_SHAPE if ending.endswith(("la", "ly")))),
    # adverbs, verbs and nouns
    (r.PHRASE_BY_SHAPE, ("ě", "sky", "cky", "ám", "áš", "áte", "ím", "íš", "íte", "uju", "uji", "uješ", "ujete")),
    (r.PHRASE_BY_SHAPE, ("ák", "ík", "ik", "ka", "ista", "oun", "ař", "ář", "ec", "ice", "tel", "or", "yně", "ant")),
    (r.PHRASE_BY_SHAPE, ("pat", "out", "ek", "ota", "ost", "ítko", "rén", "gán", "oš", "ouš", "na", "mez", "áci")),
)


def _by_ending(word: str) -> Form:
    """Return the gender of an unlisted word, judging by its ending."""
    if len(word) < 3:
        return r.UNREAD
    if shown := person_noun(word):
        return shown
    if _oblique_thing(word):
        return r.PHRASE
    return next((form for form, endings in _ENDINGS if word.endswith(endings)), r.UNREAD)


def _oblique_thing(word: str) -> bool:
    """Return whether a word is an unlisted oblique form of a noun: raritou, sebedůvěry."""
    stem = word.removesuffix("ou") if word.endswith("ou") else word.removesuffix("y")
    return stem != word and any(f"{stem}a" in nouns for nouns in (lemmas("cs"), ANYONE, _NOUNS))
