"""Icelandic: which word in a clause renders the adjective, and which gender that word marks."""

from genderscope.grammar.adjectives import readings as r
from genderscope.grammar.adjectives.clauses import Grammar, ParsedClause, RenderedAdjective
from genderscope.grammar.adjectives.data import word_lists
from genderscope.grammar.adjectives.icelandic_forms import (
    adjective_form,
    entries_of,
    misspelt_form,
    other_predicate,
    plural_form,
    weak_form,
)
from genderscope.grammar.adjectives.icelandic_nouns import person_noun
from genderscope.grammar.adjectives.readings import Form
from genderscope.grammar.adjectives.speech import PassageToken

WORDS = word_lists("is")
_FIRST_PRONOUNS = WORDS["first_pronouns"]
_SECOND_PRONOUNS = WORDS["second_pronouns"]
_SECOND_COPULAS = WORDS["second_copulas"]
# Includes misspelt subjunctives, which weak systems produce regularly.
_COPULAS = _SECOND_COPULAS | WORDS["copulas"]
_HAVE = WORDS["have"]
_ADVERBS = WORDS["adverbs"]
_SKIPPED = WORDS["skipped"]
_ACCUSATIVE = frozenset({"mig", "þig"})
# "Sá sem" (the one who), and words that agree with the subject but are not the predicate: "ég er búin að ná árangri".
_POINTERS = {"sá": r.MASCULINE_NOUN, "sú": r.FEMININE_NOUN}
_SHOWING = dict.fromkeys(("orðinn", "búinn", "einn", "sjálfur"), r.MASCULINE_NOUN) | dict.fromkeys(
    ("orðin", "búin", "ein", "sjálf"), r.FEMININE_NOUN
)


def _read(clause: ParsedClause) -> RenderedAdjective:
    """Find the first possible predicative adjective, skipping verbs, nouns for things and prepositional phrases."""
    tokens = clause.words
    case = _case(clause)
    phrase: PassageToken | None = None
    unknown: PassageToken | None = None
    governed = after_preposition = False
    copula = next((index for index, token in enumerate(tokens) if token.word in _COPULAS), len(tokens))
    for index, token in enumerate(tokens):
        word = token.word
        following = tokens[index + 1].word if index + 1 < len(tokens) else ""
        if word in _POINTERS and following in ("", "sem"):
            return RenderedAdjective(token, _POINTERS[word])
        if word == "að" and (following in _PERSONS or following == "vera"):
            continue  # "that I am …"; "ég er að vera leiðinleg"
        if word == "að" and following:
            phrase = phrase or tokens[index + 1]  # an infinitive: "ég er að vinna"
            break
        if word in WORDS["prepositions"]:
            governed = after_preposition = True
        elif after_preposition:
            after_preposition = False
            phrase = phrase or token
        elif word not in _SKIPPED and word not in _COPULAS and word not in _PERSONS and not word.endswith("lega"):
            form = _form(word, following, case, copula < index and not governed)
            if form.gender == "unread":
                unknown = unknown or token
            elif form.strategy == "noun or verb phrase" or (form.strategy == "neuter" and _verb(word, clause)):
                phrase = phrase or token
            elif governed and (form.how == "ending" or form.gender == "neutral" or person_noun(entries_of(word))):
                continue  # after a preposition, only a known adjective can still be the predicate
            else:
                return RenderedAdjective(token, form)
    return _without_adjective(tokens, phrase, unknown)


def _form(word: str, following: str, case: str, after_copula: bool) -> Form:
    form = adjective_form(word, case)
    if form.strategy == "neuter" and following.endswith("andi"):
        return r.PHRASE  # an adverb modifying the following participle: "hátt hrópandi"
    if form.strategy == "noun or verb phrase" and after_copula:
        return plural_form(word) or weak_form(word) or _verb_after_copula(word, case) or form
    return form


def _verb(word: str, clause: ParsedClause) -> bool:
    """Return whether an apparent neuter is the only verb in its clause: "þú vilt"."""
    return not clause.has_copula and any(entry.ofl == "so" and other_predicate(entry) for entry in entries_of(word))


def _verb_after_copula(word: str, case: str) -> Form | None:
    """Return the gender of a supine, or of an invented adjective in -ur, that the dictionary lists as a verb form."""
    entries = entries_of(word)
    if not entries or word in _HAVE or any(entry.ofl != "so" for entry in entries):
        return None
    if case != "supine" and all("SAGNB" in entry.mark for entry in entries):
        return r.NEUTER
    if word.endswith("ur"):
        return r.MASCULINE_ENDING
    return r.UNREAD if all("-VH-" in entry.mark or "-BH-" in entry.mark for entry in entries) else None


def _without_adjective(
    tokens: tuple[PassageToken, ...], phrase: PassageToken | None, unknown: PassageToken | None
) -> RenderedAdjective:
    """Analyse a clause without an adjective: another word may agree with the subject, or the adjective is misspelt."""
    shown = next((token for token in tokens if token.word in _SHOWING), None)
    if shown is not None:
        return RenderedAdjective(shown, _SHOWING[shown.word])
    if phrase is None and unknown is None:
        phrase = next((token for token in tokens if token.word in _ADVERBS or token.word.endswith("lega")), None)
    if phrase is not None:
        return RenderedAdjective(phrase, r.PHRASE)
    return RenderedAdjective(unknown, misspelt_form(unknown.word) if unknown else r.UNREAD)


def _case(clause: ParsedClause) -> str:
    """Return the form of the predicate: special after "ég tel mig", "þið eruð" and "ég hef", otherwise nominative."""
    for token in clause.words:
        if token.word in _ACCUSATIVE:
            return "accusative"
        if token.word in WORDS["plurals"]:
            return "plural"
        if token.word in _HAVE:
            return "supine"
    return "nominative"


_PERSONS = _FIRST_PRONOUNS | _SECOND_PRONOUNS
GRAMMAR = Grammar(
    words=WORDS,
    first_person=_FIRST_PRONOUNS | frozenset({"em"}),
    second_person=_SECOND_PRONOUNS | _SECOND_COPULAS,
    copulas=_COPULAS,
    read=_read,
    known=lambda word: any(entry.ofl == "lo" for entry in entries_of(word)),
)
