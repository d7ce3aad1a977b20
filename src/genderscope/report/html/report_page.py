"""The HTML report: a self-contained page for one or more runs, each beginning with tiles of its headline estimates."""

import json
import logging
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from markupsafe import Markup

from genderscope.core.errors import DrawingError, UserError
from genderscope.judgement import Margin, control_line
from genderscope.measures import margin_of, next_steps
from genderscope.reference import known_values, reference_sentences
from genderscope.report.charts.forest import Axis, strip
from genderscope.report.charts.style import COLUMN, PAGE, drawn, failure_note
from genderscope.report.html.page_template import render_page
from genderscope.report.html.run_groups import RunGroup, by_measure, group_runs, why_separate
from genderscope.report.html.translator_picture import translator_section
from genderscope.report.views.declared_view import view_of
from genderscope.report.views.explorer import Explorer, join_explorers, sample_rows, script_safe
from genderscope.report.views.plain_view import (
    Figure,
    KeyedRow,
    Named,
    ReportTable,
    View,
    first_sentence,
    known_measure,
    mark_runs,
    number,
    numbers,
    wide_interval,
)
from genderscope.report.views.run_summary import (
    control_tables,
    describe_source,
    lead_sentences,
    tool_tables,
    trial_note,
)
from genderscope.runs import (
    Result,
    Run,
    listed_runs,
    loaded,
    reading,
    require_place,
    spreadsheet_csv,
    when_given,
    write_whole,
)
from genderscope.statistics.estimate import Estimate

#: the page's scripts, in the order in which they are concatenated
SCRIPTS = ("core.js", "filters.js", "figures.js", "tables.js", "explorer.js", "start.js")
#: with more runs than this, everything but the overview is collapsed
OPEN_RUNS = 2
#: with more measures than this, the figures that compare runs are collapsed too
OPEN_MEASURES = 3
#: maximum number of models named in the page title
TITLED = 4

_log = logging.getLogger("genderscope")


def write_report(result: Result, target: Path) -> str | None:
    """Write one result's report; return why figures are missing, or None if all were drawn."""
    return write_reports([result], target)


def write_reports(results: Sequence[Result], target: Path) -> str | None:
    """Write a page for one or more results, grouped by measure, with an overview if a measure has several runs.

    Returns why figures are missing, or None if all were drawn.
    """
    pictures = _Pictures()
    page = render_page(
        "report.html.j2",
        scripts=SCRIPTS,
        kind="report",
        measures=[
            _measure(measure, runs, len(results) > OPEN_RUNS, pictures) for measure, runs in by_measure(results).items()
        ],
        # A picture joins several measures of one translator.
        translators=translator_section(results) if len(results) > 1 else {},
        undrawn=pictures,
        runs=len(results),
        most_measures=OPEN_MEASURES,
        title=_title(results),
    )
    target.write_text(page, encoding="utf-8", errors="backslashreplace")
    if pictures.missing:
        _log.warning("%s To draw them, fix the problem and run the same command again.", pictures.missing)
    return pictures.reason


def _title(results: Sequence[Result]) -> str:
    """Name the page after its measures and its first models."""
    runs = by_measure(results)
    names = list(dict.fromkeys(name for named in runs.values() for name, _ in named))
    more = f" and {len(names) - TITLED} more" if len(names) > TITLED else ""
    return f"{', '.join(runs)} · {', '.join(names[:TITLED])}{more}"


def _measure(measure: str, runs: Sequence[Named], folded: bool, pictures: "_Pictures") -> dict[str, Any]:
    """Return the content of a measure's section; only comparable runs share an axis."""
    view = view_of(measure)
    kind = known_measure(measure)
    groups = group_runs(runs)
    settings = list(pictures.drawn(view.compare_settings(mark_runs(runs)), f"{measure}-settings"))
    ids = {name: f"{measure}-{k}" for k, (name, _) in enumerate(runs)}
    return {
        "id": measure,
        "title": kind.title if kind else measure,
        "about": view.about,
        "why": why_separate(groups) if len(groups) > 1 else "",
        "overview": [_overview(group, view, ids) for group in groups] if len(runs) > 1 else [],
        "groups": [
            {
                "differences": group.differences,
                "figures": pictures.drawn(view.compare(mark_runs(group.runs)), f"{measure}-all{k or ''}"),
            }
            for k, group in enumerate(groups)
            if len(group.runs) > 1
        ]
        + ([{"differences": "different settings", "figures": settings}] if settings else []),
        "runs": [_run(name, result, ids[name], pictures) for name, result in runs],
        "folded": folded,
        "explorer": _explorer(runs),
        "citations": list(dict.fromkeys(str(result.config["citation"]) for _, result in runs)),
    }


