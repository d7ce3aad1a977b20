"""`genderscope translate`: any text through any translator, journaled like a run."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from genderscope.commands.common import (
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
from genderscope.commands.stopping import resumable
from genderscope.errors import UserError


def translate(  # noqa: PLR0913 - each is an option of the command
    text: Annotated[Path, typer.Argument(help="A file with one text a line.")],
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
    **remote: Any,
) -> None:
    """Translate a file of lines; what was translated before an interruption is kept and not asked again."""
    from genderscope.engine.local import ask
    from genderscope.models.remote import take_remote
    from genderscope.models.spec import open_model
    from genderscope.questions import Translation, TranslationAnswer, answer_from_json, question_key
    from genderscope.report.progress import progress_bar
    from genderscope.runs.folder import write_whole
    from genderscope.runs.journal import Journal

    lines = _lines(text)
    opened = open_model(model, device, dtype, beams, take_remote(remote), allow_pickle, rehash)
    if Translation not in opened.answers:
        raise UserError(f"'{opened.name}' is a {opened.kind} model, which does not translate.")
    opened.expect(lines)
    opened.check(source, to)
    kept = out.with_name(f"{out.name}.journal")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"'{out}' cannot be written: {error.strerror}.") from None

    def questions() -> Iterator[Translation]:
        return (Translation(line, source, to) for line in lines)

    missing = 0

    def write(target: Path) -> None:
        nonlocal missing
        found = journal.read(question_key(opened.fingerprint, question) for question in questions())
        with target.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(("source", "translation"))
            for line, answered in zip(lines, found, strict=True):
                answer = answer_from_json(Translation, answered)
                assert isinstance(answer, TranslationAnswer)
                missing += answer.text is None
                writer.writerow((line, answer.text or ""))

    with resumable([kept], command_line()), Journal(kept) as journal, progress_bar(messages) as bar:
        ask(opened, questions(), journal, batch_size_of(batch_size), bar(len(lines)))
        write_whole(out, write)
    kept.unlink(missing_ok=True)
    print(f"{len(lines) - missing:,} of {len(lines):,} lines translated: {out}")


def _lines(path: Path) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise UserError(f"'{path}' cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise UserError(f"'{path}' is not UTF-8; save it as UTF-8.") from None
    if not lines:
        raise UserError(f"'{path}' is empty.")
    return lines
