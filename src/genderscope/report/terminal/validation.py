"""How well a reader does on labelled sentences: the confusion matrix of GEST Table 4, precision and recall."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from genderscope.grammar import Reading, speaker_gender
from genderscope.report.layout import plain_table
from genderscope.statistics.proportions import agresti_coull

LABELS = ("masculine", "feminine", "none")


@dataclass(frozen=True)
class Validation:
    """Every labelled sentence with its reading."""

    language: str
    pairs: tuple[tuple[str, str, Reading], ...]

    @property
    def confusion(self) -> Counter[tuple[str, str]]:
        """Numbers of sentences by (label, reading)."""
        return Counter((label, reading.gender or "none") for _, label, reading in self.pairs)

    @property
    def precision(self) -> tuple[int, int]:
        """How many readings are right, and how many readings there are."""
        read = [(label, reading.gender) for _, label, reading in self.pairs if reading.gender]
        return sum(label == gender for label, gender in read), len(read)

    @property
    def recall(self) -> tuple[int, int]:
        """How many gendered sentences are read rightly, and how many there are."""
        gendered = [(label, reading.gender) for _, label, reading in self.pairs if label != "none"]
        return sum(label == gender for label, gender in gendered), len(gendered)

    @property
    def disagreements(self) -> list[tuple[str, str, Reading]]:
        """The sentences where label and reading differ."""
        return [pair for pair in self.pairs if pair[1] != (pair[2].gender or "none")]


def validate(gold: Sequence[tuple[str, str]], language: str) -> Validation:
    """Read every labelled sentence."""
    return Validation(language, tuple((text, label, speaker_gender(text, language)) for text, label in gold))


def show_validation(validation: Validation, console: Console) -> None:
    """Print matrix, precision, recall and every disagreement with its evidence."""
    table = plain_table(("",), LABELS, title=f"{validation.language}: labels down, readings across")
    confusion = validation.confusion
    for label in LABELS:
        table.add_row(label, *(str(confusion[label, reading]) for reading in LABELS))
    console.print(table)
    for name, (right, total) in (("precision", validation.precision), ("recall", validation.recall)):
        if total:
            _, low, high = agresti_coull(right, total)
            console.print(f"{name}: {right / total:.1%} ({right} of {total}), 95 % interval {low:.1%} to {high:.1%}")
    for text, label, reading in validation.disagreements:
        evidence = "; ".join(f"{e.word} {e.gender} ({e.rule})" for e in reading.evidence) or "no evidence"
        console.print(
            Text(f"label {label}, read {reading.gender or reading.status}: {text}\n    {evidence}"), soft_wrap=True
        )
