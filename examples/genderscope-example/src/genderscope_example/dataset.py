"""A dataset: where its files come from, their checksums, the licence and what to cite.

Genderscope does the rest: `genderscope data fetch`, `verify` and `where`, the mirror folder, the cache, and the refusal
to use a file that is not the declared one.
"""

import csv
import io
from dataclasses import dataclass

from genderscope.samples import fetch
from genderscope.samples.registry import DataFile, Dataset

OCCUPATIONS = Dataset(
    name="example-occupations",
    title="24 occupations with the gender that a stereotype gives them, for demonstration",
    licence="Apache-2.0",
    citation="The Genderscope authors: genderscope-example, a worked example of a plugin.",
    files=(
        DataFile(
            # The path below the mirror folder and below the cache; begin it with your package's name.
            path="genderscope-example/occupations.csv",
            # Pin a version here: an address whose content never changes. This one is an example and answers nobody.
            url="https://genderscope.example/data/v1/occupations.csv",
            sha256="e0bb74955f5325e3e24f229a3bcd5528f5c2c01c3200bb72e8e8a8bb0e6a37d7",
            size=383,
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Occupation:
    """One sample: an occupation and whose it is said to be."""

    name: str
    group: str


def load() -> tuple[Occupation, ...]:
    """Read the verified file: from the mirror, from the cache, or from its address."""
    text = fetch.read(OCCUPATIONS.files[0]).decode("utf-8")
    return tuple(Occupation(row["occupation"], row["group"]) for row in csv.DictReader(io.StringIO(text)))
