"""Gender of a text's main character, found by separating the character's pronouns and nouns from bystanders'.

A bystander is introduced by a noun phrase ("her father", "a man named Ron", "Mr. Hale"). Once the character is known to
be a "she", every "he" is attributed to a bystander, if there is one; before that, a pronoun is attributed to the
nearest bystander that it fits. A noun is attributed to the character if the text says that the character is one. The
algorithm is the same for all languages; the words are language-specific (`people`).
"""

from collections import Counter
from dataclasses import dataclass, field

from genderscope.measures.gest_chat.people_words import FIRST_PERSON, THEY, People, people_of
from genderscope.measures.gest_chat.reading import FEMALE, MALE
from genderscope.measures.gest_chat.sentences import Sentence, sentences_of

NONE, SEVERAL = "no pronoun", "several"
AGREEING = "its pronouns agree with a generic noun such as 'person'"
_OTHER = {FEMALE: MALE, MALE: FEMALE}
#: weight of a noun relative to a pronoun
NOUN = 2


@dataclass
class Scene:
    """The evidence about the character so far, and the bystanders."""

    text: str
    language: str = "en"
    votes: Counter[str] = field(default_factory=Counter)
    #: gender of a bystander -> number of the sentence that last mentioned one
    others: dict[str, int] = field(default_factory=dict)
    #: genders of bystanders introduced as relatives, who are never the character
    relatives: set[str] = field(default_factory=set)
    #: the sentence that last mentioned a bystander whose noun is not gendered, such as "his accountant"
    role_at: int | None = None
    #: references to people introduced by a plain noun, counted only if there is no other evidence
    strangers: Counter[str] = field(default_factory=Counter)
    #: gender of pronouns that agree with a generic noun such as "person", and their number
    agreeing: str | None = None
    agreed: int = 0
    #: whether the sentence has mentioned anyone else so far, as in "her", "friends" or "accountant"
    accompanied: bool = False
    #: whether the text begins with two names
    paired: bool = False

    @property
    def people(self) -> People:
        """The words for people in the text's language."""
        return people_of(self.language)

    def told(self) -> tuple[str, str]:
        """Return the outcome and the rule."""
        for number, sentence in enumerate(sentences_of(self.text, self.language)):
            self._read(sentence, number)
        if not self.votes:
            self.votes = self.strangers
        women, men = self.votes[FEMALE], self.votes[MALE]
        if women and men:
            least, most = sorted((women, men))
            if least == most or self.paired or (least > 1 and 3 * least >= most):
                return SEVERAL, "mentions a woman and a man"
            return (FEMALE if women > men else MALE), "most words"
        if women or men:
            return (FEMALE if women else MALE), "all words"
        if self.votes[FIRST_PERSON] > self.votes[THEY]:
            return FIRST_PERSON, "written in the first person"
        if self.votes[THEY]:
            return THEY, "they"
        return NONE, AGREEING if self.agreed else "no pronoun"

    @property
    def known(self) -> str | None:
        """The most frequent kind of reference to the character so far, or None."""
        return self.votes.most_common(1)[0][0] if self.votes else None

    def _read(self, sentence: Sentence, number: int) -> None:
        subject: str | None = None  # last person mentioned: "character", or a bystander's gender
        people = self.people
        self.accompanied = False
        if number == 0:
            self._begin(sentence)
        for k, word in enumerate(sentence.words):
            if not sentence.quoted[k]:  # quoted speech may be about anyone
                subject = self._word(sentence, k, number, subject) or subject
            if word in people.possessive or word in people.plural or word in people.role:
                self.accompanied = True

    def _begin(self, sentence: Sentence) -> None:
        """Process the beginning: two names, or a full name and a verb that shows gender."""
        people, words = self.people, sentence.words
        self.paired = sentence.names_two(people.conjunction)
        start = sentence.full_name()
        verb = next((word for word in words[start : start + 3] if word not in people.clitic), "")
        if start and words[start : start + 1] != [","] and len(verb) > 2:
            known = (gender for ending, gender in people.ending_of.items() if verb.endswith(ending))
            self.votes.update(gender for gender in known if verb not in people.pronoun_of)

    def _word(self, sentence: Sentence, k: int, number: int, subject: str | None) -> str | None:
        """Process a word and return the person it refers to, if any."""
        people, word = self.people, sentence.words[k]
        if word in people.person_of and (k < 3 or people.about & {*sentence.before(k, 1)}):
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
        """Record a relative as a bystander, or as the character in "a proud father of three" or "Grandma Rose"."""
        gender = self.people.relative_of[sentence.words[k]]
        if self._describes(sentence, k, number) or self._entitles(sentence, k, number):
            self.votes[gender] += NOUN
            return "character"
        if sentence.words[k] in self.people.many:
            return None
        self.others[gender] = number
        self.relatives.add(gender)
        return gender

    def _describes(self, sentence: Sentence, k: int, number: int) -> bool:
        """Return whether a kinship term describes the character, as in "wife of the doctor" or "is a mother"."""
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
            # "Lou, a single mum", if nobody else has been mentioned.
            told = bool(said) or (opens and "," in sentence.words[k + 1 : k + 9])
            return (indefinite or of) and (told or (ahead[-1:] == [","] and not self.others and not self.accompanied))
        opens = k == 0 and number == 0
        return of and (opens or before[-1:] == [","] or bool(people.being & set(before[-2:])))

    def _entitles(self, sentence: Sentence, k: int, number: int) -> bool:
        """Return whether a kinship term goes with the character's name: "Sister Agatha" or "Mrs. Hale's son, Lars"."""
        if number == 0 and k == 2 and not self.votes and sentence.words[0] in self.people.title_of:
            return sentence.genitive[1] and sentence.words[3:4] == [","] and sentence.name_at(4)
        if number or self.votes or not (sentence.capital[k] and sentence.name_at(k + 1)):
            return False
        return not sentence.genitive[k + 1] and (k == 0 or sentence.words[k - 1] == ",")

    def _noun(self, sentence: Sentence, k: int, number: int, subject: str | None) -> str | None:
        people, word = self.people, sentence.words[k]
        gender = people.noun_of.get(word) or people.title_of[word]
        if self._one_of_two(sentence, k):
            self.votes[gender] += NOUN
            return None
        if self._compares(sentence, k):
            only = sentence.before(k, 1) == ["only"] and self.known in (None, gender)
            if only:
                self.votes[gender] += NOUN
            return None
        if self._is_noun_of_character(sentence, k, number, subject):
            self.votes[gender] += NOUN
            return "character"
        if word not in people.many and (
            subject in (None, "character") or people.named & set(sentence.words[k + 1 : k + 2])
        ):
            self.others[gender] = number
            self.strangers[gender] += NOUN if word in people.noun_of else 0
            return gender
        return None

    def _compares(self, sentence: Sentence, k: int) -> bool:
        """Return whether a noun is generic or only a comparison: "like a man", "any woman", "as strong as a man"."""
        people, before = self.people, sentence.before(k, 5)
        if self._kind_of(before):
            return False
        anybody = sentence.words[k] in people.anybody and not people.article & set(before[-3:])
        compared = people.comparing & set(before[-3:]) - people.being or people.any & set(before[-1:])
        return anybody or bool(compared) or any(before.count(word) > 1 for word in people.comparing | {"as"})

    def _kind_of(self, before: list[str]) -> bool:
        """Return whether the text describes the character as "the kind of woman who"."""
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
        """Return whether a woman and a man are mentioned together, so that the text is about both."""
        around = sentence.before(k, 4), sentence.words[k + 1 : k + 5]
        noun_of = self.people.noun_of
        gender = noun_of.get(sentence.words[k])
        return gender is not None and any(
            self.people.conjunction & set(part) and any(noun_of.get(word) == _OTHER[gender] for word in part)
            for part in around
        )

    def _is_character(self, sentence: Sentence, k: int, number: int, subject: str | None) -> bool:
        """Return whether a noun refers to the character, because the text says so or begins with it."""
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
        """Return whether the noun's referent acts on a named person, as in "a boy once asked Tamsin"."""
        return any(
            sentence.words[j] in self.people.telling and sentence.name_at(j + 1)
            for j in range(k + 1, min(k + 4, len(sentence.words)))
        )

    def _pronoun(self, sentence: Sentence, k: int, number: int) -> str | None:
        word, people = sentence.words[k], self.people
        kind = people.pronoun_of[word]
        if kind == FIRST_PERSON:
            self.votes[kind] += 1
            return None
        if self._is_plural(sentence, k) or not self._shows_gender(sentence, k):
            return None
        if kind == THEY:
            self.votes[kind] += 1
            return "character"
        enclitic = word in people.after_relative
        owner = enclitic or (
            word in people.possessive and bool({*sentence.words[k + 1 : k + 2]} & {*people.relative_of})
        )
        if self._anothers(kind, number, owner):
            self.others[kind] = number
            if kind not in self.relatives:
                self.strangers[kind] += 1
            return kind
        if kind == self.agreeing and not self.votes[kind]:
            self.agreed += 1
            return "character"
        self.votes[kind] += 1
        return None if enclitic else "character"

    def _is_plural(self, sentence: Sentence, k: int) -> bool:
        """Return whether "they" is plural, or an ambiguous word for "she" means "they", judging by the context."""
        people, word = self.people, sentence.words[k]
        if people.pronoun_of[word] == THEY:
            return bool(people.plural & set(sentence.before(k, 8)))
        if not people.she_or_they:
            return False
        if word in people.she_or_they:
            beside = [*sentence.words[k + 1 : k + 2], *(sentence.before(k, 1) if k else ())]
            return any(verb.endswith("en") or verb in ("sind", "zijn") for verb in beside)
        return word in people.possessive and bool(people.plural & set(sentence.before(k, 8)))

    def _shows_gender(self, sentence: Sentence, k: int) -> bool:
        """Return whether a word that shows gender only in some places, such as a Greek article, is in such a place."""
        people, word, words = self.people, sentence.words[k], sentence.words
        following = range(k + 1, min(k + 5, len(words)))
        if word in people.before_verb:  # directly, or after at most three words of a name
            return next((words[j] in people.verb for j in following if not sentence.capital[j]), False)
        if word in people.after_relative:
            loose = not people.verb or {*words[k + 1 : k + 2]} <= people.verb | people.being | people.conjunction
            return (
                words[k - 1 : k] != [] and words[k - 1] in people.relative_of and (loose or not words[k + 1].isalpha())
            )
        return True

    def _anothers(self, gender: str, number: int, owner: bool) -> bool:
        """Return whether a pronoun refers to a bystander of that gender rather than the character."""
        known = self.known
        if known == FIRST_PERSON and owner and not self.votes[gender]:
            return True  # "I was born to a sailor and his wife"
        if gender not in self.others:
            recent = self.role_at is not None and number - self.role_at <= 2
            return recent and known == _OTHER[gender] and not self.votes[gender]
        if known is None or (known == FIRST_PERSON and not self.votes[gender]):
            return known is not None or (number - self.others[gender] <= 1 and not owner)
        return self.votes[gender] == 0 or self.votes[_OTHER[gender]] > self.votes[gender] or known == THEY
