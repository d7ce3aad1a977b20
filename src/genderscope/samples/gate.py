"""GATE: English sentences about people whose gender they do not reveal.

Microsoft released sentences for Spanish, French and Italian, and lists, for each person, the words that name them in
English and in a feminine and a masculine translation. Mentions of one person are joined by `=`, and square brackets
mark the noun. Apple added German, Portuguese and Russian. It writes both genders into the translation,
`[[Ein Tischler/Eine Tischlerin]]`, and aligns them with the people of the English sentence.

Left out, and counted: people named only by a pronoun or an adjective, the speaker and the addressee, animals, people
with the same words in both translations, and people that the sentence does not contain as written.
"""

import csv
import hashlib
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from genderscope.core.errors import UserError
from genderscope.core.languages import language_code, suggested_language
from genderscope.core.tables import decoded
from genderscope.grammar.person import person_languages, read_person_file
from genderscope.samples import fetch
from genderscope.samples.dataset import OwnRow, SampleDataset, SampleSet, single_spaced
from genderscope.samples.english_people import (
    KINDS,
    ROLES,
    Kind,
    Role,
    is_noun,
    is_plural,
    is_speaker_or_addressee,
    kind_of,
    role_of,
)
from genderscope.samples.parse_cache import cached
from genderscope.samples.registry import dataset
from genderscope.samples.subsampling import in_strata

#: language -> folder and numbers of variants in Microsoft's release
MICROSOFT = {"es": ("ES", (2, 4, 8)), "fr": ("FR", (2, 4)), "it": ("IT", (2, 4, 8))}
APPLE = ("de", "pt", "ru")
LANGUAGES = ("es", "fr", "it", *APPLE)

NO_NOUN = "named only by a pronoun or an adjective"
SPEAKER = "speaker or addressee"
ANIMAL = "not human"
SAME_WORDS = "same words in both translations"
NOT_IN_SOURCE = "not in the sentence as written"
INVALID = "sentence marked as invalid"
REPEATED = "sentence occurs twice"

_ROLES: dict[str, Role] = {
    "SUBJ": "subject",
    "DOBJ": "object",
    "IOBJ": "object",
    "OPRP": "other",
    "SCMP": "other",
    "RSCMP": "other",
    "OCMP": "other",
}
_KINDS: dict[str, Kind] = {"PROF": "profession", "FAM": "family", "NAT": "other", "REL": "other", "OTH": "other"}
_HEAD = re.compile(r"\[([^\]]+)\]")
_STRUCTURE = re.compile(r"\[\[(.*?)\]\]")
_ELIDED = re.compile(r"^(?:l|un|d|dell|all|nell|sull|dall|quell|quest|qu)['’]", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]s?$")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*['’]?")


@dataclass(frozen=True, slots=True)
class GatePerson:
    """A person whose gender the sentence does not reveal.

    `masculine` and `feminine` are parallel: the words with which the reference translations name the person, the noun
    first, then the words that agree with it. Both are empty if there is no reference.
    """

    #: as the sentence names the person: "doctor", "police officers"
    entity: str
    role: Role
    kind: Kind
    plural: bool
    masculine: tuple[str, ...] = ()
    feminine: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GateSentence:
    """One sentence to translate into one language."""

    #: zero-based index in the data
    number: int
    source: str
    language: str
    people: tuple[GatePerson, ...]

    @property
    def item(self) -> str:
        """The id of the English sentence, shared across target languages."""
        return hashlib.sha256(self.source.rstrip().encode("utf-8", "surrogatepass")).hexdigest()[:12]


#: the limit applies to each language, in proportion to the number of people and the role of the first
GATE: SampleDataset[GateSentence] = SampleDataset(
    columns=("source", "entity"),
    note="source,entity (and optionally role,kind,masculine,feminine,language)",
    noun="sentences",
    starter="starters/gate.csv",
    choose=in_strata(lambda sentence: (len(sentence.people), sentence.people[0].role)),
    limit_per=lambda sentence: sentence.language,
)


