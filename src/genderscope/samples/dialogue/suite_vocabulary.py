"""The suite's vocabulary: adjective traits, and stereotypes of adverbs and occupations."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from genderscope.core.tables import Table, own_text


@dataclass(frozen=True, slots=True)
class AdjectiveTraits:
    """An adjective's traits according to the suite's authors; None if missing or contradictory."""

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
        """Return an adjective's traits, ignoring hyphens; empty if it is not in the vocabulary."""
        return self.adjectives.get(_key(adjective), AdjectiveTraits())


#: a vocabulary's three files and their columns
FILES = {
    "adjectives": ("adjective", "gender", "sentiment", "type"),
    "adverbs": ("adverb", "gender"),
    "occupations": ("occupation", "gender"),
}


def load_vocabulary(folder: Path | str) -> Vocabulary:
    """Load adjectives.csv, adverbs.csv and occupations.csv (optionally gzipped) from a folder."""
    return parse_vocabulary({name: read_text(Path(folder) / f"{name}.csv") for name in FILES})


def parse_vocabulary(texts: Mapping[str, str]) -> Vocabulary:
    """Parse a vocabulary from the texts of its three files."""
    rows = {name: parse_rows(texts[name], columns, f"{name}.csv") for name, columns in FILES.items()}
    adjectives: dict[str, AdjectiveTraits] = {}
    for row in rows["adjectives"]:
        key = _key(row["adjective"])
        traits = AdjectiveTraits(kind=row["type"], sentiment=row["sentiment"], stereotype=row["gender"])
        adjectives[key] = _agreed(adjectives.get(key, traits), traits)
    return Vocabulary(
        adjectives=adjectives,
        adverbs={row["adverb"].strip(): row["gender"] for row in rows["adverbs"]},
        occupations={row["occupation"].strip(): row["gender"] for row in rows["occupations"]},
    )


def read_text(path: Path) -> str:
    """Read a text file, or its `.gz` version if only that exists."""
    if not path.exists() and path.with_name(path.name + ".gz").exists():
        path = path.with_name(path.name + ".gz")
    return own_text(path, "file")


def parse_rows(text: str, columns: Sequence[str], name: str) -> list[dict[str, str]]:
    """Parse a CSV text with these columns; `name` identifies it in error messages."""
    rows = Table(io.StringIO(text.removeprefix("\ufeff"), newline=""), f"'{name}'")
    rows.need(columns, f"it needs {', '.join(columns)}")
    return [{key: value or "" for key, value in row.items() if isinstance(key, str)} for _, row in rows]


def _key(adjective: str) -> str:
    return adjective.replace("-", "").strip().lower()


def _agreed(one: AdjectiveTraits, other: AdjectiveTraits) -> AdjectiveTraits:
    """Return the traits on which two entries for a word agree ("nervous" is listed as both positive and negative)."""
    return AdjectiveTraits(
        kind=one.kind if one.kind == other.kind else None,
        sentiment=one.sentiment if one.sentiment == other.sentiment else None,
        stereotype=one.stereotype if one.stereotype == other.stereotype else None,
    )
