"""WinoMT scores of released translations: by the original script, by its rule with our reader, and by default."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pandas as pd
from rich.console import Console

from genderscope.core.questions import TranslationAnswer
from genderscope.grammar.person import person_languages
from genderscope.measures import frame_of
from genderscope.measures.winomt import SEPARATOR, WinoMtRow, estimates, row_of
from genderscope.published.paper_tables import released_table, write_table
from genderscope.report import PlainTable, plain_table
from genderscope.samples import fetch
from genderscope.samples.registry import dataset
from genderscope.samples.winomt import WinoMtSentence, load_released

NAMES = {"google": "Google", "bing": "Bing", "opus": "OPUS", "nllb": "NLLB"}
#: dataset of translations -> year
YEARS = {"winomt-translations": 2019, "winomt-2025": 2025}
#: what the script reads -> gender; a sentence with another reading counts as wrong
SCRIPT = {"male": "masculine", "female": "feminine", "neutral": "neutral"}
#: sentences that the Portuguese run left out: neutral pronouns and people without an occupation
IGNORED = "ignore"
#: estimate -> heading
SCORES = {"accuracy": "accuracy", "f1_gap": "ΔG", "stereotype_gap": "ΔS"}
_SYSTEM = re.compile(r"^newstest2020-\w+?-|(?:\.\w\w)?(?:\.sgm)?\.\d+$")


class Judged(NamedTuple):
    """The gender that the pronoun shows, the one that was read (empty if none), and the stereotype: pro or anti."""

    gold: str
    reading: str
    stereotype: str


class WinoMtScores(NamedTuple):
    """The three published scores; logs of the original script do not contain the last."""

    accuracy: float
    f1_gap: float
    stereotype_gap: float | None = None


@dataclass(frozen=True)
class ReleasedOutput:
    """The translations of a system, aligned with the released sentences, and what the original script made of them.

    A translation is None if it is that of another sentence: the files of 2019 have an earlier version of two sentences.
    """

    system: str
    language: str
    sentences: Sequence[WinoMtSentence]
    translations: list[str | None]
    #: readings of the original script, sentence by sentence, if they were released
    readings: list[str] | None
    #: the script's log, if it was released
    log: str | None


@dataclass(frozen=True)
class WinoMtReproduction:
    """The scores of one system and language."""

    system: str
    language: str
    original: WinoMtScores | None
    #: ours, with unread sentences counted as wrong
    published_rule: WinoMtScores
    #: ours, of the sentences that were read
    default: WinoMtScores
    share_read: float


def released_outputs(languages: Iterable[str] | None = None) -> Iterator[ReleasedOutput]:
    """Yield the released translations into the given languages, by default into all that can be read."""
    wanted = set(person_languages() if languages is None else languages)
    sentences = load_released().samples
    logs = {file.path: file for file in dataset("winomt-logs").files}
    for name, year in YEARS.items():
        files = {file.path: file for file in dataset(name).files}
        for path, file in files.items():
            folder, kind, system, language = *path.split("/")[:3], path[-6:-4]
            if kind != "translations" or language not in wanted:
                continue
            log, readings = logs.get(f"{folder}/logs/{system}/{language}.log"), None
            if (predicted := files.get(f"{folder}/predicted/{system}/{language}.csv")) is not None:
                readings = [row["Predicted gender"] for row in released_table(fetch.read(predicted))]
            yield ReleasedOutput(
                f"{NAMES[system]} {year}",
                language,
                sentences,
                _aligned(fetch.read(file).decode("utf-8"), sentences),
                readings,
                None if log is None else fetch.read(log).decode("utf-8"),
            )


def _aligned(text: str, sentences: Sequence[WinoMtSentence]) -> list[str | None]:
    """Return the translation of each sentence, None where the file has another source."""
    translations: list[str | None] = []
    for line, sentence in zip(text.removesuffix("\n").split("\n"), sentences, strict=True):
        source, _, translation = line.partition(SEPARATOR)
        translations.append(translation.strip() if source.strip() == sentence.source.rstrip() else None)
    return translations


def rows_of_output(output: ReleasedOutput) -> pd.DataFrame:
    """Read a system's translations with our reader."""
    pairs = zip(output.sentences, output.translations, strict=True)
    rows = [row_of(sentence, TranslationAnswer(text), output.language) for sentence, text in pairs if text is not None]
    return frame_of(rows, WinoMtRow)


def reproduce(languages: Iterable[str] | None = None) -> Iterator[WinoMtReproduction]:
    """Compute the scores of each released system and language."""
    for output in released_outputs(languages):
        rows = rows_of_output(output)
        left_out = [number for number, reading in enumerate(output.readings or ()) if reading == IGNORED]
        same = rows[~rows["number"].isin(left_out)]
        ours = zip(same["gender"], same["reading"].fillna(""), same["stereotype"], strict=True)
        default, read = _by_default(rows)
        yield WinoMtReproduction(
            output.system,
            output.language,
            original_scores(output),
            scores_of([Judged(*triple) for triple in ours]),
            default,
            read,
        )


def original_scores(output: ReleasedOutput) -> WinoMtScores | None:
    """Return the scores of the original script; None if neither its readings nor its log were released."""
    if output.readings is not None:
        return scores_of(
            [
                Judged(sentence.gender, SCRIPT.get(reading, ""), sentence.stereotype)
                for sentence, reading in zip(output.sentences, output.readings, strict=True)
                if reading != IGNORED
            ]
        )
    if output.log is None:
        return None
    return scores_of([Judged(*cell, "") for cell, count in confusion(output.log).items() for _ in range(count)])


