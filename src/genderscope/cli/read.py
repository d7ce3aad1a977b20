"""`genderscope read`: detect gender in text, one sentence per line."""

import csv
import logging
import random
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from genderscope.cli.commands import group
from genderscope.cli.output import console, messages
from genderscope.core.errors import UserError
from genderscope.core.languages import ADJECTIVE_LANGUAGES, SPEAKER_LANGUAGES, language_code
from genderscope.core.tables import lines_in, opened_lines, own_file, records
from genderscope.util.safe_text import terminal_safe

if TYPE_CHECKING:
    from genderscope.report import Labelled

STANDARD_INPUT = ("-", "/dev/stdin")


def speaker(
    language: Annotated[str, typer.Option("--lang", help=f"Language: {', '.join(SPEAKER_LANGUAGES)}.")],
    text: Annotated[Path, typer.Argument(help="File with one sentence per line; - reads standard input.")] = Path("-"),
    gold: Annotated[
        Path | None, typer.Option(help="Validate on these labelled sentences (TSV or CSV: text, label M/F/N).")
    ] = None,
) -> None:
    """Print the speaker's gender in each sentence as TSV, with status, evidence and text."""
    from genderscope.grammar import speaker_gender

    language = language_code(language)
    if gold is not None:
        from genderscope.report import show_validation, validate

        show_validation(validate(_labelled(gold), language), console())
        return
    writer = _tsv_writer()
    with _open_lines(text) as lines:
        speaker_gender("", language)  # loads a dictionary, which can take seconds
        for line in _with_language_check(_with_progress(lines), language):
            reading = speaker_gender(line, language)
            evidence = "; ".join(
                f"{e.word}[{e.start}:{e.end}] {e.gender or 'no gender'}: {e.rule}" for e in reading.evidence
            )
            columns = [reading.gender or "", reading.status_in_words, terminal_safe(evidence), terminal_safe(line)]
            writer.writerow(columns)


def adjectives(
    translations: Annotated[
        Path, typer.Argument(help="Translations, one per line, in the order of the suite's unique sources.")
    ],
    language: Annotated[
        str, typer.Option("--lang", help=f"Language of the translations: {', '.join(ADJECTIVE_LANGUAGES)}.")
    ],
    suite: Annotated[Path, typer.Option(help="Suite: a CSV file (or .csv.gz) with a column 'source'.")],
) -> None:
    """Print the gender of each adjective as TSV: source, instance, adjective, word, gender, strategy, rule."""
    from genderscope.grammar.adjectives import adjective_gender
    from genderscope.samples.dialogue import parse_sources, read_text

    language = language_code(language)
    adjective_gender("", "", language)  # refuses an unknown language before anything is read
    sources = list(parse_sources(read_text(suite), str(suite)))
    lines = read_text(translations).replace("\r\n", "\n").removesuffix("\n").split("\n")
    if len(lines) != len(sources):
        raise UserError(
            f"'{translations}' has {len(lines):,} lines, but '{suite}' has {len(sources):,} unique sources; give one "
            "translation per line, in the order in which the sources first appear."
        )
    writer = _tsv_writer()
    for number, (source, line) in enumerate(zip(sources, lines, strict=True)):
        for instance, reading in enumerate(adjective_gender(source, line, language)):
            cells = (reading.adjective, reading.word or "", reading.gender, reading.strategy or "", reading.how or "")
            writer.writerow((number, instance, *map(terminal_safe, cells)))


def person(
    entity: Annotated[str, typer.Option(help="Person as the English sentences name them, such as nurse.")],
    language: Annotated[str, typer.Option("--lang", help="Language of the translations, such as es.")],
    text: Annotated[
        Path,
        typer.Argument(
            help="File with an English sentence, a tab and its translation per line; - reads standard input."
        ),
    ] = Path("-"),
    other: Annotated[
        str | None, typer.Option(help="Another person in the sentences; found in each sentence by default.")
    ] = None,
    antecedent: Annotated[
        bool,
        typer.Option("--antecedent", help="Let pronouns decide where the noun shows no gender: they mean this person."),
    ] = False,
) -> None:
    """Print the gender with which each translation names a person as TSV, with status, evidence and translation."""
    from genderscope.grammar.person import read_person

    language = language_code(language)
    read_person("", entity, "", language)  # refuses an unknown language before anything is read
    writer = _tsv_writer()
    with _open_lines(text) as lines:
        for number, line in enumerate(lines, 1):
            source, tab, translation = line.rstrip("\r\n").partition("\t")
            if not tab:
                raise UserError(f"Line {number} has no tab; give an English sentence, a tab and its translation.")
            translation = translation.replace("\t", " ")
            reading = read_person(source, entity, translation, language, other, is_antecedent=antecedent)
            status = reading.unread or "read"
            if reading.pronoun_conflicts:
                status += f", but the pronoun is {reading.pronoun}"
            evidence = "; ".join(f"{mark.word}[{mark.start}:{mark.end}]: {mark.rule}" for mark in reading.evidence)
            writer.writerow([reading.gender or "", *map(terminal_safe, (status, evidence, translation))])


