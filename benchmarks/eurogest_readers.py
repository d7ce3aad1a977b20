"""How well the readers of the speaker's gender do on EuroGEST: pairs of sentences, and sentences without a pair.

    GENDERSCOPE_MIRROR=... python benchmarks/eurogest_readers.py [--show es]

Of the pairs about the speaker: the share where both forms are read right, and where one is read wrong. Of the
sentences that both translations agree on: the share that is read as gendered. Many of those are, since Google wrote the
masculine (or the feminine: "I am pretty") for both speakers.

`eurogest_not_speaker.csv` names the pairs that are not about the speaker, by row of the dataset. They were judged by
hand, among the pairs that are not read right: another wording or spelling (wording), somebody else's gender (other),
plurals (plural), a masculine form that women use too (both), and sentences that contradict themselves (contradiction).
"""

import argparse
import csv
import gzip
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from genderscope.core.languages import LANGUAGES
from genderscope.grammar import speaker_gender
from genderscope.samples.fetch import mirror

READ = ("bg", "el", "es", "fr", "it", "lt", "lv", "pt", "ro")
EXCLUDED = Path(__file__).with_name("eurogest_not_speaker.csv")


def rows(kind: str) -> list[list[str]]:
    """Read one of the two files of the dataset."""
    folder = mirror()
    if folder is None:
        raise SystemExit("GENDERSCOPE_MIRROR names no mirror with the folder eurogest.")
    path = folder / "eurogest" / f"gest_translations_gender_{kind}.csv.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def cells(table: list[list[str]], language: str, width: int) -> Iterator[tuple[str, list[str]]]:
    """Yield number and sentences of each row that has the language."""
    column = table[0].index(LANGUAGES[language].name)
    for row in table[1:]:
        found = [cell.strip() for cell in row[column : column + width]]
        if row[0].isdigit() and all(found):
            yield row[0], found


def main() -> None:
    """Print the table, or the sentences of one language that are not read right."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", metavar="LANGUAGE")
    shown = parser.parse_args().show
    with EXCLUDED.open(encoding="utf-8", newline="") as file:
        excluded = {(row["language"], row["row"]) for row in csv.DictReader(file)}
    pairs, alone = rows("sensitive"), rows("insensitive")
    print("language  pairs  about the speaker  both right  one wrong  without a pair  read as gendered")
    for language in (shown,) if shown else READ:
        counts: Counter[str] = Counter()
        for number, (man, woman) in cells(pairs, language, 2):
            counts["pairs"] += 1
            if (language, number) in excluded:
                continue
            counts["speaker"] += 1
            read = speaker_gender(man, language).gender, speaker_gender(woman, language).gender
            right, wrong = read == ("masculine", "feminine"), read[0] == "feminine" or read[1] == "masculine"
            counts["right"] += right
            counts["wrong"] += wrong
            if shown and not right:
                print(number, *read, man, woman, sep="\t")
        for number, (text,) in cells(alone, language, 1):
            counts["alone"] += 1
            reading = speaker_gender(text, language)
            counts["gendered"] += reading.gender is not None
            if shown and reading.gender:
                print(number, reading.gender, text, sep="\t")
        both, wrong_share = counts["right"] / counts["speaker"], counts["wrong"] / counts["speaker"]
        print(
            f"{language:8}  {counts['pairs']:5}  {counts['speaker']:17}  {both:10.1%}  {wrong_share:9.1%}"
            f"  {counts['alone']:14}  {counts['gendered'] / counts['alone']:16.1%}"
        )


if __name__ == "__main__":
    main()
