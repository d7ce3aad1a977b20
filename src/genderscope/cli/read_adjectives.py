"""`genderscope read adjectives`: the gender of each adjective of the dialogue suite in translations."""

import csv
import sys
from pathlib import Path
from typing import Annotated

import typer

from genderscope.errors import UserError
from genderscope.languages import ADJECTIVE_LANGUAGES
from genderscope.terminal_safe import terminal_safe


def adjectives(
    translations: Annotated[
        Path, typer.Argument(help="Translations, one per line, parallel to the suite's unique sources.")
    ],
    language: Annotated[
        str, typer.Option("--lang", help=f"Language of the translations: {', '.join(ADJECTIVE_LANGUAGES)}.")
    ],
    suite: Annotated[Path, typer.Option(help="The suite, a CSV file (or .csv.gz) with a column source.")],
) -> None:
    """Read adjectives: TSV of source index, instance index, adjective, word, gender, strategy and how it was read."""
    from genderscope.grammar.adjectives import adjective_gender
    from genderscope.samples.dialogue import parse_sources, read_text

    adjective_gender("", "", language)  # an unknown language is said so at once
    sources = list(parse_sources(read_text(suite), str(suite)))
    lines = read_text(translations).replace("\r\n", "\n").removesuffix("\n").split("\n")
    if len(lines) != len(sources):
        raise UserError(
            f"'{translations}' has {len(lines):,} lines where '{suite}' has {len(sources):,} unique sources; give one "
            "translation a line, in the order in which the sources first appear."
        )
    writer = csv.writer(sys.stdout, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE, escapechar="\\")
    for number, (source, line) in enumerate(zip(sources, lines, strict=True)):
        for instance, reading in enumerate(adjective_gender(source, line, language)):
            told = (reading.adjective, reading.word or "", reading.gender, reading.strategy or "", reading.how or "")
            writer.writerow((number, instance, *map(terminal_safe, told)))