@cached
def load_released(languages: Sequence[str]) -> SampleSet[GateSentence]:
    """Load the released sentences for these target languages."""
    labels = _labels() if any(language in APPLE for language in languages) else {}
    left_out: Counter[str] = Counter()
    sentences: list[GateSentence] = []
    for language in languages:
        rows = _apple(language, labels, left_out) if language in APPLE else _microsoft(language, left_out)
        seen: set[str] = set()
        for sentence in rows:
            if sentence.source in seen:
                left_out[REPEATED] += 1
                continue
            seen.add(sentence.source)
            sentences.append(sentence)
    # The checksum covers all languages, so that runs with different targets count as using the same data.
    checksums = "".join(file.sha256 for name in ("gate", "gate-apple") for file in dataset(name).files)
    return GATE.loaded("gate", hashlib.sha256(checksums.encode()).hexdigest(), sentences, left_out=dict(left_out))


def _table(name: str, path: str) -> Iterator[dict[str, str]]:
    text = decoded(fetch.read(dataset(name).file(path)), path)
    for row in csv.DictReader(io.StringIO(text, newline=""), delimiter="\t", quoting=csv.QUOTE_NONE):
        yield {key: value or "" for key, value in row.items() if key}


def _variants(language: str) -> Iterator[tuple[int, dict[str, str]]]:
    folder, sizes = MICROSOFT[language]
    number = 0
    for size in sizes:
        for row in _table("gate", f"gate/{folder}/{folder}_{size}_variants.tsv"):
            yield number, row
            number += 1


def _microsoft(language: str, left_out: Counter[str]) -> Iterator[GateSentence]:
    for number, row in _variants(language):
        source = row["source"].strip()
        clusters = [row[column].split(";") for column in ("kw_s", "kw_m", "kw_f")]
        people: list[GatePerson | str] = [NOT_IN_SOURCE]
        if len({len(words) for words in clusters}) == 1:
            people = [_person(source, *cluster) for cluster in zip(*clusters, strict=True)]
        yield from _sentence(number, source, language, people, row["labels"], left_out)


def _sentence(
    number: int, source: str, language: str, people: Sequence[GatePerson | str], labels: str, left_out: Counter[str]
) -> Iterator[GateSentence]:
    """Yield the sentence if people remain, with the roles and kinds that the labels give them."""
    if "NHUM" in labels:
        people = [ANIMAL]
    left_out.update(reason for reason in people if isinstance(reason, str))
    kept = [person for person in people if isinstance(person, GatePerson)]
    if kept:
        yield GateSentence(number, source, language, tuple(_labelled(kept, labels, len(people))))


def _labelled(people: Sequence[GatePerson], labels: str, total: int) -> Iterator[GatePerson]:
    """Yield the people with the labels' role and kind where these are unambiguous, else with those found by rule."""
    listed = labels.split(";")
    roles = list(dict.fromkeys(_ROLES[label] for label in _ROLES if label in listed))
    kinds = list(dict.fromkeys(_KINDS[label] for label in _KINDS if label in listed))
    for person in people:
        is_labelled = person.role != "possessor" and (len(roles) == 1 or (roles and total == 1))
        role = roles[0] if is_labelled else person.role
        yield replace(person, role=role, kind=kinds[0] if len(kinds) == 1 else person.kind)


def _person(source: str, english: str, masculine: str, feminine: str) -> GatePerson | str:
    """Return a person of Microsoft's release, or the reason why it is left out."""
    mentions, his, hers = (phrase.split("=") for phrase in (english, masculine, feminine))
    if any(is_speaker_or_addressee(_head(mention)) for mention in mentions):
        return SPEAKER
    place = next((k for k, mention in enumerate(mentions) if is_noun(_head(mention), source)), None)
    if place is None:
        return NO_NOUN
    if len(his) != len(hers):
        return SAME_WORDS
    noun = place if len(his) == len(mentions) else next((k for k, phrase in enumerate(his) if "[" in phrase), 0)
    pairs = [(_noun(his[noun]), _noun(hers[noun]))]
    pairs += [pair for m, f in zip(his, hers, strict=True) for pair in _exclusive(_plain(m), _plain(f))]
    return _with_words(source, _head(mentions[place]), pairs)


