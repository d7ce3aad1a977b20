"""Who a text is about: a walk through its words that tells the character's pronouns and nouns from bystanders'.

A bystander comes in by a noun of its own ("her father", "a man named Ron", "Mr. Hale"). Once the character is known to
be a "she", every "he" is a bystander's where there is one; before that, a pronoun is the nearest bystander's that it
fits. Nouns are the character's where the text says that the character is one.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from genderscope.measures.gest_chat.people import (
    ANY,
    COMPARING,
    FIRST_PERSON,
    NOUN_OF,
    PLURALS,
    POSSESSIVES,
    PRONOUN_OF,
    RELATIVE_OF,
    SAYING,
    THEY,
    TITLES,
)
from genderscope.measures.gest_chat.reading import FEMALE, MALE

NONE, SEVERAL = "no pronoun", "several"
_PIECES = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*|[.!?\n,;:—–()/\"“”]")
_BREAKS = frozenset(".!?\n")
_ABBREVIATED = frozenset({"mr", "mrs", "ms", "dr", "st", "jr"})
_SHORTENED = re.compile(r"['’](?:s|d|ll|re|ve|m)$")
_OTHER = {FEMALE: MALE, MALE: FEMALE}
#: a noun counts as much as so many pronouns
NOUN = 2


@dataclass
class _Sentence:
    """A sentence: its words and marks in lower case, whether each was written with a capital, and which are quoted."""

    words: list[str] = field(default_factory=list)
    capital: list[bool] = field(default_factory=list)
    quoted: list[bool] = field(default_factory=list)

    def before(self, k: int, count: int) -> list[str]:
        """Return the words before a place, the nearest last."""
        return self.words[max(0, k - count) : k]


@dataclass
class Scene:
    """The character's words so far, and the bystanders."""

    text: str
    votes: Counter[str] = field(default_factory=Counter)
    evidence: list[str] = field(default_factory=list)
    #: gender of each bystander, and the number of the sentence that last spoke of one
    others: dict[str, int] = field(default_factory=dict)
    #: pronouns of people who came in by a plain noun: they count where nobody else is spoken of
    strangers: Counter[str] = field(default_factory=Counter)

    def told(self) -> tuple[str, tuple[str, ...], str]:
        """Return the outcome, the words that say so, and why."""
        for number, sentence in enumerate(_sentences(self.text)):
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
        return (THEY, shown, "they") if self.votes[THEY] else (NONE, shown, "no pronoun")

    @property
    def known(self) -> str | None:
        """What the character is called by so far; None where nothing says so."""
        return self.votes.most_common(1)[0][0] if self.votes else None

    def _read(self, sentence: _Sentence, number: int) -> None:
        subject: str | None = None  # whom the sentence last spoke of: the character, or a bystander's gender
        for k, word in enumerate(sentence.words):
            if sentence.quoted[k]:
                continue  # what somebody says is about whomever they speak of
            if word in RELATIVE_OF:
                subject = self._relative(sentence, k, number) or subject
            elif word in NOUN_OF or (word in TITLES and sentence.capital[k]):
                subject = self._noun(sentence, k, number, subject) or subject
            elif word in PRONOUN_OF:
                subject = self._pronoun(sentence, k, number) or subject

    def _relative(self, sentence: _Sentence, k: int, number: int) -> str | None:
        """Let a relative in, or take the word for the character: "a proud father of three"."""
        gender, before = RELATIVE_OF[sentence.words[k]], sentence.before(k, 4)
        article = next((j for j in range(len(before) - 1, -1, -1) if before[j] in {"a", "an"}), None)
        if (
            article is not None
            and not POSSESSIVES & set(before)
            and {"is", "was", "became", "as"} & set(before[:article][-2:])
        ):
            self._vote(gender, sentence.words[k], NOUN)
            return "character"
        self.others[gender] = number
        return gender

    def _noun(self, sentence: _Sentence, k: int, number: int, subject: str | None) -> str | None:
        word = sentence.words[k]
        gender = NOUN_OF.get(word) or TITLES[word]
        before = sentence.before(k, 5)
        if COMPARING & set(before[-3:]) or ANY & set(before[-1:]) or before.count("as") > 1:
            if "only" in before[-1:] and self.known in (None, gender):
                self._vote(gender, word, NOUN)
            return None
        if self._one_of_two(sentence, k):
            self._vote(gender, word, NOUN)
            return None
        if word in TITLES and word not in NOUN_OF:
            mine = not self.votes and number == 0 and k == 0
        else:
            mine = self._is_character(sentence, k, number, subject)
        if mine:
            self._vote(gender, word, NOUN)
            return "character"
        if subject in (None, "character") or {"named", "called"} & set(sentence.words[k + 1 : k + 2]):
            self.others[gender] = number
            self.strangers[gender] += NOUN
            return gender
        return None

    def _one_of_two(self, sentence: _Sentence, k: int) -> bool:
        """Whether a woman and a man come in side by side: then the text is about both."""
        around = sentence.before(k, 4), sentence.words[k + 1 : k + 5]
        gender = NOUN_OF.get(sentence.words[k])
        return gender is not None and any(
            "and" in part and any(NOUN_OF.get(word) == _OTHER[gender] for word in part) for part in around
        )

    def _is_character(self, sentence: _Sentence, k: int, number: int, subject: str | None) -> bool:
        """Whether the text says that the character is a woman, or begins with one."""
        before = sentence.before(k, 5)
        if POSSESSIVES & set(before[-2:]):
            return False
        said = {"is", "was", "became", "becomes", "remains", "am", "being", "as"} & set(before)
        if said:
            return subject in (None, "character")
        apart = "," in before or ":" in before
        if number == 0 or (not self.votes and not self.others and number < 2):
            first = not any(SAYING & {word} for word in before) and (k <= 3 or apart)
            return first or before[:1] == ["meet"]
        return apart and subject in (None, "character") and self.known is None

    def _pronoun(self, sentence: _Sentence, k: int, number: int) -> str | None:
        word = sentence.words[k]
        kind = PRONOUN_OF[word]
        if kind == FIRST_PERSON:
            self._vote(kind, word)
            return None
        if kind == THEY:
            if not PLURALS & set(sentence.before(k, 8)):
                self._vote(kind, word)
                return "character"
            return None
        owner = word in POSSESSIVES and sentence.words[k + 1 : k + 2] and sentence.words[k + 1] in RELATIVE_OF
        if self._anothers(kind, number, bool(owner)):
            self.others[kind] = number
            self.strangers[kind] += 1
            return kind
        self._vote(kind, word)
        return "character"

    def _anothers(self, gender: str, number: int, owner: bool) -> bool:
        """Whether a pronoun is a bystander's: one of that gender is there, and the character is not known to be so."""
        if gender not in self.others:
            return False
        known = self.known
        if known is None or (known == FIRST_PERSON and not self.votes[gender]):
            return known is not None or (number - self.others[gender] <= 1 and not owner)
        return self.votes[gender] == 0 or self.votes[_OTHER[gender]] > self.votes[gender] or known == THEY

    def _vote(self, kind: str, word: str, weight: int = 1) -> None:
        self.votes[kind] += weight
        self.evidence.append(word)


def _sentences(text: str) -> Iterator[_Sentence]:
    """Yield the sentences of a text."""
    sentence = _Sentence()
    inside = False
    for piece in _PIECES.findall(text):
        if piece in '"“”':
            inside = piece != "”" and not (inside and piece == '"')
        elif piece in _BREAKS:
            if sentence.words and not (piece == "." and sentence.words[-1] in _ABBREVIATED):
                yield sentence
                sentence = _Sentence()
            inside = inside and piece != "\n"
        else:
            word = _SHORTENED.sub("", piece)
            sentence.words.append(word.lower())
            sentence.capital.append(word[:1].isupper())
            sentence.quoted.append(inside)
    if sentence.words:
        yield sentence
