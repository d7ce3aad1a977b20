"""Gender of a text's main character, found by separating the character's pronouns and nouns from bystanders'.

Bystanders are introduced by noun phrases ("her father", "a man named Ron", "Mr. Hale", "the sheriff", "a cat") or by
names. A pronoun that fits no bystander is the character's. One that fits a bystander is only a clue: "her landlord" is
probably the character's, and in "Rowan argued with her", Rowan is somebody else. The algorithm is the same for all
languages; the words are language-specific (`words`).
"""

from dataclasses import dataclass, field

from genderscope.measures.characters.evidence import CLUE, HINT, NOUN, ReferenceCounts
from genderscope.measures.characters.names import Cast, NumberedSentence, cast_of
from genderscope.measures.characters.phrases import (
    CHARACTER,
    OTHER,
    SOMEONE,
    STOPS,
    Context,
    begins_plural,
    follows_plural,
    gender_of_first_verb,
    is_either,
    is_object,
    is_one_of_several,
    is_role,
    means_they,
    shows_gender,
)
from genderscope.measures.characters.sentences import TaggedSentence, sentences_of
from genderscope.measures.characters.words import FIRST_PERSON, THEY, People, people_of

#: most words between a name and an object pronoun of the same clause
_CLAUSE = 7


@dataclass
class CharacterSearch:
    """The evidence about the character so far, and the bystanders."""

    text: str
    language: str = "en"
    #: the character's name in a heading
    heading: str = ""
    evidence: ReferenceCounts = field(default_factory=ReferenceCounts)
    #: gender of a bystander, or of a relative -> number of the sentence that last mentioned one
    others: dict[str, int] = field(default_factory=dict)
    relative_at: dict[str, int] = field(default_factory=dict)
    #: the sentence that last mentioned a bystander of unknown gender, and whether by name only
    unknown_at: int | None = None
    by_name: bool = False
    #: gender of pronouns that agree with a generic noun such as "person"
    agreeing: str | None = None
    #: last sentences that mentioned several people, called them "they", or had the character's name and nobody else
    plural_at: int = -2
    plurals_at: int = -2
    alone_at: int = -2
    cast: Cast = field(
        default_factory=lambda: Cast(frozenset(), frozenset(), frozenset(), paired=False, rivalled=False)
    )

    @property
    def people(self) -> People:
        """The words for people in the text's language."""
        return people_of(self.language)

    def told(self) -> tuple[str, str]:
        """Return the outcome and the rule."""
        sentences = list(sentences_of(self.text, self.language))
        self.cast = cast_of(sentences, self.people, self.language, self.heading)
        self.evidence.votes.update(gender_of_first_verb(self.people, sentences))
        for number, sentence in enumerate(sentences):
            self._read(self.cast.line(sentence, number))
        cast, few_words = self.cast, not self.people.function  # a language with short word lists
        paired = cast.paired or (few_words and any(s.names_two(self.people.conjunction) for s in sentences[:1]))
        return self.evidence.outcome(len(sentences), bool(cast.protagonist), paired, cast.rivalled)

    def _read(self, line: NumberedSentence) -> None:
        people, sentence = self.people, line.sentence
        company = False
        for k, word in enumerate(sentence.words):
            if not sentence.quoted[k]:  # quoted speech may be about anyone
                person = self._word(line, k)
                line.subject = person or line.subject
                company = company or person not in (None, CHARACTER) or self.unknown_at == line.number
            if word in people.possessive or word in people.plural or word in people.role:
                line.accompanied = True
            if word in people.plural or word in people.many or (k == 1 and begins_plural(people, sentence)):
                self.plural_at = line.number
        if line.first_name is not None:
            self.evidence.mentions += 1
            self.alone_at = self.alone_at if company else line.number

    def _word(self, line: NumberedSentence, k: int) -> str | None:
        """Process a word and return the person it refers to, if any."""
        people, word = self.people, line.sentence.words[k]
        person = None
        if word in people.person_of and (k < 3 or people.about & {*line.sentence.before(k, 1)}):
            self.agreeing = people.person_of[word]
        elif word in people.creature_of:
            person = self._bystander(people.creature_of[word], line.number, certain=True)
        elif word in people.relative_of:
            person = self._relative(self._context(line, k))
        elif word in people.noun_of or self._is_title(line.sentence, k):
            person = self._noun(self._context(line, k))
        elif word in people.pronoun_of:
            person = self._pronoun(line, k)
        elif self._is_unknown(line, k):
            name = self.cast.is_bystander(line.sentence, k) and word not in self.cast.introduced
            self.by_name = name and (self.by_name or self.unknown_at != line.number)
            self.unknown_at = line.number
            person = None if name else SOMEONE
        elif line.is_name[k] and not line.sentence.genitive[k]:
            person = CHARACTER
        return person

    def _is_title(self, sentence: TaggedSentence, k: int) -> bool:
        return sentence.words[k] in self.people.title_of and (sentence.capital[k] or sentence.name_at(k + 1))

    def _context(self, line: NumberedSentence, k: int) -> Context:
        return Context(
            sentence=line.sentence,
            k=k,
            number=line.number,
            people=self.people,
            voted=bool(self.evidence.votes),
            known=self.evidence.known,
            others=bool(self.others),
            accompanied=line.accompanied,
            subject=line.subject,
            named=bool(self.cast.protagonist),
            is_name=line.is_name,
            first_name=line.first_name,
        )

    def _is_unknown(self, line: NumberedSentence, k: int) -> bool:
        """Return whether the word introduces a bystander of either gender: "the sheriff", "a cat", "Gregor"."""
        people, sentence = self.people, line.sentence
        word, before = sentence.words[k], sentence.before(k, 4)
        if line.number in self.others.values() and "," in before and people.article & set(before):
            return False  # "her aunt Vera, a doctor"
        if self.cast.is_bystander(sentence, k):
            gendered = any(w in people.relative_of or w in people.noun_of or w in people.title_of for w in before)
            return not gendered and not (k and self.cast.is_bystander(sentence, k - 1))
        return word in people.creature or is_role(people, line, k, self._opens(line), bool(self.cast.protagonist))

    def _opens(self, line: NumberedSentence) -> bool:
        """Return whether the line begins a text without names: "The captain trusts nobody"."""
        return line.number == 0 and not self.cast.protagonist

    def _bystander(self, gender: str, number: int, certain: bool) -> str:
        self.others[gender] = number
        if certain:
            self.evidence.certain.add(gender)
        if self.unknown_at == number:
            self.unknown_at = None  # "her landlord, a strict man"
        return gender

    def _relative(self, context: Context) -> str | None:
        """Record a relative as a bystander, or as the character in "a proud father of three" or "Grandma Rose"."""
        gender = self.people.relative_of[context.word]
        if context.describes_relative() or context.entitles() or context.is_me():
            self.evidence.describe(gender, context.number)
            return CHARACTER
        if context.word in self.people.many:
            return None
        self.relative_at[gender] = context.number
        return self._bystander(gender, context.number, certain=True)

    def _noun(self, context: Context) -> str | None:
        people, word, evidence = self.people, context.word, self.evidence
        gender = people.noun_of.get(word) or people.title_of[word]
        if context.is_generic():
            return None
        if context.is_one_of_two():
            evidence.votes[gender] += NOUN
            return None
        if context.compares() and not self._is_title(context.sentence, context.k):
            only = context.sentence.before(context.k, 1) == ["only"] and context.subject in (None, CHARACTER)
            if only and evidence.known in (None, FIRST_PERSON, gender):
                evidence.describe(gender, context.number)
            return None
        if context.describes() or context.is_me():
            evidence.describe(gender, context.number)
            return CHARACTER
        if word not in people.many and (
            context.subject in (None, CHARACTER, SOMEONE)
            or people.named & set(context.sentence.words[context.k + 1 :][:1])
        ):
            evidence.fitting[gender] += word in people.noun_of
            return self._bystander(gender, context.number, certain=word in people.title_of)
        return None

    def _pronoun(self, line: NumberedSentence, k: int) -> str | None:
        people, evidence, word = self.people, self.evidence, line.sentence.words[k]
        kind = people.pronoun_of[word]
        if kind == FIRST_PERSON:
            evidence.votes[kind] += 1
            evidence.first.add(line.number)
            return None
        if (
            self._is_plural(line, k)
            or is_either(people, line.sentence, k)
            or not shows_gender(people, line.sentence, k)
            or people.honorific & {*line.sentence.words[k + 1 : k + 2]}
        ):
            return None
        if kind == THEY:
            (evidence.fitting if word in people.object else evidence.votes)[kind] += 1
            return CHARACTER
        subject = word not in people.possessive and word not in people.object
        if subject:
            evidence.last = kind
            if line.contrasted == OTHER[kind] and k and line.sentence.words[k - 1] in STOPS | people.conjunction:
                evidence.contrasts += 1
            line.contrasted = kind
        following = line.sentence.words[k + 1 : k + 3]
        following = [] if following[:1] and following[0] in people.pronoun_of else following  # "gave her his …"
        owner = word in people.possessive and any(w in people.relative_of or w in people.role for w in following)
        enclitic = word in people.after_relative
        owner = (owner and line.subject != kind) or enclitic
        unknown_at = self.unknown_at
        if self._fits_bystander(line, k, owner):
            long_ago = line.number - self.others.get(kind, line.number) > 1 and self.unknown_at == unknown_at
            stale = subject and long_ago and evidence.known is None
            both = all(self.relative_at.get(gender) == line.number - 1 for gender in OTHER)
            stale = stale or (both and k == 0)  # after "her mother and her father"
            self.others[kind] = line.number
            evidence.fitting[kind] += 1
            evidence.clues[kind] += (HINT if k else CLUE) if stale else self._clue(line, k, owner)
            return kind
        if kind == self.agreeing and not evidence.votes[kind]:
            evidence.agreed += 1
            return CHARACTER
        evidence.clues[kind] += self._clue(line, k, owner)
        evidence.votes[kind] += 1
        return None if enclitic else CHARACTER

    def _fits_bystander(self, line: NumberedSentence, k: int, owner: bool) -> bool:
        """Return whether a pronoun may refer to a bystander of its gender rather than the character."""
        gender, number = self.people.pronoun_of[line.sentence.words[k]], line.number
        evidence, main_gender = self.evidence, self.evidence.known
        votes = evidence.votes
        if main_gender == FIRST_PERSON and owner and not votes[gender]:
            return True  # "I was born to a sailor and his wife"
        if main_gender == THEY and votes[THEY] > 1 and not votes[gender]:
            return True
        lately = gender in self.others and number - self.others[gender] <= 1
        if gender not in self.others or (main_gender is None and not lately):
            # In "a keeper pulled her out", she is not the keeper.
            earliest = number - 1 if is_object(self.people, line.sentence, k) else number
            recent = self.unknown_at is not None and number - 1 <= self.unknown_at <= earliest
            recent = recent and not self.people.creature & {*line.sentence.before(k, 1)}  # "the ship he mourns"
            theirs = (
                self.unknown_at == number and not self.by_name and line.first_name is None
            )  # "the toddler and his grandmother"
            if recent and not votes[gender] and (theirs or not owner):
                if self.by_name and main_gender not in (OTHER[gender], THEY):
                    evidence.guessed = gender
                self.unknown_at = None
                return True
            if gender not in self.others:
                return False
        if main_gender is None or (main_gender == FIRST_PERSON and not votes[gender]):
            return True
        return votes[gender] == 0 or votes[OTHER[gender]] > votes[gender] or main_gender == THEY

    def _clue(self, line: NumberedSentence, k: int, owner: bool) -> float:
        """Return how strongly a pronoun that fits a bystander seems to be the character's; negative if it does not."""
        people, sentence = self.people, line.sentence
        word = sentence.words[k]
        if owner:
            return CLUE
        near = [j for j in range(max(0, k - _CLAUSE), k) if line.is_name[j] and not sentence.genitive[j]]
        same_clause = bool(near) and not STOPS & set(sentence.words[near[-1] : k])
        if is_object(people, sentence, k):
            return -CLUE if same_clause else 0
        if word in people.possessive:
            return HINT if same_clause else 0
        joined = line.first_name is not None and people.conjunction & {*sentence.before(k, 1)}
        if (same_clause and sentence.words[k - 1] in people.function) or (joined and line.subject == CHARACTER):
            return CLUE  # "Jo has been on the road since she was twenty", "Jo trains apprentices, and she ..."
        later = line.next_name[k]
        if later is not None and not near:
            return HINT if k and sentence.words[later - 1] == "," else -CLUE
        return CLUE if k == 0 and self.alone_at == line.number - 1 else 0

    def _is_plural(self, line: NumberedSentence, k: int) -> bool:
        """Return whether "they" is plural, or an ambiguous word for "she" means "they", judging by the context."""
        people, sentence = self.people, line.sentence
        word = sentence.words[k]
        if people.pronoun_of[word] == THEY:
            if self.evidence.known == THEY:
                return bool(people.plural & set(sentence.before(k, 8)))
            if (
                self.plurals_at == line.number
                or is_one_of_several(sentence, k)
                or (k == 0 and self.plural_at == line.number - 1)
            ):
                self.plural_at = self.plurals_at = line.number
                return True
            return follows_plural(people, sentence, k)
        return means_they(people, sentence, k)