def _with_words(source: str, entity: str, pairs: Sequence[tuple[str, str]]) -> GatePerson | str:
    pairs = list(dict.fromkeys(pairs))
    if entity.lower() not in source.lower():
        return NOT_IN_SOURCE
    if all(his.lower() == hers.lower() for his, hers in pairs):
        return SAME_WORDS
    masculine, feminine = (tuple(pair[k] for pair in pairs) for k in range(2))
    return replace(person_in(source, entity), masculine=masculine, feminine=feminine)


def _head(mention: str) -> str:
    """Return the marked noun of a mention, or the whole mention."""
    match = _HEAD.search(mention)
    return (match[1] if match else mention).strip()


def _noun(mention: str) -> str:
    return _ELIDED.sub("", _head(mention).strip("() "))


def _plain(mention: str) -> list[str]:
    return _WORD.findall(mention.replace("[", "").replace("]", ""))


def _exclusive(his: Sequence[str], hers: Sequence[str]) -> list[tuple[str, str]]:
    """Return the words in which two phrases of equal length differ."""
    if len(his) != len(hers):
        return []
    return [(m, f) for m, f in zip(his, hers, strict=True) if m.lower() != f.lower()]


def _labels() -> dict[str, str]:
    """Return Microsoft's labels by English sentence; sentences with one person only."""
    labels: dict[str, str] = {}
    for language in MICROSOFT:
        for _, row in _variants(language):
            if ";" not in row["kw_s"]:
                labels.setdefault(row["source"].strip(), row["labels"])
    return labels


def _apple(language: str, labels: dict[str, str], left_out: Counter[str]) -> Iterator[GateSentence]:
    for number, row in enumerate(_table("gate-apple", f"gate-apple/gate.en-{language}.tsv")):
        if row["invalid"] != "No":
            left_out[INVALID] += 1
            continue
        source = row["source"].strip()
        people = list(_aligned_people(source, row, language))
        yield from _sentence(number, source, language, people, labels.get(source, ""), left_out)


def _aligned_people(source: str, row: dict[str, str], language: str) -> Iterator[GatePerson | str]:
    """Yield the people of Apple's release that the translation gives two forms, or why one is left out."""
    entities = [_POSSESSIVE.sub("", mention) for mention in _STRUCTURE.findall(row["source with headwords"])]
    genders = row["gender labels of headwords"].split(",")
    text = row["translation with gender structures"]
    structures = list(_STRUCTURE.finditer(text))
    aligned: dict[int, list[int]] = {}
    for entity, structure in re.findall(r"(\d+)-(\d+)", row["gender alignments"]):
        aligned.setdefault(int(entity), []).append(int(structure))
    for place, entity in enumerate(entities):
        if genders[place : place + 1] != ["Amb"]:
            continue
        if is_speaker_or_addressee(entity):
            yield SPEAKER
        elif not is_noun(entity, source):
            yield NO_NOUN
        elif place not in aligned:
            yield SAME_WORDS
        else:
            own = [structures[k] for k in aligned[place] if k < len(structures)]
            yield _with_words(source, entity, _noun_first(text, own, language))


