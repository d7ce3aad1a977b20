"""Parser and validator for the language files in `data/`, one TOML file per language."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any

from genderscope.core.errors import did_you_mean
from genderscope.grammar import traits as t
from genderscope.grammar.dictionaries.agreement_forms import Agreeing, Endings, Guesses, Pairs
from genderscope.grammar.dictionaries.slavic_forms import AdjectiveEndings, FormRules
from genderscope.grammar.reading import Gender
from genderscope.grammar.speaker.agreement_grammar import AgreementGrammar, NounGenders, Phrases, WordSet
from genderscope.grammar.speaker.word_lists import WORD_LISTS
from genderscope.grammar.word_file import WordFileError, check_keys, read_tables, split_words, type_name

FOLDER = Path(__file__).parent / "data"
_FORMS = {"agreement": Agreeing, "auxiliary": FormRules, "subject": FormRules}


@dataclass(frozen=True)
class LanguageFile:
    """Content of a language file."""

    #: reader for the language: agreement, auxiliary or subject
    reader: str
    grammar: AgreementGrammar
    forms: Agreeing | FormRules
    words: dict[str, int]  # word → traits
    dictionary: str = ""  # simplemma table, if any
    prefixes: Endings = ()  # prefixes that do not change the traits of verbs and adjectives: negation, superlative
    reads_bare_past: bool = False  # whether a text without any first-person word is attributed to the speaker
    shortest_guess: int = 4  # minimum length of words whose traits are guessed by ending
    #: words used by the rules in `rules/CODE.py`
    rules: dict[str, Endings] = field(default_factory=dict)


@cache
def read_language(code: str) -> LanguageFile:
    """Load and validate a language file."""
    return parse_language(read_tables(FOLDER / f"{code}.toml"), f"{code}.toml")


def parse_language(tables: Mapping[str, Any], name: str) -> LanguageFile:
    """Convert the tables of a language file; raise a WordFileError that names the file and the invalid key."""
    content = dict(tables)
    reader = content.get("reader")
    if reader not in WORD_LISTS:
        raise WordFileError(f"{name}: set reader to one of {', '.join(WORD_LISTS)}, not {reader!r}.")
    words = _words(content.pop("words", {}), WORD_LISTS[reader], name)
    forms = _record(_FORMS[reader], content.pop("forms", {}), f"{name}, [forms]")
    nouns = content.pop("noun_genders", None)
    grammar = _record(
        AgreementGrammar,
        content.pop("grammar", {}),
        f"{name}, [grammar]",
        noun_genders=None if nouns is None else _record(NounGenders, nouns, f"{name}, [noun_genders]"),
    )
    language: LanguageFile = _record(LanguageFile, content, name, words=words, forms=forms, grammar=grammar)
    return language


def _words(lists: Any, traits_by_key: Mapping[str, int], name: str) -> dict[str, int]:
    """Return the traits of all words; a word in several lists gets their combined traits."""
    table: dict[str, int] = {}
    for key, listed in check_keys(lists, traits_by_key, f"{name}, [words]").items():
        for word in split_words(listed, f"{name}, [words] {key}"):
            table[word] = table.get(word, 0) | traits_by_key[key]
    return table


def _record(kind: type[Any], table: Any, where: str, **given: Any) -> Any:
    """Build a dataclass from a TOML table, converting each value to the type of its field."""
    types = {item.name: item.type for item in fields(kind) if item.name not in given}
    items = check_keys(table, types, where).items()
    return kind(**{key: _converter(types[key])(value, f"{where} {key}") for key, value in items}, **given)


def _endings(value: Any, where: str) -> Endings:
    return tuple("" if item == "-" else item for item in split_words(value, where))


def _pairs(value: Any, where: str) -> Pairs:
    items = split_words(value, where)
    for item in items:
        if item.count("/") != 1:
            raise WordFileError(f"{where}: '{item}' needs a masculine and a feminine ending, such as o/a.")
    return tuple((masculine, feminine) for masculine, _, feminine in (item.partition("/") for item in items))


def _phrases(value: Any, where: str) -> Phrases:
    return frozenset(tuple(phrase.split()) for phrase in split_words(value, where, ","))


def _traits(value: Any, where: str) -> int:
    bits = 0
    for name in split_words(value, where):
        if name not in t.BY_NAME:
            raise WordFileError(f"{where}: unknown trait '{name}'.{did_you_mean(name, t.BY_NAME)}")
        bits |= t.BY_NAME[name]
    return bits


def _guesses(value: Any, where: str) -> Guesses:
    if not isinstance(value, list) or not all(isinstance(row, list) and len(row) == 2 for row in value):
        raise WordFileError(f'{where} must be a list of rows such as ["adjective_f", "ada ida"].')
    return tuple((_endings(endings, where), _traits(traits, where)) for traits, endings in value)


def _verbs(value: Any, where: str) -> tuple[tuple[str, int], ...]:
    items = check_keys(value, value, where).items()
    return tuple((" ".join(split_words(lemmas, f"{where}.{key}")), _traits(key, where)) for key, lemmas in items)


def _lists(value: Any, where: str) -> dict[str, Endings]:
    return {key: _endings(listed, f"{where}.{key}") for key, listed in check_keys(value, value, where).items()}


def _declensions(value: Any, where: str) -> tuple[AdjectiveEndings, ...]:
    if not isinstance(value, list):
        raise WordFileError(f"{where} must be a list of tables, not {type_name(value)}.")
    return tuple(_record(AdjectiveEndings, table, where) for table in value)


def _instance(kind: type[Any]) -> Callable[[Any, str], Any]:
    def check(value: Any, where: str) -> Any:
        if type(value) is not kind:
            raise WordFileError(f"{where} must be {type_name(kind())}, not {type_name(value)}.")
        return value

    return check


_CONVERTERS: dict[Any, Callable[[Any, str], Any]] = {
    Endings: _endings,
    Pairs: _pairs,
    dict[str, Endings]: _lists,
    WordSet: lambda value, where: frozenset(split_words(value, where)),
    Phrases: _phrases,
    Guesses: _guesses,
    tuple[Gender, ...]: _endings,
    tuple[str, str] | None: _endings,
    tuple[tuple[str, int], ...]: _verbs,
    tuple[AdjectiveEndings, ...]: _declensions,
    str | None: _instance(str),
}


def _converter(hint: Any) -> Callable[[Any, str], Any]:
    return _CONVERTERS.get(hint) or _instance(hint)