def _overview(group: RunGroup, view: View, ids: Mapping[str, str]) -> dict[str, Any]:
    """Return the overview of a group of comparable runs, with a shared axis per estimate.

    It has one row for each headline estimate with the same name as the first one, for example one per language.
    """
    headlines = [(name, result, view.headline(result)) for name, result in group.runs]
    leading = [
        (name, result, e) for name, result, estimates in headlines for e in estimates if e.name == estimates[0].name
    ]
    axes = {e.name: Axis.around([k for _, _, k in leading if k.name == e.name]) for _, _, e in leading}
    lines = [
        {
            "name": name,
            "id": ids[name],
            "what": f"{e.label} {view.where(e)}".strip(),
            "numbers": numbers(e),
            "strip": strip(e, axes[e.name]),
            "coverage": f"{result.coverage:.1%}",
            "cautions": len(result.cautions),
        }
        for name, result, e in leading
    ]
    return {"differences": group.differences, "lines": lines}


def _run(name: str, result: Result, prefix: str, pictures: "_Pictures") -> dict[str, Any]:
    view = view_of(result.measure)
    tables = (*tool_tables(result), *view.tables(result), *control_tables(result))
    return {
        "id": prefix,
        "name": name,
        "result": result,
        "leads": lead_sentences(result, with_second=True)
        if known_measure(result.measure)
        else [(first_sentence(result.summary)[0], "")],
        "next_steps": next_steps(result) if known_measure(result.measure) else [],
        "tiles": [tile(e, view, result) for e in view.headline(result)],
        "trial": trial_note(result),
        "references": [
            *filter(None, [control_line(result.as_estimates())]),
            *reference_sentences(result),
            *filter(None, [view.note(result)]),
        ],
        "reasons": list(result.rows["unread"].value_counts().items()),
        "given": when_given(result.config),
        "source": describe_source(result),
        "read": result.counts[1],
        "figures": pictures.drawn(view.figures(*mark_runs([(name, result)])[0]), prefix),
        "tables": [_table(table, name) for table in tables],
        "methods": sorted(set(result.estimates["method"])),
        "estimates": Markup(script_safe(json.dumps(spreadsheet_csv(result.estimates), ensure_ascii=False))),
    }


def _explorer(runs: Sequence[Named]) -> Explorer | None:
    """Build a measure's explorer for all runs; None if its view provides no explorer."""
    total = sum(len(result.rows) for _, result in runs)
    explorers = []
    for name, result in runs:
        explorer = view_of(result.measure).explorer(replace(result, rows=sample_rows(result.rows, total)))
        if explorer is not None:
            explorers.append((name, explorer))
    return join_explorers(explorers, total) if explorers else None


def _table(table: ReportTable, model: str) -> dict[str, Any]:
    """Return a table's content, split into parts at its headings."""
    parts: list[dict[str, Any]] = []
    for row in table.rows:
        line = row if isinstance(row, KeyedRow) else KeyedRow(row)
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
    """Renderer for a page's figures that counts failures."""

    def __init__(self) -> None:
        self._undrawn = 0
        self._drawn = 0
        #: why figures are missing
        self.reason: str | None = None
        self._given_up = False

    @property
    def missing(self) -> str | None:
        """A sentence that explains the missing figures; None if all were drawn."""
        if self.reason is None:
            return None
        which = "its figures" if not self._drawn else f"{self._undrawn} of its {self._undrawn + self._drawn} figures"
        return f"The report is complete except for {which}: {self.reason}."

    def drawn(self, figures: Iterable[Figure], prefix: str) -> list[dict[str, Any]]:
        """Draw figures for wide and narrow screens; skip those that fail."""
        drawings = []
        for k, figure in enumerate(figures):
            try:
                drawings.append(
                    {"figure": figure, "id": f"{prefix}-figure-{k}", **self._sizes(figure, f"{prefix}-{k}")}
                )
                self._drawn += 1
            except DrawingError as error:
                self.reason = self.reason or error.reason
                self._given_up = self._given_up or not error.only_this
                self._undrawn += 1
        return drawings

    def _sizes(self, figure: Figure, prefix: str) -> dict[str, str]:
        """Draw a figure at both widths; vl-convert escapes its texts. Also return its note on failed conditions."""
        if self._given_up and self.reason is not None:
            raise DrawingError(self.reason)
        charts = {"wide": figure.chart(PAGE), "narrow": figure.chart(COLUMN)}
        drawings = {name: Markup(drawn(chart, f"{prefix}-{name}")) for name, chart in charts.items()}
        return {**drawings, "failed": failure_note(charts["wide"])}


