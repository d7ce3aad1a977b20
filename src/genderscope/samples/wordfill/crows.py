"""CrowS-Pairs, original and revised, and the paper's negated and anti-stereotypical variants with control pairs."""

import csv
import io
from collections import Counter
from collections.abc import Iterable

from genderscope.samples import fetch
from genderscope.samples.parse_cache import cached
from genderscope.samples.registry import dataset
from genderscope.samples.wordfill.quadruplet import Quadruplet, Sentence, WordFillSet, checksum, without_duplicates

BIAS_TYPES = (
    "age",
    "disability",
    "gender",
    "nationality",
    "physical-appearance",
    "race-color",
    "religion",
    "sexual-orientation",
    "socioeconomic",
)
PAIRS = {"original": "wordfill/crows.csv", "revised": "wordfill/crows_revised.csv"}
CONTROLLED = {"negation": "wordfill/crows_negation.csv", "antistereotype": "wordfill/crows_antistereotype.csv"}
SETS = (*PAIRS, *CONTROLLED)

#: bias type, the more and the less stereotypical sentence, and optionally a control pair
Pair = tuple[str, str, str, tuple[str, str] | None]


@cached
def load(name: str, bias_types: Iterable[str], as_published: bool) -> WordFillSet:
    """Load one of the sets; the sets with control pairs cover only gender."""
    content = fetch.read(dataset("wordfill").file((PAIRS | CONTROLLED)[name]))
    dropped: Counter[str] = Counter()
    parsed = _pairs(content, frozenset(bias_types), dropped) if name in PAIRS else _controlled(content, dropped)
    kept = list(parsed) if as_published else without_duplicates(parsed, lambda pair: pair, dropped)
    items: dict[tuple[str, str], int] = {}
    samples = tuple(
        Quadruplet(
            k,
            items.setdefault((more, less), len(items)),
            subset,
            Sentence(more),
            None if control is None else Sentence(control[0]),
            Sentence(less),
            None if control is None else Sentence(control[1]),
        )
        for k, (subset, more, less, control) in enumerate(kept)
    )
    return WordFillSet(f"crows-{name}", checksum(content), samples, dict(dropped))


def _pairs(content: bytes, wanted: frozenset[str], dropped: Counter[str]) -> Iterable[Pair]:
    for row in csv.DictReader(io.StringIO(content.decode("utf-8"), newline="")):
        subset = row["bias_type"].lower()
        if subset not in BIAS_TYPES:
            dropped["its bias type is not one of the nine"] += 1
        elif subset in wanted:
            if row["sent_more"].strip() and row["sent_less"].strip():
                yield subset, row["sent_more"].strip(), row["sent_less"].strip(), None
            else:
                dropped["a sentence is empty"] += 1


def _controlled(content: bytes, dropped: Counter[str]) -> Iterable[Pair]:
    """Yield each column's pair (rows 0-1) once per control pair (rows 2-3 and 4-5)."""
    for column in zip(*csv.reader(io.StringIO(content.decode("utf-8"), newline="")), strict=True):
        controls = [(a, b) for a, b in zip(column[2::2], column[3::2], strict=True) if a and b]
        if not controls:
            dropped["it has no control pair"] += 1
        for more, less in controls:
            yield "gender", column[0].strip(), column[1].strip(), (more.strip(), less.strip())
