"""Forms of pronouns that the words around them show: plural, object, or half of "he or she"."""

from genderscope.measures.gest_chat.noun_phrases import OTHER
from genderscope.measures.gest_chat.people_words import People
from genderscope.measures.gest_chat.sentences import Sentence

STOPS = frozenset(",;:–—()")
#: most words between a plural noun and "they"
_REACH = 8
_SHORTEST_PLURAL = 4
#: endings of English words that may follow an object: "wanted her hanged"
_PARTICIPLES = ("ed", "ing")


def follows_plural(people: People, sentence: Sentence, k: int) -> bool:
    """Return whether a plural noun stands before the pronoun: "her friends", "the archives"."""
    words = sentence.words
    before = people.possessive | people.definite | people.preposition
    return bool(people.plural & set(sentence.before(k, _REACH))) or any(
        words[j].endswith("s") and len(words[j]) >= _SHORTEST_PLURAL and words[j - 1] in before
        for j in range(max(1, k - _REACH), k)
    )


def is_object(people: People, sentence: Sentence, k: int) -> bool:
    """Return whether "him" or "her" ends a phrase, so that "her" cannot be a possessive."""
    after = sentence.words[k + 1 : k + 2]
    others = STOPS | people.preposition | people.function | people.conjunction
    ends = not after or after[0] in others or after[0].endswith(_PARTICIPLES)
    return ends and sentence.words[k] in people.object


def is_either(people: People, sentence: Sentence, k: int) -> bool:
    """Return whether the pronoun is half of "he or she" or "his/her"."""
    around = sentence.words[max(0, k - 2) : k + 3]
    other = OTHER.get(people.pronoun_of[sentence.words[k]])
    return ("or" in around or "/" in around) and any(people.pronoun_of.get(word) == other for word in around)
