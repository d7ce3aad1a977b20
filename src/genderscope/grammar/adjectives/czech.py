"""Czech: which word in a clause renders the adjective, and which gender that word marks."""

from typing import NamedTuple

from genderscope.grammar.adjectives.clauses import Grammar, ParsedClause, RenderedAdjective
from genderscope.grammar.adjectives.czech_forms import INDECLINABLE, adjective_form, past_participle, predicate_form
from genderscope.grammar.adjectives.czech_nouns import ANYONE, person_noun
from genderscope.grammar.adjectives.data import word_lists
from genderscope.grammar.adjectives.dictionaries import lemmas
from genderscope.grammar.adjectives.readings import FEMININE_NOUN, MASCULINE_NOUN, PHRASE, UNREAD, Form
from genderscope.grammar.adjectives.speech import PassageToken

WORDS = word_lists("cs")
_FIRST_COPULAS = WORDS["first_copulas"]
_SECOND_COPULAS = WORDS["second_copulas"]
_COPULAS = _FIRST_COPULAS | _SECOND_COPULAS
_SKIPPED = WORDS["skipped"]
_PREPOSITIONS = WORDS["prepositions"]
# Adjectives that take a noun complement in an oblique case: "plný energie" is not a noun phrase.
_WITH_COMPLEMENT = tuple(WORDS["complement_stems"])
_COMPARED = WORDS["compared"]
_POINTERS = dict.fromkeys(("ten", "tenhle", "onen"), MASCULINE_NOUN) | dict.fromkeys(("ta", "tahle"), FEMININE_NOUN)
# Function words that mark gender, used if no other word does: "byl jsem v pohodě", "jsem sama", "nejsem taková".
_SHOWING = dict.fromkeys(("byl", "sám", "takový"), MASCULINE_NOUN) | dict.fromkeys(
    ("byla", "sama", "taková"), FEMININE_NOUN
)
_AUXILIARIES = _COPULAS | WORDS["plurals"] | WORDS["auxiliaries"]


def _read(clause: ParsedClause) -> RenderedAdjective:
    """Find the first possible predicative adjective, skipping verbs, nouns for things and prepositional phrases."""
    tokens = clause.words
    verbs = _verbs(tokens)
    # "vy jste milí, ale nápomocní": the verb, which distinguishes one person from several, may be omitted
    polite = any(token.word in WORDS["polite"] for token in tokens)
    carried = not (verbs.spoken or clause.person)
    phrase: PassageToken | None = None
    unknown: PassageToken | None = None
    after_preposition = compared = False
    for index, token in enumerate(tokens):
        word = token.word
        following = tokens[index + 1].word if index + 1 < len(tokens) else ""
        if word in _POINTERS and (not following or following in WORDS["relatives"]):
            return RenderedAdjective(token, _POINTERS[word])  # "já jsem ten, kdo …"
        compared = compared or word in _COMPARED
        if word in _PREPOSITIONS:
            after_preposition = True
        elif after_preposition:
            after_preposition = False
            phrase = phrase or token
        elif word not in _SKIPPED and word not in _AUXILIARIES and word not in _COMPARED:
            if word in WORDS["having"] and not clause.has_copula:
                return RenderedAdjective(token, PHRASE)
            form = predicate_form(word, polite or (carried and word.endswith("ní")))
            if form.gender == "unread":
                unknown = unknown or token
            elif form.strategy == "noun or verb phrase" or not _predicative(word, verbs, phrase):
                phrase = phrase or token
            elif compared and form.noun:
                phrase = phrase or token  # "like a hero": a comparison is not a predication
            elif following and not past_participle(word) and _starts_noun_phrase(word, following):
                return RenderedAdjective(token, PHRASE) if compared else _noun_phrase(token, tokens[index + 1])
            else:
                return RenderedAdjective(token, _with_pronoun(tokens[index - 1].word if index else "", form))
    return _without_adjective(tokens, phrase, unknown, verbs.spoken)


