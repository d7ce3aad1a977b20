"""MT-GenEval: English segments about people of known gender, with a reference of that gender and one of the other.

A counterfactual segment comes in a masculine and a feminine version; the reference of one is the wrong one of the
other. A contextual segment is a sentence that says nothing about gender behind one that does.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from genderscope.errors import UserError
from genderscope.samples import fetch
from genderscope.samples.parse_cache import kept
from genderscope.samples.registry import dataset
from genderscope.samples.subsampling import by_stratum, limits
from genderscope.tables import Table, decoded, lines_of, own_file

Split = Literal["dev", "test"]
COUNTERFACTUAL, CONTEXTUAL = SUBSETS = ("counterfactual", "contextual")
GENDERS = ("masculine", "feminine")
#: a contextual segment whose context does not tell by its words which gender it is about
UNTOLD = "untold"
#: what separates the two sentences of a contextual source in the released files
SEPARATOR = "<sep>"
#: the columns of a file of own segments
COLUMNS = ("source", "reference", "flipped")

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
    """A text to translate, the gender that it tells, and the references of that gender and of the other."""

    source: str
    gender: str
    reference: str
    flipped: str
    #: the sentence that is judged, where the source holds its context too
    sentence: str | None = None


@dataclass(frozen=True, slots=True)
class Segment:
    """One segment in one target language; a counterfactual one has both versions, masculine first."""

    language: str
    subset: str
    #: its line in the released file, or its place in the user's, from 0
    number: int
    versions: tuple[Version, ...]

    @property
    def item(self) -> str:
        """What the segment shares with the same English in other languages."""
        text = "\n".join(version.source.rstrip() for version in self.versions)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


@dataclass(frozen=True)
class GenEvalSet:
    """Segments, and what identifies them."""

    name: str
    sha256: str
    segments: tuple[Segment, ...]

    def sources(self, language: str) -> list[str]:
        """The texts of a language in the order of a file of translations.

        As in the released files: all masculine versions, all feminine ones, then the contextual segments.
        """
        mine = [segment for segment in self.segments if segment.language == language]
        pairs = [segment.versions for segment in mine if segment.subset == COUNTERFACTUAL]
        alone = [segment.versions[0].source for segment in mine if segment.subset == CONTEXTUAL]
        return [*(pair[0].source for pair in pairs), *(pair[1].source for pair in pairs), *alone]


@kept
def load(languages: Sequence[str], split: Split, subsets: Sequence[str], with_context: bool) -> GenEvalSet:
    """Load the released segments; `with_context` puts the sentence that tells the gender before the judged one."""
    known = dataset("mt-geneval")
    checksums = "".join(file.sha256 for file in known.files if f"-{split}." in file.path)
    segments: list[Segment] = []
    for language in languages:
        read = _Files(language, split)
        seen: Counter[str] = Counter()
        if COUNTERFACTUAL in subsets:
            segments += (_apart(segment, seen) for segment in read.counterfactual())
        if CONTEXTUAL in subsets:
            segments += (_apart(segment, seen) for segment in read.contextual(with_context))
    # The checksum is that of the split in all languages, so that runs of different targets are of the same data.
    return GenEvalSet(f"mt-geneval-{split}", hashlib.sha256(checksums.encode()).hexdigest(), tuple(segments))


def load_own(path: str, language: str, subsets: Sequence[str], with_context: bool) -> GenEvalSet:
    """Load the user's own segments: source,reference,flipped and, where known, segment, gender and context.

    The rows of a segment are its two versions; a row without one stands alone, like a contextual segment.
    """
    content = own_file(path, "data file")
    where = f"'{path}'"
    rows = Table(lines_of(content, where), where, "\t" if Path(path).suffix == ".tsv" else ",")
    rows.need(COLUMNS, f"it needs {','.join(COLUMNS)} (and segment,gender,context where there are any)")
    pairs: dict[str, list[tuple[int, Version]]] = {}
    alone: list[Version] = []
    for line, row in rows:
        version = _own(row, f"{where}, line {line}", with_context)
        segment = (row.get("segment") or "").strip()
        if segment:
            pairs.setdefault(segment, []).append((line, version))
        else:
            alone.append(version)
    versions = [_both(name, found, where) for name, found in pairs.items()]
    chosen: list[tuple[str, tuple[Version, ...]]] = [(COUNTERFACTUAL, each) for each in versions]
    chosen += [(CONTEXTUAL, (version,)) for version in alone]
    if not chosen:
        raise UserError(f"{where} holds no segments below its header; add rows of {','.join(COLUMNS)}.")
    numbered = (Segment(language, subset, number, each) for number, (subset, each) in enumerate(chosen))
    seen: Counter[str] = Counter()
    kept = tuple(_apart(segment, seen) for segment in numbered if segment.subset in subsets)
    if not kept:
        raise UserError(f"{where} holds no {subsets[0]} segments; leave out --set.")
    return GenEvalSet(Path(path).name, hashlib.sha256(content).hexdigest(), kept)


def limited(found: GenEvalSet, limit: int | None) -> GenEvalSet:
    """Keep `limit` segments of each language, of either set and gender in proportion."""
    languages = dict.fromkeys(segment.language for segment in found.segments)
    kept: list[Segment] = []
    for language in languages:
        mine = [segment for segment in found.segments if segment.language == language]
        kept += by_stratum(mine, limit, lambda s: (s.subset, s.versions[0].gender))
    if not limits(found.segments, len(kept)):
        return found
    return replace(found, name=f"{found.name}:{limit}", segments=tuple(kept))


def told_gender(context: str) -> str:
    """Return the gender that a context tells: that of most of its pronouns or else of its nouns; UNTOLD if neither."""
    for masculine, feminine in (_PRONOUNS, _NOUNS):
        balance = len(masculine.findall(context)) - len(feminine.findall(context))
        if balance:
            return GENDERS[balance < 0]
    return UNTOLD


class _Files:
    """The files of a language and split."""

    def __init__(self, language: str, split: Split) -> None:
        self.language = language
        self.split = split

    def counterfactual(self) -> Iterator[Segment]:
        """Yield the pairs."""
        stem = f"sentences/{self.split}/geneval-sentences-{{}}-{self.split}"
        sides = [(self._lines(stem.format(g), "en"), self._lines(stem.format(g), self.language)) for g in GENDERS]
        (masculine, he), (feminine, she) = sides
        for number, (m, f, his, her) in enumerate(zip(masculine, feminine, he, she, strict=True)):
            versions = (Version(m, GENDERS[0], his, her), Version(f, GENDERS[1], her, his))
            yield Segment(self.language, COUNTERFACTUAL, number, versions)

    def contextual(self, with_context: bool) -> Iterator[Segment]:
        """Yield the sentences with their contexts."""
        stem = f"context/geneval-context-wikiprofessions-{{}}-{self.split}"
        sources = self._lines(stem.format("2to1"), "en")
        references, flipped = (self._lines(stem.format(kind), self.language) for kind in ("original", "flipped"))
        for number, (source, right, wrong) in enumerate(zip(sources, references, flipped, strict=True)):
            context, _, sentence = (part.strip() for part in source.partition(SEPARATOR))
            version = _version(context, sentence, told_gender(context), right, wrong, with_context)
            yield Segment(self.language, CONTEXTUAL, number, (version,))

    def _lines(self, stem: str, extension: str) -> list[str]:
        path = f"mt-geneval/{stem}.en_{self.language}.{extension}"
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


def _both(name: str, found: Sequence[tuple[int, Version]], where: str) -> tuple[Version, Version]:
    """The two versions of a segment, masculine first."""
    by_gender = {version.gender: version for _, version in found}
    if len(found) != 2 or set(by_gender) != set(GENDERS):
        raise UserError(
            f"{where}, line {found[-1][0]}: segment '{name[:40]}' must have two rows, one masculine and one feminine; "
            "leave the segment out where there is one version only."
        )
    return by_gender[GENDERS[0]], by_gender[GENDERS[1]]


def _apart(segment: Segment, seen: Counter[str]) -> Segment:
    """Tell a source that was there before from the first by a space at its end, which translates to nothing.

    The development sets hold a few segments twice: a file of translations has a line for each, and they may differ.
    """
    versions = []
    for version in segment.versions:
        versions.append(replace(version, source=version.source + " " * seen[version.source]))
        seen[version.source] += 1
    return replace(segment, versions=tuple(versions))
