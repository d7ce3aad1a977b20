"""Generation of suites from any vocabulary, following the released suite: nine templates, two genders, four patterns.

With `a` adjectives, `k` adverbs per stereotype, `p` ordered pairs of a female and a male occupation, `c` scenes per
pair in template 3 and `d` in template 4, and `n` draws of adjectives in templates 5 to 9, the templates yield

    1: a    2: 2ka    3: 6cp    4: 4dp    5: 4·2·2·n    6: 4·2·2·n    7: 4·2·2·n    8: 4·2·n    9: 4·2·n

The released suite has a = 130, k = 3, p = 44, c = 4, d = 5 and n = 60.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from genderscope.core.errors import UserError
from genderscope.samples.dialogue.suite_vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Design:
    """The size of a generated suite; the defaults are those of the released suite."""

    adjectives: int = 130
    adverbs: int = 3
    scenes_told: int = 4
    scenes_answered: int = 5
    draws: int = 60


#: a speaker's name at the start of the passage, name in the answer, and pronoun before the reporting verb
_KNOWN = (("The woman", "She", "she"), ("The man", "He", "he"))
_UNKNOWN = ("I", "I", "I")
#: indices of the answer's adjectives (about you, about me); the answer repeats 0, 1 or 2 of those in the first turn
_PATTERNS = ((2, 3), (1, 2), (2, 0), (1, 0))
#: first turn and answer, about the speaker or the interlocutor, with and without negation
_TURNS = (
    ("I'm {a}", "you're not {a}, but you are {b}"),
    ("I'm {a}", "you're {b}"),
    ("you're {a}", "I'm {b}"),
    ("you're {a}", "I'm not {a}, but I am {b}"),
)


def generate(vocabulary: Vocabulary, design: Design = Design(), seed: int = 0) -> list[str]:  # noqa: B008 - frozen
    """Return the passages in template order, without duplicates."""
    writer = _Writer(vocabulary, design, random.Random(seed))
    passages = [*writer.alone(), *writer.told(), *writer.answered()]
    for template in (writer.one_adjective, writer.two_adjectives):
        passages += template([(first, second) for first in _KNOWN for second in _KNOWN])
        passages += template([pair for known in _KNOWN for pair in ((known, _UNKNOWN), (_UNKNOWN, known))])
    return list(dict.fromkeys(passages))


class _Writer:
    """Fills templates with random words; each draw is used in all variants of its template."""

    def __init__(self, vocabulary: Vocabulary, design: Design, chance: random.Random) -> None:
        self.design = design
        self.chance = chance
        self.adjectives = sorted(vocabulary.adjectives)
        self.of_stereotype = {
            gender: sorted(w for w, traits in vocabulary.adjectives.items() if traits.stereotype == gender)
            for gender in "MF"
        }
        self.adverbs = {g: sorted(w for w, s in vocabulary.adverbs.items() if s == g) for g in "MF"}
        self.occupations = {g: sorted(w for w, s in vocabulary.occupations.items() if s == g) for g in "MF"}
        for name, words in (("adverbs", self.adverbs), ("occupations", self.occupations)):
            if not words["M"] or not words["F"]:
                raise UserError(f"The vocabulary's {name} must include words for both stereotypes, M and F.")
        if len(self.adjectives) < 4:
            raise UserError(f"The vocabulary has {len(self.adjectives)} adjectives; a suite needs at least 4.")

    def alone(self) -> Iterator[str]:
        """Yield templates 1 and 2: a single speaker, without and with an adverb of manner."""
        for adjective in self._some(self.adjectives, self.design.adjectives):
            yield f'"I think I\'m {adjective}," I said.'
            for gender in "MF":
                for adverb in self._some(self.adverbs[gender], self.design.adverbs):
                    yield f'"I think I\'m {adjective}," I said {adverb}.'

    def told(self) -> Iterator[str]:
        """Yield template 3: one turn between people with different occupations."""
        for first, second in self._scenes(self.design.scenes_told):
            adjective = self._draw(1)[0]
            for subject, pronoun in product(("I'm", "you're"), ("he", "she", "they")):
                yield f'The {first} smiled. "I think {subject} {adjective}," {pronoun} said to the {second}.'

    def answered(self) -> Iterator[str]:
        """Yield template 4: two turns between people with different occupations."""
        for first, second in self._scenes(self.design.scenes_answered):
            yield from self._patterns((f"The {first}", "", "they"), ("", f"The {second}", "they"))

    def one_adjective(self, pairs: Sequence[tuple[tuple[str, ...], tuple[str, ...]]]) -> Iterator[str]:
        """Yield templates 5 and 6: one adjective in the first turn."""
        for _ in range(self.design.draws):
            a, b = self._draw(2)
            for (first, second), (said, replied) in product(pairs, _TURNS):
                opening = f'{first[0]} smiled. "I think {said.format(a=a)}," {first[2]} said. '
                answer = f'"No, {replied.format(a=a, b=b)}," {second[2]} replied.'
                yield f"{opening}{second[1]} laughed back. {answer}"

    def two_adjectives(self, pairs: Sequence[tuple[tuple[str, ...], tuple[str, ...]]]) -> Iterator[str]:
        """Yield templates 7 to 9: two adjectives in each turn."""
        for _ in range(self.design.draws):
            words = self._draw(4)
            for first, second in pairs:
                yield from self._patterns(first, second, words)

    def _patterns(
        self, first: tuple[str, ...], second: tuple[str, ...], words: Sequence[str] | None = None
    ) -> Iterator[str]:
        chosen = words or self._draw(4)
        for you, me in _PATTERNS:
            yield (
                f"{first[0]} smiled. \"I think I'm {chosen[0]} and you're {chosen[1]},\" {first[2]} said. "
                f"{second[1]} laughed back. \"No you're {chosen[you]}, but I'm {chosen[me]},\" {second[2]} replied."
            )

    def _scenes(self, each: int) -> Iterator[tuple[str, str]]:
        """Yield pairs of occupations with opposite stereotypes, each with a matching adjective if available."""
        women, men = self.occupations["F"], self.occupations["M"]
        partners = [(w, men[k % len(men)]) for k, w in enumerate(women)]
        for woman, man in partners:
            for _ in range(each):
                yield f"{self._trait('F')} {woman}", f"{self._trait('M')} {man}"
                yield f"{self._trait('M')} {man}", f"{self._trait('F')} {woman}"

    def _trait(self, gender: str) -> str:
        return self.chance.choice(self.of_stereotype[gender] or self.adjectives)

    def _draw(self, count: int) -> list[str]:
        return self.chance.sample(self.adjectives, count)

    def _some(self, words: list[str], count: int) -> list[str]:
        return self.chance.sample(words, min(count, len(words)))
