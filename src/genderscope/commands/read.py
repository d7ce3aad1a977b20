"""`genderscope read`: read gender from text, one sentence a line, so that anyone can check the readers."""

import csv
import io
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TextIO

import typer

from genderscope.commands.common import console, messages
from genderscope.commands.read_adjectives import adjectives
from genderscope.errors import UserError
from genderscope.grammar import speaker_gender
from genderscope.harmless import harmless

read_app = typer.Typer(help="Read gender from text, to use it or to check it.", no_args_is_help=True)
read_app.command("adjectives")(adjectives)

Text = Annotated[Path, typer.Argument(help="A file with one sentence a line, or - for standard input.")]


@read_app.command("speaker")
def speaker(
    language: Annotated[str, typer.Option("--lang", help="Language: be, cs, hr, pl, ru, sk, sl, sr or uk.")],
    text: Text = Path("-"),
    gold: Annotated[
        Path | None, typer.Option(help="Labelled sentences (TSV or CSV: text,label M/F/N) to validate on.")
    ] = None,
) -> None:
    """Read the speaker's gender: TSV of gender, status, evidence and text."""
    speaker_gender("", language)
    if gold is not None:
        from genderscope.report.validation import show, validate

        show(validate(_gold(gold), language), console())
        return
    writer = csv.writer(sys.stdout, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE, escapechar="\\")
    with _opened(text) as lines:
        for line in _counted(lines):
            reading = speaker_gender(line, language)
            evidence = "; ".join(f"{e.word}[{e.start}:{e.end}] {e.gender}: {e.rule}" for e in reading.evidence)
            writer.writerow([reading.gender or "", reading.status, harmless(evidence), harmless(line)])


@contextmanager
def _opened(path: Path) -> Iterator[TextIO]:
    if str(path) == "-":
        sys.stdin.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
        yield sys.stdin
        return
    try:
        with path.open(encoding="utf-8-sig") as file:
            yield file
    except OSError as error:
        raise UserError(f"'{path}' cannot be read: {error.strerror}.") from None


def _counted(lines: TextIO) -> Iterable[str]:
    """Yield the lines one at a time; say how far it is where someone watches."""
    number = 0
    watched = messages.is_terminal and not sys.stdout.isatty()
    try:
        for number, line in enumerate(lines, 1):
            yield line.rstrip("\r\n").replace("\t", " ")
            if watched and number % 1000 == 0:
                messages.print(f"{number:,} sentences read", end="\r")
    except UnicodeDecodeError:
        raise UserError(f"Line {number + 1} or one soon after it is not UTF-8; save the text as UTF-8.") from None


def _gold(path: Path) -> list[tuple[str, str]]:
    labels = {"M": "masculine", "F": "feminine", "N": "none"}
    with _opened(path) as file:
        content = file.read()
    delimiter = "\t" if "\t" in content.partition("\n")[0] else ","
    rows = csv.DictReader(io.StringIO(content, newline=""), delimiter=delimiter)
    missing = {"text", "label"} - set(rows.fieldnames or ())
    if missing:
        raise UserError(f"'{path}' has no column {' or '.join(sorted(missing))}; it needs text and label (M, F or N).")
    found = []
    for row in rows:
        label = (row["label"] or "").strip().upper()[:1]
        if label not in labels:
            raise UserError(f"'{path}', line {rows.line_num}: the label is '{row['label']}'; it must be M, F or N.")
        found.append((row["text"] or "", labels[label]))
    if not found:
        raise UserError(f"'{path}' holds no labelled sentences.")
    return found