def tile(estimate: Estimate, view: View, result: Result) -> dict[str, Any]:
    """Return a tile's texts and plot, with more than two decimals only if the interval is narrow or missing."""
    fine = estimate.low is None or estimate.high is None or estimate.high - estimate.low < 0.02
    below, above = view.direction.get(estimate.name, ("", ""))
    margin = margin_of(result, estimate) if known_measure(result.measure) else None
    return {
        "name": estimate.label,
        "scope": view.where(estimate),
        "meaning": view.explain(estimate),
        "value": _written(estimate.value, fine),
        "intervals": _intervals(estimate, view, fine),
        "why": estimate.remark or "no interval",
        "neutral": "–" if estimate.neutral is None else f"{estimate.neutral:g}",
        "n": f"{estimate.n:,}",
        "unread": f"{estimate.unread:,}",
        "below": below,
        "above": above,
        "threshold": "" if margin is None else str(margin),
        "strip": _strip(estimate, known_values(result, estimate).ticks, margin),
    }


def _intervals(e: Estimate, view: View, fine: bool) -> list[str]:
    """Return the narrow interval, then the wide one; if there are both, each with what it generalises over."""
    if e.low is None:
        return []
    narrow, wide = (
        " to ".join(_written(end, fine) for end in bounds) for bounds in ((e.low, e.high), (e.wide_low, e.wide_high))
    )
    if wide_interval(e) is None:
        return [f"95 % interval {narrow}"]
    return [f"95 % interval {narrow} for other {view.units}", f"{wide} for other {e.wide_units} too"]


def _written(value: float | None, fine: bool) -> str:
    return number(value) if fine or value is None else f"{round(value, 2) + 0.0:.2f}"


def _strip(e: Estimate, published: Sequence[tuple[str, float]], margin: Margin | None) -> dict[str, Any] | None:
    """Return the positions on a strip centred at the neutral point, in per cent; ratios are on a log scale.

    `wide` is the wide interval, if any, `band` is the range within the threshold, and `ticks` are the published models.
    """
    if e.value is None or e.low is None or e.high is None or e.neutral is None:
        return None
    neutral, ratio = e.neutral, e.neutral == 1 and e.low > 0

    def distance(v: float) -> float:
        return math.log(v) if ratio else v - neutral

    value, low, high = (distance(v) for v in (e.value, e.low, e.high))
    others = [(distance(v), f"{name} {v:.2f}") for name, v in published if v > 0 or not ratio]
    known_wide = wide_interval(e) is not None and not (ratio and (e.wide_low or 0) <= 0)
    wide = [distance(v) for v in (e.wide_low, e.wide_high) if v is not None and known_wide]
    width = 0.0 if margin is None else margin.distance
    reach = 1.15 * max(abs(x) for x in (low, high, value, width, *wide, *(x for x, _ in others))) or 1.0
    # For estimates that cannot be below the neutral point, the strip starts there.
    one_sided = e.neutral == 0 and e.name in {"honest_score", "share", "error"}

    def place(x: float) -> float:
        return round(100 * max(x, 0.0) / reach if one_sided else 50 + 50 * x / reach, 2)

    places = {"value": value, "low": low, "high": high, "neutral": 0.0}
    return {
        **{name: place(x) for name, x in places.items()},
        "ends": [_written(math.exp(x) if ratio else neutral + x, fine=False) for x in (-reach, reach)],
        "wide": [place(x) for x in wide],
        "band": None if margin is None else (place(-width), place(width)),
        "ticks": [(name, place(x)) for x, name in others],
    }


def report(runs: Run | Iterable[Run], out: str | Path = "report.html") -> Path:
    """Write a self-contained page for one or more finished runs and return its path.

    Args:
        runs: One or more run folders or Results.
        out: HTML file to write.
    """
    given = listed_runs(runs)
    if not given:
        raise UserError("There are no runs to report; give folders of finished runs or Result objects.")
    results = loaded(given)
    target = Path(out)
    require_place(target)
    with reading(*given):
        write_whole(target, lambda aside: write_reports(results, aside))
    return target
