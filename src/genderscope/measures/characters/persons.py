"""Gender of a text's main character, found by separating the character's pronouns and nouns from bystanders'.

A bystander is introduced by a noun ("her father", "a man named Ron", "the sheriff") or a name. A pronoun is the
character's unless it fits a bystander of the last two sentences better; if it fits both, it is contested. Where the
words for the character disagree, or all of them are contested, two people compete and the text is not read.
"""

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise

from genderscope.measures.characters.names import cast_of
from genderscope.measures.characters.sentences import TaggedSentence, sentences_of
from genderscope.measures.characters.words import FIRST_PERSON, THEY, People, people_of
from genderscope.measures.reply_text import FEMALE, MALE, UNREADABLE

NONE, SEVERAL = "no pronoun", "several"
AGREEING = "its pronouns agree with a generic noun such as 'person'"
OTHER = {FEMALE: MALE, MALE: FEMALE}
CHARACTER, SOMEONE = "character", "someone"
#: weight of a noun relative to a pronoun, how many times as frequent the words for one gender must be as those for the
#: other, and the share of the sentences with "I" or "my" from which a text counts as written in the first person
NOUN, CLEAR, FIRST_SHARE = 2, 3, 0.3
_STOPS = frozenset(",;:–—()")
_PLURAL_REACH, _SHORTEST_PLURAL, _REACH = 8, 4, 3


