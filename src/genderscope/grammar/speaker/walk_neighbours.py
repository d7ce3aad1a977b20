"""Context of a word: whether it modifies a neighbouring noun; part of the token walk (walk.py)."""

from genderscope.grammar import traits as t
from genderscope.grammar.speaker.walk_genders import Genders
from genderscope.grammar.speaker.walk_state import noun_gender

_LONGEST_ROW = 8  # Maximum length of a sequence of adjectives, so that run time is linear in text length


class Neighbours(Genders):
    """Checks on the words that follow a gendered word."""

    def _before_noun(self, index: int) -> bool:
        """Return whether the word modifies a following noun."""
        grammar = self.grammar
        if grammar.tense_participle_endings and self.tokens[index].key.endswith(grammar.tense_participle_endings):
            return False
        if grammar.adjectives_follow_nouns and not self.traits[index] & t.PRENOMINAL:
            return False
        follower = index + 1
        possessives = grammar.enclitic_possessives
        if follower < len(self.tokens) and not grammar.has_cases and self.tokens[follower].key in possessives:
            follower += 1  # "добрият ми вид"
        if not grammar.adjectives_follow_nouns:
            gender = t.gender_of(self.traits[index], t.ADJECTIVE | t.SIDE | t.PAIR)
            end = min(len(self.tokens), index + _LONGEST_ROW)
            while follower < end and not self.traits[follower] & (t.NAMES_PERSON | t.SIDE):
                joined = self.traits[follower] & t.COORDINATOR and self.traits[follower + 1] & t.ADJECTIVE
                if not joined and t.gender_of(self.traits[follower], t.ADJECTIVE) != gender:
                    break
                follower += 1
        if grammar.genitive_endings:
            follower = self._behind_genitives(follower)
        if follower == len(self.tokens):
            return False
        traits = self.traits[follower]
        if traits in (0, t.KNOWN) and not grammar.adjectives_follow_nouns:
            noun = self.tokens[follower].key
            agrees = t.gender_of(self.traits[index], t.ADJECTIVE | t.SIDE | t.PAIR) in (None, noun_gender(noun))
            return agrees and noun.endswith(grammar.nominative_endings)
        if traits & t.NAMES_PERSON == t.NOUN and not self.tokens[follower].key.endswith(
            grammar.agreeing_noun_endings or ("",)
        ):
            return False  # an adverb that the dictionary does not distinguish from a neuter
        return bool(traits & t.NAMES_PERSON) and not traits & (t.FUNCTION | t.PREPOSITION | t.VERB & ~t.INFINITIVE)

    def _behind_genitives(self, index: int) -> int:
        """Return the index of the noun after a sequence of genitives; the given index if there is no such noun."""
        follower = index
        while follower < min(len(self.tokens), index + _LONGEST_ROW):
            token = self.tokens[follower]
            if token.traits & t.NOUN or token.traits & ~(t.KNOWN | t.PAIR | t.ADJECTIVE_F):
                break
            if not token.key.endswith(self.grammar.genitive_endings):
                break
            follower += 1
        ahead = self.traits[follower]
        return follower if ahead & t.NAMES_PERSON and not ahead & t.FUNCTION else index

    def _has_late_subject(self, index: int) -> bool:
        """Return whether a postponed subject with an article follows: "porque estaba cerrada la tienda"."""
        after = self.traits[index + 1]
        small = after & t.FUNCTION or self.traits[index + 2] & t.DEGREE
        idiom = self.traits[index] & t.MAKES and not after & (t.DEFINITE | t.DETERMINER)  # "estaba hecha un lío"
        return bool(after & (t.ARTICLE | t.DETERMINER)) and not small and not idiom

    def _is_last(self, index: int) -> bool:
        """Return whether no noun follows."""
        small = t.PUNCTUATION | t.COORDINATOR | t.OPENER | t.PREPOSITION | t.FUNCTION
        return index + 1 == len(self.tokens) or bool(self.traits[index + 1] & small)

    def _names_agent(self, index: int) -> bool:
        """Return whether the noun is an agent noun, judging by the dictionary or by its ending."""
        token = self.tokens[index]
        return bool(token.traits & (t.COMMON | t.TITLE)) or token.key.endswith(self.grammar.agent_endings or ("-",))
