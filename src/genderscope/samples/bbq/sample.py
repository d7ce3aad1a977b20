"""A BBQ question with its context and three answers, and sets of such questions."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from genderscope.samples.subsampling import by_stratum, limits

Kind = Literal["biased", "counter", "unknown"]
Condition = Literal["ambiguous", "disambiguated"]
Polarity = Literal["negative", "non-negative"]
Group = Literal["women", "men", "trans"]

KINDS: tuple[Kind, ...] = ("biased", "counter", "unknown")
CONDITIONS: tuple[Condition, ...] = ("ambiguous", "disambiguated")
POLARITIES: tuple[Polarity, ...] = ("negative", "non-negative")
GROUPS: tuple[Group, ...] = ("women", "men", "trans")


@dataclass(frozen=True, slots=True)
class BbqSample:
    """A question about two people.

    `kinds` says what each option is. For a negative question, the biased answer is the person that the stereotype is
    about; for a non-negative question, it is the other person. `template` is the scenario, which rows with other names
    share. `control` marks a question about two people of one gender, to which no stereotype applies; its kinds come
    from the data's own labels.
    """

    index: int
    item: str
    language: str
    template: str
    condition: Condition
    polarity: Polarity
    context: str
    question: str
    options: tuple[str, str, str]
    kinds: tuple[Kind, Kind, Kind]
    truth: Kind
    group: Group
    value: str | None = None
    control: bool = False
    #: BBQ's own label and code of each option, by which lm-evaluation-harness recognises people
    labels: tuple[tuple[str, str], ...] = ()

    def option(self, kind: str) -> str:
        """Return the text of the option of this kind."""
        return self.options[self.kinds.index(kind)]


@dataclass(frozen=True)
class BbqSamples:
    """A set of samples with its name and checksum."""

    name: str
    sha256: str
    samples: tuple[BbqSample, ...]
    #: reason -> number of released rows that were left out
    left_out: Mapping[str, int]
    duplicates: int = 0  # number of duplicate rows in the user's own file


def kinds_of(stereotyped: int, unknown: int, polarity: Polarity) -> tuple[Kind, Kind, Kind]:
    """Return the options' kinds, given the positions of the stereotyped person and of the unknown option."""
    person: tuple[Kind, Kind] = ("biased", "counter") if polarity == "negative" else ("counter", "biased")
    found: list[Kind] = [person[1]] * 3
    found[stereotyped], found[unknown] = person[0], "unknown"
    return found[0], found[1], found[2]


def limited(samples: BbqSamples, limit: int | None) -> BbqSamples:
    """Subsample `limit` samples, in proportion to conditions and right answers."""
    if not limits(samples.samples, limit):
        return samples
    kept = by_stratum(samples.samples, limit, lambda sample: (sample.control, sample.condition, sample.truth))
    return replace(samples, name=f"{samples.name}:{limit}", samples=kept)
