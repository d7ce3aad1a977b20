"""`genderscope read sample`: draw sentences for somebody to label, without showing how they are read."""

import csv
import random
from pathlib import Path
from typing import Annotated

import typer

from genderscope.cli.common import messages
from genderscope.errors import UserError
from genderscope.tables import opened_lines


def sample(
    source: Annotated[Path, typer.Argument(help="A file with one sentence per line, or the folder of a gest-mt run.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The file to write: text and an empty label, TSV.")],
    size: Annotated[int, typer.Option("--size", min=1, help="How many sentences to draw.")] = 150,
    seed: Annotated[int, typer.Option(help="Seed of the draw.")] = 0,
    language: Annotated[str | None, typer.Option("--lang", help="Of a run: which of its languages.")] = None,
) -> None:
    """Draw different sentences at random, to be labelled M, F or N and given to `read speaker --gold`."""
    if out.exists():
        raise UserError(f"'{out}' exists already, perhaps with labels; give another name to --out.")
    sentences = list(dict.fromkeys(_translations(source, language) if source.is_dir() else _lines(source)))
    if not sentences:
        raise UserError(f"'{source}' holds no sentences.")
    drawn = random.Random(seed).sample(sentences, min(size, len(sentences)))
    try:
        with out.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, delimiter="\t", lineterminator="\n")
            writer.writerows([("text", "label"), *((text, "") for text in drawn)])
    except OSError as error:
        raise UserError(f"'{out}' cannot be written: {error.strerror}.") from None
    messages.print(f"Wrote {len(drawn):,} of {len(sentences):,} different sentences to {out}.")


def _lines(path: Path) -> list[str]:
    with opened_lines(path, "text", once=True) as lines:
        return [text for line in lines if (text := " ".join(line.split()))]


def _translations(folder: Path, language: str | None) -> list[str]:
    from genderscope.runs import load_run

    rows = load_run(folder).rows
    if not {"translation", "language"} <= set(rows.columns):
        raise UserError(f"The run '{folder}' has no translations; give the folder of a gest-mt run.")
    languages = sorted(set(rows["language"]))
    if language is None and len(languages) > 1:
        raise UserError(f"The run '{folder}' has {', '.join(languages)}; choose one with --lang.")
    if language is not None and language not in languages:
        raise UserError(f"The run '{folder}' has no '{language}', only {', '.join(languages)}.")
    kept = rows["translation"][rows["language"] == (language or languages[0])].dropna()
    return [" ".join(str(text).split()) for text in kept]