def _with_pronoun(before: str, form: Form) -> Form:
    """Return the form of a preceding pronoun if the adjective does not mark gender: "já jsem ten rozčilující"."""
    return _POINTERS.get(before, form) if form.strategy == "common form" else form


class _Verbs(NamedTuple):
    """Features of a clause's verbs and pronouns, computed once per clause."""

    spoken: bool  # an auxiliary shows that "I" or "you" is the subject
    pronoun_first: bool
    objects: bool
    datives: bool
    seeming: bool


def _verbs(tokens: tuple[PassageToken, ...]) -> _Verbs:
    forms = {token.word for token in tokens}
    return _Verbs(
        spoken=not _AUXILIARIES.isdisjoint(forms),
        pronoun_first=tokens[0].word in ("já", "ty"),
        objects=not WORDS["objects"].isdisjoint(forms),
        datives=not WORDS["datives"].isdisjoint(forms),
        seeming=any(form.startswith(_SEEMING) for form in forms),
    )


_SEEMING = ("připad", "zd", "cít", "vypad", "jev", "přijd", "přijí")


def _predicative(word: str, verbs: _Verbs, phrase: PassageToken | None) -> bool:
    """Return whether a gendered form describes the person, unlike the verb in "zahlédli mě" (they spotted me)."""
    if verbs.spoken:
        return True
    if past_participle(word):
        # "já se naštvala": the auxiliary is omitted after the pronoun
        return word.endswith(("l", "la")) and verbs.pronoun_first and not verbs.objects
    ruled = not verbs.seeming and (phrase is not None or verbs.objects or verbs.datives)
    if ruled and word.endswith(("í", "m")):
        return False  # "naháníš mi husí kůži", "já vás znám"
    return phrase is None or person_noun(word) is None  # a noun after a verb is the verb's object


def _noun_phrase(adjective: PassageToken, noun: PassageToken) -> RenderedAdjective:
    shown = person_noun(noun.word)
    return RenderedAdjective(noun, shown) if shown else RenderedAdjective(adjective, PHRASE)


def _without_adjective(
    tokens: tuple[PassageToken, ...], phrase: PassageToken | None, unknown: PassageToken | None, spoken: bool
) -> RenderedAdjective:
    """Analyse a clause without an adjective: use function words that mark gender, or else treat it as a phrase."""
    shown = next((token for token in tokens if token.word in _SHOWING), None) if spoken else None
    if shown is not None and (phrase is not None or unknown is None):
        return RenderedAdjective(shown, _SHOWING[shown.word])
    if phrase is not None:
        return RenderedAdjective(phrase, PHRASE)
    return RenderedAdjective(unknown, UNREAD)


def _starts_noun_phrase(word: str, following: str) -> bool:
    """Return whether an adjective precedes the noun it modifies: "dobrý posluchač", "silné postavy"."""
    if following in _SKIPPED or following in _PREPOSITIONS or following in _COPULAS or following in _COMPARED:
        return False
    lemma = lemmas("cs").get(following)
    if person_noun(following) or following in ANYONE:
        return True
    if word.startswith(_WITH_COMPLEMENT) or lemma is None or following.endswith(_ADVERB_ENDINGS):
        return False
    if adjective_form(following).strategy != "noun or verb phrase":
        return False
    oblique = word.endswith(("é", "ou", "ého", "ým", "ího", "ých", "ích"))
    # "širší postavy"; but a participle takes a complement: "kypící životem"
    soft = word.endswith("í") and not word.endswith(("ící", "oucí")) and following.endswith(("y", "ů", "u", "í"))
    return lemma == following or oblique or soft


_ADVERB_ENDINGS = ("ě", "sky", "cky", "zky")


GRAMMAR = Grammar(
    words=WORDS,
    first_person=_FIRST_COPULAS | WORDS["first_person"],
    second_person=_SECOND_COPULAS | WORDS["second_person"],
    copulas=_COPULAS,
    second_place=frozenset({"ale"}),
    read=_read,
    known=lambda word: word in lemmas("cs") or word in INDECLINABLE or word == "ignorant",
)
