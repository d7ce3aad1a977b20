"""Which nouns and pronouns refer to the character.

Nouns may describe the character ("Jo is a mother of three", "A widow at thirty, Jo …", "the only girl") or introduce
somebody else ("the sheriff"). The words around a pronoun show whether it is plural, an object or half of "he or she".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from genderscope.measures.characters.names import NumberedSentence
from genderscope.measures.characters.sentences import TaggedSentence
from genderscope.measures.characters.words import People
from genderscope.measures.reply_text import FEMALE, MALE

CHARACTER, SOMEONE = "character", "someone"
_APART = frozenset(",:–—")
#: nouns for the character of a text
_CHARACTERS = ("character", "protagonist", "person", "speaker", "author", "narrator", "hero", "heroine", "writer")
OTHER = {FEMALE: MALE, MALE: FEMALE}
STOPS = frozenset(",;:–—()")
#: most words between a plural noun and "they"
_PLURAL_REACH = 8
_SHORTEST_PLURAL = 4
#: most words between "they" and "together"
_AHEAD = 20
_SOME = frozenset({"most", "some", "all", "many", "one", "two", "both", "each", "none", "half", "few", "any"})
#: endings of English words that may follow an object: "wanted her hanged"
_PARTICIPLES = ("ed", "ing")
_SHORTEST_AGENT = 5
#: most words between the character's name and a noun that describes the character
_NAME_REACH = 5


@dataclass(frozen=True)
class Context:
    """What the text has said before a noun."""

    sentence: TaggedSentence
    #: position of the noun
    k: int
    #: number of the sentence
    number: int
    people: People
    #: whether the character's gender has been shown, and the gender that has been shown most often
    voted: bool
    known: str | None
    #: whether a bystander has been mentioned, in the text or in this sentence
    others: bool
    accompanied: bool
    #: the person mentioned last in the sentence
    subject: str | None
    #: whether the character has a name
    named: bool
    #: whether the word at a position is the character's name
    is_name: list[bool]
    #: position of the first of these names in the sentence
    first_name: int | None

    @property
    def word(self) -> str:
        """The noun."""
        return self.sentence.words[self.k]

    def describes_relative(self) -> bool:
        """Return whether a kinship term describes the character, as in "wife of the doctor" or "is a mother"."""
        people, sentence, k = self.people, self.sentence, self.k
        before = sentence.before(k, 4)
        if self._follows_name():
            return True
        if people.possessive & set(before) or any(sentence.genitive[max(0, k - 4) : k]):
            return False
        if self._stands_apart():
            return True
        if self._is_one_of_others():
            return False
        articles = [j for j in range(len(before)) if before[j] in people.article | people.definite]
        of = bool(people.of & set(sentence.words[k + 1 : k + 2]))
        if articles:
            start = articles[-1]
            indefinite = before[start] in people.article
            ahead = before[:start][-2:]
            said = people.being & set(ahead) or ahead[-1:] == ["i"]
            opens = k - len(before) + start == 0 and self.number == 0 and not self.voted
            # "Jo is a mother", "Jo is the mother of"; "A widow at thirty, Jo", "The eldest daughter of a judge, Jo";
            # "Lou, a single mum", if nobody else has been mentioned.
            comma = next((j for j in range(k + 1, min(k + 9, len(sentence.words))) if sentence.words[j] == ","), None)
            leads = self.number == 0 and not self.voted and comma is not None and any(self.is_name[comma + 1 :][:1])
            told = bool(said) or (opens and comma is not None) or leads
            told = told and self.subject in (None, CHARACTER)
            return (indefinite or of) and (told or (ahead[-1:] == [","] and not self.others and not self.accompanied))
        opens = k == 0 and self.number == 0
        return of and (opens or "," in before[-2:] or bool(people.being & set(before[-2:])))

    def _follows_name(self) -> bool:
        """Return whether the term follows the name as in "Yasmin, a tanner's daughter"."""
        words, k = self.sentence.words, self.k
        start = next((j for j in range(k - 1, max(0, k - 5), -1) if words[j] == ","), None)
        if start is None or not self.is_name[start - 1] or self.sentence.genitive[k]:
            return False
        return words[start + 1] in self.people.article | self.people.definite and not self.people.possessive & set(
            words[start:k]
        )

    def _stands_apart(self) -> bool:
        """Return whether the term follows the name between commas or a dash: "Jo, devoted wife and mother, died"."""
        words, k = self.sentence.words, self.k
        start = next((j for j in range(k - 1, max(-1, k - 6), -1) if words[j] in _APART), None)
        if start is None or not start or self.people.definite & set(words[start:k]):
            return False
        after = words[k + 1 : k + 2]
        ends = not after or after[0] in _APART or after[0] in self.people.conjunction
        if self.is_name[start - 1]:
            return ends or words[start] in "–—"
        name = next((j for j in range(min(4, len(words) - 1)) if self.is_name[j] and not self.is_name[j + 1]), None)
        listed = name is not None and words[name + 1] in _APART and not self.people.article & set(words[start:k])
        return ends and listed and self.number == 0

    def entitles(self) -> bool:
        """Return whether a kinship term goes with the character's name: "Sister Agatha" or "Mrs. Hale's son, Lars"."""
        sentence, k = self.sentence, self.k
        if self.number == 0 and k == 2 and not self.voted and sentence.words[0] in self.people.title_of:
            return sentence.genitive[1] and sentence.words[3:4] == [","] and sentence.name_at(4)
        if not (sentence.capital[k] and sentence.name_at(k + 1)) or sentence.genitive[k + 1]:
            return False
        first = self.number == 0 or self.is_name[k + 1]
        return first and not self.voted and (k == 0 or sentence.words[k - 1] == ",")

    def compares(self) -> bool:
        """Return whether a noun is generic or only a comparison: "like a man", "any woman", "as strong as a man"."""
        people, before = self.people, self.sentence.before(self.k, 5)
        if self._kind_of(before):
            return False
        anybody = self.word in people.anybody and not people.article & set(before[-3:])
        compared = people.comparing & set(before[-3:]) - people.being or people.any & set(before[-1:])
        return anybody or bool(compared) or any(before.count(word) > 1 for word in people.comparing | {"as"})

    def is_generic(self) -> bool:
        """Return whether both genders are named as alternatives: "a man or a woman"."""
        around = self.sentence.words[max(0, self.k - 3) : self.k + 4]
        noun_of = self.people.noun_of
        return ("or" in around or "nor" in around) and any(
            noun_of.get(word) == OTHER[noun_of[self.word]] for word in around if self.word in noun_of
        )

    def _kind_of(self, before: list[str]) -> bool:
        """Return whether the text describes the character as "the kind of woman who"."""
        kind = before[-1:] == ["of"] and before[-2:-1] in (["kind"], ["sort"], ["type"])
        return kind and bool((self.people.being | {"i"}) & set(before))

    def describes(self) -> bool:
        """Return whether a noun or title refers to the character."""
        people, sentence, k = self.people, self.sentence, self.k
        if self.word in people.many:
            return False
        if self._kind_of(sentence.before(k, 5)):
            return True
        if people.named & set(sentence.words[k + 1 : k + 2]) and any(self.is_name[k + 2 : k + 3]):
            return True
        if self.word in people.title_of and (self.word not in people.noun_of or sentence.name_at(k + 1)):
            owner = any(sentence.genitive[k + 1 : k + 2])  # "Mrs. Hale's son"
            if any(self.is_name[k + 1 : k + 2]) and not owner:
                return True
            return not self.voted and self.number == 0 and k == 0 and not owner
        return self._is_character()

    def is_me(self) -> bool:
        """Return whether a noun describes the narrator: "I am the happiest man", "as the only son I", "call me the"."""
        words, k = self.sentence.words, self.k
        before = self.sentence.before(k, 5)
        if self.people.pronoun_of.get(self.word) or self.people.possessive & {*before} - {"my"}:
            return False
        called = "me" in before and bool({"call", "called", "calls", "made", "makes"} & {*before[: before.index("me")]})
        said = any(a == "i" and b in ("am", "was", "m") for a, b in pairwise(before))
        as_one = before[:1] != [] and "as" in before[-3:] and words[k + 1 : k + 2] == ["i"]
        return (called or said or as_one) and "my" not in before

    def is_one_of_two(self) -> bool:
        """Return whether a woman and a man are mentioned together, so that the text is about both."""
        around = self.sentence.before(self.k, 4), self.sentence.words[self.k + 1 : self.k + 5]
        noun_of = self.people.noun_of
        gender = noun_of.get(self.word)
        return gender is not None and any(
            self.people.conjunction & set(part) and any(noun_of.get(word) == OTHER[gender] for word in part)
            for part in around
        )

    def _is_character(self) -> bool:
        """Return whether a noun refers to the character, because the text says so or begins with it."""
        people, sentence, k = self.people, self.sentence, self.k
        before = sentence.before(k, 5)
        owned = people.possessive & set(before[-2:]) or any(sentence.genitive[max(0, k - 2) : k])
        if owned or self._tells_a_name() or self._is_one_of_others():
            return False
        definite = not before or bool(people.definite & set(before[-2:]))  # "Kongen", "the king"
        if self.named and self.first_name is None and definite and not people.being & set(before):
            return False  # "The queen had forbidden bells" in a text about Osric
        if any(sentence.genitive[k : k + 1]) and self.number == 0 and people.definite & set(before):
            return False  # "The emperor's food taster"
        if people.being & set(before) or before[-2:-1] == ["i"]:
            last = max((j for j, word in enumerate(before) if word in people.being), default=0)
            indirect = people.preposition & set(before[last + 1 :]) - people.being  # "it was about a boy"
            there = {"there", "it"} & set(before[:last]) and (self.named or self.known)  # "there was a man"
            nameless = self.first_name is None or self.first_name > k or self.first_name < k - len(before)
            theirs = nameless and people.possessive & set(before[:last])  # "his masterpiece is the Countess"
            return self.subject in (None, CHARACTER) and not indirect and not there and not theirs
        apart = "," in before or ":" in before
        apart = apart and (self.number == 0 or not self.named or self.first_name is not None)
        if self.number == 0 or (not self.voted and not self.others and self.number < 2):
            first = not people.bringing & set(before) and (k <= 3 or apart)
            return first or before[:1] == ["meet"]
        present = not self.named or (self.first_name is not None and self.first_name < self.k)
        return apart and present and self.subject in (None, CHARACTER) and self.known is None

    def _is_one_of_others(self) -> bool:
        """Return whether the sentence is about others than the named character: "The third was a widower"."""
        words = self.sentence.words
        other = self.named and self.first_name is None and self.subject is None and self.number > 0
        return other and words[0] in self.people.definite and not {*words[1:3]} & set(_CHARACTERS)

    def _tells_a_name(self) -> bool:
        """Return whether the noun's referent acts on somebody, as in "a boy once asked Tamsin" or "a man gave them"."""
        words = self.sentence.words
        return any(
            words[j] in self.people.telling
            and (self.sentence.name_at(j + 1) or bool(self.people.object & {*words[j + 1 : j + 2]}))
            for j in range(self.k + 1, min(self.k + 4, len(words)))
        )


