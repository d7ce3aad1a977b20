"""Figures as separate files, for papers and slides."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from genderscope.report.charts.style import Size, picture, with_failure_note
from genderscope.report.html.run_groups import by_measure, group_runs
from genderscope.report.views.declared_view import view_of
from genderscope.report.views.plain_view import Figure, mark_runs
from genderscope.runs import Result

Format = Literal["svg", "pdf", "png"]


def files(results: Sequence[Result], kind: Format, size: Size) -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of each figure, for single runs and for comparisons of a measure's runs."""
    taken: set[str] = set()
    for stem, figure in _figures(results):
        name = _slug(f"{stem} {figure.title}")
        while name in taken:
            name += "-2"
        taken.add(name)
        yield f"{name}.{kind}", picture(with_failure_note(figure.chart(size), size), kind)


def _figures(results: Sequence[Result]) -> Iterator[tuple[str, Figure]]:
    for measure, unmarked in by_measure(results).items():
        runs = mark_runs(unmarked)
        view = view_of(measure)
        groups = [group.runs for group in group_runs(runs) if len(group.runs) > 1]
        for k, group in enumerate(groups, 1):
            for figure in view.compare(group):
                yield f"{measure} compared{f' {k}' if len(groups) > 1 else ''}", figure
        for figure in view.compare_settings(runs):
            yield f"{measure} settings compared", figure
        for name, result in runs:
            for figure in view.figures(name, result):
                yield f"{measure} {name}", figure


def _slug(text: str) -> str:
    """Turn a title into a file name."""
    return re.sub(r"[^a-z0-9_]+", "-", text.lower()).strip("-")[:120]
