"""Parser for the person files in `data/`: one TOML file of nouns, articles and endings per language."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any, Literal

from genderscope.grammar.person.english_nouns import listed_names
from genderscope.grammar.word_file import WordFileError, check_keys, read_tables, split_words
from genderscope.util.text_normalization import normalized

FOLDER = Path(__file__).parent / "data"
#: masculine, feminine; common: same form for both; neutral: no gender, whatever the article
FormGender = Literal["m", "f", "common", "neutral"]
UNTRANSLATED = 100  # rank of English words, which count only after an article
# Combining marks are part of the word: decomposed accents, Hebrew and Arabic vowel signs.
TOKEN = re.compile(r"[^\W\d_ʼ](?:[^\W\d_ʼ]|[\u0300-\u036f\u0591-\u05c7\u064b-\u065f])*['’ʼ]?|\d+|[^\w\s]|[_ʼ]")
_MARKED = re.compile(r"(.*?)\s*(?:\(([mfn])\))?$", re.DOTALL)
_SWITCHES = ("has_generic_masculine", "has_compounds", "has_agreement_after_subjects_only")
#: listed twice: a single form replaces a masculine one, which women use, too; a feminine form replaces a single one
_REPLACED = {("m", "common"), ("neutral", "common"), ("common", "f")}
_MARKS: dict[str | None, FormGender] = {None: "common", "m": "m", "f": "f", "n": "neutral"}


@lru_cache(maxsize=1 << 16)
def fold(word: str) -> str:
    """Return a word in lower case without accents, so that nouns match despite spelling mistakes."""
    lowered = word.casefold().replace("’", "'").replace("ʼ", "'")
    if lowered.isascii():
        return lowered
    return "".join(letter for letter in normalized("NFKD", lowered) if unicodedata.category(letter) != "Mn")


@dataclass(frozen=True, slots=True)
class NounForm:
    """One form of a translation of a person word: folded words, gender, and its place in the list of translations."""

    words: tuple[str, ...]
    gender: FormGender
    rank: int
    #: whether the noun has this one form, so that an article of the other gender overrides it: “la médecin”
    is_fixed: bool
    #: for each word, the word and its inflected forms
    variants: tuple[frozenset[str], ...] = ()
    #: whether the file lists the word with a capital letter, as German nouns: “Koch”, not “koch”
    is_capitalised: bool = False
    #: whether men have other forms in cases, so that this one names a woman in an object: “pro účetní”
    is_feminine_in_cases: bool = False


@dataclass(frozen=True)
class PersonWords:
    """Table `[words]` of a person file."""

    determiners_m: str = ""
    determiners_f: str = ""
    determiners_common: str = ""
    #: masculine or feminine, depending on the case, which the noun's form shows: “der Koch”, “der Köchin”
    determiners_by_form: str = ""
    #: feminine determiners that are also plural: “die”
    determiners_plural: str = ""
    #: a determiner of `determiners_by_form` is feminine after these (“mit der CEO”), and a relative pronoun counts
    #: (“с врачом, с которой”)
    prepositions: str = ""
    pronouns_m: str = ""
    pronouns_f: str = ""
    #: pronouns that also mean “they”: they count only if the English sentence has no “they”
    pronouns_plural: str = ""
    #: object pronouns that are also articles: they count only before a verb
    clitics_m: str = ""
    clitics_f: str = ""
    #: elided object pronouns, with which the participle after “has” agrees: “l'ha invitata”
    elided_clitics: str = ""
    #: verbs before which such a word is not an article
    clitic_hosts: str = ""
    #: conjunctions after which a predicate without a subject continues with a person
    clause_starters: str = ""
    before_nouns: str = ""
    before_nouns_m: str = ""
    before_nouns_f: str = ""
    #: pronouns after a comma that agree with the noun before it: “врач, которая”
    relatives_m: str = ""
    relatives_f: str = ""
    copulas: str = ""
    #: words after a noun that show nothing about it, although they have an ending of `[agreement]`
    not_predicates: str = ""
    adverbs: str = ""
    #: nouns for things, firms and places; “-ería” lists all words with this ending, here and in `not_adjectives`
    not_people: str = ""
    #: words between a determiner and a noun that join or modify adjectives
    adjective_joins: str = ""
    #: words that no unlisted adjective before a noun is; if there are any, every other word may be one
    not_adjectives: str = ""
    #: articles and prepositions written together with the noun: Hebrew ה, ל, Arabic ال
    prefixes: str = ""
    #: those that contain the article, which nouns for people need
    article_prefixes: str = ""
    #: conjunctions written together with the next word, which then does not agree with the noun before it: Hebrew ו
    conjunction_prefixes: str = ""


@dataclass(frozen=True)
class Endings:
    """Table `[agreement]` or `[people_endings]` of a person file."""

    masculine: str = ""
    feminine: str = ""
    common: str = ""
    #: endings of adjectives directly before a noun
    adjectives_masculine: str = ""
    adjectives_feminine: str = ""
    #: endings of adverbs that may separate a noun from its verb
    adverbs: str = ""
    neutral: str = ""
    #: endings of adjectives that may separate a determiner from its noun
    before_nouns: str = ""
    #: endings that show gender only after “is”
    predicates_masculine: str = ""
    predicates_feminine: str = ""
    #: endings of forms of “to be” that show gender themselves: Hebrew היתה
    copulas_masculine: str = ""
    copulas_feminine: str = ""
    #: endings of verbs before which an object pronoun stands, and of verbs with an object pronoun
    clitic_hosts: str = ""
    enclitics_masculine: str = ""
    enclitics_feminine: str = ""
    #: endings of nouns for both genders that only men inflect: “účetního”
    masculine_if_inflected: str = ""
    #: endings that are feminine or mean “his”; they show gender only with an article: Arabic -ه
    possessives: str = ""
    #: plural endings of nouns, which adjectives before them have, too
    plurals: str = ""
    verbs_masculine: str = ""
    verbs_feminine: str = ""


@dataclass(frozen=True)
class PersonFile:
    """Content of a person file."""

    code: str
    people: Mapping[str, str]
    words: Mapping[str, frozenset[str]]
    agreement: Mapping[str, tuple[str, ...]]
    people_endings: Mapping[str, tuple[str, ...]]
    #: ending → endings that replace it
    inflection: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: whether masculine forms are used for women too, so that a pronoun decides: Dutch “de assistent … ze”
    has_generic_masculine: bool = False
    #: whether a longer word with a listed noun at its end names the same kind of person: “Englischlehrer”
    has_compounds: bool = False
    #: whether a word after a noun agrees with it only if the noun begins its clause: Hebrew “המורה שאלה”
    has_agreement_after_subjects_only: bool = False

    def forms(self, person: str) -> list[NounForm]:
        """Return all forms of a person word's translations."""
        listed = next((self.people[name] for name in listed_names(person) if name in self.people), None)
        return self._forms(listed, f"{self.code}.toml, [people] {person}")

    def paired_gender(self, person: str, word: str) -> FormGender | None:
        """Return the gender of a form that has a counterpart of the other gender: “jefe”, since “jefa” is listed."""
        listed = next((self.people[name] for name in listed_names(person) if name in self.people), "")
        for translation in listed.split(","):
            forms = self._forms(translation.strip(), "") if "/" in translation else []
            for form in forms:
                if len(form.words) == 1 and fold(word) in form.variants[0]:
                    return form.gender
        return None

    def parse_forms(self, translations: str, where: str) -> list[NounForm]:
        """Return all forms of translations in the notation of a person file."""
        return self._forms(translations or None, where)

    @cached_property
    def neutral_nouns(self) -> frozenset[str]:
        """Neutral nouns for any person: “la persona encargada” is neutral, whatever “encargada” shows."""
        forms = [form for form in self.forms("person") if form.gender == "neutral"]
        return frozenset(word for form in forms for word in form.variants[-1])

    @cached_property
    def prefixes(self) -> tuple[str, ...]:
        """Articles and prepositions written together with the noun, short ones first so that most of a word counts."""
        return tuple(
            sorted(
                map(fold, self.words["prefixes"] | self.words["article_prefixes"]),
                key=lambda prefix: (len(prefix), prefix),
            )
        )

    @cached_property
    def article_prefixes(self) -> tuple[str, ...]:
        """Prefixes that contain the article."""
        return tuple(map(fold, self.words["article_prefixes"]))

    @cached_property
    def has_articles(self) -> bool:
        """Whether nouns usually have a determiner."""
        return any(listed for key, listed in self.words.items() if key.startswith(("determiners", "article_prefixes")))

    def is_listed(self, word: str, *keys: str) -> bool:
        """Whether lists of `[words]` contain a word in lower case; “-ería” lists all words with this ending."""
        return any(word in self.words[key] or word.endswith(self._listed_endings[key]) for key in keys)

    @cached_property
    def _listed_endings(self) -> dict[str, tuple[str, ...]]:
        return {
            key: tuple(entry[1:] for entry in entries if entry.startswith("-")) for key, entries in self.words.items()
        }

    def untranslated(self, person: str) -> list[NounForm]:
        """Return the English word as a noun for both genders."""
        words = _folded_words(person)
        return [NounForm(words, "common", UNTRANSLATED, False, tuple(map(self._inflected, words)))] if words else []

    def _forms(self, translations: str | None, where: str) -> list[NounForm]:
        listed = [] if translations is None else split_words(translations, where, ",")
        forms: dict[tuple[str, ...], NounForm] = {}
        for rank, translation in enumerate(listed):
            for form in _parse(translation, rank, where):
                earlier = forms.get(form.words)
                if earlier is None or (earlier.gender, form.gender) in _REPLACED:
                    forms[form.words] = replace(form, variants=tuple(map(self._inflected, form.words)))
        return [case_form for form in forms.values() for case_form in self._split_by_case(form)]

    def _split_by_case(self, form: NounForm) -> list[NounForm]:
        """Separate the base form of a noun for both genders from its masculine cases, if only men inflect it."""
        endings = tuple(map(fold, self.agreement["masculine_if_inflected"]))
        if form.gender != "common" or not form.words[-1].endswith(endings):
            return [form]
        cases = tuple(
            variants - {word} if word.endswith(endings) else variants
            for word, variants in zip(form.words, form.variants, strict=True)
        )
        base = tuple(frozenset((word,)) for word in form.words)
        return [replace(form, variants=base, is_feminine_in_cases=True), replace(form, gender="m", variants=cases)]

    def _inflected(self, word: str) -> frozenset[str]:
        ending = next((suffix for suffix in self.inflection if word.endswith(suffix)), None)
        if ending is None:
            return frozenset((word,))
        stem = word.removesuffix(ending)
        return frozenset((word, *(stem + suffix for suffix in self.inflection[ending])))


