"""Writes a scorecard to files: all of them or none, and never over what is not ours."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from genderscope.comparison import Found, Row, Scorecard, collect, scorecard
from genderscope.errors import UserError
from genderscope.report.export.text_files import refuse_foreign, write_texts
from genderscope.report.scorecard import cell_text as words
from genderscope.report.scorecard.badge import badge
from genderscope.report.scorecard.model_card import model_card
from genderscope.report.scorecard.scorecard_data import scorecard_csv, scorecard_json
from genderscope.report.scorecard.scorecard_page import scorecard_html
from genderscope.report.scorecard.scorecard_text import scorecard_latex, scorecard_markdown
from genderscope.runs import reading

#: the forms that are about one model, by the options that ask for them
_OF_ONE = {"model_card": "--model-card", "badge": "--badge"}


def write_scorecard(folders: Sequence[Path], out: Path, *, baseline: str | None = None) -> list[Path]:
    """Write the scorecard of all runs in some folders into a folder, in every form, and return the files."""
    return write_card(scorecard_of(folders, baseline), out)


def write_card(card: Scorecard, out: Path) -> list[Path]:
    """Write a scorecard into a folder, in every form; the block for a model card is one file for each model."""
    names = {"html": "html", "markdown": "md", "latex": "tex", "csv": "csv", "json": "json"}
    texts = scorecard_texts(card, {form: out / f"scorecard.{ending}" for form, ending in names.items()})
    for row, name in zip(card.rows, _file_names(card), strict=True):
        texts |= {out / name: model_card(card, row)}
    return write_texts(texts)


def _file_names(card: Scorecard) -> Iterator[str]:
    """Name the file of each model; alike but for case or signs, they are numbered."""
    seen: Counter[str] = Counter()
    for row in card.rows:
        name = re.sub(r"[^A-Za-z0-9._-]+", "-", row.label).strip("-.")[-80:] or "model"
        seen[name.casefold()] += 1
        again = seen[name.casefold()]
        ending = "" if len(card.rows) == 1 else f"-{name}" if again == 1 else f"-{name}-{again}"
        yield f"model-card{ending}.md"


def scorecard_of(
    folders: Sequence[Path],
    baseline: str | None = None,
    measures: Sequence[str] = (),
    files: Mapping[str, Path] = MappingProxyType({}),
    model: str | None = None,
) -> Scorecard:
    """Make the scorecard of all runs in some folders; none is told in one sentence.

    Files in which it cannot be written, or not for this model, are refused before the answers of all runs are read.
    """
    found = collect(folders)
    if not found.runs:
        raise nothing(folders, found)
    with reading(*found.runs.values()):
        return scorecard(found, baseline, measures, lambda card: _refuse(card, files, model))


def _refuse(card: Scorecard, files: Mapping[str, Path], model: str | None) -> None:
    if alike := [path for path, count in Counter(files.values()).items() if count > 1]:
        raise UserError(f"'{alike[0]}' is given for two forms; give each a file of its own.")
    for form, option in _OF_ONE.items():
        if form in files:
            _only_row(card, model, option)
    for path in files.values():
        refuse_foreign(path)


def scorecard_texts(card: Scorecard, files: Mapping[str, Path], model: str | None = None) -> dict[Path, str]:
    """Write a card in some forms, each for its file: html, markdown, latex, csv, json, model_card, badge."""
    _refuse(card, files, model)
    forms: dict[str, Callable[[Path], str]] = {
        "html": lambda path: scorecard_html(card, path),
        "markdown": lambda path: scorecard_markdown(card, path),
        "latex": lambda _: scorecard_latex(card),
        "csv": lambda _: scorecard_csv(card),
        "json": lambda _: scorecard_json(card),
        "model_card": lambda _: model_card(card, _only_row(card, model, _OF_ONE["model_card"])),
        "badge": lambda _: _badge(card, model),
    }
    with reading(*card.results()):
        return {path: forms[form](path) for form, path in files.items()}


def _only_row(card: Scorecard, model: str | None, what: str) -> Row:
    if model is None and len(card.rows) > 1:
        told = ", ".join(f"'{row.label}'" for row in card.rows)
        raise UserError(f"Option {what} needs one model, but there are {told}; choose one with --model.")
    return card.rows[0] if model is None else card.row(model)


def _badge(card: Scorecard, model: str | None) -> str:
    row = _only_row(card, model, _OF_ONE["badge"])
    columns = [column for column in card.columns if column.id in row.cells]
    if len({(column.measure, column.language, column.number) for column in columns}) != 1:
        told = ", ".join(dict.fromkeys(column.measure for column in columns))
        raise UserError(f"A badge shows one measure, but '{row.label}' has {told}; choose one with --measure.")
    return badge(row, columns)


def nothing(folders: Sequence[Path], found: Found) -> UserError:
    """Build the error for folders without a finished run."""
    told = ", ".join(f"'{folder}'" for folder in folders)
    why = f" ({words.left_out(found.others)[0].rstrip('.')})" if found.others else ""
    return UserError(f"There is no finished run in {told}{why}, so nothing was written.")
