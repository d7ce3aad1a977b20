"""Spanish: which word after ser or estar renders the adjective, and which gender that word marks."""

import re
from dataclasses import replace
from functools import lru_cache

from genderscope.grammar.adjectives import readings as r
from genderscope.grammar.adjectives.clauses import Grammar, ParsedClause, RenderedAdjective
from genderscope.grammar.adjectives.data import word_lists
from genderscope.grammar.adjectives.dictionaries import lemmas
from genderscope.grammar.adjectives.readings import Form
from genderscope.grammar.adjectives.spanish_nouns import ARTICLES, POINTERS, VERB_ENDINGS, participle, personal_noun
from genderscope.grammar.adjectives.speech import PassageToken

WORDS = word_lists("es")
_FIRST_COPULAS = WORDS["first_copulas"]
_SECOND_COPULAS = WORDS["second_copulas"]
_COPULAS = _FIRST_COPULAS | _SECOND_COPULAS | WORDS["third_copulas"]
# Verbs that take a predicative adjective like a copula.
_SEMI_COPULAS = WORDS["semi_copulas"]
_PRONOUNS = WORDS["pronouns"]
_COMMON_COMPARATIVES = WORDS["common_comparatives"]
_CLITICS = WORDS["clitics"]
_DEGREES = WORDS["degrees"]
# Words followed by a verb: "he perdido", "quien regaña".
_VERB_FOLLOWS = WORDS["have"] | frozenset({"quien", "quienes"})
_SKIPPED = _COPULAS | _SEMI_COPULAS | _VERB_FOLLOWS | _PRONOUNS | _DEGREES
_PREPOSITIONS = WORDS["prepositions"]
# Blando and grandote are not gerunds: an enclitic pronoun requires an accent on the gerund.
_GERUND = re.compile(r"(?<!bl)(?:a|[iy]e)ndo$|(?:á|[iy]é)ndo(?:me|te|se|lo|la|le|nos)$")
# Adjectives that the dictionary lists as verb forms.
_ALSO_VERBS = WORDS["also_verbs"]
_INFINITIVE = re.compile(r"(\w+[aeií]r)((?:me|te|se|lo|la|le|nos|os)*)")
_COMMON_IN_A = frozenset({"alerta"})
# Uninflected loans from English.
LOANS = WORDS["loans"]


def _read(clause: ParsedClause) -> RenderedAdjective:
    tokens = clause.words
    adverb: PassageToken | None = None
    article: Form | None = None
    verb_next = False
    for index, token in enumerate(tokens):
        word = token.word
        following = tokens[index + 1].word if index + 1 < len(tokens) else ""
        if word in POINTERS and (following == "que" or (following == "de" and word in ("uno", "una"))):
            return RenderedAdjective(token, POINTERS[word])  # "la que regaña", "una de esas"
        if word in ARTICLES and following:
            # "un poco" expresses degree and is not a noun phrase.
            article = ARTICLES[word] if following not in _DEGREES or word in ("el", "la") else None
        elif _skipped(word, following) or (article and word in WORDS["before_nouns"] and _may_be_noun(following)):
            article = None if word in _COPULAS else article  # "los dos somos tercos"
            verb_next = word in _VERB_FOLLOWS or (verb_next and (word in _PRONOUNS or word == "no"))
            adverb = adverb or (token if word in ("bien", "mal") and not article else None)
        elif verb_next or _starts_phrase(tokens, index):
            return _given_up(tokens, index) or RenderedAdjective(token, r.PHRASE)
        elif article:
            definite = tokens[index - 1].word in ("el", "la")
            return RenderedAdjective(token, personal_noun(word, article, adjective_form(word), definite))
        else:
            verb = not clause.has_copula and (_finite_verb(word) or (index > 0 and tokens[index - 1].word in _CLITICS))
            return RenderedAdjective(token, r.PHRASE if verb else adjective_form(word))
    return RenderedAdjective(adverb, r.PHRASE) if adverb else RenderedAdjective(None, r.UNREAD)


def _skipped(word: str, following: str) -> bool:
    """Return whether a word, such as a verb, pronoun or degree adverb, may come between subject and predicate."""
    if word == "solo" or word in WORDS["verb_participles"]:
        return bool(following)  # in "estoy solo" and "estoy salido", the word itself is the predicate
    return word in _SKIPPED or word.endswith("mente") or (word == "para" and following == "nada")


def _may_be_noun(word: str) -> bool:
    return bool(word) and word not in _PREPOSITIONS and word not in _SKIPPED


def _starts_phrase(tokens: tuple[PassageToken, ...], index: int) -> bool:
    """Return whether a non-adjectival phrase begins here: "in shape", "having luck", "running", "able to run"."""
    word, before = tokens[index].word, tokens[index - 1].word if index else ""
    if word in _PREPOSITIONS or word in WORDS["verbs"] or word in WORDS["somebody"] or _GERUND.search(word):
        return True
    infinitive = _INFINITIVE.fullmatch(word)
    if infinitive is None or infinitive[1] not in lemmas("es"):
        return False
    return before in WORDS["modals"] or (infinitive[2] != "" and word not in lemmas("es"))


