"""`genderscope translate`: any text through any translator, journaled like a run."""

import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from genderscope.cli.common import (
    AllowPickle,
    BatchSize,
    Beams,
    Device,
    Dtype,
    ModelSpec,
    Rehash,
    batch_size_of,
    command_line,
    messages,
)
from genderscope.cli.stopping import resumable
from genderscope.errors import UserError
from genderscope.models import Remote
from genderscope.tables import opened_lines

#: reasons why lines were not translated that are shown at most
MOST_REASONS = 5


def translate(  # noqa: PLR0913 - each is an option of the command
    text: Annotated[Path, typer.Argument(help="A file with one text per line.")],
    model: ModelSpec,
    to: Annotated[str, typer.Option(help="Target language, a two-letter code.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="CSV file to write: source,translation.")],
    source: Annotated[str, typer.Option("--from", help="Source language.")] = "en",
    device: Device = "auto",
    dtype: Dtype = "float32",
    batch_size: BatchSize = "auto",
    beams: Beams = 4,
    allow_pickle: AllowPickle = False,
    rehash: Rehash = False,
    *,
    remote: Remote,
) -> None:
    """Translate a file of lines; what was translated before an interruption is kept and not asked again."""
    from genderscope.engine import ask
    from genderscope.evaluation import open_translator
    from genderscope.models import Settings
    from genderscope.questions import Translation
    from genderscope.report import progress_bar
    from genderscope.runs import Journal, output_locked, require_place, write_whole
    from genderscope.written import question_key, translation_from_json

    lines = _lines(text)
    if out.is_dir():  # the folder of a file is made
        require_place(out)
    opened = open_translator(model, Settings(device, dtype, beams, remote, allow_pickle, rehash))
    opened.expect(lines)
    opened.check(source, to)
    kept = out.with_name(f"{out.name}.journal")

    def questions() -> Iterator[Translation]:
        return (Translation(line, source, to) for line in lines)

    missing: Counter[str] = Counter()

    def write(target: Path) -> None:
        found = journal.read(question_key(opened.fingerprint, question) for question in questions())
        with target.open("w", encoding="utf-8", newline="") as file:
            plain = csv.writer(file, lineterminator="\n")
            quoted = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL)
            plain.writerow(("source", "translation"))
            for line, answered in zip(lines, found, strict=True):
                answer = translation_from_json(answered)
                if answer.text is None:
                    missing[answer.unread or "no translation was given"] += 1
                row = (line, answer.text or "")
                # A carriage return inside a text would end the row for whoever reads the table.
                (quoted if "\r" in "".join(row) else plain).writerow(row)

    with output_locked(out):
        with resumable([kept], command_line()), Journal(kept) as journal, progress_bar(messages, "lines") as bar:
            ask(opened, questions(), journal, batch_size_of(batch_size), bar(len(lines)))
            write_whole(out, write)
        kept.unlink(missing_ok=True)
    print(f"{len(lines) - missing.total():,} of {len(lines):,} lines translated: {out}")
    for reason, count in missing.most_common(MOST_REASONS):
        messages.print(f"{count:,} not translated: {reason}", markup=False)


def _lines(path: Path) -> list[str]:
    # Only line breaks end a text, not what Unicode also calls one (U+2028, form feed): texts hold those.
    with opened_lines(path, "text") as found:
        lines = [line.removesuffix("\n").removesuffix("\r") for line in found]
    if not lines:
        raise UserError(f"'{path}' is empty.")
    return lines
