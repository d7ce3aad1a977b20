"""Validation of a gender reader on labelled sentences: confusion matrix (GEST Table 4), precision, recall, coverage."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from genderscope.grammar import Reading, speaker_gender
from genderscope.report.layout import plain_table
from genderscope.statistics.proportions import agresti_coull

LABELS = ("masculine", "feminine", "none")
READINGS = ("masculine", "feminine", "conflict", "none")


class Labelled(NamedTuple):
    """A sentence, its gold gender (or "none"), and its line number in the file."""

    text: str
    label: str
    line: int


@dataclass(frozen=True)
class Validation:
    """Labelled sentences with their readings."""

    language: str
    pairs: tuple[tuple[Labelled, Reading], ...]

    @property
    def confusion(self) -> Counter[tuple[str, str]]:
        """The confusion matrix: number of sentences by label and reading."""
        return Counter((gold.label, _named(reading)) for gold, reading in self.pairs)

    @property
    def precision(self) -> tuple[int, int]:
        """The numbers of correct readings and of all readings."""
        read = [(gold.label, reading.gender) for gold, reading in self.pairs if reading.gender]
        return sum(label == gender for label, gender in read), len(read)

    @property
    def recall(self) -> tuple[int, int]:
        """The numbers of correctly read gendered sentences and of all gendered sentences."""
        gendered = [(gold.label, reading.gender) for gold, reading in self.pairs if gold.label != "none"]
        return sum(label == gender for label, gender in gendered), len(gendered)

    @property
    def coverage(self) -> tuple[int, int]:
        """The numbers of sentences with a reading and of all sentences."""
        return sum(reading.gender is not None for _, reading in self.pairs), len(self.pairs)

    @property
    def disagreements(self) -> list[tuple[Labelled, Reading]]:
        """Sentences whose label and reading differ, wrong readings first."""
        differing = [pair for pair in self.pairs if pair[0].label != (pair[1].gender or "none")]
        return sorted(differing, key=lambda pair: pair[1].gender is None)


def validate(gold: Sequence[Labelled], language: str) -> Validation:
    """Run the language's gender reader on all labelled sentences."""
    return Validation(language, tuple((labelled, speaker_gender(labelled.text, language)) for labelled in gold))


def show_validation(validation: Validation, console: Console) -> None:
    """Print the confusion matrix, precision, recall, coverage, and disagreements with their evidence."""
    table = plain_table(("",), READINGS, title=f"{validation.language}: labels in rows, readings in columns")
    confusion = validation.confusion
    for label in LABELS:
        table.add_row(label, *(str(confusion[label, reading]) for reading in READINGS))
    console.print(table)
    shares = {"precision": validation.precision, "recall": validation.recall, "coverage": validation.coverage}
    for name, (right, total) in shares.items():
        if total:
            _, low, high = agresti_coull(right, total)
            console.print(f"{name}: {right / total:.1%} ({right} of {total}), 95 % interval {low:.1%} to {high:.1%}")
        else:
            console.print(f"{name}: undefined (no such sentences)")
    for gold, reading in validation.disagreements:
        words = (f"{e.word} {e.gender or 'no gender'} ({e.rule})" for e in reading.evidence)
        evidence = "; ".join(words) or "no evidence"
        disagreement = f"line {gold.line}, label {gold.label}, read {reading.gender or reading.status}: {gold.text}"
        console.print(Text(f"{disagreement}\n    {evidence}"), soft_wrap=True)


def _named(reading: Reading) -> str:
    return reading.gender or ("conflict" if reading.status == "conflict" else "none")
