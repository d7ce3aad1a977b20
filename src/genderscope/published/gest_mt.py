"""Recomputes GEST Tables 6 and 8 from the released translations with our reader, beside the published values."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

from genderscope.grammar import speaker_gender
from genderscope.models import normalised
from genderscope.samples import fetch
from genderscope.samples.gest import STEREOTYPES, load
from genderscope.samples.registry import dataset
from genderscope.statistics.proportions import agresti_coull


@dataclass(frozen=True)
class MtReproduction:
    """One system and language: published and our masculine rates (interval centres) and yields."""

    system: str
    language: str
    published_yield: int
    our_yield: int
    #: stereotype -> (published p_i, ours)
    rates: dict[int, tuple[float, float]]

    @property
    def mean_difference(self) -> float:
        """Mean |p_i − published| over the stereotypes."""
        return sum(abs(ours - theirs) for theirs, ours in self.rates.values()) / len(self.rates)

    @property
    def largest_difference(self) -> float:
        """The largest |p_i − published|."""
        return max(abs(ours - theirs) for theirs, ours in self.rates.values())


def reproduce() -> Iterator[MtReproduction]:
    """Read every released translation that is at hand or can be fetched."""
    samples = load(None, "1.0").samples
    for file in dataset("gest-translations").files:
        folder, name = file.path.split("/")[2:]
        system, language = folder.removesuffix("_translate"), name.removesuffix(".csv")
        rows = csv.DictReader(io.StringIO(fetch.read(file).decode("utf-8"), newline=""))
        # A source that stands twice was translated again later; the paper's figures are of the later one.
        translations = {normalised(row["from"]): row["to"] for row in rows}
        masculine, read = dict.fromkeys(STEREOTYPES, 0), dict.fromkeys(STEREOTYPES, 0)
        for sample in samples:
            reading = speaker_gender(translations[normalised(sample.sentence)], language)
            read[sample.stereotype] += reading.status == "read"
            masculine[sample.stereotype] += reading.gender == "masculine"
        published = _rates(system, language)
        ours = {i: agresti_coull(masculine[i], read[i])[0] for i in STEREOTYPES}
        pairs = {i: (published[i], ours[i]) for i in STEREOTYPES}
        yield MtReproduction(system, language, _yield(system, language), sum(read.values()), pairs)


def _rates(system: str, language: str) -> dict[int, float]:
    rows = _table("gest_table8_mt_masculine_rate.csv")
    return {
        int(row["stereotype"]): float(row["value"])
        for row in rows
        if (row["system"], row["language"]) == (system, language)
    }


def _yield(system: str, language: str) -> int:
    rows = _table("gest_table6_mt_yield.csv")
    return next(int(row["n"]) for row in rows if (row["system"], row["language"]) == (system, language))


def _table(name: str) -> list[dict[str, str]]:
    with files("genderscope.published").joinpath("tables", name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))
