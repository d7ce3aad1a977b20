"""Names of a text's protagonist and of other people, found by their positions.

The protagonist is the person of a "Name:" line or else the one whose name is most often a subject. A name that follows
a noun for somebody else ("her landlord, Bruno", "a cat named Tom", "the Marigold") belongs to a bystander.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from genderscope.measures.characters.sentences import TaggedSentence
from genderscope.measures.characters.words import People

#: languages that capitalise all nouns, so that a capital inside a sentence does not show a name
_CAPITAL_NOUNS = frozenset({"de"})
#: endings of English words that begin sentences and are no names
_NOT_NAMES = ("s", "ly", "ing", "ed")
#: a name right after these is a place
_LOCATIVE = frozenset(
    {"in", "at", "near", "on", "from", "i", "på", "fra", "från", "en", "em", "à", "la", "în", "nach", "aus", "din"}
)
_DEGREES = frozenset({"dr", "professor", "prof", "captain"})
_BREAKS = frozenset(",;:–—")
_BETWEEN = frozenset({",", ":", "("})
#: most words between a noun and the name that it introduces, as in "his wife of fifty years, Joan"
_REACH = 2


@dataclass
class NumberedSentence:
    """A sentence with the positions of the character's names."""

    sentence: TaggedSentence
    number: int
    is_name: list[bool]
    #: position of the first name, and of the next name after each word
    first_name: int | None
    next_name: list[int | None]
    #: the person mentioned last: "character", or a bystander's gender
    subject: str | None = None
    #: gender of the last pronoun that was a subject
    contrasted: str | None = None
    #: whether the sentence has mentioned anyone else so far, as in "her", "friends" or "accountant"
    accompanied: bool = False


@dataclass(frozen=True)
class Cast:
    """The names of a text."""

    #: all names of the protagonist, lower-cased
    protagonist: frozenset[str]
    #: the first names of bystanders, and of those who are introduced by a noun: "her landlord, Bruno"
    bystanders: frozenset[str]
    introduced: frozenset[str]
    #: whether two people are introduced side by side: "Mei and Tobias run a café"
    paired: bool
    #: whether a second name, which no noun introduces, begins clauses half as often as the protagonist's or more often
    rivalled: bool

    def is_protagonist(self, sentence: TaggedSentence, k: int) -> bool:
        """Return whether the word is one of the protagonist's names."""
        return sentence.capital[k] and sentence.words[k] in self.protagonist

    def is_bystander(self, sentence: TaggedSentence, k: int) -> bool:
        """Return whether the word is the first name of somebody else."""
        return sentence.capital[k] and sentence.words[k] in self.bystanders

    def line(self, sentence: TaggedSentence, number: int) -> NumberedSentence:
        """Mark the protagonist's names in a sentence."""
        is_name = [self.is_protagonist(sentence, k) for k in range(len(sentence.words))]
        next_name: list[int | None] = [None] * len(is_name)
        for k in range(len(is_name) - 2, -1, -1):
            next_name[k] = k + 1 if is_name[k + 1] else next_name[k + 1]
        first_name = is_name.index(True) if True in is_name else None
        return NumberedSentence(sentence, number, is_name, first_name, next_name)


def cast_of(sentences: Sequence[TaggedSentence], people: People, language: str, heading: str = "") -> Cast:
    """Find the names of a text, given the name in its heading, if it has one."""
    runs = [(n, start, end) for n, s in enumerate(sentences) for start, end in _runs(s, people, language, n)]
    inside = {sentences[n].words[start] for n, start, _ in runs if start}
    subjects: Counter[str] = Counter()
    parts: dict[str, set[str]] = {}
    others: dict[str, None] = {}
    places: set[str] = set()
    surname_of: dict[str, str] = {}
    titled: set[str] = set()  # "Mrs. Porter", unless the text begins with her
    for n, start, end in runs:
        sentence = sentences[n]
        first = sentence.words[start]
        first = surname_of.get(first, first) if end == start + 1 else first  # "Hargreaves" after "Rupert Hargreaves"
        doubtful = not start and n and first not in inside and first not in subjects and end == start + 1
        if doubtful and (subjects or first.endswith(_NOT_NAMES) or not _acts(sentence, end, people)):
            continue  # may be any word that begins a sentence
        parts.setdefault(first, set()).update(sentence.words[start:end])
        for name in sentence.words[start + 1 : end]:
            surname_of.setdefault(name, first)
        if first not in subjects and (
            _introduced(sentence, start, people, earlier=bool(subjects)) or _owned(sentence, end, people)
        ):
            others[first] = None
        elif first not in others and _is_subject(sentence, start, people):
            subjects[first] += 1
            if start + n > 1 and start and sentence.words[start - 1] in people.title_of:
                titled.add(first)
        elif first not in subjects and start and sentence.words[start - 1] in _LOCATIVE:
            places.add(first)
    beginning = Counter(
        sentences[n].words[start]
        for n, start, _ in runs
        if start == 0 or sentences[n].words[start - 1] in people.conjunction | _BREAKS
    )
    if runs and runs[0][:2] == (0, 0):
        beginning[sentences[0].words[0]] += 1  # the text begins with this name
    named = frozenset(heading.casefold().split())
    if not named:
        free = [name for name in subjects or parts if name not in others and name not in places]
        free = [name for name in free if name not in titled] or free
        named = frozenset(parts[max(free, key=lambda name: subjects[name] + beginning[name])]) if free else named
    rest = frozenset(name for name in [*others, *parts] if name not in named | places)
    main = max((subjects[name] for name in named if beginning[name]), default=None)
    rivals = [name for name in subjects if name not in named and name not in others and name not in titled]
    rivalled = main is not None and any(beginning[name] and 2 * subjects[name] >= main for name in rivals)
    return Cast(named, rest, frozenset(others), _paired(sentences, runs, people, frozenset(others)), rivalled)


