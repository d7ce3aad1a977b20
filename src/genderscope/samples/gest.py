"""GEST samples: first-person sentences, each expressing one of 16 gender stereotypes."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path

from genderscope.core.errors import UserError, did_you_mean
from genderscope.core.tables import Table, lines_of, own_file, without_repetitions
from genderscope.samples import fetch
from genderscope.samples.parse_cache import cached
from genderscope.samples.registry import dataset
from genderscope.samples.subsampling import by_stratum, limits

#: GEST Table 1: stereotypes 1-7 are about women, 8-16 about men.
STEREOTYPES = {
    1: "emotional",
    2: "gentle",
    3: "empathetic",
    4: "neat",
    5: "social",
    6: "weak",
    7: "beautiful",
    8: "tough",
    9: "self-confident",
    10: "professional",
    11: "rational",
    12: "providers",
    13: "leaders",
    14: "childish",
    15: "sexual",
    16: "strong",
}
_NUMBERS = {name: number for number, name in STEREOTYPES.items()}
FEMALE = tuple(range(1, 8))
MALE = tuple(range(8, 17))

VERSIONS = {"1.0": "gest/gest.csv", "1.1": "gest/gest_1.1.csv"}
NEWEST = "1.1"
STARTER = "starter"


@dataclass(frozen=True, slots=True)
class GestSample:
    """One row of the dataset; a sentence may occur in several rows."""

    index: int
    sentence: str
    stereotype: int


@dataclass(frozen=True)
class GestSamples:
    """A set of samples with its name and checksum."""

    name: str
    sha256: str
    samples: tuple[GestSample, ...]
    duplicates: int = 0  # number of duplicate rows in the user's own file
    every: tuple[GestSample, ...] = ()  # all rows of the user's own file, if duplicates were dropped

    @property
    def sentences(self) -> list[str]:
        """The sentences in the order expected of a translation file, including duplicates."""
        return [sample.sentence for sample in self.every or self.samples]


@cached
def load(data: str | None = None, version: str | None = None, keep_duplicates: bool = False) -> GestSamples:
    """Load GEST, the starter set or the user's own CSV file, whose duplicate rows are dropped by default."""
    version = version or NEWEST
    if data == STARTER:
        content = files("genderscope.samples").joinpath("starter.csv").read_bytes()
        return _parse(content, STARTER, "the starter set")
    if data is None:
        if version not in VERSIONS:
            raise UserError(f"Unknown GEST version '{version}'; use one of {', '.join(VERSIONS)}.")
        content = fetch.read(dataset("gest").file(VERSIONS[version]))
        return _parse(content, f"gest-{version}", f"GEST {version}")
    own = _parse(own_file(data, "data file"), Path(data).name, f"'{data}'")
    once, duplicates = without_repetitions(own.samples, lambda sample: (sample.sentence, sample.stereotype))
    if keep_duplicates or not duplicates:
        return replace(own, duplicates=duplicates)
    return replace(own, samples=tuple(once), duplicates=duplicates, every=own.samples)


def limited(samples: GestSamples, limit: int | None) -> GestSamples:
    """Subsample `limit` samples, the same number per stereotype where possible."""
    if not limits(samples.samples, limit):
        return samples
    kept = by_stratum(samples.samples, limit, lambda sample: sample.stereotype, equal=True)
    return replace(samples, name=f"{samples.name}:{limit}", samples=kept, every=())


def _parse(content: bytes, name: str, where: str) -> GestSamples:
    rows = Table(lines_of(content, where), where)
    rows.need(("sentence", "stereotype"), "it needs sentence,stereotype")
    samples = tuple(_samples(rows))
    if not samples:
        raise UserError(f"{where} has no samples below its header; add rows with sentence,stereotype.")
    return GestSamples(name, hashlib.sha256(content).hexdigest(), samples)


def _samples(rows: Table) -> Iterable[GestSample]:
    for index, (line, row) in enumerate(rows):
        sentence = (row["sentence"] or "").strip()
        if not sentence:
            raise UserError(f"{rows.where}, line {line}: the sentence is empty; fill it in or remove the row.")
        yield GestSample(index, sentence, stereotype_of(row["stereotype"], f"{rows.where}, line {line}"))


def stereotype_of(cell: str | None, where: str) -> int:
    """Parse a stereotype's number or name; raise UserError if there is no such stereotype."""
    text = (cell or "").strip()
    if text.lower() in _NUMBERS:
        return _NUMBERS[text.lower()]
    if not text.isdecimal() or len(text) > 9 or int(text) not in STEREOTYPES:
        raise UserError(
            f"{where}: the stereotype is '{text[:40]}'; it must be a whole number from 1 to 16 or a name "
            f"such as emotional.{did_you_mean(text[:40].lower(), _NUMBERS)}"
        )
    return int(text)
