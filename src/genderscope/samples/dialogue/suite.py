"""Loading the suite's file, and counting where its own columns differ from what its texts say."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from genderscope.samples.dialogue.instances import AdjectiveInstance, Source, derive
from genderscope.samples.dialogue.vocabulary import Vocabulary, load_vocabulary, read_rows


@dataclass(frozen=True, slots=True)
class FileDifferences:
    """How many rows of the file differ from the derivation, by column; the derivation is what counts."""

    rows: int
    instances: int
    repeated_rows: int = 0
    adjective: int = 0
    gender_context: int = 0
    true_label: int = 0
    stereo_label: int = 0
    traits: int = 0


@dataclass(frozen=True, slots=True)
class DialogueSuite:
    """The sources in order of first appearance, and what their file says otherwise."""

    sources: tuple[Source, ...]
    differences: FileDifferences

    @property
    def instances(self) -> list[AdjectiveInstance]:
        """All adjective instances in suite order."""
        return [instance for source in self.sources for instance in source.instances]


def load_dialogue(suite: Path | str, vocabulary: Path | str | None = None) -> DialogueSuite:
    """Read the suite (CSV, gzipped or not); the vocabulary files lie in the same folder unless told otherwise."""
    suite = Path(suite)
    words = load_vocabulary(suite.parent if vocabulary is None else vocabulary)
    rows_of: dict[str, list[dict[str, str]]] = {}
    for row in read_rows(suite):
        rows_of.setdefault(row["source"], []).append(row)
    sources = tuple(derive(text, words) for text in rows_of)
    return DialogueSuite(sources, _differences(sources, rows_of, words))


def _differences(
    sources: tuple[Source, ...], rows_of: dict[str, list[dict[str, str]]], vocabulary: Vocabulary
) -> FileDifferences:
    counts = dict.fromkeys(("repeated_rows", "adjective", "gender_context", "true_label", "stereo_label", "traits"), 0)
    for source in sources:
        rows = list(rows_of[source.text])
        counts["repeated_rows"] += len(rows) - len(source.instances)
        paired = [_take(rows, instance) for instance in source.instances]
        for instance, row in zip(source.instances, paired, strict=True):
            # A row whose adjective was misread still stands for one of the instances left over.
            found = row or (rows.pop(0) if rows else None)
            if found is not None:
                for column in _differing_columns(instance, found):
                    counts[column] += 1
    rows_in_file = sum(len(rows) for rows in rows_of.values())
    return FileDifferences(rows=rows_in_file, instances=sum(len(source.instances) for source in sources), **counts)


def _take(rows: list[dict[str, str]], instance: AdjectiveInstance) -> dict[str, str] | None:
    """The next row of the same adjective, hyphens apart."""
    wanted = instance.adjective.replace("-", "")
    for index, row in enumerate(rows):
        if row["adjective"].replace("-", "") == wanted:
            return rows.pop(index)
    return None


def _differing_columns(instance: AdjectiveInstance, row: dict[str, str]) -> list[str]:
    derived = {
        "adjective": instance.adjective,
        "gender_context": "determined" if instance.determined else "ambiguous",
        "true_label": instance.gender or "none",
        "stereo_label": instance.stereotype or "none",
    }
    columns = [column for column, value in derived.items() if row[column] != value]
    traits = instance.traits
    if (row["gender"], row["sentiment"], row["type"]) != (traits.stereotype, traits.sentiment, traits.kind):
        columns.append("traits")
    return columns