def _parse(translation: str, rank: int, where: str) -> list[NounForm]:
    """Convert “director/directora general”, “juez/jueza”, “artista” or “ama de llaves (f)”."""
    match = _MARKED.match(translation)
    assert match is not None
    text, mark = match[1], match[2]
    words = [word.split("/") for word in text.split()]
    if not words or any(len(word) > 2 or not all(word) for word in words) or "(" in text:
        raise WordFileError(f"{where}: '{translation}' is not a noun such as 'autor/autora', 'artista' or 'ama (f)'.")
    if mark is not None or all(len(word) == 1 for word in words):
        variants: list[tuple[list[str], FormGender]] = [([word[0] for word in words], _MARKS[mark])]
        if any(len(word) == 2 for word in words):
            raise WordFileError(f"{where}: '{translation}' has two forms and a mark; give one of them.")
    else:
        pairs = [(word[0], word[-1]) for word in words]
        variants = [([pair[0] for pair in pairs], "m"), ([pair[1] for pair in pairs], "f")]
    is_fixed = mark in ("m", "f")
    return [
        NounForm(_folded_words(" ".join(parts)), gender, rank, is_fixed, is_capitalised=parts[0][0].isupper())
        for parts, gender in variants
    ]


def _folded_words(text: str) -> tuple[str, ...]:
    return tuple(fold(token) for token in TOKEN.findall(text))


