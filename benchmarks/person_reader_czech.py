"""How well the gender of a named person is read in Czech outputs of WMT24's test suite of gendered dialogues.

    GENDERSCOPE_MIRROR=... python benchmarks/person_reader_czech.py

Per system: the share of people read in sentences with two occupations. Over all systems: how often the gender of the
noun found agrees with the adjective before it or, if this shows no gender, with the verb after it (“se usmála”). Nouns
that show no gender are left out, since the reader uses these words itself.
"""

import gzip
import re
from collections import Counter
from pathlib import Path

from genderscope.grammar.person import GenderMark, read_person
from genderscope.grammar.person.person_file import read_person_file
from genderscope.samples.fetch import mirror

MASCULINE, FEMININE = re.compile(r"(?:ý|ého|ému|ým)$"), re.compile(r"(?:á|ou)$")
DATIVE = re.compile(r"é$")  # feminine before the second person, whom the first one addresses
VERB = re.compile(r"\s+(?:se|si)\s+(?:\w+ě\s+)?\w+?(la?)\b")


def agreement_gender(noun: GenderMark, translation: str, *, is_second: bool) -> str | None:
    """Return the gender that the words next to a noun show."""
    before = translation[: noun.start].split()[-1:]
    verb = VERB.match(translation, noun.end)
    for adjective in before:
        if MASCULINE.search(adjective):
            return "masculine"
        if FEMININE.search(adjective) or (is_second and DATIVE.search(adjective)):
            return "feminine"
    return None if verb is None else "masculine" if verb[1] == "l" else "feminine"


def main() -> None:
    """Print the figures."""
    folder = mirror()
    if folder is None:
        raise SystemExit("GENDERSCOPE_MIRROR names no mirror with the folder wmt24.")
    rows = (folder / "wmt24" / "occupations.csv").read_text(encoding="utf-8-sig").splitlines()[1:]
    people = {row.split(",")[0].lower() for row in rows} & read_person_file("cs").people.keys()
    pattern = re.compile(rf"\b(?:{'|'.join(sorted(people, key=len, reverse=True))})\b")
    sources = read_lines(folder / "wmt24" / "sources.txt.gz")
    checks = Counter[str]()
    for path in sorted((folder / "wmt24" / "outputs" / "cs").glob("*.txt.gz")):
        counts = Counter[bool]()
        for source, translation in zip(sources, read_lines(path), strict=True):
            named = pattern.findall(source.lower())
            for place, person in enumerate(named if len(named) == 2 else ()):
                reading = read_person(source, person, translation, "cs", named[1 - place])
                counts[reading.gender is not None] += 1
                for noun in (mark for mark in reading.evidence if mark.gender and "noun" in mark.rule):
                    shown = agreement_gender(noun, translation, is_second=place == 1)
                    if shown:
                        checks["agree" if shown == noun.gender else f"{noun.gender}, not {shown}"] += 1
        print(f"{path.name.removesuffix('.txt.gz')}: read {counts[True] / counts.total():.1%} of {counts.total()}")
    print("adjective or verb next to the noun:", dict(checks.most_common()))


def read_lines(path: Path) -> list[str]:
    """Return the lines of a compressed file."""
    return gzip.decompress(path.read_bytes()).decode().splitlines()


if __name__ == "__main__":
    main()
