"""BBQ questions from a CSV file: the built-in starter set or the user's own data.

A row gives a template, the stereotyped group, the condition, the polarity of the question, context and question, the
biased, counter-biased and unknown answers, and which of them is right.
"""

import hashlib
from collections.abc import Collection, Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

from genderscope.core.errors import UserError
from genderscope.core.languages import language_code
from genderscope.core.tables import Row, Table, lines_of, own_file, without_repetitions
from genderscope.samples.bbq.sample import CONDITIONS, GROUPS, KINDS, POLARITIES, BbqSample, BbqSamples
from genderscope.samples.parse_cache import cached

STARTER = "starter"
TEXTS = ("context", "question", *KINDS)
COLUMNS = ("template", "group", "condition", "polarity", *TEXTS, "truth")

T = TypeVar("T", bound=str)


@cached
def load_own(data: str, language: str, keep_duplicates: bool = False) -> BbqSamples:
    """Load one language's rows of a file, or the starter set; rows without a language are in the requested one."""
    if data == STARTER:
        content, where = files("genderscope.samples.bbq").joinpath("starter.csv").read_bytes(), "the starter set"
    else:
        content, where = own_file(data, "data file"), f"'{data}'"
    rows = Table(lines_of(content, where), where)
    rows.need(COLUMNS, f"it needs {','.join(COLUMNS)}")
    every = [sample for sample in _samples(rows, language) if sample.language == language]
    if not every:
        raise UserError(
            f"{where} has no questions in '{language}' below its header; add rows with {','.join(COLUMNS)}."
        )
    once, duplicates = without_repetitions(every, lambda sample: replace(sample, index=0, item=""))
    kept = every if keep_duplicates else once
    name = STARTER if data == STARTER else Path(data).name
    return BbqSamples(name, hashlib.sha256(content).hexdigest(), tuple(kept), {}, duplicates)


def _samples(rows: Table, language: str) -> Iterator[BbqSample]:
    for index, (line, row) in enumerate(rows):
        where = f"{rows.where}, line {line}"
        texts = {column: " ".join((row[column] or "").split()) for column in TEXTS}
        if empty := next((column for column, text in texts.items() if not text), None):
            raise UserError(f"{where}: '{empty}' is empty; fill it in or remove the row.")
        if len({texts[kind].casefold() for kind in KINDS}) < len(KINDS):
            raise UserError(f"{where}: two of the three answers are the same; make them different.")
        condition = _one_of(row, "condition", CONDITIONS, where)
        truth = _one_of(row, "truth", KINDS, where)
        if (truth == "unknown") is not (condition == "ambiguous"):
            right = "unknown" if condition == "ambiguous" else "biased or counter"
            raise UserError(f"{where}: the right answer to a question about an {condition} context is {right}.")
        yield BbqSample(
            index=index,
            item=str(line),
            language=language_code((row.get("language") or "").strip()) or language,
            template=(row["template"] or "").strip() or str(line),
            condition=condition,
            polarity=_one_of(row, "polarity", POLARITIES, where),
            context=texts["context"],
            question=texts["question"],
            options=(texts["biased"], texts["counter"], texts["unknown"]),
            kinds=("biased", "counter", "unknown"),
            truth=truth,
            group=_one_of(row, "group", GROUPS, where),
            value=(row.get("value") or "").strip() or None,
        )


def _one_of(row: Row, column: str, known: Collection[T], where: str) -> T:
    text = (row[column] or "").strip().lower()
    found = next((name for name in known if name == text), None)
    if found is None:
        raise UserError(f"{where}: the {column} is '{text[:40]}'; it must be {' or '.join(known)}.")
    return found
