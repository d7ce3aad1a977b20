"""How well the gender of a named person is read in released translations of WinoMT.

    GENDERSCOPE_MIRROR=... python benchmarks/person_readers.py [es fr …]

Per language and system: the share of sentences read, with and without pronouns for nouns that show no gender, the
CPU time, and agreement with the original script where both read masculine or feminine. Per language with human
labels: the share read and, of those, right. Some French and German labels follow the pronoun, not the noun ("le vendeur
… elle" is labelled F), so agreement is also counted without sentences in which the two conflict.

`winomt_verdicts.csv` has our own labels of 400 released translations, given by sentence number: 50 random sentences per
language and system in which the reader and the original script disagree, and 50 random sentences each of Google's
German (feminine gold only) and Russian. They were labelled without seeing either reading. The noun phrase decides; an
empty gender means that the translation shows none.
"""

import csv
import gzip
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from genderscope.grammar.person import person_languages, read_person
from genderscope.samples.fetch import mirror

SCRIPT = {"male": "masculine", "female": "feminine"}
VERDICTS = Path(__file__).with_name("winomt_verdicts.csv")
HUMAN = {"M": "masculine", "F": "feminine", "N": "neutral"}


def systems(folder: Path, language: str) -> Iterator[tuple[str, dict[str, str], list[str]]]:
    """Yield name, translations by source, and the original script's readings of each system."""
    for path in sorted(folder.glob(f"winomt*/translations/*/en-{language}.txt.gz")):
        lines = gzip.decompress(path.read_bytes()).decode().splitlines()
        readings = path.parents[2] / "predicted" / path.parent.name / f"{language}.csv.gz"
        script = gzip.decompress(readings.read_bytes()).decode().splitlines() if readings.exists() else []
        parts = [line.partition("|||") for line in lines]
        translations = {source.strip(): translation.strip() for source, _, translation in parts}
        yield f"{path.parts[-4]} {path.parent.name}", translations, [row[1] for row in csv.reader(script[1:])]


def show_systems(folder: Path, language: str, sentences: list[list[str]]) -> None:
    """Print the figures of each system."""
    for name, translations, script in systems(folder, language):
        rows = [(number, row) for number, row in enumerate(sentences) if row[2] in translations]
        start = time.process_time()
        readings = {number: read_person(row[2], row[3], translations[row[2]], language) for number, row in rows}
        seconds = time.process_time() - start
        told = [read_person(row[2], row[3], translations[row[2]], language, is_antecedent=True) for _, row in rows]
        read = sum(reading.gender is not None for reading in readings.values()) / len(rows)
        read_told = sum(reading.gender is not None for reading in told) / len(rows)
        pairs = [
            (readings[number].gender, SCRIPT.get(said)) for number, said in enumerate(script) if number in readings
        ]
        both = [ours == theirs for ours, theirs in pairs if theirs and ours in SCRIPT.values()]
        agreement = f"agree {sum(both) / len(both):.1%} of {len(both)}" if both else ""
        print(f"{language} {name}: read {read:.1%}, with pronouns {read_told:.1%}, {seconds:.2f} s  {agreement}")


def show_labels(path: Path, language: str, sentences: list[list[str]]) -> None:
    """Print the figures on sentences labelled by a person."""
    counts = {"labelled": 0, "read": 0, "right": 0, "no conflict": 0, "right without conflict": 0}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            gender = HUMAN.get(row["Gender? [M/F/N]"].strip().upper()[:1])
            if gender is None:
                continue
            entity = re.sub(r"^(the|an?) ", "", row["Entity"].strip().lower())
            source = sentences[int(row["Index"])][2]
            reading = read_person(source, entity, row["Sentence"], language)
            counts["labelled"] += 1
            counts["read"] += reading.gender is not None
            counts["right"] += reading.gender == gender
            if reading.gender is not None and not reading.pronoun_conflicts:
                counts["no conflict"] += 1
                counts["right without conflict"] += reading.gender == gender
    print(f"{language} human labels:", ", ".join(f"{number} {name}" for name, number in counts.items()))


def show_verdicts(folder: Path, language: str, sentences: list[list[str]]) -> None:
    """Print who is right on sentences that we labelled: the reader, the script or neither."""
    with VERDICTS.open(encoding="utf-8", newline="") as file:
        verdicts = [row for row in csv.DictReader(file) if row["language"] == language]
    known: dict[str, Any] = {name: found for name, *found in systems(folder, language)} if verdicts else {}
    counts: dict[tuple[str, str], Counter[str]] = {}
    for row in verdicts:
        name, number = f"{row['data']} {row['system']}", int(row["number"])
        translations, script = known[name]
        _, _, source, entity = sentences[number]
        ours = read_person(source, entity, translations[source], language, is_antecedent=True).gender or ""
        theirs = SCRIPT.get(script[number], "") if script else None
        right = "ours" if ours == row["gender"] else "script" if theirs == row["gender"] else "neither"
        counts.setdefault((name, row["sample"]), Counter())[right] += 1
    for (name, sample), count in counts.items():
        print(f"{language} {name}, own labels ({sample}): right", ", ".join(f"{who} {n}" for who, n in count.items()))


def main() -> None:
    """Print the figures of the languages given, or of all."""
    folder = mirror()
    if folder is None:
        raise SystemExit("GENDERSCOPE_MIRROR names no mirror with the folders winomt and winomt-2025.")
    lines = (folder / "winomt" / "aggregates" / "en.txt").read_text(encoding="utf-8").splitlines()
    sentences = [line.split("\t") for line in lines]
    for language in sys.argv[1:] or person_languages():
        show_systems(folder, language, sentences)
        labels = folder / "winomt" / "human" / f"{language}.csv"
        if labels.exists():
            show_labels(labels, language, sentences)
        show_verdicts(folder, language, sentences)


if __name__ == "__main__":
    main()
