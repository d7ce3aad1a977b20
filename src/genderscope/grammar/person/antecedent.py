"""Pronouns and predicates elsewhere in the sentence, for nouns that show no gender: “l'insegnante … le chiese”."""

from genderscope.grammar.person.noun_phrase import NounPhrases
from genderscope.grammar.person.reading import GenderMark
from genderscope.grammar.person.tokens import Noun
from genderscope.grammar.reading import Gender

SHORTEST_ENCLITIC = 6  # minimum length of verbs with an object pronoun; “farlo” means “do it”


def antecedent_marks(phrases: NounPhrases, noun: Noun) -> list[GenderMark]:
    """Return the pronouns after a noun, and the predicates of clauses without a subject, that show gender."""
    words, endings = phrases.file.words, phrases.file.agreement
    genders: tuple[tuple[str, str, Gender], ...] = (("m", "masculine", "masculine"), ("f", "feminine", "feminine"))
    marks = []
    for position in range(noun.end, len(phrases.tokens)):
        word = phrases.tokens[position].lowered
        following = phrases.tokens[position + 1].lowered if position + 1 < len(phrases.tokens) else ""
        is_before_verb = following in words["clitic_hosts"] or following.endswith(endings["clitic_hosts"])
        for key, long_key, gender in genders:
            has_enclitic = len(word) >= SHORTEST_ENCLITIC and word.endswith(endings[f"enclitics_{long_key}"])
            is_pronoun = has_enclitic or word in words[f"pronouns_{key}"] - phrases.plural_pronouns
            if is_pronoun or (is_before_verb and word in words[f"clitics_{key}"]):
                marks.append(phrases.mark(position, position + 1, gender, "pronoun"))
        if word in words["clause_starters"]:
            marks += phrases.predicate(position + 1)
        elif word in words["elided_clitics"] and following in words["clitic_hosts"]:
            marks += phrases.participle(position + 2)
    return marks
