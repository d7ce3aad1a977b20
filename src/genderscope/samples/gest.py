"""GEST samples: first-person sentences, each tied to one of 16 gender stereotypes."""

import csv
import hashlib
import io
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from genderscope.errors import UserError
from genderscope.samples import fetch
from genderscope.samples.registry import dataset

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
FEMALE = tuple(range(1, 8))
MALE = tuple(range(8, 17))

VERSIONS = {"1.0": "gest/gest.csv", "1.1": "gest/gest_1.1.csv"}
STARTER = "starter"


@dataclass(frozen=True, slots=True)
class GestSample:
    """One sentence of the set; a sample is a row, and the same sentence may stand in two rows."""

    index: int
    sentence: str
    stereotype: int


@dataclass(frozen=True)
class GestSamples:
    """A set of samples and what identifies it."""

    name: str
    sha256: str
    samples: tuple[GestSample, ...]


def load(data: str | None = None, version: str = "1.1") -> GestSamples:
    """Load GEST in the given version, the starter set (`data="starter"`), or the user's own CSV file."""
    if data == STARTER:
        content = files("genderscope.samples").joinpath("starter.csv").read_bytes()
        return _parse(content, STARTER, "the starter set")
    if data is None:
        if version not in VERSIONS:
            raise UserError(f"There is no GEST version '{version}'; use one of {', '.join(VERSIONS)}.")
        content = fetch.read(dataset("gest").file(VERSIONS[version]))
        return _parse(content, f"gest-{version}", f"GEST {version}")
    try:
        content = Path(data).expanduser().read_bytes()
    except OSError as error:
        raise UserError(f"The data file '{data}' cannot be read: {error.strerror}.") from None
    return _parse(content, Path(data).name, f"'{data}'")


def limited(samples: GestSamples, limit: int | None) -> GestSamples:
    """Keep `limit` samples spread evenly over the set, so that a set sorted by stereotype keeps them all."""
    total = len(samples.samples)
    if limit is None or limit >= total:
        return samples
    kept = tuple(samples.samples[k * total // limit] for k in range(limit))
    return GestSamples(f"{samples.name}:{limit}", samples.sha256, kept)


def _parse(content: bytes, name: str, where: str) -> GestSamples:
    rows = csv.DictReader(io.StringIO(_decoded(content, where), newline=""))
    missing = {"sentence", "stereotype"} - set(rows.fieldnames or ())
    if missing:
        have = ", ".join(rows.fieldnames or ()) or "none"
        raise UserError(
            f"{where} has no column {' or '.join(sorted(missing))} (its columns: {have}); it needs sentence,stereotype."
        )
    samples = tuple(_samples(rows, where))
    if not samples:
        raise UserError(f"{where} holds no samples below its header; add rows of sentence,stereotype.")
    return GestSamples(name, hashlib.sha256(content).hexdigest(), samples)


def _samples(rows: "csv.DictReader[str]", where: str) -> Iterable[GestSample]:
    for index, row in enumerate(rows):
        sentence = (row["sentence"] or "").strip()
        stereotype = (row["stereotype"] or "").strip()
        if not sentence:
            raise UserError(f"{where}, line {rows.line_num}: the sentence is empty; fill it in or remove the row.")
        if not stereotype.isdecimal() or int(stereotype) not in STEREOTYPES:
            raise UserError(
                f"{where}, line {rows.line_num}: the stereotype is '{stereotype}'; "
                "it must be a whole number from 1 to 16."
            )
        yield GestSample(index, sentence, int(stereotype))


def _decoded(content: bytes, where: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise UserError(f"{where}, line {line}: the text is not UTF-8; save the file as UTF-8.") from None
