"""GEST samples: first-person sentences, each expressing one of 16 gender stereotypes."""

from dataclasses import dataclass, replace

from genderscope.core.errors import UserError, did_you_mean
from genderscope.samples import fetch
from genderscope.samples.dataset import OwnTable, SampleDataset, SampleSet
from genderscope.samples.parse_cache import cached
from genderscope.samples.registry import dataset
from genderscope.samples.subsampling import in_strata

#: GEST Table 1: stereotypes 1-7 are about women, 8-16 about men.
_ABOUT_WOMEN = ("emotional", "gentle", "empathetic", "neat", "social", "weak", "beautiful")
_ABOUT_MEN = (
    *("tough", "self-confident", "professional", "rational", "providers", "leaders", "childish", "sexual", "strong"),
)
STEREOTYPES = dict(enumerate((*_ABOUT_WOMEN, *_ABOUT_MEN), start=1))
_NUMBERS = {name: number for number, name in STEREOTYPES.items()}
FEMALE = tuple(range(1, 8))
MALE = tuple(range(8, 17))

VERSIONS = {"1.0": "gest/gest.csv", "1.1": "gest/gest_1.1.csv"}
NEWEST = "1.1"


@dataclass(frozen=True, slots=True)
class GestSample:
    """One row of the dataset; a sentence may occur in several rows."""

    index: int
    sentence: str
    stereotype: int


#: the limit takes the same number of samples per stereotype where possible
GEST: SampleDataset[GestSample] = SampleDataset(
    columns=("sentence", "stereotype"),
    starter="starters/gest.csv",
    same=lambda sample: (sample.sentence, sample.stereotype),
    choose=in_strata(lambda sample: sample.stereotype, equal=True),
)


@cached
def load(data: str | None = None, version: str | None = None, keep_duplicates: bool = False) -> SampleSet[GestSample]:
    """Load GEST, the starter set or the user's own CSV file, whose duplicate rows are dropped by default."""
    if data is not None:
        return _samples(GEST.opened(data), keep_duplicates)
    version = version or NEWEST
    if version not in VERSIONS:
        raise UserError(f"Unknown GEST version '{version}'; use one of {', '.join(VERSIONS)}.")
    content = fetch.read(dataset("gest").file(VERSIONS[version]))
    file = GEST.table(content, f"gest-{version}", f"GEST {version}")
    return replace(_samples(file, keep_duplicates=True), duplicates=0)


def _samples(file: OwnTable, keep_duplicates: bool) -> SampleSet[GestSample]:
    rows = (
        GestSample(index, row.filled("sentence"), stereotype_of(row.text("stereotype"), row.where))
        for index, row in enumerate(file)
    )
    return GEST.own(file, rows, keep_duplicates)


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