@cache
def read_person_file(code: str) -> PersonFile:
    """Load and validate a person file."""
    return parse_person_file(read_tables(FOLDER / f"{code}.toml"), code)


def parse_person_file(tables: Mapping[str, Any], code: str) -> PersonFile:
    """Convert the tables of a person file; raise a WordFileError that names the file and the invalid key."""
    name = f"{code}.toml"
    check_keys(tables, (*_SWITCHES, "words", "agreement", "inflection", "people_endings", "people"), name)
    for key in _SWITCHES:
        if not isinstance(tables.get(key, False), bool):
            raise WordFileError(f"{name}: {key} must be true or false.")
    words = _lists(tables.get("words", {}), PersonWords, f"{name}, [words]")
    for key in ("people", "things"):
        table = tables.get(key, {})
        if not isinstance(table, Mapping) or not all(isinstance(text, str) for text in table.values()):
            raise WordFileError(f"{name}: [{key}] must be a table of strings.")
    inflection = tables.get("inflection", {})
    replaced = {
        fold(end): tuple(map(fold, split_words(inflection[end], f"{name}, [inflection] {end}"))) for end in inflection
    }
    agreement = _lists(tables.get("agreement", {}), Endings, f"{name}, [agreement]")
    endings = _lists(tables.get("people_endings", {}), Endings, f"{name}, [people_endings]")
    return PersonFile(
        code=code,
        people=tables.get("people", {}),
        words={key: frozenset(listed) for key, listed in words.items()},
        agreement={key: tuple(listed) for key, listed in agreement.items()},
        people_endings={key: tuple(map(fold, listed)) for key, listed in endings.items()},
        **{key: tables.get(key, False) for key in _SWITCHES},
        inflection=dict(sorted(replaced.items(), key=lambda item: -len(item[0]))),
    )


def _lists(table: Any, kind: type[PersonWords] | type[Endings], where: str) -> dict[str, list[str]]:
    keys = [field.name for field in fields(kind)]
    check_keys(table, keys, where)
    return {key: split_words(table.get(key, ""), f"{where} {key}") for key in keys}
