"""Spanish nouns that refer to people, and the gender they mark, alone or with their article.

A noun marks gender if it has a counterpart for the other gender (tipo, tipa; orador, oradora). If it has a single form
for both, the article marks gender (un cobarde, una cobarde). Epicene nouns (persona, genio) do not mark gender.
"""

from genderscope.grammar.adjectives import readings as r
from genderscope.grammar.adjectives.data import word_lists
from genderscope.grammar.adjectives.dictionaries import lemmas
from genderscope.grammar.adjectives.readings import Form

WORDS = word_lists("es")
ARTICLES = dict.fromkeys(("un", "el", "los"), r.MASCULINE) | dict.fromkeys(("una", "la", "las"), r.FEMININE)
#: pronouns that mark gender before "que" (the one who …); "uno" and "una" also do so before "de"
POINTERS = dict.fromkeys(("el", "un", "uno", "aquel", "aquél", "ese", "este", "los"), r.MASCULINE_NOUN) | dict.fromkeys(
    ("la", "una", "aquella", "aquélla", "esa", "esta", "las"), r.FEMININE_NOUN
)
# Nouns that refer to people and have one form for both genders, so that only the article marks gender.
_SAME_FOR_BOTH_ENDINGS = tuple(WORDS["common_endings"])
_SAME_FOR_BOTH = WORDS["common_gender_noun"]
# Feminine nouns that refer to a man if their article is masculine: un mierda, un cabeza hueca, un bala perdida.
_TURNED = WORDS["turned"]


def personal_noun(word: str, article: Form, form: Form, definite: bool = False) -> Form:
    """Return the gender of a word after an article; ``form`` is its gender as an adjective ("el travieso")."""
    if word in _TURNED and article is r.MASCULINE:
        return r.MASCULINE_NOUN
    if word in WORDS["epicene_noun"]:
        return r.PHRASE
    if word in WORDS["man"] or word in WORDS["woman"]:
        return r.MASCULINE_NOUN if word in WORDS["man"] else r.FEMININE_NOUN
    if form.strategy == "common form" or word in _SAME_FOR_BOTH:
        personal = word in _SAME_FOR_BOTH or word.endswith(_SAME_FOR_BOTH_ENDINGS)
        return article if personal else r.PHRASE
    if form.gender not in ("masculine", "feminine") or not (varies(word) or (definite and _has_pair(word))):
        return form if form.gender == "neutral" else r.PHRASE
    # "una loco", "la sombrío": article and noun contradict each other.
    return form if form.gender == article.gender else r.UNREAD


_IN_BOTH_GENDERS = WORDS["stems_of_both_genders"]  # Pairs that the dictionary lists as separate lemmas


def varies(word: str) -> bool:
    """Return whether a word in -o or -a inflects for gender: loco, loca, but not caso, casa."""
    table = lemmas("es")
    if word[-1] not in "oa" or word not in table or participle(word) or word.endswith(("oso", "osa")):
        return True
    if word[:-1] in _IN_BOTH_GENDERS:
        return True
    masculine, feminine = word[:-1] + "o", word[:-1] + "a"
    if f"{feminine}mente" in table or table.get(feminine) == masculine:
        return True
    lemma = table[word]
    return word == feminine and lemma != word and not lemma.endswith(VERB_ENDINGS)  # oradora: orador


def _has_pair(word: str) -> bool:
    return word[:-1] + ("a" if word.endswith("o") else "o") in lemmas("es")


VERB_ENDINGS = ("ar", "er", "ir", "arse", "erse", "irse")


def participle(word: str) -> bool:
    """Return whether a word looks like a participle: cansado, herida, muerto."""
    return word.endswith(("ado", "ada", "ido", "ída", "ído", "ida")) or word[:-1] in WORDS["irregular_participle_stems"]
