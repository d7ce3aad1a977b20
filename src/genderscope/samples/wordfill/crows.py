"""CrowS-Pairs: original and revised, and the paper's negated and anti-stereotypical variants with control pairs."""

import csv
import io
from collections import Counter
from collections.abc import Iterable

from genderscope.samples import fetch
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


def load(name: str, bias_types: Iterable[str], as_published: bool) -> WordFillSet:
    """Load one of the sets; the controlled ones are about gender."""
    content = fetch.read(dataset("wordfill").file((PAIRS | CONTROLLED)[name]))
    dropped: Counter[str] = Counter()
    if name in PAIRS:
        found = [
            (subset, (more, None, less, None)) for subset, more, less in _pairs(content, frozenset(bias_types), dropped)
        ]
    else:
        found = [("gender", sentences) for sentences in _controlled(content, dropped)]
    kept = found if as_published else without_duplicates(found, lambda pair: pair, dropped)
    items: dict[object, int] = {}
    samples = tuple(
        Quadruplet(k, items.setdefault(q[0::2], len(items)), subset, *(None if s is None else Sentence(s) for s in q))  # type: ignore[arg-type]
        for k, (subset, q) in enumerate(kept)
    )
    return WordFillSet(f"crows-{name}", checksum(content), samples, dict(dropped))


def _pairs(content: bytes, wanted: frozenset[str], dropped: Counter[str]) -> Iterable[tuple[str, str, str]]:
    for row in csv.DictReader(io.StringIO(content.decode("utf-8"), newline="")):
        subset = row["bias_type"].lower()
        if subset not in BIAS_TYPES:
            dropped["its bias type is none of the nine"] += 1
        elif subset in wanted:
            if row["sent_more"].strip() and row["sent_less"].strip():
                yield subset, row["sent_more"].strip(), row["sent_less"].strip()
            else:
                dropped["a sentence is empty"] += 1


def _controlled(content: bytes, dropped: Counter[str]) -> Iterable[tuple[str, str, str, str]]:
    """A column is a sample: the pair in rows 0 and 1, control pairs in rows 2 and 3, 4 and 5."""
    for column in zip(*csv.reader(io.StringIO(content.decode("utf-8"), newline="")), strict=True):
        controls = [(a, b) for a, b in zip(column[2::2], column[3::2], strict=True) if a and b]
        if not controls:
            dropped["it has no control pair"] += 1
        for more, less in controls:
            yield column[0].strip(), more.strip(), column[1].strip(), less.strip()