def _noun_first(text: str, structures: Sequence[re.Match[str]], language: str) -> list[tuple[str, str]]:
    """Return the words in which the sides of the structures differ, after the noun; it is empty if it is unknown.

    If no noun differs, the noun has one form and follows the article: “[[um/uma]] colega”.
    """
    pairs, following = [], ""
    for structure in structures:
        his, _, hers = structure[1].partition("/")
        pairs += _exclusive(_plain(his), _plain(hers))
        after = _plain(text[structure.end() :].partition("[[")[0])[:2]
        is_relative = text[: structure.start()].rstrip().endswith(",")
        if not following and pairs and not is_relative and _is_article(pairs[-1][0], language):
            following = next((word for word in after if _can_be_noun(word, language)), "")
    noun = next((pair for pair in pairs if _can_be_noun(pair[0], language)), (following, following))
    return [noun, *pairs]


def _is_article(word: str, language: str) -> bool:
    words = read_person_file(language).words
    return any(word.lower() in words[key] for key in words if key.startswith("determiners"))


def _can_be_noun(word: str, language: str) -> bool:
    """Whether a word is no article and no adjective, verb or pronoun by its form."""
    file, lowered = read_person_file(language), word.lower()
    words, endings = file.words, file.agreement
    is_listed = any(lowered in words[key] for key in words)
    # With articles, adjectives before nouns have the endings of nouns: “un hábil artista”.
    keys = ("masculine", "before_nouns", "verbs_masculine", *(() if file.has_articles else ("adjectives_masculine",)))
    if language == "de":
        return word[0].isupper() and not is_listed
    return not is_listed and not lowered.endswith(tuple(end for key in keys for end in endings[key]))


@cached
def load_own(data: str, languages: Sequence[str]) -> SampleSet[GateSentence]:
    """Load the starter set or the user's own file for these target languages.

    A row gives a sentence and one person in it; rows with the same sentence are about its other people. Rows without a
    language are for all languages.
    """
    file = GATE.opened(data)
    people: dict[tuple[str, str], list[GatePerson]] = {}
    duplicates = 0
    for row in file:
        source, person = _own_person(row, languages)
        own = language_code(row.text("language")).lower()
        if own and own not in person_languages():
            hint = suggested_language(own, person_languages())
            raise UserError(f"{row.where}: unknown language '{own[:40]}'; use a code such as es.{hint}")
        named = [people.setdefault((language, source), []) for language in ([own] if own else languages)]
        new_to = [listed for listed in named if all(other.entity.lower() != person.entity.lower() for other in listed)]
        duplicates += not new_to
        for listed in new_to:
            listed.append(person)
    sources = list(dict.fromkeys(source for _, source in people))
    sentences = tuple(
        GateSentence(number, source, language, tuple(people[language, source]))
        for language in languages
        for number, source in enumerate(sources)
        if (language, source) in people
    )
    for language in languages:
        if not any(sentence.language == language for sentence in sentences):
            raise UserError(
                f"{file.where} has no sentences for '{language}' below its header; add rows with source,entity."
            )
    return GATE.loaded(file.name, file.sha256, sentences, duplicates=duplicates)


def _own_person(row: OwnRow, languages: Sequence[str]) -> tuple[str, GatePerson]:
    source, entity = (single_spaced(row.filled(column)) for column in GATE.columns)
    if entity.lower() not in source.lower():
        raise row.error(f"the sentence does not contain '{entity[:40]}'; write the person as in the sentence")
    masculine, feminine = (row.text(column).split() for column in ("masculine", "feminine"))
    if len(masculine) != len(feminine):
        raise row.error("masculine and feminine must have the same number of words, the noun first")
    if masculine and len(languages) > 1 and not row.text("language"):
        raise row.error("masculine and feminine are words of one language; name it in a column language")
    person = person_in(source, entity)
    return source, replace(
        person,
        role=row.one_of("role", ROLES, otherwise=person.role),
        kind=row.one_of("kind", KINDS, otherwise=person.kind),
        masculine=tuple(masculine),
        feminine=tuple(feminine),
    )


def person_in(source: str, entity: str) -> GatePerson:
    """Return a person whom the sentence names, with the role, kind and number that follow from the words."""
    return GatePerson(entity, role_of(source, entity), kind_of(entity), is_plural(entity))
