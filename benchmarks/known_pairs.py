"""Does `compare` name the better system? Pairs of systems whose order is known by construction.

The pairs and the answers that a sensible user must get are in `tests/comparison/pairs/pairs.csv`; the labels were
written before any comparison was run. `constructed_systems.py` explains how a system is described. Systems made from
released translations need a data mirror (GENDERSCOPE_MIRROR); `--own` leaves them out.

    python -m benchmarks.known_pairs [--measure gest-mt] [--pair gest-mt-01] [--own] [--summaries]

Verdicts: `right` (the expected answer, in each language where these are listed), `acceptable` (another answer that the
labels allow, or the right answer for all languages but not for each), `wrong`, and `wrong system` if the answer names
the system that is worse.
"""

import argparse
import csv
import json
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from benchmarks.constructed_systems import DATA, Material, own_material

import genderscope
from genderscope.comparison import Comparison, compare
from genderscope.core.errors import UserError
from genderscope.runs import Result

CHAT = ("gest-chat", "bbq")
NAMES = ("A", "B")
RIGHT, ACCEPTABLE, WRONG, WRONG_SYSTEM = VERDICTS = ("right", "acceptable", "wrong", "wrong system")
OPPOSITE = {"better:A": "better:B", "better:B": "better:A"}
NONE = "none"
#: kind of answer in the comparison -> the word in the table of pairs
KINDS = {"trade-off": "trade-off", "no difference": "no difference", "cannot be judged": "cannot"}
KINDS |= {"contradiction": "contradict"}


@dataclass(frozen=True)
class Pair:
    """Two systems and the answers that are right, acceptable, or name the wrong system."""

    name: str
    measure: str
    data: str
    languages: tuple[str, ...]
    lines: tuple[str, str]
    expected: str
    by_language: Mapping[str, str]
    accepted: frozenset[str]
    wrong: str
    is_quick: bool

    def verdict(self, answer: str, by_language: Mapping[str, str]) -> str:
        """Return how good an answer is."""
        said = {"": answer} | dict(by_language)
        worse = {"": self.wrong} | {language: OPPOSITE.get(each) for language, each in self.by_language.items()}
        if len(self.languages) == 1:
            worse[self.languages[0]] = self.wrong
        if any(each and said.get(language) == each for language, each in worse.items()):
            return WRONG_SYSTEM
        in_each = all(by_language.get(language) == said for language, said in self.by_language.items())
        if answer == self.expected:
            return RIGHT if in_each else ACCEPTABLE
        return ACCEPTABLE if answer in self.accepted else WRONG


