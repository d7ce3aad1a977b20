"""The WMT24 test suite on gender in dialogue: English passages with adjectives that describe "I" or "you".

A suite is the released one, the starter suite or a user's own file with a column `source`; the files of its vocabulary
are in the same folder. All annotations are derived from the texts, and rows that contradict them are counted.
"""

import hashlib
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from genderscope.core.errors import UserError
from genderscope.core.tables import Table, own_text
from genderscope.samples import fetch
from genderscope.samples.dataset import STARTER, SampleDataset, SampleSet, resource
from genderscope.samples.dialogue_annotation import (
    AdjectiveInstance,
    AdjectiveTraits,
    DialogueFormatError,
    Source,
    Vocabulary,
    derive,
    vocabulary_key,
)
from genderscope.samples.parse_cache import cached
from genderscope.samples.registry import dataset
from genderscope.samples.subsampling import in_strata

RELEASED = "wmt24-dialogue"
#: a vocabulary's three files and their columns
VOCABULARY_FILES = {
    "adjectives": ("adjective", "gender", "sentiment", "type"),
    "adverbs": ("adverb", "gender"),
    "occupations": ("occupation", "gender"),
}


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


@dataclass(frozen=True)
class DialogueSuite(SampleSet[Source]):
    """The sources in order of first appearance, and the differences between the file and the texts."""

    differences: FileDifferences = FileDifferences(rows=0, instances=0)

    @property
    def instances(self) -> list[AdjectiveInstance]:
        """All adjective instances in suite order."""
        return [instance for source in self.samples for instance in source.instances]


def _stratum(source: Source) -> tuple[object, ...]:
    return tuple((i.subset, i.template, i.adverb_stereotype) for i in source.instances[:1])


DIALOGUE: SampleDataset[Source] = SampleDataset(columns=("source",), noun="passages", choose=in_strata(_stratum))


@cached
def load(data: str | None) -> DialogueSuite:
    """Load the released suite (None), the starter suite ('starter'), or a suite from a CSV file, gzipped or not."""
    if data == STARTER:
        return starter()
    if data is not None:
        path = Path(data).expanduser()
        text = read_text(path)
        texts = {name: read_text(path.parent / f"{name}.csv") for name in VOCABULARY_FILES}
        return parse_suite(text, parse_vocabulary(texts), str(path), Path(data).name)
    files = dataset(RELEASED)
    texts = {name: fetch.read(files.file(f"wmt24/{name}.csv")).decode("utf-8-sig") for name in VOCABULARY_FILES}
    content = fetch.read(files.file("wmt24/full_test_suite.csv"))
    suite = parse_suite(content.decode("utf-8-sig"), parse_vocabulary(texts), "full_test_suite.csv")
    return replace(suite, name=RELEASED, sha256=hashlib.sha256(content).hexdigest())


def starter() -> DialogueSuite:
    """Load the small suite written with the project's own vocabulary, following the released suite's templates."""
    words = starter_vocabulary()
    passages = resource("starters/dialogue/passages.txt").decode("utf-8").splitlines()
    sources = tuple(derive(text, words) for text in passages)
    count = sum(len(source.instances) for source in sources)
    return _suite("dialogue-starter", sources, FileDifferences(rows=count, instances=count))


def starter_vocabulary() -> Vocabulary:
    """Load the project's own vocabulary."""
    texts = {name: resource(f"starters/dialogue/{name}.csv").decode("utf-8") for name in VOCABULARY_FILES}
    return parse_vocabulary(texts)


def _suite(name: str, sources: tuple[Source, ...], differences: FileDifferences) -> DialogueSuite:
    """Return a suite with its checksum, computed from its texts, traits and stereotypes."""
    digest = hashlib.sha256()
    for source in sources:
        digest.update(repr((source.text, [i.traits for i in source.instances])).encode())
        digest.update(repr([i.stereotype for i in source.instances]).encode())
    return DialogueSuite(DIALOGUE, name, digest.hexdigest(), sources, differences=differences)


def excerpt(outputs: bytes, sources: bytes) -> bytes:
    """Return the output lines for the suite's passages, in the suite's order."""
    lines = outputs.decode("utf-8").removesuffix("\n").split("\n")
    asked = sources.decode("utf-8").removesuffix("\n").split("\n")
    if len(lines) != len(asked):
        raise UserError(
            f"The outputs have {len(lines):,} lines, but their sources have {len(asked):,}; they must be parallel."
        )
    place: dict[str, int] = {}
    for number, text in enumerate(asked):
        place.setdefault(text, number)
    wanted = [source.text for source in load(None).samples]
    if missing := sum(text not in place for text in wanted):
        raise UserError(f"The sources contain only {len(wanted) - missing:,} of the suite's {len(wanted):,} passages.")
    return "".join(f"{lines[place[text]]}\n" for text in wanted).encode()


def parse_suite(text: str, vocabulary: Vocabulary, path: str, name: str = "") -> DialogueSuite:
    """Parse a suite; `source` is its only required column."""
    rows_of = parse_sources(text, path)
    try:
        sources = tuple(derive(source, vocabulary) for source in rows_of)
    except DialogueFormatError as error:
        raise UserError(f"'{path}': {error}") from None
    if silent := next((source.text for source in sources if not source.instances), None):
        raise UserError(f'\'{path}\': no adjective describes "I" or "you" in the passage {silent!r}.')
    return _suite(name, sources, _differences(sources, rows_of))


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
    labels = {"gender": traits.stereotype, "sentiment": traits.sentiment, "type": traits.kind}
    if any(row.get(column, value) != value for column, value in labels.items()):
        columns.append("traits")
    return columns


def parse_vocabulary(texts: Mapping[str, str]) -> Vocabulary:
    """Parse a vocabulary from the texts of its three files."""
    rows = {name: parse_rows(texts[name], columns, f"{name}.csv") for name, columns in VOCABULARY_FILES.items()}
    adjectives: dict[str, AdjectiveTraits] = {}
    for row in rows["adjectives"]:
        key = vocabulary_key(row["adjective"])
        traits = AdjectiveTraits(kind=row["type"], sentiment=row["sentiment"], stereotype=row["gender"])
        adjectives[key] = _agreed(adjectives.get(key, traits), traits)
    return Vocabulary(
        adjectives=adjectives,
        adverbs={row["adverb"].strip(): row["gender"] for row in rows["adverbs"]},
        occupations={row["occupation"].strip(): row["gender"] for row in rows["occupations"]},
    )


def read_text(path: Path) -> str:
    """Read a text file, or its `.gz` version if only that exists."""
    if not path.exists() and path.with_name(path.name + ".gz").exists():
        path = path.with_name(path.name + ".gz")
    return own_text(path, "file")


def parse_rows(text: str, columns: Sequence[str], name: str) -> list[dict[str, str]]:
    """Parse a CSV text with these columns; `name` identifies it in error messages."""
    rows = Table(io.StringIO(text.removeprefix("\ufeff"), newline=""), f"'{name}'")
    rows.need(columns, f"it needs {', '.join(columns)}")
    return [{key: value or "" for key, value in row.items() if isinstance(key, str)} for _, row in rows]


def _agreed(one: AdjectiveTraits, other: AdjectiveTraits) -> AdjectiveTraits:
    """Return the traits on which two entries for a word agree ("nervous" is listed as both positive and negative)."""
    return AdjectiveTraits(
        kind=one.kind if one.kind == other.kind else None,
        sentiment=one.sentiment if one.sentiment == other.sentiment else None,
        stereotype=one.stereotype if one.stereotype == other.stereotype else None,
    )
