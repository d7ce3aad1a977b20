"""MT-GenEval: English segments about people of known gender, with correct and gender-flipped references.

A counterfactual segment has a masculine and a feminine version; the reference of each is the flipped reference of the
other. A contextual segment is a gender-neutral sentence preceded by a sentence that may reveal the gender.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from genderscope.core.errors import UserError
from genderscope.core.tables import Table, decoded, lines_of, own_file
from genderscope.samples import fetch
from genderscope.samples.parse_cache import cached
from genderscope.samples.registry import dataset
from genderscope.samples.subsampling import by_stratum, limits

Split = Literal["dev", "test"]
COUNTERFACTUAL, CONTEXTUAL = SUBSETS = ("counterfactual", "contextual")
GENDERS = ("masculine", "feminine")
UNTOLD = "untold"  # stands for the gender in contextual segments whose context does not reveal it
SEPARATOR = "<sep>"  # separator between context and sentence in the released files
COLUMNS = ("source", "reference", "flipped")  # required columns of the user's own file

_PRONOUNS = tuple(re.compile(rf"\b({w})\b", re.I) for w in ("he|him|his|himself", "she|her|hers|herself"))
_NOUNS = (
    re.compile(r"\b(mr|sir|lord|king|prince|m[ae]n|males?|boys?|fathers?|sons?|husbands?|brothers?|actors?)\b", re.I),
    re.compile(
        r"\b(mrs|ms|miss|lady|queen|princess|wom[ae]n|females?|girls?|mothers?|daughters?|wi(fe|ves)|sisters?|actress)\b",
        re.I,
    ),
)


@dataclass(frozen=True, slots=True)
class Version:
    """A text to translate, the gender of the person, the reference, and the gender-flipped reference."""

    source: str
    gender: str
    reference: str
    flipped: str
    sentence: str | None = None  # the sentence to judge, if the source includes its context


@dataclass(frozen=True, slots=True)
class Segment:
    """One segment in one target language; counterfactual segments have both versions, masculine first."""

    language: str
    subset: str
    #: zero-based index in the file
    number: int
    versions: tuple[Version, ...]

    @property
    def item(self) -> str:
        """The id of the English segment, shared across target languages."""
        text = "\n".join(version.source.rstrip() for version in self.versions)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


@dataclass(frozen=True)
class GenEvalSet:
    """Segments with their name and checksum."""

    name: str
    sha256: str
    segments: tuple[Segment, ...]

    def sources(self, language: str) -> list[str]:
        """Return a language's sources in the order of the released files: masculine, feminine, contextual."""
        mine = [segment for segment in self.segments if segment.language == language]
        pairs = [segment.versions for segment in mine if segment.subset == COUNTERFACTUAL]
        alone = [segment.versions[0].source for segment in mine if segment.subset == CONTEXTUAL]
        return [*(pair[0].source for pair in pairs), *(pair[1].source for pair in pairs), *alone]


@cached
def load(languages: Sequence[str], split: Split, subsets: Sequence[str], with_context: bool) -> GenEvalSet:
    """Load the released segments; `with_context` prepends the preceding sentence to contextual segments."""
    known = dataset("mt-geneval")
    checksums = "".join(file.sha256 for file in known.files if f"-{split}." in file.path)
    segments: list[Segment] = []
    for language in languages:
        seen: Counter[str] = Counter()
        if COUNTERFACTUAL in subsets:
            segments += (_apart(segment, seen) for segment in _counterfactual(language, split))
        if CONTEXTUAL in subsets:
            segments += (_apart(segment, seen) for segment in _contextual(language, split, with_context))
    # The checksum covers the split in all languages, so that runs with different targets count as using the same data.
    return GenEvalSet(f"mt-geneval-{split}", hashlib.sha256(checksums.encode()).hexdigest(), tuple(segments))


def load_own(path: str, language: str, subsets: Sequence[str], with_context: bool) -> GenEvalSet:
    """Load the user's own segments; two rows that name the same segment are its versions, others are contextual."""
    content = own_file(path, "data file")
    where = f"'{path}'"
    rows = Table(lines_of(content, where), where, "\t" if Path(path).suffix == ".tsv" else ",")
    rows.need(COLUMNS, f"it needs {','.join(COLUMNS)} (and optionally segment,gender,context)")
    pairs: dict[str, list[tuple[int, Version]]] = {}
    alone: list[Version] = []
    for line, row in rows:
        version = _own(row, f"{where}, line {line}", with_context)
        segment = (row.get("segment") or "").strip()
        if segment:
            pairs.setdefault(segment, []).append((line, version))
        else:
            alone.append(version)
    versions = [_both(name, rows_of, where) for name, rows_of in pairs.items()]
    chosen: list[tuple[str, tuple[Version, ...]]] = [(COUNTERFACTUAL, both) for both in versions]
    chosen += [(CONTEXTUAL, (version,)) for version in alone]
    if not chosen:
        raise UserError(f"{where} has no segments below its header; add rows with {','.join(COLUMNS)}.")
    numbered = (Segment(language, subset, number, own) for number, (subset, own) in enumerate(chosen))
    seen: Counter[str] = Counter()
    kept = tuple(_apart(segment, seen) for segment in numbered if segment.subset in subsets)
    if not kept:
        raise UserError(f"{where} has no {subsets[0]} segments; omit --set.")
    return GenEvalSet(Path(path).name, hashlib.sha256(content).hexdigest(), kept)


