"""Construction of a language's reader from the language file, the dictionary and the rules."""

from collections.abc import Callable
from functools import partial

from genderscope.grammar.dictionaries.lexicon import simplemma_lexicon
from genderscope.grammar.dictionaries.vocabulary import vocabulary, without_prefix
from genderscope.grammar.reading import Reading
from genderscope.grammar.speaker.agreement_reader import AgreementReader
from genderscope.grammar.speaker.auxiliary import read_by_auxiliary
from genderscope.grammar.speaker.language_file import read_language
from genderscope.grammar.speaker.rules import Dictionary, language_rules
from genderscope.grammar.speaker.split_forms import read_both_forms
from genderscope.grammar.speaker.subject import read_by_subject


def build_reader(code: str) -> Callable[[str], Reading]:
    """Return the function that detects the speaker's gender in texts of a language."""
    return partial(read_both_forms, read=_plain_reader(code), language=code)


def _plain_reader(code: str) -> Callable[[str], Reading]:
    """Return the function for texts without forms for both genders."""
    language, rules = read_language(code), language_rules(code)
    words = rules.inflect_words(language.words) if rules.inflect_words else language.words
    dictionary: Dictionary = lambda form: 0  # noqa: E731
    if language.dictionary:
        dictionary = simplemma_lexicon(language.dictionary, code, language.forms).traits
    if language.prefixes:
        dictionary = without_prefix(language.prefixes, dictionary)
    if rules.extend_dictionary:
        dictionary = rules.extend_dictionary(dictionary, words)
    look_up = vocabulary(words, dictionary, language.forms.guesses, rules.lookup_form, language.shortest_guess)
    if language.reader == "agreement":
        return AgreementReader(look_up, language.grammar, rules.disambiguate).read
    if language.reader == "auxiliary":
        return partial(read_by_auxiliary, look_up=look_up, disambiguate=rules.disambiguate)
    bare = language.reads_bare_past
    return partial(read_by_subject, look_up=look_up, disambiguate=rules.disambiguate, reads_bare_past=bare)
