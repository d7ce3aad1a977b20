"""Forms that the words around them show: plural, object, half of "he or she", or a verb that agrees with a name."""

from collections.abc import Sequence

from genderscope.measures.gest_chat.noun_phrases import OTHER
from genderscope.measures.gest_chat.people_words import People
from genderscope.measures.gest_chat.sentences import Sentence

STOPS = frozenset(",;:–—()")
#: most words between a plural noun and "they"
_REACH = 8
_SHORTEST_PLURAL = 4
#: most words between "they" and "together"
_AHEAD = 20
_SOME = frozenset({"most", "some", "all", "many", "one", "two", "both", "each", "none", "half", "few", "any"})
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


def begins_plural(people: People, sentence: Sentence) -> bool:
    """Return whether a sentence begins with a plural noun: "The wolves came down"."""
    noun = sentence.words[1]
    plural = noun.endswith("s") and not noun.endswith(("ss", "us", "is")) and len(noun) >= _SHORTEST_PLURAL
    return plural and sentence.words[0] in people.definite and not sentence.genitive[1] and not sentence.capital[1]


def is_one_of_several(sentence: Sentence, k: int) -> bool:
    """Return whether "they" are several people: "they live together", "most of them"."""
    some = sentence.before(k, 1) == ["of"] and bool(_SOME & {*sentence.before(k, 2)})
    return some or "together" in sentence.words[k : k + _AHEAD]


def means_they(people: People, sentence: Sentence, k: int) -> bool:
    """Return whether a word for "she" means "they", judging by the verb next to it."""
    if sentence.words[k] in people.she_or_they:
        beside = [*sentence.words[k + 1 : k + 2], *(sentence.before(k, 1) if k else ())]
        return any(verb.endswith("en") or verb in ("sind", "zijn") for verb in beside)
    plural = people.plural & set(sentence.before(k, _REACH))
    return bool(people.she_or_they and sentence.words[k] in people.possessive and plural)


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


def shows_gender(people: People, sentence: Sentence, k: int) -> bool:
    """Return whether a word that shows gender only in some places, such as a Greek article, is in such a place."""
    word, words = sentence.words[k], sentence.words
    following = range(k + 1, min(k + 5, len(words)))
    if word in people.before_verb:  # directly, or after at most three words of a name
        return next((words[j] in people.verb for j in following if not sentence.capital[j]), False)
    if word in people.after_relative:
        loose = not people.verb or {*words[k + 1 : k + 2]} <= people.verb | people.being | people.conjunction
        return words[k - 1 : k] != [] and words[k - 1] in people.relative_of and (loose or not words[k + 1].isalpha())
    return True


def gender_of_first_verb(people: People, sentences: Sequence[Sentence]) -> list[str]:
    """Return the gender that the verb after a full name at the beginning shows, if any: "Jana Nováková napsala"."""
    if not sentences or not (start := sentences[0].full_name()):
        return []
    words = sentences[0].words
    verb = next((word for word in words[start : start + 3] if word not in people.clitic), "")
    if words[start : start + 1] == [","] or len(verb) <= 2 or verb in people.pronoun_of:
        return []
    return [gender for ending, gender in people.ending_of.items() if verb.endswith(ending)]
