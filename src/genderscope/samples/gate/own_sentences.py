"""Sentences about people from a CSV file: the built-in starter set or the user's own data.

A row gives a sentence and one person in it; rows with the same sentence are about its other people.
"""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

from genderscope.core.errors import UserError
from genderscope.core.languages import language_code, suggested_language
from genderscope.core.tables import Row, Table, lines_of, own_file
from genderscope.grammar.person import person_languages
from genderscope.samples.gate.english import is_plural, kind_of, role_of
from genderscope.samples.gate.sample import KINDS, ROLES, GatePerson, GateSentence, GateSet
from genderscope.samples.parse_cache import cached

STARTER = "starter"
COLUMNS = ("source", "entity")

T = TypeVar("T", bound=str)


@cached
def load_own(data: str, languages: Sequence[str]) -> GateSet:
    """Load a file or the starter set for these target languages; rows without a language are for all of them."""
    if data == STARTER:
        content, where = files("genderscope.samples.gate").joinpath("starter.csv").read_bytes(), "the starter set"
    else:
        content, where = own_file(data, "data file"), f"'{data}'"
    rows = Table(lines_of(content, where), where, "\t" if Path(data).suffix == ".tsv" else ",")
    rows.need(COLUMNS, f"it needs {','.join(COLUMNS)} (and optionally role,kind,masculine,feminine,language)")
    people: dict[tuple[str, str], list[GatePerson]] = {}
    duplicates = 0
    for line, row in rows:
        source, person = _person(row, f"{where}, line {line}", languages)
        own = language_code((row.get("language") or "").strip()).lower()
        if own and own not in person_languages():
            hint = suggested_language(own, person_languages())
            raise UserError(f"{where}, line {line}: unknown language '{own[:40]}'; use a code such as es.{hint}")
        listed = [people.setdefault((language, source), []) for language in ([own] if own else languages)]
        known = [any(each.entity.lower() == person.entity.lower() for each in mine) for mine in listed]
        duplicates += all(known)
        for mine, is_known in zip(listed, known, strict=True):
            mine.extend([] if is_known else [person])
    sources = list(dict.fromkeys(source for _, source in people))
    sentences = tuple(
        GateSentence(number, source, language, tuple(people[language, source]))
        for language in languages
        for number, source in enumerate(sources)
        if (language, source) in people
    )
    for language in languages:
        if not any(sentence.language == language for sentence in sentences):
            raise UserError(f"{where} has no sentences for '{language}' below its header; add rows with source,entity.")
    name = STARTER if data == STARTER else Path(data).name
    return GateSet(name, hashlib.sha256(content).hexdigest(), sentences, duplicates=duplicates)


def _person(row: Row, where: str, languages: Sequence[str]) -> tuple[str, GatePerson]:
    source, entity = (" ".join((row[column] or "").split()) for column in COLUMNS)
    for column, text in zip(COLUMNS, (source, entity), strict=True):
        if not text:
            raise UserError(f"{where}: the {column} is empty; fill it in or remove the row.")
    if entity.lower() not in source.lower():
        raise UserError(f"{where}: the sentence does not contain '{entity[:40]}'; write the person as in the sentence.")
    masculine, feminine = ((row.get(column) or "").split() for column in ("masculine", "feminine"))
    if len(masculine) != len(feminine):
        raise UserError(f"{where}: masculine and feminine must have the same number of words, the noun first.")
    if masculine and len(languages) > 1 and not (row.get("language") or "").strip():
        raise UserError(f"{where}: masculine and feminine are words of one language; name it in a column language.")
    person = person_in(source, entity)
    return source, replace(
        person,
        role=_one_of(row, "role", ROLES, where) or person.role,
        kind=_one_of(row, "kind", KINDS, where) or person.kind,
        masculine=tuple(masculine),
        feminine=tuple(feminine),
    )


def person_in(source: str, entity: str) -> GatePerson:
    """Return a person whom the sentence names, with the role, kind and number that follow from the words."""
    return GatePerson(entity, role_of(source, entity), kind_of(entity), is_plural(entity))


def _one_of(row: Row, column: str, known: Collection[T], where: str) -> T | None:
    text = (row.get(column) or "").strip().lower()
    found = next((name for name in known if name == text), None)
    if text and found is None:
        raise UserError(f"{where}: the {column} is '{text[:40]}'; it must be {', '.join(known)} or empty.")
    return found