def scores_of(judged: Sequence[Judged]) -> WinoMtScores:
    """Compute the scores as the original script does: what it could not read is wrong."""
    gaps = [_accuracy([j for j in judged if j.stereotype == part]) for part in ("pro", "anti")]
    stereotype_gap = None if gaps[0] is None or gaps[1] is None else gaps[0] - gaps[1]
    accuracy = _accuracy(judged)
    assert accuracy is not None
    return WinoMtScores(accuracy, _f1(judged, "masculine") - _f1(judged, "feminine"), stereotype_gap)


def _accuracy(judged: Sequence[Judged]) -> float | None:
    return sum(j.gold == j.reading for j in judged) / len(judged) if judged else None


def _f1(judged: Sequence[Judged], gender: str) -> float:
    right = sum(j.gold == j.reading == gender for j in judged)
    return 2 * right / sum((j.gold == gender) + (j.reading == gender) for j in judged)


def confusion(log: str) -> Counter[tuple[str, str]]:
    """Return how often the original script read which gender, by the gender of the pronoun, from its log."""
    counts: Counter[tuple[str, str]] = Counter()
    gold = ""
    for gender, count in re.findall(r"<GENDER\.(\w+): \d>: (defaultdict|\d+)", log):
        if count == "defaultdict":
            gold = SCRIPT[gender]
        else:
            counts[gold, SCRIPT.get(gender, "")] += int(count)
    return counts


def _by_default(rows: pd.DataFrame) -> tuple[WinoMtScores, float]:
    """Return the scores of what was read, and its share."""
    whole = {e.name: e.value for e in estimates(rows) if set(e.keys) <= {"language"}}
    accuracy, f1_gap, stereotype_gap, read = (whole[name] for name in (*SCORES, "yield"))
    assert accuracy is not None
    assert f1_gap is not None
    assert read is not None
    return WinoMtScores(accuracy, f1_gap, stereotype_gap), read


def wmt20_scores() -> Iterator[tuple[str, str, WinoMtScores]]:
    """Yield language, system and scores of the WMT20 systems, whose translations were not released."""
    for file in dataset("winomt-wmt20").files:
        language, text = Path(file.path).stem, fetch.read(file).decode("utf-8")
        if text.startswith("Translation System"):
            for row in released_table(text.encode()):
                shares = [float(row[name]) / 100 for name in ("acc", "delta-G", "delta-S")]
                yield language, _SYSTEM.sub("", row["Translation System"]), WinoMtScores(*shares)
            continue
        # A line with the name, then accuracy and both F1 for all, pro- and anti-stereotypical sentences.
        lines = list(csv.reader(io.StringIO(text)))
        for (name,), *parts in (lines[k : k + 4] for k in range(0, len(lines), 4)):
            (accuracy, men, women), (pro, *_), (anti, *_) = [[float(x) / 100 for x in part] for part in parts]
            yield language, _SYSTEM.sub("", name), WinoMtScores(accuracy, men - women, pro - anti)


def winomt(console: Console, _runs: Sequence[Path], target: Path | None) -> None:
    """Print the scores per system and language; write them to `target` if given."""
    reproductions = sorted(reproduce(), key=lambda reproduction: (reproduction.language, reproduction.system))
    console.print("Original script, our reader by the script's rule, and our reader by default", style="bold")
    console.print(_side_by_side(reproductions))
    console.print(
        "\nAll values are percentages. By the script's rule, a sentence that cannot be read counts as wrong; by "
        "default, it is left out. Logs of 2019 lack ΔS. The Portuguese run of 2025 left out neutral pronouns and "
        "people without an occupation; there, the column 'by rule' does so too. Two sentences that were changed after "
        "2019 are left out of the translations of that year."
    )
    console.print("\nWMT20 systems, original script (translations not released)", style="bold")
    table = plain_table(("language", "system"), list(SCORES.values()))
    wmt20 = list(wmt20_scores())
    for language, system, scores in wmt20:
        table.add_row(language, system, *_cells(scores))
    console.print(table)
    rows = [row for reproduction in reproductions for row in _csv_rows(reproduction)]
    for language, system, scores in wmt20:
        rows += [(language, f"{system} (WMT20)", "original", *cell) for cell in zip(SCORES, scores, strict=True)]
    write_table(target, ("language", "system", "scored by", "name", "value"), rows)


def _csv_rows(reproduction: WinoMtReproduction) -> Iterator[tuple[str, str, str, str, float | None]]:
    kinds = {
        "original": reproduction.original,
        "script's rule": reproduction.published_rule,
        "default": reproduction.default,
    }
    for kind, scores in kinds.items():
        if scores is not None:
            for name, value in zip(SCORES, scores, strict=True):
                yield reproduction.language, reproduction.system, kind, name, value
    yield reproduction.language, reproduction.system, "default", "yield", reproduction.share_read


def _side_by_side(reproductions: Iterable[WinoMtReproduction]) -> PlainTable:
    headings = [heading for symbol in SCORES.values() for heading in (symbol, "by rule", "default")]
    table = plain_table(("language", "system"), (*headings, "yield"))
    for reproduction in reproductions:
        columns = [
            _cells(scores) if scores else ["–"] * len(SCORES)
            for scores in (reproduction.original, reproduction.published_rule, reproduction.default)
        ]
        cells = [column[k] for k in range(len(SCORES)) for column in columns]
        table.add_row(reproduction.language, reproduction.system, *cells, f"{100 * reproduction.share_read:.1f}")
    return table


def _cells(scores: WinoMtScores) -> list[str]:
    return ["–" if value is None else f"{100 * value:.1f}" for value in scores]
