"""Read and check the language files in `data/`, one TOML file per language."""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any

from genderscope.errors import UserError, did_you_mean
from genderscope.grammar import traits as t
from genderscope.grammar.dictionaries.agreeing import Agreeing, Endings, Guesses, Pairs
from genderscope.grammar.dictionaries.forms import AdjectiveEndings, FormRules
from genderscope.grammar.reading import Gender
from genderscope.grammar.speaker.agreement_grammar import AgreementGrammar, NounGenders, Phrases, Words
from genderscope.grammar.speaker.word_lists import WORD_LISTS

FOLDER = Path(__file__).parent / "data"
_FORMS = {"agreement": Agreeing, "auxiliary": FormRules, "subject": FormRules}


class LanguageFileError(UserError, ValueError):
    """A language file is invalid."""


@dataclass(frozen=True)
class LanguageFile:
    """The content of one language file."""

    #: which reader reads the language: agreement, auxiliary or subject
    reader: str
    #: the table of simplemma, if any
    dictionary: str = ""
    #: prefixes that verbs and adjectives keep their traits with: negation, superlative
    prefixes: Endings = ()
    #: a text without any first-person word is still read as the speaker's
    reads_bare_past: bool = False
    #: shorter words are not guessed by their ending
    shortest_guess: int = 4
    grammar: AgreementGrammar = field(default_factory=AgreementGrammar)
    forms: Agreeing | FormRules = field(default_factory=FormRules)
    #: word → traits
    words: dict[str, int] = field(default_factory=dict)


def language_files() -> list[str]:
    """Return the codes of all languages that have a file."""
    return sorted(path.stem for path in FOLDER.glob("??.toml"))


@cache
def read_language(code: str) -> LanguageFile:
    """Read, check and convert one language file."""
    return parse_language(*_tables(FOLDER / f"{code}.toml"))


def parse_language(tables: Mapping[str, Any], name: str) -> LanguageFile:
    """Convert the tables of a language file; raise LanguageFileError, which gives the file and the key."""
    content = dict(tables)
    reader = content.get("reader")
    if reader not in WORD_LISTS:
        raise LanguageFileError(f"{name}: set reader to one of {', '.join(WORD_LISTS)}, not {reader!r}.")
    nested = {
        "words": _words(content.pop("words", {}), WORD_LISTS[reader], name),
        "forms": _record(_FORMS[reader], content.pop("forms", {}), f"{name}, [forms]"),
    }
    if "noun_genders" in content:
        nouns = _record(NounGenders, content.pop("noun_genders"), f"{name}, [noun_genders]")
        nested["grammar"] = _record(
            AgreementGrammar, content.pop("grammar", {}), f"{name}, [grammar]", noun_genders=nouns
        )
    elif "grammar" in content:
        nested["grammar"] = _record(AgreementGrammar, content.pop("grammar"), f"{name}, [grammar]")
    return _record(LanguageFile, content, name, **nested)


