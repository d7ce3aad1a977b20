"""Who a text is about: a walk through its words that tells the character's pronouns and nouns from bystanders'.

A bystander comes in by a noun of its own ("her father", "a man named Ron", "Mr. Hale"). Once the character is known to
be a "she", every "he" is a bystander's where there is one; before that, a pronoun is the nearest bystander's that it
fits. Nouns are the character's where the text says that the character is one. The walk is the same in every language;
the words are that language's (`people`).
"""

from collections import Counter
from dataclasses import dataclass, field

from genderscope.measures.gest_chat.people import FIRST_PERSON, THEY, People, people_of
from genderscope.measures.gest_chat.reading import FEMALE, MALE
from genderscope.measures.gest_chat.sentences import Sentence, sentences_of

NONE, SEVERAL = "no pronoun", "several"
AGREEING = "its pronouns agree with a word for anybody, such as a person"
_OTHER = {FEMALE: MALE, MALE: FEMALE}
#: a noun counts as much as so many pronouns
NOUN = 2


@dataclass
class Scene:
    """The character's words so far, and the bystanders."""

    text: str
    language: str = "en"
    votes: Counter[str] = field(default_factory=Counter)
    evidence: list[str] = field(default_factory=list)
    #: gender of each bystander, and the number of the sentence that last spoke of one
    others: dict[str, int] = field(default_factory=dict)
    #: genders of bystanders who came in as relatives: never the character
    relatives: set[str] = field(default_factory=set)
    #: the sentence that last spoke of a bystander whose noun tells no gender: "his accountant"
    role_at: int | None = None
    #: pronouns of people who came in by a plain noun: they count where nobody else is spoken of
    strangers: Counter[str] = field(default_factory=Counter)
    #: the gender of pronouns that agree with a word for anybody, and how many did
    agreeing: str | None = None
    agreed: int = 0
    #: whether the sentence has spoken of somebody else so far: "her", "friends", "accountant"
    accompanied: bool = False

    @property
    def people(self) -> People:
        """The words of the language."""
        return people_of(self.language)

    def told(self) -> tuple[str, tuple[str, ...], str]:
        """Return the outcome, the words that say so, and why."""
        for number, sentence in enumerate(sentences_of(self.text, self.language)):
            self._read(sentence, number)
        if not self.votes:
            self.votes = self.strangers
        women, men = self.votes[FEMALE], self.votes[MALE]
        shown = tuple(self.evidence[:12])
        if women and men:
            least, most = sorted((women, men))
            if least == most or (least > 1 and 3 * least >= most):
                return SEVERAL, shown, "speaks of a woman and of a man"
            return (FEMALE if women > men else MALE), shown, "most words"
        if women or men:
            return (FEMALE if women else MALE), shown, "all words"
        if self.votes[FIRST_PERSON] > self.votes[THEY]:
            return FIRST_PERSON, shown, "written as I"
        if self.votes[THEY]:
            return THEY, shown, "they"
        return NONE, shown, AGREEING if self.agreed else "no pronoun"

    @property
    def known(self) -> str | None:
        """What the character is called by so far; None where nothing says so."""
        return self.votes.most_common(1)[0][0] if self.votes else None

    def _read(self, sentence: Sentence, number: int) -> None:
        subject: str | None = None  # whom the sentence last spoke of: the character, or a bystander's gender
        people = self.people
        self.accompanied = False
        for k, word in enumerate(sentence.words):
            if not sentence.quoted[k]:  # what somebody says is about whomever they speak of
                subject = self._word(sentence, k, number, subject) or subject
            if word in people.possessive or word in people.plural or word in people.role:
                self.accompanied = True

    def _word(self, sentence: Sentence, k: int, number: int, subject: str | None) -> str | None:
        """Read a word; return whom it speaks of, if anybody."""
        people, word = self.people, sentence.words[k]
        if word in people.person_of and k < 3:
            self.agreeing = people.person_of[word]
        elif word in people.role and people.possessive & set(sentence.before(k, 2)):
            self.role_at = number
        elif word in people.relative_of:
            return self._relative(sentence, k, number)
        elif word in people.noun_of or (word in people.title_of and sentence.capital[k]):
            return self._noun(sentence, k, number, subject)
        elif word in people.pronoun_of:
            return self._pronoun(sentence, k, number)
        return None

    def _relative(self, sentence: Sentence, k: int, number: int) -> str | None:
        """Let a relative in, or take the word for the character: "a proud father of three", "Grandma Rose"."""
        gender = self.people.relative_of[sentence.words[k]]
        if self._describes(sentence, k, number) or self._entitles(sentence, k, number):
            self._vote(gender, sentence.words[k], NOUN)
            return "character"
        if sentence.words[k] in self.people.many:
            return None
        self.others[gender] = number
        self.relatives.add(gender)
        return gender

    def _describes(self, sentence: Sentence, k: int, number: int) -> bool:
        """Whether a relative's noun says what the character is to somebody: "wife of the doctor", "is a mother"."""
        people, before = self.people, sentence.before(k, 4)
        if people.possessive & set(before) or any(sentence.genitive[max(0, k - 4) : k]):
            return False
        articles = [j for j in range(len(before)) if before[j] in people.article | people.definite]
        of = bool(people.of & set(sentence.words[k + 1 : k + 2]))
        if articles:
            start = articles[-1]
            indefinite = before[start] in people.article
            ahead = before[:start][-2:]
            said = people.being & set(ahead) or ahead[-1:] == ["i"]
            opens = k - len(before) + start == 0 and number == 0 and not self.votes
            # "Jo is a mother", "Jo is the mother of"; "A widow at thirty, Jo", "The eldest daughter of a judge, Jo";
            # "Lou, a single mum", where nobody else was spoken of.
            told = bool(said) or (opens and "," in sentence.words[k + 1 : k + 9])
            return (indefinite or of) and (told or (ahead[-1:] == [","] and not self.others and not self.accompanied))
        opens = k == 0 and number == 0
        return of and (opens or before[-1:] == [","] or bool(people.being & set(before[-2:])))

    def _entitles(self, sentence: Sentence, k: int, number: int) -> bool:
        """Whether a relative's noun is part of the character's name: "Sister Agatha", "Mrs. Hale's son, Lars"."""
        if number == 0 and k == 2 and not self.votes and sentence.words[0] in self.people.title_of:
            return sentence.genitive[1] and sentence.words[3:4] == [","] and sentence.name_at(4)
        if number or self.votes or not (sentence.capital[k] and sentence.name_at(k + 1)):
            return False
        return not sentence.genitive[k + 1] and (k == 0 or sentence.words[k - 1] == ",")

    def _noun(self, sentence: Sentence, k: int, number: int, subject: str | None) -> str | None:
        people, word = self.people, sentence.words[k]
        gender = people.noun_of.get(word) or people.title_of[word]
        if self._one_of_two(sentence, k):
            self._vote(gender, word, NOUN)
            return None
        if self._compares(sentence, k):
            only = sentence.before(k, 1) == ["only"] and self.known in (None, gender)
            if only:
                self._vote(gender, word, NOUN)
            return None
        if self._is_noun_of_character(sentence, k, number, subject):
            self._vote(gender, word, NOUN)
            return "character"
        if word not in people.many and (
            subject in (None, "character") or people.named & set(sentence.words[k + 1 : k + 2])
        ):
            self.others[gender] = number
            self.strangers[gender] += NOUN if word in people.noun_of else 0
            return gender
        return None

    def _compares(self, sentence: Sentence, k: int) -> bool:
        """Whether a noun only compares, counts or means anybody: "like a man", "any woman", "as strong as a man"."""
        people, before = self.people, sentence.before(k, 5)
        if self._kind_of(before):
            return False
        anybody = sentence.words[k] in people.anybody and not people.article & set(before[-3:])
        compared = people.comparing & set(before[-3:]) - people.being or people.any & set(before[-1:])
        return anybody or bool(compared) or any(before.count(word) > 1 for word in people.comparing | {"as"})

    def _kind_of(self, before: list[str]) -> bool:
        """Whether the character is said to be "the kind of woman who"."""
        kind = before[-1:] == ["of"] and before[-2:-1] in (["kind"], ["sort"], ["type"])
        return kind and bool((self.people.being | {"i"}) & set(before))

    def _is_noun_of_character(self, sentence: Sentence, k: int, number: int, subject: str | None) -> bool:
        people, word = self.people, sentence.words[k]
        if word in people.many:
            return False
        if self._kind_of(sentence.before(k, 5)):
            return True
        if word in people.title_of and (word not in people.noun_of or sentence.name_at(k + 1)):
            owner = any(sentence.genitive[k + 1 : k + 2])  # "Mrs. Hale's son"
            return not self.votes and number == 0 and k == 0 and not owner
        return self._is_character(sentence, k, number, subject)

    def _one_of_two(self, sentence: Sentence, k: int) -> bool:
        """Whether a woman and a man come in side by side: then the text is about both."""
        around = sentence.before(k, 4), sentence.words[k + 1 : k + 5]
        noun_of = self.people.noun_of
        gender = noun_of.get(sentence.words[k])
        return gender is not None and any(
            self.people.conjunction & set(part) and any(noun_of.get(word) == _OTHER[gender] for word in part)
            for part in around
        )

    def _is_character(self, sentence: Sentence, k: int, number: int, subject: str | None) -> bool:
        """Whether the text says that the character is a woman, or begins with one."""
        people, before = self.people, sentence.before(k, 5)
        if people.possessive & set(before[-2:]) or self._tells_a_name(sentence, k):
            return False
        if people.being & set(before) or before[-2:-1] == ["i"]:
            return subject in (None, "character")
        apart = "," in before or ":" in before
        if number == 0 or (not self.votes and not self.others and number < 2):
            first = not people.bringing & set(before) and (k <= 3 or apart)
            return first or before[:1] == ["meet"]
        return apart and subject in (None, "character") and self.known is None

    def _tells_a_name(self, sentence: Sentence, k: int) -> bool:
        """Whether somebody does something to a person with a name: "a boy once asked Tamsin"."""
        return any(
            sentence.words[j] in self.people.telling and sentence.name_at(j + 1)
            for j in range(k + 1, min(k + 4, len(sentence.words)))
        )

    def _pronoun(self, sentence: Sentence, k: int, number: int) -> str | None:
        word, people = sentence.words[k], self.people
        kind = people.pronoun_of[word]
        if kind == FIRST_PERSON:
            self._vote(kind, word)
            return None
        if self._is_plural(sentence, k):
            return None
        if kind == THEY:
            self._vote(kind, word)
            return "character"
        owner = word in people.possessive and bool(set(sentence.words[k + 1 : k + 2]) & set(people.relative_of))
        if self._anothers(kind, number, owner):
            self.others[kind] = number
            if kind not in self.relatives:
                self.strangers[kind] += 1
            return kind
        if kind == self.agreeing and not self.votes[kind]:
            self.agreed += 1
            return "character"
        self._vote(kind, word)
        return "character"

    def _is_plural(self, sentence: Sentence, k: int) -> bool:
        """Whether "they" are several, or a word for "she" means "they": people named before it or the verb say so."""
        people, word = self.people, sentence.words[k]
        if people.pronoun_of[word] == THEY:
            return bool(people.plural & set(sentence.before(k, 8)))
        if not people.she_or_they:
            return False
        if word in people.she_or_they:
            beside = [*sentence.words[k + 1 : k + 2], *(sentence.before(k, 1) if k else ())]
            return any(verb.endswith("en") or verb in ("sind", "zijn") for verb in beside)
        return word in people.possessive and bool(people.plural & set(sentence.before(k, 8)))

    def _anothers(self, gender: str, number: int, owner: bool) -> bool:
        """Whether a pronoun is a bystander's: one of that gender is there, and the character is not known to be so."""
        known = self.known
        if known == FIRST_PERSON and owner and not self.votes[gender]:
            return True  # "I was born to a sailor and his wife"
        if gender not in self.others:
            recent = self.role_at is not None and number - self.role_at <= 2
            return recent and known == _OTHER[gender] and not self.votes[gender]
        if known is None or (known == FIRST_PERSON and not self.votes[gender]):
            return known is not None or (number - self.others[gender] <= 1 and not owner)
        return self.votes[gender] == 0 or self.votes[_OTHER[gender]] > self.votes[gender] or known == THEY

    def _vote(self, kind: str, word: str, weight: int = 1) -> None:
        self.votes[kind] += weight
        self.evidence.append(word)
