"""English words for people: pronouns, number, kind of person and grammatical role."""

import re
from functools import cache
from typing import Literal

from genderscope.grammar.person import singular
from genderscope.samples.dataset import resource

Role = Literal["subject", "object", "possessor", "other"]
Kind = Literal["profession", "family", "other"]

ROLES: tuple[Role, ...] = ("subject", "object", "possessor", "other")
KINDS: tuple[Kind, ...] = ("profession", "family", "other")

_WORDS = re.compile(r"[\w'’-]+|[^\w\s]")
_POSSESSIVE = re.compile(r"['’]s?(?!\w)")


@cache
def word_list(name: str) -> frozenset[str]:
    """Return one list of `gate_english_words.txt`, such as `pronouns`."""
    text = resource("tables/gate_english_words.txt").decode("utf-8")
    lists = dict(line.split(":", 1) for line in text.splitlines() if line and not line.startswith("#"))
    return frozenset(lists[name].split())


def is_noun(mention: str, source: str) -> bool:
    """Whether a mention names a person with a noun: not a pronoun, an omitted subject or an adjective alone.

    A participle is a noun only after a determiner: “the accused”, but not “stressed by the results”.
    """
    words = mention.lower().split()
    if not words or "(" in mention or words[-1] in word_list("pronouns") | word_list("adjectives"):
        return False
    if not words[-1].endswith(("ed", "ing")):
        return True
    before = re.search(rf"(\w+)\s+{re.escape(words[0])}\b", source, re.IGNORECASE)
    return before is not None and before[1].lower() in word_list("determiners")


def is_speaker_or_addressee(mention: str) -> bool:
    """Whether a mention is a pronoun of the first or second person, also if it is left out: “(you)”."""
    words = mention.lower().strip("() ").split()
    return bool(words) and all(word in word_list("speakers") for word in words)


def is_plural(entity: str) -> bool:
    """Whether a person word names several people."""
    return singular(entity) != entity.lower() or entity.lower() in word_list("plurals")


def kind_of(entity: str) -> Kind:
    """Return the kind of person, for data that does not say it: family and friends, occupation, or other."""
    word = singular(entity).rsplit(" ", 1)[-1]
    if word in word_list("family"):
        return "family"
    return "other" if word in word_list("others") else "profession"


def role_of(source: str, entity: str) -> Role:
    """Guess the grammatical role of a person from the words around it, for data that does not say it.

    A preposition before the noun phrase makes it `other`, a possessive ending `possessor`. A noun phrase at the
    beginning of a clause is the subject, any other one the object.
    """
    lowered = source.lower()
    match = re.search(rf"\b{re.escape(entity.lower())}", lowered)
    place = match.start() if match else max(lowered.find(entity.lower()), 0)
    if _POSSESSIVE.match(source[place + len(entity) :]):
        return "possessor"
    before = _WORDS.findall(lowered[:place])
    while before and (before[-1] in word_list("determiners") or before[-1] in word_list("adjectives")):
        before.pop()
    if before and before[-1] in word_list("prepositions"):
        return "other"
    starts_clause = not before or before[-1] in word_list("clause_starters") or not before[-1][0].isalnum()
    return "subject" if starts_clause else "object"