def _tables(path: Path) -> tuple[dict[str, Any], str]:
    """Parse a TOML file and the one it includes, and join their tables."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise LanguageFileError(f"{path.name} is not valid TOML: {error}.") from error
    included = content.pop("include", None)
    if included is not None:
        base, _ = _tables(path.with_name(f"{included}.toml"))
        words = base.pop("words", {})
        content = base | content
        own = content.setdefault("words", {})
        for key, listed in words.items():
            own[key] = f"{listed} {own[key]}" if key in own else listed
    return content, path.name


def read_word_lists(path: Path) -> dict[str, frozenset[str]]:
    """Read a file of plain word lists: one table [words], each list a string."""
    tables, name = _tables(path)
    return {key: frozenset(_split(listed, f"{name}, [words] {key}")) for key, listed in tables["words"].items()}


def _words(lists: Any, known: Mapping[str, int], name: str) -> dict[str, int]:
    """Return the traits of all words; a word in several lists gets the traits of all of them."""
    table: dict[str, int] = {}
    for key, listed in _checked(lists, known, f"{name}, [words]").items():
        for word in _split(listed, f"{name}, [words] {key}"):
            table[word] = table.get(word, 0) | known[key]
    return table


def _record(kind: type[Any], table: Any, where: str, **given: Any) -> Any:
    """Build a dataclass from a TOML table, converting each value by the type of its field."""
    types = {each.name: each.type for each in fields(kind)}
    converted = {
        key: _converter(types[key])(value, f"{where} {key}") for key, value in _checked(table, types, where).items()
    }
    return kind(**converted, **given)


def _checked(table: Any, known: Iterable[str], where: str) -> Mapping[str, Any]:
    if not isinstance(table, Mapping):
        raise LanguageFileError(f"{where} must be a table, not {_type_name(table)}.")
    for key in table:
        if key not in known:
            raise LanguageFileError(f"{where}: unknown key '{key}'.{did_you_mean(key, known)}")
    return table


def _split(value: Any, where: str, separator: str | None = None) -> list[str]:
    """Split a list of words, and refuse a word that is in it twice."""
    if not isinstance(value, str):
        raise LanguageFileError(f"{where} must be a string of words, not {_type_name(value)}.")
    items = value.split() if separator is None else [" ".join(item.split()) for item in value.split(separator)]
    if len(set(items)) < len(items):
        repeated = next(item for item in items if items.count(item) > 1)
        raise LanguageFileError(f"{where} contains '{repeated}' twice.")
    return items


def _endings(value: Any, where: str) -> Endings:
    return tuple("" if item == "-" else item for item in _split(value, where))


def _pairs(value: Any, where: str) -> Pairs:
    pairs = [tuple(item.split("/")) for item in _split(value, where)]
    for pair in pairs:
        if len(pair) != 2:
            raise LanguageFileError(f"{where}: '{pair[0]}' needs a masculine and a feminine ending, such as o/a.")
    return tuple(pairs)


def _phrases(value: Any, where: str) -> Phrases:
    return frozenset(tuple(phrase.split()) for phrase in _split(value, where, ","))


def _traits(value: Any, where: str) -> int:
    bits = 0
    for name in _split(value, where):
        if name not in t.BY_NAME:
            raise LanguageFileError(f"{where}: unknown trait '{name}'.{did_you_mean(name, t.BY_NAME)}")
        bits |= t.BY_NAME[name]
    return bits


def _guesses(value: Any, where: str) -> Guesses:
    if not isinstance(value, list) or not all(isinstance(row, list) and len(row) == 2 for row in value):
        raise LanguageFileError(f'{where} must be a list of rows such as ["adjective_f", "ada ida"].')
    return tuple((_endings(endings, where), _traits(traits, where)) for traits, endings in value)


def _verbs(value: Any, where: str) -> tuple[tuple[str, int], ...]:
    if not isinstance(value, dict):
        raise LanguageFileError(f"{where} must be a table, not {_type_name(value)}.")
    return tuple((" ".join(_split(lemmas, f"{where}.{key}")), _traits(key, where)) for key, lemmas in value.items())


def _declensions(value: Any, where: str) -> tuple[AdjectiveEndings, ...]:
    if not isinstance(value, list):
        raise LanguageFileError(f"{where} must be a list of tables, not {_type_name(value)}.")
    return tuple(_record(AdjectiveEndings, table, where) for table in value)


def _instance(kind: type[Any]) -> Callable[[Any, str], Any]:
    def check(value: Any, where: str) -> Any:
        if type(value) is not kind:
            raise LanguageFileError(f"{where} must be {_NAMES[kind]}, not {_type_name(value)}.")
        return value

    return check


_NAMES = {bool: "true or false", str: "a string", int: "a number", float: "a number", list: "a list", dict: "a table"}


def _type_name(value: Any) -> str:
    return _NAMES.get(type(value), type(value).__name__)


_CONVERTERS: dict[Any, Callable[[Any, str], Any]] = {
    Endings: _endings,
    Pairs: _pairs,
    Words: lambda value, where: frozenset(_split(value, where)),
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
