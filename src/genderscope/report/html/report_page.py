"""The HTML report: one file that opens from disk and asks nothing of the network."""

import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from markupsafe import Markup

from genderscope.errors import DrawingError
from genderscope.report.charts.style import COLUMN, PAGE, drawn
from genderscope.report.html.overview import overview
from genderscope.report.html.page_template import asset, policy, rendered
from genderscope.report.html.run_groups import grouped, why_apart
from genderscope.report.html.run_names import by_measure
from genderscope.report.html.tiles import tile
from genderscope.report.sentences import first_sentence
from genderscope.report.views import view_of
from genderscope.report.views.explorer import Explorer, sampled, script_safe, together
from genderscope.report.views.plain_view import Figure, Line, Named, Table, known_measure
from genderscope.runs import Result, spreadsheet_csv, when_given
from genderscope.version import __version__

#: put into the page in this order, as one script
SCRIPTS = ("core.js", "filters.js", "figures.js", "tables.js", "explorer.js", "start.js")
#: with more runs than this on a page, all but the overview is folded away
OPEN_RUNS = 2
#: with more measures than this on a folded page, the figures over runs are folded away too
OPEN_MEASURES = 3
#: so many models are named in the page's title
TITLED = 4

_log = logging.getLogger("genderscope")


def write_report(result: Result, target: Path) -> str | None:
    """Write the report of one result; return why it lacks figures, or None if it has all of them."""
    return write_reports([result], target)


def write_reports(results: Sequence[Result], target: Path) -> str | None:
    """Write one page for one or many results, grouped by measure; several runs of a measure begin with a comparison.

    Returns why the page lacks figures, or None if it has all of them.
    """
    pictures = _Pictures()
    style, script = asset("style.css"), "(() => {\n" + "\n".join(map(asset, SCRIPTS)) + "\n})();"
    page = rendered(
        "report.html.j2",
        measures=[
            _measure(measure, runs, len(results) > OPEN_RUNS, pictures) for measure, runs in by_measure(results).items()
        ],
        undrawn=pictures,
        runs=len(results),
        most_measures=OPEN_MEASURES,
        title=_title(results),
        style=Markup(style),
        script=Markup(script),
        policy=policy(style, script),
        version=__version__,
    )
    target.write_text(page, encoding="utf-8", errors="backslashreplace")
    if pictures.missing:
        _log.warning("%s Once that is fixed, run the same command again to draw them.", pictures.missing)
    return pictures.reason


def _title(results: Sequence[Result]) -> str:
    """Name the page: its measures and models, the first few."""
    runs = by_measure(results)
    names = list(dict.fromkeys(name for each in runs.values() for name, _ in each))
    more = f" and {len(names) - TITLED} more" if len(names) > TITLED else ""
    return f"{', '.join(runs)} · {', '.join(names[:TITLED])}{more}"


def _measure(measure: str, runs: Sequence[Named], folded: bool, pictures: "_Pictures") -> dict[str, Any]:
    """Collect all that the page shows of a measure; only runs that are comparable are drawn on one axis."""
    view = view_of(measure)
    kind = known_measure(measure)
    groups = grouped(runs)
    ids = {name: f"{measure}-{k}" for k, (name, _) in enumerate(runs)}
    return {
        "id": measure,
        "title": kind.title if kind else measure,
        "about": view.about,
        "why": why_apart(runs),
        "overview": [overview(group, view, ids) for group in groups] if len(runs) > 1 else [],
        "groups": [
            {
                "told": group.told,
                "figures": pictures.drawn(view.compare(group.runs), f"{measure}-all{k or ''}"),
            }
            for k, group in enumerate(groups)
            if len(group.runs) > 1
        ],
        "runs": [_run(name, result, ids[name], pictures) for name, result in runs],
        "folded": folded,
        "explorer": _explorer(runs),
        "citations": list(dict.fromkeys(str(result.config["citation"]) for _, result in runs)),
    }


def _run(name: str, result: Result, prefix: str, pictures: "_Pictures") -> dict[str, Any]:
    view = view_of(result.measure)
    return {
        "id": prefix,
        "name": name,
        "result": result,
        "summary": first_sentence(result.summary),
        "tiles": [tile(e, view) for e in view.headline(result)],
        "reasons": list(result.rows["unread"].value_counts().items()),
        "given": when_given(result.config),
        "read": int(result.rows["unread"].isna().sum()),
        "figures": pictures.drawn(view.figures(name, result), prefix),
        "tables": [_table(table, name) for table in view.tables(result)],
        "methods": sorted(set(result.estimates["method"])),
        "estimates": Markup(script_safe(json.dumps(spreadsheet_csv(result.estimates), ensure_ascii=False))),
    }


def _explorer(runs: Sequence[Named]) -> Explorer | None:
    """Make the explorer of a measure over its runs; None where the view of the measure has none."""
    total = sum(len(result.rows) for _, result in runs)
    made = []
    for name, result in runs:
        explorer = view_of(result.measure).explorer(replace(result, rows=sampled(result.rows, total)))
        if explorer is not None:
            made.append((name, explorer))
    return together(made, total) if made else None


def _table(table: Table, model: str) -> dict[str, Any]:
    """Cut a table into its parts, each below its heading."""
    parts: list[dict[str, Any]] = []
    for row in table.rows:
        line = row if isinstance(row, Line) else Line(row)
        if len(line) == 1 and len(table.columns) > 1:
            parts.append({"heading": line[0], "rows": []})
            continue
        if not parts:
            parts.append({"heading": None, "rows": []})
        parts[-1]["rows"].append((line, _keys({"model": model, **line.keys})))
    return {"title": table.title, "columns": table.columns, "parts": parts, "folded": table.folded}


def _keys(keys: Mapping[str, object]) -> str:
    return json.dumps({key: str(value) for key, value in keys.items()}, ensure_ascii=False)


class _Pictures:
    """The figures of a page: drawn, or counted as missing with the reason."""

    def __init__(self) -> None:
        self._undrawn = 0
        self._drawn = 0
        #: why figures are missing
        self.reason: str | None = None
        self._given_up = False

    @property
    def missing(self) -> str | None:
        """One sentence about the missing figures; None if there are none."""
        if self.reason is None:
            return None
        which = "its figures" if not self._drawn else f"{self._undrawn} of its {self._undrawn + self._drawn} figures"
        return f"The report lacks {which}, all else is complete: {self.reason}."

    def drawn(self, figures: Iterable[Figure], prefix: str) -> list[dict[str, Any]]:
        """Draw figures for the page and for a phone; leave out those that cannot be drawn."""
        found = []
        for k, figure in enumerate(figures):
            try:
                found.append({"figure": figure, "id": f"{prefix}-figure-{k}", **self._sizes(figure, f"{prefix}-{k}")})
                self._drawn += 1
            except DrawingError as error:
                self.reason = self.reason or error.reason
                self._given_up = self._given_up or not error.only_this
                self._undrawn += 1
        return found

    def _sizes(self, figure: Figure, prefix: str) -> dict[str, Markup]:
        """Draw a figure wide and narrow. The drawing program escapes the texts of a chart itself."""
        if self._given_up and self.reason is not None:
            raise DrawingError(self.reason)
        sizes = {"wide": PAGE, "narrow": COLUMN}
        return {name: Markup(drawn(figure.chart(size), f"{prefix}-{name}")) for name, size in sizes.items()}
