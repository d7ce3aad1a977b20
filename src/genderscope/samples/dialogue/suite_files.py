"""Loading of suite files, and counts of rows that contradict the texts."""

from dataclasses import dataclass
from pathlib import Path

from genderscope.core.errors import UserError
from genderscope.samples.dialogue.annotation import AdjectiveInstance, DialogueFormatError, Source, derive
from genderscope.samples.dialogue.suite_vocabulary import Vocabulary, load_vocabulary, parse_rows, read_text


@dataclass(frozen=True, slots=True)
class FileDifferences:
    """The number of rows that contradict the text, by column; the text takes precedence."""

    rows: int
    instances: int
    repeated_rows: int = 0
    adjective: int = 0
    gender_context: int = 0
    true_label: int = 0
    stereo_label: int = 0
    traits: int = 0

    @property
    def said(self) -> str:
        """A sentence that lists the differences; empty if there are none."""
        counts = [(self.repeated_rows, "repeat an instance")]
        for column in ("adjective", "gender_context", "true_label", "stereo_label", "traits"):
            counts.append((getattr(self, column), f"differ from the text in {column}"))
        parts = ", ".join(f"{count} {what}" for count, what in counts if count)
        return f"Of the file's {self.rows:,} rows, {parts}; the values derived from the text are used." if parts else ""


@dataclass(frozen=True, slots=True)
class DialogueSuite:
    """The sources in order of first appearance, and the differences between the file and the texts."""

    sources: tuple[Source, ...]
    differences: FileDifferences

    @property
    def instances(self) -> list[AdjectiveInstance]:
        """All adjective instances in suite order."""
        return [instance for source in self.sources for instance in source.instances]


def load_dialogue(suite: Path) -> DialogueSuite:
    """Load a suite (CSV, optionally gzipped) with the vocabulary files in the same folder."""
    return parse_suite(read_text(suite), load_vocabulary(suite.parent), str(suite))


def parse_suite(text: str, vocabulary: Vocabulary, name: str) -> DialogueSuite:
    """Parse a suite; `source` is its only required column."""
    rows_of = parse_sources(text, name)
    try:
        sources = tuple(derive(source, vocabulary) for source in rows_of)
    except DialogueFormatError as error:
        raise UserError(f"'{name}': {error}") from None
    if silent := next((source.text for source in sources if not source.instances), None):
        raise UserError(f'\'{name}\': no adjective describes "I" or "you" in the passage {silent!r}.')
    return DialogueSuite(sources, _differences(sources, rows_of))


def parse_sources(text: str, name: str) -> dict[str, list[dict[str, str]]]:
    """Return the rows of each unique source, in order of first appearance."""
    rows_of: dict[str, list[dict[str, str]]] = {}
    for row in parse_rows(text, ["source"], name):
        rows_of.setdefault(row["source"], []).append(row)
    if not rows_of:
        raise UserError(f"'{name}' has no passages.")
    return rows_of


def _differences(sources: tuple[Source, ...], rows_of: dict[str, list[dict[str, str]]]) -> FileDifferences:
    counts = dict.fromkeys(("repeated_rows", "adjective", "gender_context", "true_label", "stereo_label", "traits"), 0)
    for source in sources:
        rows = list(rows_of[source.text])
        if "adjective" not in rows[0]:  # a plain list of passages has no columns to check
            counts["repeated_rows"] += len(rows) - 1
            continue
        counts["repeated_rows"] += len(rows) - len(source.instances)
        paired = [_take(rows, instance) for instance in source.instances]
        for instance, row in zip(source.instances, paired, strict=True):
            # A row with a wrong adjective still represents one of the remaining instances.
            own = row or (rows.pop(0) if rows else None)
            if own is not None:
                for column in _differing_columns(instance, own):
                    counts[column] += 1
    rows_in_file = sum(len(rows) for rows in rows_of.values())
    return FileDifferences(rows=rows_in_file, instances=sum(len(source.instances) for source in sources), **counts)


def _take(rows: list[dict[str, str]], instance: AdjectiveInstance) -> dict[str, str] | None:
    """Remove and return the next row with the same adjective, ignoring hyphens."""
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
    columns = [column for column, value in derived.items() if row.get(column, value) != value]
    traits = instance.traits
    known = {"gender": traits.stereotype, "sentiment": traits.sentiment, "type": traits.kind}
    if any(row.get(column, value) != value for column, value in known.items()):
        columns.append("traits")
    return columns
