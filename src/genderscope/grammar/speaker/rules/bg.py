"""Bulgarian: suffixed articles, comparative prefixes, aorists that look like present-tense forms, and "си"."""

from collections.abc import Mapping

from genderscope.grammar import traits as t
from genderscope.grammar.speaker.language_file import read_language
from genderscope.grammar.speaker.rules import Dictionary, LanguageRules
from genderscope.grammar.text import Token, lookup_key


def _with_article(words: dict[str, int]) -> dict[str, int]:
    """Add nouns for men and women with suffixed articles: мъжът, жената."""
    inflected = dict(words)
    for word, traits in words.items():
        if traits & t.PERSON:
            for article in ("та",) if word[-1] in "ая" else ("ът", "ят", "а"):
                inflected.setdefault(word + article, traits)
    return inflected


def _with_aorist(lexicon: Dictionary, _: Mapping[str, int]) -> Dictionary:
    """Mark verbs in -на as first or third person: "падна" means both "I fall" and "he fell"."""

    def traits_of(form: str) -> int:
        traits = lexicon(form)
        return traits | t.EITHER if traits & t.PRESENT and form.endswith("на") else traits

    return traits_of


def _disambiguate(tokens: list[Token]) -> list[Token]:
    """Treat "си" before an adjective as "you are" unless a verb precedes; recognise finite verbs in -нат."""
    for index, token in enumerate(tokens[:-1]):
        behind_verb = index > 0 and tokens[index - 1].traits & (t.COPULA | t.PRESENT)
        if token.key == "си" and tokens[index + 1].traits & t.ADJECTIVE and not behind_verb:
            tokens[index] = token._replace(traits=t.FINITE)
        elif index and token.key.endswith("нат") and tokens[index - 1].key in read_language("bg").rules["before_verb"]:
            tokens[index] = token._replace(traits=t.FINITE | t.PLURAL_PERSON)  # "когато ме прегърнат"
    return tokens


def _positive_form(word: str) -> str:
    """Return the positive form, as listed in the dictionary: силна for по-силна and най-силна."""
    return lookup_key(word).removeprefix("по-").removeprefix("най-")


RULES = LanguageRules(_disambiguate, _with_aorist, _with_article, _positive_form)
