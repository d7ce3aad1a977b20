"""The scorecard as a picture, and the sentences above it."""

from collections.abc import Sequence

from genderscope.comparison import Scorecard
from genderscope.report.html.interval_pictures import Block, Lane
from genderscope.report.scorecard import cell_text as ct

#: maximum number of names in a list
MOST_LISTED = 4


def scorecard_blocks(card: Scorecard) -> list[Block]:
    """Return one block of the picture per column of the scorecard, with its models in order of rank."""
    return [
        Block(
            ct.name_column(column),
            column.neutral,
            column.margin,
            [Lane(row.label, cell.estimate, cell.word, cell.result) for row, cell in card.cells(column)],
        )
        for column in card.columns
    ]


def describe_card(card: Scorecard, measures: Sequence[str]) -> list[str]:
    """Summarise a scorecard in up to three sentences: what is clear, what is not, and what was not measured."""
    words: dict[tuple[bool, str, str], list[str]] = {}
    for column in card.columns:
        for row, cell in card.cells(column):
            is_open = cell.judgement is None or cell.judgement.verdict.is_open
            failure = None if cell.judgement is None else cell.judgement.main_failure
            word = cell.word if failure is None else f"{cell.word} ({failure.finding})"
            words.setdefault((is_open, ct.name_column(column), word), []).append(row.label)
    several = len(card.rows) > 1
    clear, unclear = (
        [
            f"{name} {_with_verb(word)}{f' for {_listed(labels)}' if several else ''}"
            for (is_open, name, word), labels in words.items()
            if is_open is wanted
        ]
        for wanted in (False, True)
    )
    missing = [name for name in measures if name not in {column.measure for column in card.columns}]
    sentences = [f"Clear: {_listed(clear, '; ')}." if clear else "Nothing is clear from these runs."]
    sentences += [f"Not clear: {_listed(unclear, '; ')}."] if unclear else []
    return sentences + ([f"Not measured: {_listed(missing)}."] if missing else [])


def _with_verb(word: str) -> str:
    if word.startswith("cannot"):
        return word
    return f"shows an {word}" if word.startswith("effect") else f"is {word}"


def _listed(names: Sequence[str], between: str = ", ") -> str:
    more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
    return f"{between.join(names[:MOST_LISTED])}{more}"