def is_role(people: People, line: NumberedSentence, k: int, opens: bool, named: bool) -> bool:
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
    being = [j for j, earlier in enumerate(before) if earlier in people.being]
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


def _describes_name(people: People, line: NumberedSentence, k: int) -> bool:
    """Return whether the noun describes the character: "Martin the ringer", "Sigrid, the apprentice"."""
    names = [j for j in range(max(0, k - _NAME_REACH), k) if line.is_name[j]]
    if not names:
        return False
    between = line.sentence.words[names[-1] + 1 : k]
    apart = between[:1] == [","] and not people.possessive & set(between)
    return apart or set(between) <= people.article | people.definite


def follows_plural(people: People, sentence: TaggedSentence, k: int) -> bool:
    """Return whether a plural noun stands before the pronoun: "her friends", "the archives"."""
    words = sentence.words
    before = people.possessive | people.definite | people.preposition
    return bool(people.plural & set(sentence.before(k, _PLURAL_REACH))) or any(
        words[j].endswith("s") and len(words[j]) >= _SHORTEST_PLURAL and words[j - 1] in before
        for j in range(max(1, k - _PLURAL_REACH), k)
    )


def begins_plural(people: People, sentence: TaggedSentence) -> bool:
    """Return whether a sentence begins with a plural noun: "The wolves came down"."""
    noun = sentence.words[1]
    plural = noun.endswith("s") and not noun.endswith(("ss", "us", "is")) and len(noun) >= _SHORTEST_PLURAL
    return plural and sentence.words[0] in people.definite and not sentence.genitive[1] and not sentence.capital[1]