def _acts(sentence: TaggedSentence, end: int, people: People) -> bool:
    """Return whether a word that may be a verb follows."""
    after = sentence.words[end : end + 1]
    return after != [] and after[0].isalpha() and not sentence.capital[end] and after[0] not in people.preposition


def _runs(sentence: TaggedSentence, people: People, language: str, number: int) -> list[tuple[int, int]]:
    """Return the spans of capitalised words that may be names."""
    spans: list[tuple[int, int]] = []
    for k, word in enumerate(sentence.words):
        nickname = sentence.quoted[k] and bool(spans) and spans[-1][1] == k  # Harold "Hal" Brennan
        name = sentence.capital[k] and (nickname or not sentence.quoted[k])
        name = name and len(word) > 1 and word not in people.listed
        name = name and not (k and sentence.words[k - 1] in people.article)  # "an American journalist"
        if name and language in _CAPITAL_NOUNS and k:
            before = sentence.words[k - 1]
            name = before in people.role | people.named | set(people.title_of) or (bool(spans) and spans[-1][1] == k)
        if not name:
            continue
        if spans and spans[-1][1] == k and not sentence.genitive[k - 1]:
            spans[-1] = (spans[-1][0], k + 1)
        else:
            spans.append((k, k + 1))
    return spans


def _introduced(sentence: TaggedSentence, start: int, people: People, earlier: bool) -> bool:
    """Return whether a noun before the name says that it is another person's, a pet's or a ship's."""
    words = sentence.words
    k = start - 1
    if k >= 0 and (words[k] in people.definite or words[k] in people.creature or words[k] in people.creature_of):
        return True
    called = k >= 0 and words[k] in people.named
    if called and not earlier and _is_thing(sentence, people):
        return True
    passed = people.named | people.being | set(people.title_of)
    furthest = max(0, start - 1 - _REACH)
    while k >= furthest and (words[k] in _BETWEEN or words[k] in passed):
        k -= 1
    if k < furthest:
        return False
    word = words[k]
    owned = bool(people.possessive & set(sentence.before(k, 3)))
    apart = owned and k < start - 1 and words[start - 1] not in people.being
    if apart or word in people.creature or word in people.creature_of:
        return True
    title = k == start - 1 and sentence.capital[k]  # "Captain Bligh"
    if (word in people.relative_of or word in people.role) and not title:
        return owned or earlier or words[k + 1] in ":("
    return earlier and (called or (title and (word in people.relative_of or word in people.role)))


def _is_thing(sentence: TaggedSentence, people: People) -> bool:
    """Return whether a sentence begins with a noun that is not a person's: "The tractor is called Hercules"."""
    noun = sentence.words[1:2]
    person = {*people.role, *people.noun_of, *people.relative_of, *people.person_of}
    agent = noun != [] and noun[0].endswith(tuple(people.agent)) and not noun[0].endswith("tor")
    return bool(noun) and sentence.words[0] in people.definite and not {*sentence.words[1:4]} & person and not agent


def _owned(sentence: TaggedSentence, end: int, people: People) -> bool:
    """Return whether the name is explained as in ", her landlord"."""
    after = sentence.words[end : end + 5]
    return (
        after[:1] == [","]
        and after[1:2] != []
        and after[1] in people.possessive
        and any(word in people.relative_of or word in people.role for word in after[2:])
    )


def _is_subject(sentence: TaggedSentence, start: int, people: People) -> bool:
    """Return whether the name may be a subject: no preposition or article stands before it."""
    before = sentence.before(start, 2)
    return not any(word in people.preposition or word in people.bringing for word in before[-1:])


def _paired(
    sentences: Sequence[TaggedSentence], runs: list[tuple[int, int, int]], people: People, others: frozenset[str]
) -> bool:
    """Return whether two names, or a name and a relative's, are joined as the subject of one of the first sentences."""
    for (n, start, end), (m, second, _) in pairwise(runs):
        if n > 1:
            return False
        between = sentences[n].words[end:second]
        between = [word for word in between if word not in people.title_of and word not in _DEGREES]  # "and Dr. Obi"
        joined = n == m and between[:1] != [] and between[0] in people.conjunction
        if not joined or sentences[n].words[start] in others:
            continue
        of_both = bool({"story", "about"} & set(sentences[n].before(start, 2)))
        owner = between[1:2] != [] and between[1] in people.possessive and between[-1] in people.relative_of
        if (len(between) == 1 and (of_both or _is_subject(sentences[n], start, people))) or (of_both and owner):
            return True
    return False
