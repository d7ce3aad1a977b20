"""Gender of a noun phrase: determiner, noun form, adjectives, and the predicate of a noun that shows none."""

from dataclasses import dataclass, replace

from genderscope.grammar.person.person_file import PersonFile
from genderscope.grammar.person.reading import GenderMark, PersonGender
from genderscope.grammar.person.tokens import Noun, TranslationToken, all_people
from genderscope.grammar.reading import Gender

LONGEST_PREDICATE = 4  # words between a noun and its predicate
MOST_ADJECTIVES = 4  # words between a determiner and its noun: “la muy sabia y paciente juez”
SHORTEST_ADJECTIVE = 5  # minimum length of adjectives recognised by their ending; “его” is a pronoun
#: lists of words and endings of words that no adjective before a noun has
NOT_ADJECTIVES = ("not_adjectives", "copulas", "pronouns_m", "pronouns_f", "clause_starters", "prepositions")
_GENDERS: dict[str, PersonGender] = {"m": "masculine", "f": "feminine", "neutral": "neutral"}


@dataclass(frozen=True)
class NounPhrases:
    """Noun phrases of a tokenized translation."""

    text: str
    tokens: list[TranslationToken]
    file: PersonFile
    #: pronouns that show no gender here, since they translate “they”
    plural_pronouns: frozenset[str] = frozenset()

    def determiner(self, noun: Noun) -> int | None:
        """Return the position of the word that determines a noun, looking past adjectives."""
        genders: set[Gender | None] = set()
        for position in range(noun.start - 1, max(noun.start - 2 - MOST_ADJECTIVES, -1), -1):
            kind = self._determiner_gender(self.tokens[position].lowered)
            if kind is not None:
                return None if kind in _GENDERS and genders - {_GENDERS[kind]} else position
            if not self._can_be_adjective(position, noun):
                return None
            genders |= {self._adjective_gender(position)} - {None}
        return None

    def _can_be_adjective(self, position: int, noun: Noun) -> bool:
        """Whether a word can stand between a determiner and a noun."""
        words, word = self.file.words, self.tokens[position].lowered
        if any(word in words[key] for key in ("before_nouns", "before_nouns_m", "before_nouns_f")):
            return True
        if position < noun.start - 1:
            if word in words["adjective_joins"] or self._is_adverb(word):
                return True
            if self.tokens[position].folded in all_people(self.file.code):
                return False
        return word.endswith(self.file.agreement["before_nouns"]) or self._can_be_unlisted_adjective(position, noun)

    def _can_be_unlisted_adjective(self, position: int, noun: Noun) -> bool:
        """Whether neither the form of a word nor a list shows that it is something else than an adjective."""
        word, plural = self.tokens[position].text, self.file.agreement["plurals"]
        if not self.file.words["not_adjectives"] or not (noun.is_exact and word.isalpha() and word.islower()):
            return False
        is_plural = self.tokens[noun.start].lowered.endswith(plural) if plural else False
        return not self.file.is_listed(word, *NOT_ADJECTIVES) and (word.endswith(plural) or not is_plural)

    def can_name_person(self, noun: Noun) -> bool:
        """Whether a noun has the article that nouns for people need in this language."""
        if noun.gender == "neutral" or not self.file.has_articles:
            return True
        words, prefixes = self.tokens[noun.start : noun.end], self.file.article_prefixes
        return self.determiner(noun) is not None or any(word.folded.startswith(prefixes) for word in words)

    def marks(self, noun: Noun) -> list[GenderMark]:
        """Return the words of a noun phrase that show gender, and the noun itself even if it shows none."""
        neutral = self._neutral_mark(noun)
        if neutral is not None:
            return [neutral]
        shows_gender = not self.is_generic_masculine(noun) and not self._can_be_possessive(noun)
        gender = _GENDERS.get(noun.gender) if shows_gender else None
        position = self.determiner(noun)
        hides_gender = position is None and noun.start and self._can_be_unlisted_adjective(noun.start - 1, noun)
        rule = "noun" if gender else "noun without article" if hides_gender else "noun for both genders"
        marks = [self.mark(noun.start, noun.end, gender, rule)]
        marks = [*self._adjectives(noun, position), *marks]
        if position is not None:
            kind = self._determiner_gender_before(noun, position)
            if kind in _GENDERS:
                if noun.is_fixed and kind != noun.gender:
                    marks = [replace(mark, gender=None) for mark in marks]
                marks.insert(0, self.mark(position, position + 1, _GENDERS[kind], "determiner"))
        if all(mark.gender is None for mark in marks) and self._can_agree(noun):
            marks += self.predicate(noun.end, follows_noun=True)
        marks += [*self._relative(noun), *self._verb(noun)]
        if noun.is_feminine_in_cases and all(mark.gender is None for mark in marks) and self._is_object(noun):
            marks = [self.mark(noun.start, noun.end, "feminine", "noun without masculine case ending")]
        return marks

    def _can_be_possessive(self, noun: Noun) -> bool:
        """Whether a noun ends in a pronoun or in a feminine ending that looks like it: “مديره”, “his manager”."""
        has_ending = self.tokens[noun.end - 1].lowered.endswith(self.file.agreement["possessives"])
        return has_ending and noun.end == noun.start + 1 and not self.can_name_person(noun)

    def _can_agree(self, noun: Noun) -> bool:
        """Whether the word after a noun can agree with it."""
        return not self.file.has_agreement_after_subjects_only or self._starts_clause(noun.start - 1)

    def is_generic_masculine(self, noun: Noun) -> bool:
        """Whether a noun has the masculine form, which the language also uses for women."""
        return self.file.has_generic_masculine and noun.gender == "m" and not noun.is_fixed

    def _adjectives(self, noun: Noun, determiner: int | None) -> list[GenderMark]:
        """Return the adjectives between a determiner and its noun that show gender."""
        words = self.file.words
        start = noun.start - 1 if determiner is None else determiner + 1
        by_ending = determiner is not None or not self.file.has_articles
        kinds: tuple[tuple[str, PersonGender], ...] = (("before_nouns_m", "masculine"), ("before_nouns_f", "feminine"))
        return [
            self.mark(position, position + 1, gender, "adjective")
            for position in range(max(start, 0), noun.start)
            for key, gender in kinds
            if self.tokens[position].lowered in words[key] or (by_ending and self._adjective_gender(position) == gender)
        ]

    def _adjective_gender(self, position: int) -> Gender | None:
        word = self.tokens[position].lowered
        if len(word) < SHORTEST_ADJECTIVE:
            return None
        return self._ending_gender(word, "adjectives_masculine", "adjectives_feminine")

    def mark(self, start: int, end: int, gender: PersonGender | None, rule: str) -> GenderMark:
        """Return the mark for `tokens[start:end]`."""
        first, last = self.tokens[start].start, self.tokens[end - 1].end
        return GenderMark(self.text[first:last], first, last, gender, rule)

    def _determiner_gender(self, word: str) -> str | None:
        words = self.file.words
        if word in words["determiners_m"]:
            return "m"
        if word in words["determiners_f"]:
            return "f"
        if word in words["determiners_by_form"]:
            return "by form"
        return "common" if word in words["determiners_common"] else None

    def _determiner_gender_before(self, noun: Noun, position: int) -> str | None:
        """Return the gender of a determiner, which can depend on the form of its noun and the preposition before it."""
        words, word = self.file.words, self.tokens[position].lowered
        if word in words["determiners_by_form"]:
            if noun.gender in ("m", "f"):
                return noun.gender
            follows_preposition = position > 0 and self.tokens[position - 1].lowered in words["prepositions"]
            return "m" if noun.is_base and not follows_preposition else "f"
        if word in words["determiners_plural"] and (not noun.is_base or (noun.gender == "m" and not noun.is_fixed)):
            return "f" if noun.gender == "f" else "common"
        return self._determiner_gender(word)

    def _neutral_mark(self, noun: Noun) -> GenderMark | None:
        """Return the neutral word that names the person, if any."""
        if noun.gender == "neutral":
            return self.mark(noun.start, noun.end, "neutral", "neutral noun")
        if noun.start and self.tokens[noun.start - 1].folded in self.file.neutral_nouns:
            return self.mark(noun.start - 1, noun.end, "neutral", "neutral noun")
        return None

    def predicate(self, start: int, *, follows_noun: bool = False) -> list[GenderMark]:
        """Return the predicate after “is” that shows gender, or the adjective directly after a noun."""
        words, follows_copula = self.file.words, False
        conjunctions = tuple(words["conjunction_prefixes"])
        for position in range(start, min(start + LONGEST_PREDICATE, len(self.tokens))):
            word = self.tokens[position].lowered
            if word in words["copulas"]:
                follows_copula = True
                gender = self._ending_gender(word, "copulas_masculine", "copulas_feminine")
                if gender:  # “היה לה” means “she had”: the pronoun counts, not the verb
                    means_had = self._is_pronoun(position + 1)
                    return [] if means_had else [self.mark(position, position + 1, gender, "agreement")]
            elif word in words["not_predicates"] or word.startswith(conjunctions):
                return []
            elif word not in words["adverbs"] and not word.endswith(self.file.agreement["adverbs"]):
                gender = None
                if follows_copula or (follows_noun and position == start):
                    gender = self._ending_gender(word, "masculine", "feminine")
                if follows_copula and gender is None:
                    gender = self._ending_gender(word, "predicates_masculine", "predicates_feminine")
                return [self.mark(position, position + 1, gender, "agreement")] if gender else []
        return []

    def _is_pronoun(self, position: int) -> bool:
        word = self.tokens[position].lowered if position < len(self.tokens) else ""
        return word in self.file.words["pronouns_m"] or word in self.file.words["pronouns_f"]

    def participle(self, position: int) -> list[GenderMark]:
        """Return the participle at a position, which agrees with an object pronoun: “l'ha invitata”."""
        word = self.tokens[position].lowered if position < len(self.tokens) else ""
        gender = self._ending_gender(word, "masculine", "feminine")
        return [self.mark(position, position + 1, gender, "agreement")] if gender else []

    def _relative(self, noun: Noun) -> list[GenderMark]:
        """Return the relative pronoun that agrees with a noun in its base form: “врач, которая”."""
        following = [token.lowered for token in self.tokens[noun.end : noun.end + 2]]
        if len(following) < 2 or following[0] != "," or not (noun.is_base or self._follows_preposition(noun)):
            return []
        genders: tuple[tuple[str, Gender], ...] = (("relatives_m", "masculine"), ("relatives_f", "feminine"))
        return [
            self.mark(noun.end + 1, noun.end + 2, gender, "relative pronoun")
            for key, gender in genders
            if following[1] in self.file.words[key]
        ]

    def _follows_preposition(self, noun: Noun) -> bool:
        """Whether a preposition precedes a noun, so that no other noun before it has a relative clause."""
        start = noun.start - bool(noun.start and self._adjective_gender(noun.start - 1))
        return start > 0 and self.tokens[start - 1].lowered in self.file.words["prepositions"]

    def _verb(self, noun: Noun) -> list[GenderMark]:
        """Return the verb next to a noun in its base form, in languages whose verbs show gender."""
        if not self.file.agreement["verbs_feminine"] or not noun.is_base:
            return []
        position = self._skip_adverbs(noun.end, 1)
        gender = self._verb_gender(position)
        if gender is None:
            position = self._skip_adverbs(noun.start - 1, -1)
            gender = self._verb_gender(position) if self._starts_clause(self._skip_adverbs(position - 1, -1)) else None
        if gender is None:
            return []
        start = position - (position > 0 and self.tokens[position - 1].lowered.endswith("'"))
        return [self.mark(start, position + 1, gender, "verb")]

    def _is_object(self, noun: Noun) -> bool:
        """Whether another word than a conjunction precedes a noun in its clause, so that it is hardly the subject."""
        words, position = self.file.words, noun.start - 1
        while position >= 0 and self.tokens[position].lowered in words["before_nouns"]:
            position -= 1
        follows_preposition = position >= 0 and self.tokens[position].lowered in words["prepositions"]
        return follows_preposition or not self._starts_clause(self._skip_adverbs(position, -1))

    def _skip_adverbs(self, position: int, step: int) -> int:
        """Return the next position that has no adverb, or the one after the last position to look at."""
        for _ in range(LONGEST_PREDICATE):
            word = self.tokens[position].lowered if 0 <= position < len(self.tokens) else ""
            if not self._is_adverb(word) and not word.endswith("'"):
                break
            position += step
        return position

    def _is_adverb(self, word: str) -> bool:
        is_long_enough = len(word) >= SHORTEST_ADJECTIVE
        return word in self.file.words["adverbs"] or (is_long_enough and word.endswith(self.file.agreement["adverbs"]))

    def _verb_gender(self, position: int) -> Gender | None:
        if not 0 <= position < len(self.tokens):
            return None
        return self._ending_gender(self.tokens[position].lowered, "verbs_masculine", "verbs_feminine")

    def _starts_clause(self, position: int) -> bool:
        """Whether the word after a position is the first of its clause, so that its subject follows: “сказала врач”."""
        word = self.tokens[position].lowered if position >= 0 else ","
        keys = ("clause_starters", "relatives_m", "relatives_f")
        return not word[0].isalnum() or any(word in self.file.words[key] for key in keys)

    def _ending_gender(self, word: str, masculine: str, feminine: str) -> Gender | None:
        """Return the gender of the longest ending that a word has; “^” in an ending is the beginning of the word."""
        whole = f"^{word}"
        lengths = [
            max((len(ending) for ending in self.file.agreement[key] if whole.endswith(ending)), default=0)
            for key in (masculine, feminine)
        ]
        if lengths[0] == lengths[1]:
            return None
        return "masculine" if lengths[0] > lengths[1] else "feminine"


def phrase_gender(marks: list[GenderMark]) -> PersonGender | None:
    """Return the gender that the marks of a noun phrase show together.

    Neutral words decide; otherwise one feminine word makes the phrase feminine, since “la médico” is a woman.
    """
    genders = {mark.gender for mark in marks}
    order: tuple[PersonGender, ...] = ("neutral", "feminine", "masculine")
    return next((gender for gender in order if gender in genders), None)
