"""Noun phrases such as "the sheriff" or "a retired wrestler", which introduce people of unknown gender."""

from genderscope.measures.gest_chat.names import Line
from genderscope.measures.gest_chat.people_words import People

_SHORTEST_AGENT = 5
#: most words between the character's name and a noun that describes the character
_REACH = 5


def is_role(people: People, line: Line, k: int, opens: bool, named: bool) -> bool:
    """Return whether a word is a role of somebody other than the character.

    `opens` says that the sentence begins a text without names, so that its first role is the character's; `named`, that
    the character has a name.
    """
    sentence = line.sentence
    word, before = sentence.words[k], sentence.before(k, 4)
    agent = len(word) >= _SHORTEST_AGENT and word.endswith(tuple(people.agent))
    if not (agent or word in people.role) or any(line.is_name[k + 1 : k + 2]):
        return False
    owned = bool(people.possessive & set(before)) or any(sentence.genitive[max(0, k - 4) : k])
    other = named and line.number > 0 and line.first_name is None and line.subject is None
    third = other and sentence.words[0] in people.definite  # "The third was a banker"
    being = [j for j, each in enumerate(before) if each in people.being]
    direct = bool(being) and not people.preposition & set(before[being[-1] + 1 :])  # not "is afraid of its conductor"
    said = direct and "it" not in before and not third  # "Jo is a doctor", but not "it was the doctor"
    if said or (opens and not owned) or _describes_name(people, line, k):
        return False
    if word in people.role:
        return owned or bool((people.definite | people.bringing | people.preposition) & set(before))
    if (people.definite | people.possessive) & set(before[-2:]):
        return True
    return bool(people.article & set(before[-3:])) and (
        bool(people.preposition & set(before)) or line.first_name is None
    )


def _describes_name(people: People, line: Line, k: int) -> bool:
    """Return whether the noun describes the character: "Martin the ringer", "Sigrid, the apprentice"."""
    names = [j for j in range(max(0, k - _REACH), k) if line.is_name[j]]
    if not names:
        return False
    between = line.sentence.words[names[-1] + 1 : k]
    apart = between[:1] == [","] and not people.possessive & set(between)
    return apart or set(between) <= people.article | people.definite