@dataclass
class CharacterSearch:
    """The words for the character so far, and the bystanders."""

    text: str
    language: str = "en"
    #: the character's name in a heading
    heading: str = ""
    #: words that are certainly the character's, pronouns that fit a bystander as well, and all pronouns
    votes: Counter[str] = field(default_factory=Counter)
    contested: Counter[str] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)
    #: words shortly after the character's name, and pronouns that can only be the character's
    anchored: Counter[str] = field(default_factory=Counter)
    bound: Counter[str] = field(default_factory=Counter)
    #: genders of the nouns for the character, with their sentences, and the sentences in the first person
    nouns: list[tuple[str, int]] = field(default_factory=list)
    first: set[int] = field(default_factory=set)
    #: gender of a bystander -> the last sentence about one; the same for unknown genders, and for roles
    rivals: dict[str, int] = field(default_factory=dict)
    unknown_at: int = -9
    role_at: int = -9
    #: the last sentences with the character's name and with a plural noun
    named_at: int = -9
    plural_at: int = -9
    #: genders of bystanders that nouns show, and of those that are relatives, have a title or begin a sentence
    certain: set[str] = field(default_factory=set)
    related: set[str] = field(default_factory=set)
    #: gender of pronouns that agree with a generic noun such as "person", and their number
    agreeing: str | None = None
    agreed: int = 0
    #: the person mentioned last in this sentence: the character, a bystander's gender or "someone"
    focus: str | None = None
    number: int = 0
    sentence: TaggedSentence = field(default_factory=TaggedSentence)
    #: the names of the character and of others, and whether two people are introduced side by side
    main: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    paired: bool = False

    people: People = field(init=False)

    def outcome(self) -> tuple[str, str]:
        """Return the outcome and the rule or, for a text that is not read, the reason."""
        self.people = people_of(self.language)
        sentences = list(sentences_of(self.text, self.language))
        self.main, self.others, self.paired = cast_of(sentences, self.people, self.language, self.heading)
        for self.number, self.sentence in enumerate(sentences):
            self.focus = None
            for k in range(len(self.sentence.words)):
                if not self.sentence.quoted[k]:  # quoted speech may be about anyone
                    self.focus = self._person(k) or self.focus
        return self._decide(len(sentences))

    def _decide(self, sentences: int) -> tuple[str, str]:
        votes, gendered = self.votes, self.votes[FEMALE] + self.votes[MALE]
        both = all(self.words[gender] for gender in OTHER)
        often = len(self.first) >= FIRST_SHARE * sentences and votes[FIRST_PERSON] >= max(2, gendered)
        own = Counter(gender for gender, number in self.nouns if number in self.first) if often else Counter()
        near = self._clear(self.anchored if self.anchored.total() else self.words)
        clear, possible = self._clear(votes), self._clear(self.contested)
        bound = self._clear(self.bound)
        aside = clear and possible == OTHER[clear] and self.contested[OTHER[clear]] > 1 and bound in (None, clear)
        rest = OTHER[min(self.related)] if both and len(self.related) == 1 else None
        counts = votes + self.contested
        rest = rest if rest and counts[rest] >= counts[OTHER[rest]] and bound in (None, rest) else None
        others = len(self.certain) == 2 and self.role_at < 0
        several = self.paired and all(gender in self.words + votes for gender in OTHER)
        several = several and votes[THEY] <= max(2, self.words.total())
        cases = (
            (self._clear(own), "a noun in the first person"),
            (often and FIRST_PERSON, "written in the first person"),
            (several and SEVERAL, "is about a woman and a man"),
            (votes[THEY] > gendered and THEY, "they"),
            ((near == clear or not both) and clear, "most words" if both else "all words"),
            (clear if aside else rest, "the words that do not fit the others"),
            (gendered > 0 and UNREADABLE, "unclear: a woman and a man compete for the main character"),
            (
                (others or not self.main or possible not in self.certain) and possible,
                "all words, which may be about somebody else",
            ),
            (self.contested.total() > 0 and UNREADABLE, "unclear: its pronouns may be about somebody else"),
            (votes[FIRST_PERSON] > votes[THEY] and FIRST_PERSON, "written in the first person"),
            (votes[THEY] > 0 and THEY, "they"),
        )
        last = (NONE, AGREEING if self.agreed else "no pronoun")
        return next(((outcome, rule) for outcome, rule in cases if outcome), last)

    @staticmethod
    def _clear(counts: Counter[str]) -> str | None:
        """Return the gender that is named far more often than the other, or None."""
        gender = max(OTHER, key=lambda gender: counts[gender])
        return gender if counts[gender] > 0 and counts[gender] >= CLEAR * counts[OTHER[gender]] else None

    def _person(self, k: int) -> str | None:
        """Process a word and return the person it refers to, if any."""
        people, sentence = self.people, self.sentence
        word = sentence.words[k]
        if word in people["plural"] or word in people["many"]:
            self.plural_at = self.number
        if word in people.person_of and (k < 3 or people["about"] & {*sentence.before(k, 1)}):
            self.agreeing = people.person_of[word]
            return None
        named = sentence.capital[k] or any(sentence.capital[k + 1 : k + 2])
        if word in people.relative_of or word in people.noun_of or (named and word in people.title_of):
            return self._noun(k)
        if word in people.pronoun_of:
            return self._pronoun(k)
        if self._is_name(k, self.main):
            self.named_at = self.number
            if self.focus is None and not sentence.genitive[k]:
                self.rivals = {gender: at for gender, at in self.rivals.items() if at == self.number}
                self.unknown_at = -9
            return None if sentence.genitive[k] else CHARACTER
        if (role := self._is_role(k)) or self._is_name(k, self.others) or word in people["creature"]:
            self.role_at = self.number if role else self.role_at
            if self.rivals.get(FEMALE) != self.number and self.rivals.get(MALE) != self.number:
                self.unknown_at = self.number
            return SOMEONE
        return None

    def _rival(self, gender: str) -> str:
        self.rivals[gender] = self.number
        if self.unknown_at == self.number:
            self.unknown_at = -9  # "her landlord, a strict man"
        return gender

    def _is_name(self, k: int, names: frozenset[str]) -> bool:
        return k < len(self.sentence.words) and self.sentence.capital[k] and self.sentence.words[k] in names

    def _is_role(self, k: int) -> bool:
        """Return whether a word is a role of somebody other than the character: "her accountant", "the captain"."""
        people, before = self.people, self.sentence.before(k, 3)
        named = self.main and not self._is_name(k + 1, self.main) and not people["being"] & {*before}
        return bool(self.sentence.words[k] in people["role"] and named and before and self.focus != CHARACTER)

    def _noun(self, k: int) -> str | None:
        """Count a noun for the character, or note a bystander."""
        people, sentence = self.people, self.sentence
        word, before = sentence.words[k], sentence.before(k, 5)
        gender = people.relative_of.get(word) or people.noun_of.get(word) or people.title_of[word]
        if word in people["many"]:
            self.rivals[gender] = self.number
            return None
        compared = people["comparing"] & {*before[-3:]} - people["being"] - people["of"]
        if compared or (people["any"] - {"only"}) & {*before[-1:]}:
            return None  # "like a man", "any woman"
        if self.number < 2 and people["conjunction"] & {*before[-3:]}:
            self.paired |= any(people.noun_of.get(noun) == OTHER[gender] for noun in before)
        if self._describes(k, before):
            self.votes[gender] += NOUN
            self.anchored[gender] += NOUN
            self.nouns.append((gender, self.number))
            return CHARACTER
        self.certain.add(gender)
        if word in people.relative_of or word in people.title_of or k < 2:
            self.related.add(gender)
        return self._rival(gender)

    def _describes(self, k: int, before: list[str]) -> bool:
        """Return whether a noun or title refers to the character."""
        people, sentence = self.people, self.sentence
        words, relative = sentence.words, sentence.words[k] in people.relative_of
        name_next = self._is_name(k + 1, self.main)
        if words[k] in people.title_of and name_next:
            return not sentence.genitive[k + 1]  # not "Mrs. Hale's son"
        called = words[k + 1 : k + 2] and words[k + 1] in people["named"] and self._is_name(k + 2, self.main)
        said = before[before.index("i") + 1 :] if "i" in {*before} & people["first"] and "my" not in before else []
        me = (people["being"] | people["article"] | people["definite"]) & {*said[: 1 + len(said) // 2]}  # "I am a man"
        if called or me or (name_next and relative and sentence.capital[k]):
            return True
        start = k - len(before) + max((j + 1 for j, word in enumerate(before) if word in _STOPS), default=0)
        phrase, apposed = words[start:k], start > 1 and self._is_name(start - 2, self.main)
        # "Jamie Okafor – 45, single dad"
        apposed |= start > 1 and self._is_name(0, self.main) and not sentence.genitive[0] and k - start < 2
        between = people["bringing"] | people["preposition"] | people.pronoun_of.keys() - people["possessive"]
        apposed = apposed and not between & {*phrase}
        title = sentence.capital[k] and self._is_name(k + 1, self.others)
        named = sentence.capital[k] and people["named"] & {*before[-1:]}
        mine = relative and people["possessive"] & {*words[k + 1 : k + 2]}
        if title or named or mine or sentence.genitive[k]:
            return False  # "Lady Penelope", "a parrot named Duchess", Norwegian "moren hans", "the wizard's dream"
        after = max((j + 1 for j, word in enumerate(phrase) if word in people["being"]), default=0)
        owned = bool(people["possessive"] & {*phrase[after:]})
        if owned or any(sentence.genitive[start + after : k]):
            return apposed and relative and not owned  # "Yasmin, a tanner's daughter"
        if people["being"] & {*phrase}:
            return self._is_complement(phrase, apposed)
        genderless = not people["she"] and not relative and self.focus in (None, CHARACTER)
        own = apposed and not (relative and people["definite"] & {*phrase})
        return genderless or own or self._opens(k, start, phrase)

    def _is_complement(self, phrase: list[str], apposed: bool) -> bool:
        """Return whether a noun after "is" describes the character: not "there was a man", "it was about a boy"."""
        people, being = self.people, max(j for j, word in enumerate(phrase) if word in self.people["being"])
        subjects = [word for word, after in pairwise(phrase[: being + 1]) if after not in self.main]
        if people["possessive"] & {*subjects}:
            return False  # "his masterpiece is the Countess"
        indirect = ((people["preposition"] | people["bringing"]) - people["being"]) & {*phrase[being + 1 :]}
        return not indirect and not {"there", "it"} & {*phrase[:being]} and (apposed or self.focus in (None, CHARACTER))

    def _opens(self, k: int, start: int, phrase: list[str]) -> bool:
        """Return whether a noun begins the text, or the name follows: "A widow at thirty, Jo …", "Meet the queen"."""
        people, words = self.people, self.sentence.words
        name = next((j for j in range(len(words)) if self._is_name(j, self.main)), None)
        apart = name is not None and name > k and words[name - 1] in {",", *people["named"]}
        begins = start <= 1 or apart or words[:1] == ["meet"]
        late = self.number > 0 and (self.number > 1 or name is not None or k > _REACH)
        if late or not begins or self.rivals or self.votes[FEMALE] + self.votes[MALE]:
            return False
        other = name is None and self.main and (start == k or people["definite"] & {*phrase})
        plain = not (people["bringing"] | people["preposition"] | people.pronoun_of.keys()) & {*phrase}
        if words[k] in people.relative_of:
            return apart and plain
        return not other and plain and (name is None or name < k or apart)  # not "The queen …", in a text about Martin

    def _pronoun(self, k: int) -> str | None:
        people, word = self.people, self.sentence.words[k]
        kind = people.pronoun_of[word]
        if kind == FIRST_PERSON:
            self.votes[kind] += word not in people["object"]
            self.first.add(self.number)
            return None
        if self._is_plural(k) or not self._shows_gender(k):
            return None
        if kind == THEY:
            self.votes[kind] += word not in people["object"] or self.votes[kind] > 0  # "writes poems and burns them"
            return CHARACTER
        if kind == self.agreeing:
            self.agreed += 1
            return CHARACTER
        return self._gendered(k, kind)

    def _gendered(self, k: int, kind: str) -> str:
        """Count a "she" or "he" for the character or for a bystander."""
        people = self.people
        self.words[kind] += 1
        if self._is_bound(k, kind):
            self.votes[kind] += 1
            self.bound[kind] += 1
            return CHARACTER
        lately = self.number - self.rivals.get(kind, -9) <= 1
        self.anchored[kind] += not lately and (self.number == 0 or self.number - self.named_at <= 1)
        unknown = self.number - self.unknown_at <= 1 and kind not in self.rivals
        known = self._clear(self.votes)
        if known == OTHER[kind]:
            if kind in self.rivals or unknown:
                return self._rival(kind)
        elif known is None:
            owned = (people.relative_of.keys() | people["role"]) & {*self.sentence.words[k + 1 : k + 3]}
            owner = bool(owned) and self.sentence.words[k] in people["possessive"]
            here = self.number in (self.rivals.get(kind), self.unknown_at)
            if (lately or unknown) and not (owner and not here):
                self.contested[kind] += 1
                if self.role_at == self.number:
                    self.certain.add(kind)  # "The foreman says that he …"
                return self._rival(kind)
        self.votes[kind] += 1
        after = k > 0 and self.sentence.words[k - 1] in people.relative_of  # Bulgarian "майка му"
        return self.focus if after and self.focus else CHARACTER

    def _is_bound(self, k: int, kind: str) -> bool:
        """Return whether only the character fits: "Jo … her coat" after the name, "her" beside a female subject."""
        people, words = self.people, self.sentence.words
        if k and words[k] in people["possessive"] and words[k - 1] in people.relative_of:
            return True  # Bulgarian "майка му"
        following = words[k + 1 : k + 2]
        possessive = words[k] in people["possessive"] and bool(following) and following[0].isalpha()
        possessive = possessive and following[0] not in people["preposition"] | people["after_object"]
        other = words[k] in people["oblique"] or (words[k] in people["object"] and not possessive)
        if self.focus == CHARACTER and self.named_at == self.number:
            return not other
        return other and (self.focus == SOMEONE or (self.focus == kind and self.rivals.get(kind) == self.number))

    def _is_plural(self, k: int) -> bool:
        """Return whether "they" is plural, or an ambiguous word for "she" means "they", judging by the context."""
        people, sentence = self.people, self.sentence
        word, before = sentence.words[k], sentence.before(k, _PLURAL_REACH)
        if people.pronoun_of[word] == THEY:
            lately = self.number - self.plural_at <= (1 if self.votes[THEY] < 2 else 0)
            led = people["possessive"] | people["definite"] | people["preposition"]
            plurals = (noun for first, noun in pairwise(before) if first in led and len(noun) >= _SHORTEST_PLURAL)
            return lately or before[-1:] == ["of"] or any(noun.endswith("s") for noun in plurals)
        if word in people["she_or_they"]:
            beside = [*sentence.words[k + 1 : k + 2], *before[-1:]]
            return any(verb.endswith("en") or verb in ("sind", "zijn") for verb in beside)
        return bool(people["she_or_they"] and word in people["possessive"] and people["plural"] & {*before})

    def _shows_gender(self, k: int) -> bool:
        """Return whether a word that shows gender only in some places, such as a Greek article, is in such a place."""
        people, sentence, words = self.people, self.sentence, self.sentence.words
        if words[k] in people["before_verb"]:  # directly, or after at most three words of a name
            following = range(k + 1, min(k + 5, len(words)))
            return next((words[j] in people["verb"] for j in following if not sentence.capital[j]), False)
        if words[k] in people["after_relative"]:
            after = {*words[k + 1 : k + 2]}
            loose = not people["verb"] or after <= people["verb"] | people["being"] | people["conjunction"]
            return k > 0 and words[k - 1] in people.relative_of and (loose or not words[k + 1].isalpha())
        return True
