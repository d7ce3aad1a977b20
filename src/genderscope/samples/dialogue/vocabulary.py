"""The suite's vocabulary: traits of adjectives, stereotypes of adverbs and occupations."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class AdjectiveTraits:
    """What the suite's authors say of an adjective; None where they say nothing or contradict themselves."""

    kind: str | None = None
    sentiment: str | None = None
    stereotype: str | None = None


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Traits and stereotypes ("M", "F", "neither") by word."""

    adjectives: Mapping[str, AdjectiveTraits]
    adverbs: Mapping[str, str]
    occupations: Mapping[str, str]

    def traits(self, adjective: str) -> AdjectiveTraits:
        """The traits of an adjective, however it is hyphenated; empty for one the vocabulary lacks."""
        return self.adjectives.get(_key(adjective), AdjectiveTraits())


def load_vocabulary(folder: Path | str) -> Vocabulary:
    """Read adjectives.csv, adverbs.csv and occupations.csv (plain or gzipped) from a folder."""
    folder = Path(folder)
    adjectives: dict[str, AdjectiveTraits] = {}
    for row in read_rows(folder / "adjectives.csv"):
        key = _key(row["adjective"])
        traits = AdjectiveTraits(kind=row["type"], sentiment=row["sentiment"], stereotype=row["gender"])
        adjectives[key] = _agreed(adjectives.get(key, traits), traits)
    return Vocabulary(
        adjectives=adjectives,
        adverbs={row["adverb"].strip(): row["gender"] for row in read_rows(folder / "adverbs.csv")},
        occupations={row["occupation"].strip(): row["gender"] for row in read_rows(folder / "occupations.csv")},
    )


def read_rows(path: Path) -> Iterator[dict[str, str]]:
    """The rows of a CSV file that may be gzipped."""
    if not path.exists() and path.with_name(path.name + ".gz").exists():
        path = path.with_name(path.name + ".gz")
    with (
        gzip.open(path, "rt", encoding="utf-8-sig") if path.suffix == ".gz" else path.open(encoding="utf-8-sig") as file
    ):
        yield from csv.DictReader(file)


def _key(adjective: str) -> str:
    return adjective.replace("-", "").strip().lower()


def _agreed(one: AdjectiveTraits, other: AdjectiveTraits) -> AdjectiveTraits:
    """What two entries of one word agree on ("nervous" is listed as positive and as negative)."""
    return AdjectiveTraits(
        kind=one.kind if one.kind == other.kind else None,
        sentiment=one.sentiment if one.sentiment == other.sentiment else None,
        stereotype=one.stereotype if one.stereotype == other.stereotype else None,
    )