def _given_up(tokens: tuple[PassageToken, ...], index: int) -> RenderedAdjective | None:
    """Return the participle in "me doy por vencida", which agrees with the subject despite the preceding verb."""
    if [token.word for token in tokens[index + 1 : index + 2]] != ["por"] or index + 2 >= len(tokens):
        return None
    token = tokens[index + 2]
    return RenderedAdjective(token, adjective_form(token.word)) if participle(token.word) else None


def _finite_verb(word: str) -> bool:
    """Return whether a word is the verb of a clause without a copula ("tú exageras"), not an adjective ("tú alta")."""
    table = lemmas("es")
    lemma = table.get(word)
    if lemma == word or word in _ALSO_VERBS or participle(word):
        return False
    stem = word.removesuffix("s")[:-1]
    if word.endswith(("bles", "ntes")) or (f"{stem}amente" in table and not word.endswith("es")):
        return False  # honesta, which the dictionary lists as a form of honestar
    # Forms in -as or -es are rarely plural adjectives, since one person is addressed.
    return (lemma or "").endswith(VERB_ENDINGS) or word.endswith(("as", "es"))


@lru_cache(maxsize=65536)
def adjective_form(word: str) -> Form:
    """Return the gender of a Spanish word form used as an adjective."""
    if "/" in word:
        return r.form_of_words(word, adjective_form)
    if word in WORDS["bare_nouns"]:
        return r.PHRASE
    singular = _singular(word)
    if singular != word:
        return replace(_singular_form(singular), plural=True)
    return _singular_form(word)


def _singular_form(word: str) -> Form:
    if word in _COMMON_IN_A or word in LOANS:
        return r.COMMON
    if word.endswith(_ABSTRACT) or _only_verb(word):
        return r.PHRASE  # "soy prudencia", the quality instead of the adjective; "soy atenúa", a verb
    if word.endswith("o"):
        return r.MASCULINE if word in lemmas("es") else r.MASCULINE_ENDING
    if word.endswith("a"):
        return _form_in_a(word)
    return _form_in_consonant(word)


def _only_verb(word: str) -> bool:
    """Return whether a form in -o or -a is a verb form and not an adjective."""
    table = lemmas("es")
    lemma, stem = table.get(word, ""), word[:-1]
    if word[-1] not in "oa" or lemma == word or not lemma.endswith(VERB_ENDINGS):
        return False
    if word in _ALSO_VERBS or participle(word):
        return False
    return f"{stem}amente" not in table and table.get(f"{stem}o") != f"{stem}o"


_ABSTRACT = ("encia", "ancia", "ción", "sión", "dad", "tud", "eza", "ismo", "miento")


def _form_in_a(word: str) -> Form:
    table = lemmas("es")
    lemma = table.get(word)
    if lemma is None:
        return r.COMMON_ENDING if word.endswith(("ista", "ópata", "ícola", "crata")) else r.FEMININE_ENDING
    if lemma != word or word[:-1] + "o" in table or table.get(word[:-1]) == word[:-1]:
        return r.FEMININE
    return r.COMMON


def _form_in_consonant(word: str) -> Form:
    """Return the gender of a word in -e or a consonant: both genders, unless the feminine adds -a (encantador)."""
    table = lemmas("es")
    if word not in _COMMON_COMPARATIVES and word.endswith(("dor", "tor", "sor", "ón", "án", "ín", "ote", "ete")):
        bare = word.removesuffix("e").translate(_WITHOUT_ACCENT) if word[-1] in "ne" else word
        if bare + "a" in table or word.endswith(("ador", "edor", "idor")):
            return r.MASCULINE
        if word not in table:
            return r.MASCULINE_ENDING
    if word not in table and word.endswith(("on", "an", "in")) and f"{word}a" in table:
        return r.MASCULINE_ENDING  # written without the accent: chillon, holgazan
    return r.COMMON if word in table else r.COMMON_ENDING


_WITHOUT_ACCENT = str.maketrans("óáí", "oai")


def _singular(word: str) -> str:
    if word.endswith(("os", "as")) and lemmas("es").get(word) != word:
        return word[:-1]
    return word


def _known(word: str) -> bool:
    """Return whether an English word also exists in Spanish, if only as a loan or derived from a verb (fracturable)."""
    table = lemmas("es")
    if word in table or word in LOANS or word in _DEGREES:
        return True
    return word.endswith(("able", "ible")) and any(word[:-4] + ending in table for ending in ("ar", "er", "ir"))


GRAMMAR = Grammar(
    words=WORDS,
    first_person=_FIRST_COPULAS | WORDS["first_person"],
    second_person=_SECOND_COPULAS | WORDS["second_person"],
    copulas=_COPULAS,
    read=_read,
    known=_known,
    articles=POINTERS,
)