def is_one_of_several(sentence: TaggedSentence, k: int) -> bool:
    """Return whether "they" are several people: "they live together", "most of them"."""
    some = sentence.before(k, 1) == ["of"] and bool(_SOME & {*sentence.before(k, 2)})
    return some or "together" in sentence.words[k : k + _AHEAD]


def means_they(people: People, sentence: TaggedSentence, k: int) -> bool:
    """Return whether a word for "she" means "they", judging by the verb next to it."""
    if sentence.words[k] in people.she_or_they:
        beside = [*sentence.words[k + 1 : k + 2], *(sentence.before(k, 1) if k else ())]
        return any(verb.endswith("en") or verb in ("sind", "zijn") for verb in beside)
    plural = people.plural & set(sentence.before(k, _PLURAL_REACH))
    return bool(people.she_or_they and sentence.words[k] in people.possessive and plural)


def is_object(people: People, sentence: TaggedSentence, k: int) -> bool:
    """Return whether "him" or "her" ends a phrase, so that "her" cannot be a possessive."""
    after = sentence.words[k + 1 : k + 2]
    others = STOPS | people.preposition | people.function | people.conjunction
    ends = not after or after[0] in others or after[0].endswith(_PARTICIPLES)
    return ends and sentence.words[k] in people.object


def is_either(people: People, sentence: TaggedSentence, k: int) -> bool:
    """Return whether the pronoun is half of "he or she" or "his/her"."""
    around = sentence.words[max(0, k - 2) : k + 3]
    other = OTHER.get(people.pronoun_of[sentence.words[k]])
    return ("or" in around or "/" in around) and any(people.pronoun_of.get(word) == other for word in around)


def shows_gender(people: People, sentence: TaggedSentence, k: int) -> bool:
    """Return whether a word that shows gender only in some places, such as a Greek article, is in such a place."""
    word, words = sentence.words[k], sentence.words
    following = range(k + 1, min(k + 5, len(words)))
    if word in people.before_verb:  # directly, or after at most three words of a name
        return next((words[j] in people.verb for j in following if not sentence.capital[j]), False)
    if word in people.after_relative:
        loose = not people.verb or {*words[k + 1 : k + 2]} <= people.verb | people.being | people.conjunction
        return words[k - 1 : k] != [] and words[k - 1] in people.relative_of and (loose or not words[k + 1].isalpha())
    return True


def gender_of_first_verb(people: People, sentences: Sequence[TaggedSentence]) -> list[str]:
    """Return the gender that the verb after a full name at the beginning shows, if any: "Jana Nováková napsala"."""
    if not sentences or not (start := sentences[0].full_name()):
        return []
    words = sentences[0].words
    verb = next((word for word in words[start : start + 3] if word not in people.clitic), "")
    if words[start : start + 1] == [","] or len(verb) <= 2 or verb in people.pronoun_of:
        return []
    return [gender for ending, gender in people.ending_of.items() if verb.endswith(ending)]
