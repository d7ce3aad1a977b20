"""Gender of noun phrases with an article: "una líder", "la mejor", "un buen padre"."""

from typing import NamedTuple

from genderscope.grammar import traits as t
from genderscope.grammar.reading import Gender
from genderscope.grammar.text import Token, TokenList

_ENDS = t.PUNCTUATION | t.COORDINATOR | t.OPENER | t.PREPOSITION | t.RELATIVE | t.PRONOUN | t.OBJECT | t.COPULA | t.HAVE

_OF_ONE = frozenset({"de", "di", "d'"})
_OF = _OF_ONE | {"des", "das", "dos", "dei", "degli", "delle", "dintre", "daquelas", "daqueles", "dessas"}
# Stems of feminine epicene nouns in the plural.
_SAME = ("person", "pesso", "persoan", "víctima", "vítima", "vittim", "victim", "estrella", "stel", "étoile", "creatur")
_NAMES = t.PERSON | t.ANYONE | t.TITLE | t.COMMON


class NounPhrase(NamedTuple):
    """Noun phrase, with its end and the word that marks its gender."""

    token: Token
    gender: Gender | None
    end: int
    named: bool = False  # whether the noun is known to denote a person
    common: bool = False  # whether the noun denotes a role: "like a professional"
    is_superlative: bool = False  # "the best", "the first"


def noun_phrase(tokens: TokenList, start: int, reads_same: bool = False) -> NounPhrase:
    """Parse the noun phrase whose article is at ``start``; with `reads_same`, "the same" may describe a person."""
    heads = _NAMES | t.STANDING if reads_same else _NAMES
    article = tokens[start]
    shown = _article_gender(article.traits)
    index, most, adjective = start + 1, bool(article.traits & t.MOST), None
    while index < len(tokens):
        traits = tokens[index].traits
        if traits & _ENDS or (index > start + 1 and (traits & t.SIDE or _disagrees(traits, shown))):
            break
        if traits & heads and (person := _person(tokens, start, index)) is not None:
            return person._replace(is_superlative=True) if most else person
        if traits & t.MOST:
            most = True
            if not traits & t.BEST and index + 1 < len(tokens) and not tokens[index + 1].traits & _ENDS:
                # "The most …": an adjective follows, regardless of the dictionary.
                gender = t.gender_of(tokens[index + 1].traits, t.ADJECTIVE)
                return NounPhrase(
                    tokens[index + 1] if gender else article, gender or shown, index + 2, True, True, True
                )
        elif traits & t.ADJECTIVE:
            if adjective is None or not _noun_after(tokens, index):
                adjective = tokens[index]
        elif traits & t.PAIR and adjective is not None and adjective.traits & t.PRENOMINAL:
            return NounPhrase(tokens[index], t.gender_of(traits, t.PAIR), index + 1)  # "un bravo cuoco"
        elif not traits & t.FUNCTION:
            this = article.traits & t.MOST and adjective is None and traits & t.NOUN  # "this evening"
            thing = (traits & t.NOUN and not article.traits & t.MOST) or not (adjective or most) or this
            if not (traits & t.PAIR and index + 1 < len(tokens) and tokens[index + 1].traits & t.PERSON):
                if thing:
                    return NounPhrase(tokens[index], None, index + 1)  # a thing: "a disaster", "the best part"
                break  # but "la classica amica"
        index += 1
    if adjective is not None:
        gender = t.gender_of(adjective.traits, t.ADJECTIVE)
        return NounPhrase(adjective, gender if most or shown in (None, gender) else None, index, is_superlative=most)
    return _without_noun(tokens, start, index, most)


def _disagrees(traits: int, shown: Gender | None) -> bool:
    """Return whether an adjective disagrees with the phrase and so cannot be part of it: "a corrida descalço"."""
    adjective = traits & t.ADJECTIVE and not traits & (_NAMES | t.MOST)
    return bool(adjective) and shown is not None and t.gender_of(traits, t.ADJECTIVE) not in (None, shown)


def _without_noun(tokens: TokenList, start: int, index: int, most: bool) -> NounPhrase:
    """Parse a phrase without a noun: "la que", "una de las", "la mejor"."""
    article = tokens[start]
    shown = _article_gender(article.traits)
    if index == start + 1 and _is_one_of(tokens, index) and not article.traits & t.DEFINITE:
        return NounPhrase(article, shown, index, named=True)
    apart = index == start + 1 and index < len(tokens) and tokens[index].key not in _OF
    if article.traits & t.MOST and apart and tokens[index].traits & t.PREPOSITION:
        return NounPhrase(article, None, index)  # "quello dopo"
    alone = most or (index < len(tokens) and tokens[index].traits & t.RELATIVE)
    gender = shown if alone and article.traits & t.DEFINITE else None
    return NounPhrase(article, gender, max(index, start + 1), named=True, is_superlative=most)


def _person(tokens: TokenList, start: int, index: int) -> NounPhrase | None:
    """Return the phrase if the word at ``index`` heads it: a noun that refers to people, or "same" without a noun."""
    article, token = tokens[start], tokens[index]
    shown = _article_gender(article.traits)
    if not token.traits & _NAMES and index == start + 1 and article.traits & t.DEFINITE:
        # "Soy la misma de siempre", but not "la misma calle".
        alone = index + 1 == len(tokens) or bool(tokens[index + 1].traits & _ENDS)
        return NounPhrase(token, shown if alone else None, index + 1, named=alone)
    if not token.traits & _NAMES or (token.traits & t.BEST and _noun_after(tokens, index, t.NAMES_PERSON)):
        return None  # "the best part"
    return _named(token, article, shown, index + 1)


def _named(noun: Token, article: Token, shown: Gender | None, end: int) -> NounPhrase:
    """Return the phrase headed by a noun that refers to people."""
    if noun.traits & t.PERSON:
        return NounPhrase(noun, t.gender_of(noun.traits, t.PERSON), end, named=True)
    if noun.traits & t.ANYONE:
        return NounPhrase(noun, None, end)
    if noun.traits & t.TITLE and shown == "masculine":
        shown = None
    return NounPhrase(article, shown, end, named=True, common=True, is_superlative=bool(noun.traits & t.BEST))


def _is_one_of(tokens: TokenList, index: int) -> bool:
    """Return whether "of those" follows without an epicene noun, unlike "una de las personas"."""
    if index + 2 >= len(tokens) or tokens[index].key not in _OF:
        return False
    if tokens[index].key in _OF_ONE and not tokens[index + 1].traits & (t.DETERMINER | t.CLITIC | t.ARTICLE):
        return False  # "quelqu'un de sérieux"
    return not any(token.key.startswith(_SAME) for token in tokens[index + 1 : index + 5])


def _noun_after(tokens: TokenList, index: int, kind: int = t.NOUN) -> bool:
    return index + 1 < len(tokens) and bool(tokens[index + 1].traits & kind)


def _article_gender(traits: int) -> Gender | None:
    if traits & t.ARTICLE_M:
        return None if traits & t.ARTICLE_F else "masculine"
    return "feminine" if traits & t.ARTICLE_F else None
