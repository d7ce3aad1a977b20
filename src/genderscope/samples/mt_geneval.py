"""MT-GenEval: English segments about people of known gender, with correct and gender-flipped references.

A counterfactual segment has a masculine and a feminine version; the reference of each is the flipped reference of the
other. A contextual segment is a gender-neutral sentence preceded by a sentence that may reveal the gender.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from genderscope.core.tables import decoded
from genderscope.samples import fetch
from genderscope.samples.dataset import OwnRow, SampleDataset, SampleSet
from genderscope.samples.parse_cache import cached
from genderscope.samples.registry import dataset
from genderscope.samples.subsampling import in_strata

Split = Literal["dev", "test"]
COUNTERFACTUAL, CONTEXTUAL = SUBSETS = ("counterfactual", "contextual")
GENDERS = ("masculine", "feminine")
UNTOLD = "untold"  # stands for the gender in contextual segments whose context does not reveal it
SEPARATOR = "<sep>"  # separator between context and sentence in the released files

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


#: the limit applies to each language, in proportion to subsets and genders
GENEVAL: SampleDataset[Segment] = SampleDataset(
    columns=("source", "reference", "flipped"),
    note="source,reference,flipped (and optionally segment,gender,context)",
    noun="segments",
    choose=in_strata(lambda segment: (segment.subset, segment.versions[0].gender)),
    limit_per=lambda segment: segment.language,
)


def sources_in(language: str, segments: Sequence[Segment]) -> list[str]:
    """Return a language's sources in the order of the released files: masculine, feminine, contextual."""
    own = [segment.versions for segment in segments if segment.language == language]
    pairs = [versions for versions in own if len(versions) == 2]
    alone = [versions[0].source for versions in own if len(versions) == 1]
    return [*(pair[0].source for pair in pairs), *(pair[1].source for pair in pairs), *alone]


@cached
def load(languages: Sequence[str], split: Split, subsets: Sequence[str], with_context: bool) -> SampleSet[Segment]:
    """Load the released segments; `with_context` prepends the preceding sentence to contextual segments."""
    released = dataset("mt-geneval")
    checksums = "".join(file.sha256 for file in released.files if f"-{split}." in file.path)
    segments: list[Segment] = []
    for language in languages:
        seen: Counter[str] = Counter()
        if COUNTERFACTUAL in subsets:
            segments += (_apart(segment, seen) for segment in _counterfactual(language, split))
        if CONTEXTUAL in subsets:
            segments += (_apart(segment, seen) for segment in _contextual(language, split, with_context))
    # The checksum covers the split in all languages, so that runs with different targets count as using the same data.
    return GENEVAL.loaded(f"mt-geneval-{split}", hashlib.sha256(checksums.encode()).hexdigest(), segments)


def load_own(path: str, language: str, subsets: Sequence[str], with_context: bool) -> SampleSet[Segment]:
    """Load the user's own segments; two rows that name the same segment are its versions, others are contextual."""
    file = GENEVAL.opened(path)
    pairs: dict[str, list[tuple[OwnRow, Version]]] = {}
    alone: list[Version] = []
    for row in file:
        version = _own(row, with_context)
        if segment := row.text("segment"):
            pairs.setdefault(segment, []).append((row, version))
        else:
            alone.append(version)
    both = [(COUNTERFACTUAL, _both(name, rows)) for name, rows in pairs.items()]
    every = [*both, *((CONTEXTUAL, (version,)) for version in alone)]
    numbered = (Segment(language, subset, number, versions) for number, (subset, versions) in enumerate(every))
    seen: Counter[str] = Counter()
    kept = [_apart(segment, seen) for segment in numbered if segment.subset in subsets]
    return GENEVAL.own(file, kept, missing=f"has no {subsets[0]} segments; omit --set" if every else None)


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


def _own(row: OwnRow, with_context: bool) -> Version:
    source, right, wrong = (row.filled(column) for column in GENEVAL.columns)
    context, gender = row.text("context"), row.text("gender")
    if gender not in {"", *GENDERS}:
        raise row.error(f"the gender is '{gender[:40]}'; it must be masculine, feminine or empty")
    return _version(context, source, gender or told_gender(context), right, wrong, with_context)


def _both(name: str, rows: Sequence[tuple[OwnRow, Version]]) -> tuple[Version, ...]:
    """Return the two versions of a segment, masculine first."""
    by_gender = {version.gender: version for _, version in rows}
    if len(rows) != 2 or set(by_gender) != set(GENDERS):
        raise rows[-1][0].error(
            f"segment '{name[:40]}' must have two rows, one masculine and one feminine; leave the segment column empty "
            "if there is only one version"
        )
    return tuple(by_gender[gender] for gender in GENDERS)


def _apart(segment: Segment, seen: Counter[str]) -> Segment:
    """Make a repeated source unique by appending spaces, since a file may translate each occurrence differently."""
    versions = []
    for version in segment.versions:
        versions.append(replace(version, source=version.source + " " * seen[version.source]))
        seen[version.source] += 1
    return replace(segment, versions=tuple(versions))