def limited(found: GenEvalSet, limit: int | None) -> GenEvalSet:
    """Subsample `limit` segments per language, stratified by subset and gender."""
    languages = dict.fromkeys(segment.language for segment in found.segments)
    kept: list[Segment] = []
    for language in languages:
        mine = [segment for segment in found.segments if segment.language == language]
        kept += by_stratum(mine, limit, lambda s: (s.subset, s.versions[0].gender))
    if not limits(found.segments, len(kept)):
        return found
    return replace(found, name=f"{found.name}:{limit}", segments=tuple(kept))


def told_gender(context: str) -> str:
    """Return the majority gender of a context's pronouns or, if tied, of its nouns; UNTOLD if both are tied."""
    for masculine, feminine in (_PRONOUNS, _NOUNS):
        balance = len(masculine.findall(context)) - len(feminine.findall(context))
        if balance:
            return GENDERS[balance < 0]
    return UNTOLD


def _counterfactual(language: str, split: Split) -> Iterator[Segment]:
    stem = f"sentences/{split}/geneval-sentences-{{}}-{split}.en_{language}"
    sides = [(_lines(stem.format(g), "en"), _lines(stem.format(g), language)) for g in GENDERS]
    (masculine, he), (feminine, she) = sides
    for number, (m, f, his, her) in enumerate(zip(masculine, feminine, he, she, strict=True)):
        versions = (Version(m, GENDERS[0], his, her), Version(f, GENDERS[1], her, his))
        yield Segment(language, COUNTERFACTUAL, number, versions)


def _contextual(language: str, split: Split, with_context: bool) -> Iterator[Segment]:
    stem = f"context/geneval-context-wikiprofessions-{{}}-{split}.en_{language}"
    sources = _lines(stem.format("2to1"), "en")
    references, flipped = (_lines(stem.format(kind), language) for kind in ("original", "flipped"))
    for number, (source, right, wrong) in enumerate(zip(sources, references, flipped, strict=True)):
        context, _, sentence = (part.strip() for part in source.partition(SEPARATOR))
        version = _version(context, sentence, told_gender(context), right, wrong, with_context)
        yield Segment(language, CONTEXTUAL, number, (version,))


def _lines(stem: str, extension: str) -> list[str]:
    path = f"mt-geneval/{stem}.{extension}"
    return decoded(fetch.read(dataset("mt-geneval").file(path)), path).removesuffix("\n").split("\n")


def _version(context: str, sentence: str, gender: str, right: str, wrong: str, with_context: bool) -> Version:
    if with_context and context:
        return Version(f"{context} {sentence}", gender, right, wrong, sentence)
    return Version(sentence, gender, right, wrong)


def _own(row: dict[str, str | None], where: str, with_context: bool) -> Version:
    source, right, wrong = ((row[column] or "").strip() for column in COLUMNS)
    for column, text in zip(COLUMNS, (source, right, wrong), strict=True):
        if not text:
            raise UserError(f"{where}: the {column} is empty; fill it in or remove the row.")
    context, gender = ((row.get(column) or "").strip() for column in ("context", "gender"))
    if gender not in {"", *GENDERS}:
        raise UserError(f"{where}: the gender is '{gender[:40]}'; it must be masculine, feminine or empty.")
    return _version(context, source, gender or told_gender(context), right, wrong, with_context)


def _both(name: str, rows: Sequence[tuple[int, Version]], where: str) -> tuple[Version, Version]:
    """Return the two versions of a segment, masculine first."""
    by_gender = {version.gender: version for _, version in rows}
    if len(rows) != 2 or set(by_gender) != set(GENDERS):
        raise UserError(
            f"{where}, line {rows[-1][0]}: segment '{name[:40]}' must have two rows, one masculine and one feminine; "
            "leave the segment column empty if there is only one version."
        )
    return by_gender[GENDERS[0]], by_gender[GENDERS[1]]


def _apart(segment: Segment, seen: Counter[str]) -> Segment:
    """Make a repeated source unique by appending spaces, since a file may translate each occurrence differently."""
    versions = []
    for version in segment.versions:
        versions.append(replace(version, source=version.source + " " * seen[version.source]))
        seen[version.source] += 1
    return replace(segment, versions=tuple(versions))
