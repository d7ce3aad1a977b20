"""`genderscope read`: read gender from text, one sentence per line, so that anyone can check the readers."""

import csv
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from genderscope.cli.common import console, messages
from genderscope.cli.read_adjectives import adjectives
from genderscope.cli.read_sample import sample
from genderscope.errors import UserError
from genderscope.grammar import speaker_gender
from genderscope.languages import SPEAKER_LANGUAGES
from genderscope.tables import lines_in, opened_lines, own_file, records
from genderscope.terminal_safe import terminal_safe

if TYPE_CHECKING:
    from genderscope.report import Labelled

STANDARD_INPUT = ("-", "/dev/stdin")

read_app = typer.Typer(help="Read gender from text, to use it or to check it.", no_args_is_help=True)
read_app.command("adjectives")(adjectives)
read_app.command("sample")(sample)

Text = Annotated[Path, typer.Argument(help="A file with one sentence per line, or - for standard input.")]


@read_app.command("speaker")
def speaker(
    language: Annotated[str, typer.Option("--lang", help=f"Language: {', '.join(SPEAKER_LANGUAGES)}.")],
    text: Text = Path("-"),
    gold: Annotated[
        Path | None, typer.Option(help="Labelled sentences (TSV or CSV: text,label M/F/N) to validate on.")
    ] = None,
) -> None:
    """Read the speaker's gender: TSV of gender, status, evidence and text."""
    if gold is not None:
        labelled = _gold(gold)
        from genderscope.report import show_validation, validate

        show_validation(validate(labelled, language), console())
        return
    writer = csv.writer(sys.stdout, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE, escapechar="\\")
    with _opened(text) as lines:
        speaker_gender("", language)  # brings a dictionary, which can take seconds
        for line in _counted(lines):
            reading = speaker_gender(line, language)
            evidence = "; ".join(f"{e.word}[{e.start}:{e.end}] {e.gender}: {e.rule}" for e in reading.evidence)
            writer.writerow([reading.gender or "", reading.status, terminal_safe(evidence), terminal_safe(line)])


@contextmanager
def _opened(path: Path) -> Iterator[Iterator[str]]:
    if str(path) in STANDARD_INPUT:
        if sys.stdin is None:
            raise UserError("There is no standard input; give a file with one sentence per line.")
        yield lines_in(sys.stdin.buffer, "The standard input")
        return
    with opened_lines(path, "text", once=True) as lines:
        yield lines


def _counted(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines one at a time; say how far it is where someone watches."""
    watched = messages.is_terminal and not sys.stdout.isatty()
    for number, line in enumerate(lines, 1):
        yield line.rstrip("\r\n").replace("\t", " ")
        if watched and number % 1000 == 0:
            messages.print(f"{number:,} sentences read", end="\r")


def _gold(path: Path) -> "list[Labelled]":
    from genderscope.report import Labelled

    labels = {"M": "masculine", "F": "feminine", "N": "none"}
    found = []
    for line, row in records(own_file(str(path), "file of labelled sentences"), ("label", "text"), f"'{path}'"):
        label = row["label"].strip().upper()[:1]
        if label not in labels:
            raise UserError(f"'{path}', line {line}: the label is '{row['label']}'; it must be M, F or N.")
        found.append(Labelled(row["text"], labels[label], line))
    if not found:
        raise UserError(f"'{path}' holds no labelled sentences.")
    return found
