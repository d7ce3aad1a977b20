"""The scorecard as a picture, and the sentences above it."""

from collections.abc import Sequence

from genderscope.comparison import Scorecard
from genderscope.report.html.interval_pictures import Block, Lane
from genderscope.report.scorecard import cell_text as ct

#: verdicts that leave the question open
UNCLEAR = ("inconclusive", "not meaningful", "not read")
#: most names in a list
MOST_LISTED = 4


def scorecard_blocks(card: Scorecard) -> list[Block]:
    """Return the columns of a scorecard as blocks of a picture, each with its models in order of rank."""
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
    words: dict[tuple[str, str], list[str]] = {}
    for column in card.columns:
        for row, cell in card.cells(column):
            words.setdefault((cell.word, ct.name_column(column)), []).append(row.label)
    several = len(card.rows) > 1
    said = {key: f"{key[1]} is {key[0]}{f' for {_listed(labels)}' if several else ''}" for key, labels in words.items()}
    clear = [text for (word, _), text in said.items() if word not in UNCLEAR]
    open_ = [text for (word, _), text in said.items() if word in UNCLEAR]
    missing = [name for name in measures if name not in {column.measure for column in card.columns}]
    sentences = [f"Clear: {_listed(clear, '; ')}." if clear else "Nothing is clear from these runs."]
    sentences += [f"Not clear: {_listed(open_, '; ')}."] if open_ else []
    return sentences + ([f"Not measured: {_listed(missing)}."] if missing else [])


def _listed(names: Sequence[str], between: str = ", ") -> str:
    more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
    return f"{between.join(names[:MOST_LISTED])}{more}"