def sample(
    source: Annotated[Path, typer.Argument(help="File with one sentence per line, or the folder of a gest-mt run.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="TSV file to write, with columns text and (empty) label.")],
    size: Annotated[int, typer.Option("--size", min=1, help="Draw this many sentences.")] = 150,
    seed: Annotated[int, typer.Option(help="Random seed.")] = 0,
    language: Annotated[str | None, typer.Option("--lang", help="Language to draw from, if a run has several.")] = None,
) -> None:
    """Draw random sentences to label M, F or N, for 'genderscope read speaker --gold'."""
    if out.exists():
        raise UserError(f"'{out}' already exists and may contain labels; give another file to --out.")
    sentences = list(dict.fromkeys(_translations(source, language) if source.is_dir() else _sentences(source)))
    if not sentences:
        raise UserError(f"'{source}' contains no sentences.")
    drawn = random.Random(seed).sample(sentences, min(size, len(sentences)))
    try:
        with out.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, delimiter="\t", lineterminator="\n")
            writer.writerows([("text", "label"), *((text, "") for text in drawn)])
    except OSError as error:
        raise UserError(f"Cannot write '{out}': {error.strerror}.") from None
    messages.print(f"Wrote {len(drawn):,} of {len(sentences):,} distinct sentences to {out}.")


read_command = group(
    "Read gender from text, and validate the readers.",
    speaker=speaker,
    adjectives=adjectives,
    person=person,
    sample=sample,
)


def _tsv_writer() -> Any:
    return csv.writer(sys.stdout, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE, escapechar="\\")


@contextmanager
def _open_lines(path: Path) -> Iterator[Iterator[str]]:
    if str(path) in STANDARD_INPUT:
        if sys.stdin is None:
            raise UserError("Standard input is closed; give a file with one sentence per line.")
        yield lines_in(sys.stdin.buffer, "The standard input")
        return
    with opened_lines(path, "text", once=True) as lines:
        yield lines


def _with_progress(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines; show how many were read if output goes to a file and messages to a terminal."""
    is_shown = messages.is_terminal and not sys.stdout.isatty()
    for number, line in enumerate(lines, 1):
        yield line.rstrip("\r\n").replace("\t", " ")
        if is_shown and number % 1000 == 0:
            messages.print(f"{number:,} sentences read", end="\r")


def _with_language_check(lines: Iterable[str], language: str) -> Iterator[str]:
    """Yield the lines; warn if the first ones are clearly in another language."""
    from genderscope.grammar import SAMPLED, language_warning

    lines, first = iter(lines), []
    for line in islice(lines, SAMPLED):
        first.append(line)
        yield line
    if (warning := language_warning(first, language, "These sentences", "--lang")) is not None:
        logging.getLogger("genderscope").warning(warning)
    yield from lines


def _labelled(path: Path) -> "list[Labelled]":
    from genderscope.report import Labelled

    genders = {"M": "masculine", "F": "feminine", "N": "none"}
    sentences = []
    for line, row in records(own_file(str(path), "file of labelled sentences"), ("label", "text"), f"'{path}'"):
        label = row["label"].strip().upper()[:1]
        if label not in genders:
            raise UserError(f"'{path}', line {line}: the label is '{row['label']}'; it must be M, F or N.")
        sentences.append(Labelled(row["text"], genders[label], line))
    if not sentences:
        raise UserError(f"'{path}' contains no labelled sentences.")
    return sentences


def _sentences(path: Path) -> list[str]:
    with opened_lines(path, "text", once=True) as lines:
        return [text for line in lines if (text := " ".join(line.split()))]


def _translations(folder: Path, language: str | None) -> list[str]:
    from genderscope.runs import load_run

    rows = load_run(folder).rows
    if not {"translation", "language"} <= set(rows.columns):
        raise UserError(f"The run '{folder}' has no translations; give the folder of a gest-mt run.")
    languages = sorted(set(rows["language"]))
    language = language and language_code(language)
    if language is None and len(languages) > 1:
        raise UserError(f"The run '{folder}' has translations into {', '.join(languages)}; choose one with --lang.")
    if language is not None and language not in languages:
        raise UserError(f"The run '{folder}' has no translations into '{language}', only into {', '.join(languages)}.")
    kept = rows["translation"][rows["language"] == (language or languages[0])].dropna()
    return [" ".join(str(text).split()) for text in kept]
