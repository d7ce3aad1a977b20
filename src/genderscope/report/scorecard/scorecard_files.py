"""Scorecard files, which are written all together or not at all and never overwrite files from other programs."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType

from genderscope.comparison import Found, Row, Scorecard, collect, scorecard
from genderscope.core.errors import UserError
from genderscope.report.export.text_files import refuse_foreign, write_texts
from genderscope.report.html.interval_pictures import interval_picture
from genderscope.report.scorecard.badge import badge
from genderscope.report.scorecard.cell_text import no_runs_error
from genderscope.report.scorecard.model_card import model_card
from genderscope.report.scorecard.scorecard_data import scorecard_csv, scorecard_json
from genderscope.report.scorecard.scorecard_page import scorecard_blocks, scorecard_html
from genderscope.report.scorecard.scorecard_text import scorecard_latex, scorecard_markdown
from genderscope.runs import Result, Run, listed_runs, reading

#: formats for a single model, with their command-line options
_OF_ONE = {"model_card": "--model-card", "badge": "--badge"}


def write_scorecard(
    runs: Run | Iterable[Run],
    out: str | Path,
    *,
    baseline: str | None = None,
    measures: Sequence[str] = (),
    languages: Sequence[str] = (),
) -> list[Path]:
    """Write a scorecard in every format and return the files.

    Args:
        runs: Folders that are searched recursively for runs, or Results.
        out: Folder for the files.
        baseline: Model to compare the others with.
        measures: Measures to show; all by default.
        languages: Languages to show, each in columns of its own; by default, only those that no other column covers.
    """
    return write_card(scorecard_of(runs, baseline, measures, languages), Path(out))


def write_card(card: Scorecard, out: Path) -> list[Path]:
    """Write a scorecard to a folder in every format, with one model card per model; return the files."""
    texts = scorecard_texts(card, _files(out))
    for row, name in zip(card.rows, _file_names(card), strict=True):
        texts |= {out / name: model_card(card, row)}
    return write_texts(texts)


def remove_card(out: Path) -> None:
    """Remove a scorecard's files and its model cards from a folder, except those that Genderscope did not write."""
    for path in (*_files(out).values(), *out.glob("model-card*.md")):
        with suppress(UserError):  # the file of somebody else
            refuse_foreign(path)
            path.unlink(missing_ok=True)


def _files(out: Path) -> dict[str, Path]:
    """Return the file of each format."""
    endings = {"html": "html", "svg": "svg", "markdown": "md", "latex": "tex", "csv": "csv", "json": "json"}
    return {form: out / f"scorecard.{ending}" for form, ending in endings.items()}


def _file_names(card: Scorecard) -> Iterator[str]:
    """Yield each model card's file name, numbering names that collide."""
    seen: Counter[str] = Counter()
    for row in card.rows:
        name = re.sub(r"[^A-Za-z0-9._-]+", "-", row.label).strip("-.")[-80:] or "model"
        seen[name.casefold()] += 1
        again = seen[name.casefold()]
        ending = "" if len(card.rows) == 1 else f"-{name}" if again == 1 else f"-{name}-{again}"
        yield f"model-card{ending}.md"


def scorecard_of(
    runs: Run | Iterable[Run],
    baseline: str | None = None,
    measures: Sequence[str] = (),
    languages: Sequence[str] = (),
    files: Mapping[str, Path] = MappingProxyType({}),
    model: str | None = None,
) -> Scorecard:
    """Build the scorecard of Results, or of all runs in folders.

    Raises UserError before loading any answers if there are no runs, or if one of `files` cannot be written to.
    """
    given = listed_runs(runs)
    folders = [Path(run) for run in given if not isinstance(run, Result)]
    collected = collect(folders) if folders or not given else Found({}, {})
    results = [run for run in given if isinstance(run, Result)]
    named = {f"{k} {run.measure}" if run.folder is None else str(run.folder): run for k, run in enumerate(results)}
    collection = Found({**collected.runs, **named}, collected.unusable)
    if not collection.runs:
        raise no_runs_error(folders, collection)
    with reading(*collection.runs.values()):
        return scorecard(collection, baseline, measures, languages, lambda card: _refuse(card, files, model))


def _refuse(card: Scorecard, files: Mapping[str, Path], model: str | None) -> None:
    if alike := [path for path, count in Counter(files.values()).items() if count > 1]:
        raise UserError(f"'{alike[0]}' is given for two formats; give each format its own file.")
    for form, option in _OF_ONE.items():
        if form in files:
            _only_row(card, model, option)
    for path in files.values():
        refuse_foreign(path)


def scorecard_texts(card: Scorecard, files: Mapping[str, Path], model: str | None = None) -> dict[Path, str]:
    """Return each file's text, given files by format: html, svg, markdown, latex, csv, json, model_card, badge."""
    _refuse(card, files, model)
    forms: dict[str, Callable[[Path], str]] = {
        "html": lambda path: scorecard_html(card, path),
        "svg": lambda _: interval_picture(scorecard_blocks(card), alone=True),
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
        labels = ", ".join(f"'{row.label}'" for row in card.rows)
        raise UserError(f"Option {what} needs one model, but the scorecard lists {labels}; choose one with --model.")
    return card.rows[0] if model is None else card.row(model)


def _badge(card: Scorecard, model: str | None) -> str:
    row = _only_row(card, model, _OF_ONE["badge"])
    columns = [column for column in card.columns if column.id in row.cells]
    if len({(column.measure, column.language, column.number) for column in columns}) != 1:
        measures = ", ".join(dict.fromkeys(column.measure for column in columns))
        raise UserError(f"A badge shows one measure, but '{row.label}' has {measures}; choose one with --measure.")
    return badge(row, columns)
