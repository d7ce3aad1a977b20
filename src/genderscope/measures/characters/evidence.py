"""Evidence about the gender of a text's main character, and the outcome that follows from it."""

from collections import Counter
from dataclasses import dataclass, field

from genderscope.measures.characters.words import FIRST_PERSON, THEY
from genderscope.measures.reply_text import FEMALE, MALE

NONE, SEVERAL = "no pronoun", "several"
AGREEING = "its pronouns agree with a generic noun such as 'person'"
GENDERS = (FEMALE, MALE)
#: weight of a noun relative to a pronoun
NOUN = 2
#: weights of clues: a strong one, the last pronoun of a text, a weak one
CLUE, END, HINT = 2.0, 1.0, 0.5
#: share of the sentences with "I" or "my" from which a text counts as written in the first person
FIRST_SHARE = 0.3
#: how many times as many words for women and men such a text may have
FIRST_TIMES = 3


@dataclass
class ReferenceCounts:
    """Pronouns and nouns, counted by the person to whom they probably refer."""

    #: pronouns and nouns of the character; the nouns alone, and the sentences they are in
    votes: Counter[str] = field(default_factory=Counter)
    nouns: Counter[str] = field(default_factory=Counter)
    noun_at: list[tuple[str, int]] = field(default_factory=list)
    #: number of pronouns that fit a bystander, and what speaks for and against them being the character's
    fitting: Counter[str] = field(default_factory=Counter)
    clues: dict[str, float] = field(default_factory=lambda: dict.fromkeys(GENDERS, 0.0))
    #: genders of bystanders who are never the character: relatives and people with titles
    certain: set[str] = field(default_factory=set)
    #: gender of a bystander with only a name, guessed from the next pronoun
    guessed: str | None = None
    #: number of pronouns that agree with a generic noun
    agreed: int = 0
    #: sentences in the first person
    first: set[int] = field(default_factory=set)
    #: number of times that a "he" and a "she" are contrasted: "she builds bridges; he builds bouquets"
    contrasts: int = 0
    #: number of sentences with the character's name
    mentions: int = 0
    #: gender of the last pronoun that was a subject
    last: str | None = None

    @property
    def known(self) -> str | None:
        """The most frequent kind of reference to the character so far, or None."""
        return self.votes.most_common(1)[0][0] if self.votes else None

    def describe(self, gender: str, number: int) -> None:
        """Count a noun for the character, in the sentence of that number."""
        self.votes[gender] += NOUN
        self.nouns[gender] += 1
        self.noun_at.append((gender, number))

    def outcome(self, sentences: int, named: bool, paired: bool, rivalled: bool) -> tuple[str, str]:
        """Return the outcome and the rule for a text of that many sentences.

        `named` says whether the character has a name, `paired` whether two people are introduced side by side, and
        `rivalled` whether a second name is as often a subject.
        """
        if self.last is not None:
            self.clues[self.last] += END
        if self.guessed is not None and self.certain == {FEMALE, MALE} - {self.guessed}:
            self.clues[self.guessed] += CLUE  # somebody else certainly has the other gender
        both = all(self.votes[gender] + self.fitting[gender] for gender in GENDERS)
        paired = paired or (rivalled and self.contrasts > 0) or (self.contrasts > 1 and not self.certain)
        return (
            self._in_first_person(sentences)
            or self._about_two(paired and both)
            or self._by_votes(both)
            or self._without_votes(both, named)
        )

    @property
    def _gendered(self) -> int:
        return sum(self.votes[gender] + self.fitting[gender] for gender in GENDERS)

    def _in_first_person(self, sentences: int) -> tuple[str, str] | None:
        """Return the outcome if the text is written in the first person: its nouns show a gender, if any do."""
        often = self.votes[FIRST_PERSON] > 1 and FIRST_TIMES * self.votes[FIRST_PERSON] >= self._gendered
        if not often or len(self.first) < FIRST_SHARE * sentences:
            return None
        own = Counter(gender for gender, number in self.noun_at if number in self.first)
        women, men = own[FEMALE], own[MALE]
        if women != men:
            return (FEMALE if women > men else MALE), "a noun in the first person"
        return FIRST_PERSON, "written in the first person"

    def _about_two(self, paired: bool) -> tuple[str, str] | None:
        return (SEVERAL, "is about a woman and a man") if paired and self.votes[THEY] <= self._gendered else None

    def _by_votes(self, both: bool) -> tuple[str, str] | None:
        """Return the outcome if pronouns or nouns are certainly the character's."""
        women, men = self.votes[FEMALE], self.votes[MALE]
        if self.votes[THEY] > 2 * (women + men) and not self.nouns and not self._is_claimed():
            return THEY, "they"
        weaker, stronger = sorted(self.clues.values())
        clear = women and men and 3 * weaker <= stronger and stronger - weaker >= 2 * CLUE
        guessed = both and self.guessed is not None and not self.nouns
        if (clear or guessed) and (gender := self._by_clues()):
            return gender, "most clues"
        least, most = sorted((women, men))
        if women and men and (least == most or (least > 1 and 3 * least >= most)):
            return SEVERAL, "mentions a woman and a man"
        if women or men:
            return (FEMALE if women > men else MALE), "most words" if women and men else "all words"
        return None

    def _without_votes(self, both: bool, named: bool) -> tuple[str, str]:
        """Return the outcome of a text in which every pronoun may be a bystander's."""
        if self.votes[FIRST_PERSON] > self.votes[THEY] and FIRST_TIMES * self.votes[FIRST_PERSON] >= self._gendered:
            return FIRST_PERSON, "written in the first person"
        gendered = any(self.fitting[gender] for gender in GENDERS)
        if (self.votes[THEY] and not self._is_claimed()) or (self.fitting[THEY] and not gendered):
            return THEY, "they"
        clues = {gender: self.clues[gender] - END * (self.last == gender) for gender in GENDERS}
        by_noun = self.guessed is None and self.mentions > 1  # others are introduced by nouns, the character by name
        if both:
            if by_noun and max(clues.values()) < HINT:
                return NONE, "all pronouns are about others"
            return (gender, "most clues") if (gender := self._by_clues()) else (SEVERAL, "mentions a woman and a man")
        for gender in GENDERS:
            certain = gender in self.certain and gender != self.guessed
            apart = clues[gender] <= -HINT or (certain and clues[gender] < CLUE)
            apart = apart or (by_noun and clues[gender] < END)
            if self.fitting[gender] and not (apart and named):
                return gender, "all words, which may be about somebody else"
        return NONE, AGREEING if self.agreed else "no pronoun"

    def _is_claimed(self) -> bool:
        """Return whether clues speak for a gender more strongly than "they" speaks for neither."""
        clues = max(self.clues[gender] - END * (self.last == gender) for gender in GENDERS)
        return clues >= CLUE and clues > self.votes[THEY]

    def _by_clues(self) -> str | None:
        women, men = self.clues[FEMALE], self.clues[MALE]
        return None if women == men else FEMALE if women > men else MALE