def pairs() -> Iterator[Pair]:
    """Yield the pairs of the committed table."""
    with (DATA / "pairs.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            expected, *more = row["expected"].split("; ")
            yield Pair(
                row["pair"],
                row["measure"],
                row["data"],
                tuple(row["languages"].split(",")),
                (row["A"], row["B"]),
                expected,
                dict(each.split("=") for each in more),
                frozenset(filter(None, row["accepted"].split("|"))),
                row["wrong"],
                row["quick"] == "yes",
            )


def answers_of(comparison: Comparison) -> tuple[str, dict[str, str]]:
    """Return the answer of a comparison and its answers by language; `none` if it has no machine-readable answer."""
    content = json.loads(comparison.to_json())
    by_language = {each["language"]: _word(each) for each in content.get("answers", ()) if each.get("language")}
    return _word(content.get("answer")), by_language


def _word(answer: Mapping[str, Any] | None) -> str:
    if answer is None:
        return NONE
    return f"better:{answer['better']}" if answer["kind"] == "better" else KINDS[answer["kind"]]


@lru_cache(maxsize=4)
def _material(measure: str, data: str, languages: tuple[str, ...]) -> Material:
    if data == "own":
        return own_material(measure, languages)
    from benchmarks.released_systems import RELEASED

    return RELEASED[measure](languages)


def _write(path: Path, rows: Sequence[Sequence[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)


class Runs:
    """Evaluated systems; each is measured once, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.results: dict[tuple[object, ...], Result] = {}

    def compare(self, pair: Pair) -> Comparison:
        """Measure both systems of a pair and compare them."""
        # Identical systems are two runs as well, because nobody compares a run with itself.
        results = [self._result(pair, line, line == pair.lines[0] and k == 1) for k, line in enumerate(pair.lines)]
        return compare(*results, names=NAMES)

    def _result(self, pair: Pair, line: str, is_copy: bool) -> Result:
        key = (pair.measure, pair.data, pair.languages, line, is_copy)
        if key not in self.results:
            folder = self.folder / str(len(self.results))
            folder.mkdir()
            measured = _chat if pair.measure in CHAT else self._translated
            self.results[key] = measured(pair, line, folder)
        return self.results[key]

    def _translated(self, pair: Pair, line: str, folder: Path) -> Result:
        material = _material(pair.measure, pair.data, pair.languages)
        options = dict(material.options)
        if material.rows:
            # One path for both systems, so that their runs are about the same data.
            data = self.folder / f"{pair.measure}-{pair.data}-{'-'.join(pair.languages)}.csv"
            if not data.exists():
                _write(data, material.rows)
            options["data"] = str(data)
        for language in pair.languages:
            items = [item for item in material.items if item.language == language]
            _write(folder / f"{language}.csv", [("source", "translation"), *material.assembled(line, items)])
        spec = f"file:{folder}/{{lang}}.csv"
        return genderscope.evaluate(pair.measure, spec, to=pair.languages, out=folder / "run", report=False, **options)


def _chat(pair: Pair, line: str, folder: Path) -> Result:
    from benchmarks.constructed_chats import chat_model

    return genderscope.evaluate(
        pair.measure, chat_model(pair.measure, line), data="starter", out=folder / "run", report=False
    )


def chosen_pairs(options: argparse.Namespace) -> Iterator[Pair]:
    """Yield the pairs that the options select."""
    for pair in pairs():
        is_asked = pair.measure in (options.measure or [pair.measure]) and pair.name in (options.pair or [pair.name])
        if is_asked and (pair.data == "own" or not options.own) and (pair.is_quick or not options.quick):
            yield pair


def answered(pair: Pair, runs: Runs) -> tuple[str, dict[str, str], str]:
    """Return the answer, the answers by language and the summary; a refusal means that the pair cannot be judged."""
    try:
        comparison = runs.compare(pair)
    except UserError as error:
        return "cannot", {}, f"refused: {error}"
    return *answers_of(comparison), comparison.summary


def main() -> None:
    """Compare all pairs and print a table of the answers and the totals of the verdicts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", action="append", help="only pairs of this measure; repeatable")
    parser.add_argument("--pair", action="append", help="only this pair; repeatable")
    parser.add_argument("--own", action="store_true", help="leave out systems made from released translations")
    parser.add_argument("--quick", action="store_true", help="only the pairs that the tests use")
    parser.add_argument("--summaries", action="store_true", help="also print the comparison's summary")
    options = parser.parse_args()
    totals: dict[str, Counter[str]] = {}
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(Path(folder))
        for pair in chosen_pairs(options):
            answer, by_language, summary = answered(pair, runs)
            verdict = pair.verdict(answer, by_language)
            totals.setdefault(pair.measure, Counter())[verdict] += 1
            wanted, said = _line(pair.expected, pair.by_language), _line(answer, by_language)
            print(f"{pair.name:14} {','.join(pair.languages):6} {wanted:44} {said:44} {verdict}", flush=True)
            if options.summaries:
                print(f"    A: {pair.lines[0]}\n    B: {pair.lines[1]}\n    {summary}")
    print(f"\n{'measure':12} {'pairs':>6} " + " ".join(f"{verdict:>12}" for verdict in VERDICTS))
    for measure, counts in [*totals.items(), ("all", sum(totals.values(), Counter[str]()))]:
        print(f"{measure:12} {counts.total():6} " + " ".join(f"{counts[verdict]:12}" for verdict in VERDICTS))
    print(f"\nCPU time: {time.process_time() - began:.0f} s")


def _line(answer: str, by_language: Mapping[str, str]) -> str:
    return "; ".join([answer, *(f"{language}={each}" for language, each in by_language.items())])


if __name__ == "__main__":
    main()
