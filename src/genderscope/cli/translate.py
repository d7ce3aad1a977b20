"""`genderscope translate`: translate any text with any translator; resumable like a run."""

import csv
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from genderscope.cli.options import ModelSpec, command_line, with_model
from genderscope.cli.output import messages, resumable
from genderscope.core.errors import UserError
from genderscope.core.languages import language_code
from genderscope.core.questions import Translation, TranslationAnswer
from genderscope.core.tables import opened_lines
from genderscope.evaluation import RunSettings

if TYPE_CHECKING:
    from genderscope.models import TranslationModel

MOST_REASONS = 5  # maximum number of reasons shown for missing translations


@partial(with_model, asks=frozenset({Translation}))
def translate_command(
    text: Annotated[Path, typer.Argument(help="File with one text per line.")],
    model: ModelSpec,
    to: Annotated[str, typer.Option(help="Target language, a two-letter code.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="CSV file to write, with columns source,translation.")],
    source_language: Annotated[str, typer.Option("--from", help="Source language.")] = "en",
    *,
    settings: RunSettings,
) -> None:
    """Translate a file line by line; repeat the command to resume after an interruption."""
    from genderscope.evaluation import open_translator
    from genderscope.runs import output_locked, require_place, write_whole

    source_language, to = language_code(source_language), language_code(to)
    lines = _lines(text)
    if out.is_dir():
        require_place(out)
    translator = open_translator(model, settings.for_model)
    kept = out.with_name(f"{out.name}.journal")
    missing: Counter[str] = Counter()
    with output_locked(out):
        with resumable([kept], command_line()):
            answers = translate_texts(translator, lines, (source_language, to), kept, settings.batch_size, "lines")
            write_whole(out, lambda target: missing.update(_write_table(target, lines, answers)))
        kept.unlink(missing_ok=True)
    print(f"{len(lines) - missing.total():,} of {len(lines):,} lines translated: {out}")
    for reason, count in missing.most_common(MOST_REASONS):
        messages.print(f"{count:,} not translated: {reason}", markup=False)


def translate_texts(
    model: "TranslationModel",
    texts: Sequence[str],
    languages: tuple[str, str],
    kept: Path,
    batch_size: int | None,
    what: str = "questions",
) -> list[TranslationAnswer]:
    """Translate the texts; `kept` is the journal, which contains the answers so far if the command was interrupted."""
    from genderscope.engine import ask, count_kept_first, read_answers
    from genderscope.report import progress_bar
    from genderscope.runs import Journal

    model.expect(texts)
    model.check(*languages)
    questions = [Translation(text, *languages) for text in texts]
    with Journal(kept) as journal, progress_bar(messages, what) as bar:
        advance = count_kept_first(bar(len(questions)), model.fingerprint, questions, journal)
        ask(model, questions, journal, batch_size, advance)
        answers = list(read_answers(model.fingerprint, questions, journal))
    return [answer for answer in answers if isinstance(answer, TranslationAnswer)]


def _write_table(target: Path, lines: Sequence[str], answers: Sequence[TranslationAnswer]) -> Counter[str]:
    """Write the sources and their translations; return the number of missing translations by reason."""
    missing: Counter[str] = Counter()
    with target.open("w", encoding="utf-8", newline="") as file:
        plain = csv.writer(file, lineterminator="\n")
        quoted = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL)
        plain.writerow(("source", "translation"))
        for line, answer in zip(lines, answers, strict=True):
            if answer.text is None:
                missing[answer.unread or "no translation was given"] += 1
            row = (line, answer.text or "")
            # Many CSV readers interpret an unquoted carriage return as the end of the row.
            (quoted if "\r" in "".join(row) else plain).writerow(row)
    return missing


def _lines(path: Path) -> list[str]:
    # Only line feeds separate texts; other Unicode line breaks (U+2028, form feed) may occur inside a text.
    with opened_lines(path, "text") as file:
        lines = [line.removesuffix("\n").removesuffix("\r") for line in file]
    if not lines:
        raise UserError(f"'{path}' is empty.")
    return lines
