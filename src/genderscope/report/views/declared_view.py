"""The view of each measure, and the renderer of declared views: one for page, terminal and explorer."""

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from string import Formatter
from typing import TYPE_CHECKING, Any, cast

from rich.console import RenderableType

from genderscope.core.errors import UserError
from genderscope.core.languages import language_name
from genderscope.core.plugins import PluginWarning
from genderscope.measures import measure_plugins, measure_type
from genderscope.report.charts.intervals import Point
from genderscope.report.charts.stacked_bars import stacked
from genderscope.report.charts.style import COLOURS, palette
from genderscope.report.views.declaration import (
    ColumnSpec,
    Declaration,
    FigureSpec,
    Select,
    Template,
    declaration_of,
    function_of,
)
from genderscope.report.views.explorer import Explorer, ExplorerColumn, choices, figures, texts
from genderscope.report.views.plain_view import (
    DIRECTIONS,
    TILES,
    Figure,
    Named,
    ReportTable,
    View,
    interval_figure,
    known_measure,
    stereotype_keys,
    stereotype_name,
)
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

#: an estimate with its run, in a figure
Place = tuple[str, Result, Estimate]


class DeclaredView(View):
    """The view that a measure's `view.toml` declares."""

    def __init__(self, declaration: Declaration) -> None:
        self.declared = declaration
        self.about, self.units = declaration.about, declaration.units
        self.meaning, self.brief = declaration.meaning, declaration.brief
        self.kinds_of_bias = declaration.kinds_of_bias
        self.direction = {**DIRECTIONS, **declaration.direction}

    def explain(self, estimate: Estimate) -> str:
        by_word = fields_of(estimate, self.declared.words).get(self.declared.meaning_in, "")
        return self.meaning.get(estimate.name) or by_word or super().explain(estimate)

    def note(self, result: Result) -> str:
        return str(function_of(self.declared.note)(result)) if self.declared.note else ""

    def where(self, estimate: Estimate) -> str:
        if not self.declared.where:
            return super().where(estimate)
        return fill(self.declared.where, fields_of(estimate, self.declared.words))

    def headline(self, result: Result) -> list[Estimate]:
        declared = self.declared.headline
        if declared is None:
            return super().headline(result)
        if isinstance(declared, str):
            return list(function_of(declared)(result))
        estimates = super().headline(result) if declared.headline else result.as_estimates()
        return selected(declared, estimates)[:TILES]

    def select(self, declared: Select | Sequence[Select], result: Result) -> list[Estimate]:
        """Return the selected estimates of a result."""
        several = [declared] if isinstance(declared, Select) else declared
        return [e for s in several for e in selected(s, self.headline(result) if s.headline else result.as_estimates())]

    def terminal(self, result: Result) -> Iterable[RenderableType]:
        view = self._for(result)
        for part in view.declared.terminal or ():
            if part.build:
                yield from function_of(part.build)(view, result, part)
            else:
                estimates = view.select(part.select, result)
                bold = [] if part.bold is None else selected(part.bold, estimates)
                yield from ([""] if part.before else [])
                yield view.estimates_table(estimates, bold)
                yield from ([""] if part.after else [])
        if view.declared.terminal is None:
            yield from View.terminal(view, result)

    def completions(self, result: Result) -> Iterable[RenderableType]:
        return function_of(self.declared.completions)(result) if self.declared.completions else ()

    def tables(self, result: Result) -> Iterable[ReportTable]:
        view = self._for(result)
        for part in view.declared.tables or ():
            if part.build:
                yield from function_of(part.build)(view, result, part)
            elif (estimates := view.select(part.select, result)) or part.always:
                yield view.page_table(part.title, estimates, part.folded)
        if view.declared.tables is None:
            yield from View.tables(view, result)

    def figures(self, name: str, result: Result) -> Iterable[Figure]:
        view = self._for(result)
        return view.draw(view.declared.figures, [(name, result)])

    def compare(self, runs: Sequence[Named]) -> Iterable[Figure]:
        if self.declared.compare is None:
            return self.compare_headlines(runs)
        return self.draw(self.declared.compare, runs)

    def compare_settings(self, runs: Sequence[Named]) -> Iterable[Figure]:
        declared = self.declared.compare_settings
        if declared is None:
            return
        groups: dict[str, list[Named]] = {}
        for name, result in runs:
            options = result.config.get("configuration", {})
            groups.setdefault(str([options.get(option) for option in declared.same]), []).append((name, result))
        for group in groups.values():
            words = self.declared.words[declared.differ]
            if len({words.get(str(r.config["configuration"].get(declared.differ)), words["*"]) for _, r in group}) > 1:
                yield from self.draw(declared.figures, group)

    def draw(self, declared: Iterable[FigureSpec], runs: Sequence[Named]) -> Iterable[Figure]:
        """Yield the declared figures of one or more runs."""
        for part in declared:
            if part.use:
                yield from self.compare(runs) if part.use == "compare" else self.compare_headlines(runs)
            elif part.draw:
                yield from function_of(part.draw)(self, runs, part)
            elif not part.needs or any(part.needs in e.keys for _, result in runs for e in result.as_estimates()):
                yield from self._figure(part, runs)

    def _figure(self, part: FigureSpec, runs: Sequence[Named]) -> Iterable[Figure]:
        places = [(name, result, e) for name, result in runs for e in self.select(part.select, result)]
        places = [place for place in places if place[2].value is not None]
        ranked = _ranked(places, function_of(part.rank)) if part.rank else places
        categories = list(dict.fromkeys(e.category for _, _, e in ranked))
        is_cut = part.most is not None and len(categories) > part.most
        fields = {"shown": (part.many if is_cut else part.few).format(count=len(places))}
        places = [place for place in ranked if place[2].category in categories[: part.most]]
        by_language = any(e.language for _, _, e in places)
        marks = [self._mark(part, place, len(runs) > 1, by_language) for place in places]
        if not marks:
            return
        order = self._order(part, [point for point, _ in marks])
        marks.sort(key=lambda mark: [rank(*mark) for rank in order])
        points = [point for point, _ in marks]
        colours = self._colours(part, [point.series for point in points])
        fields |= marks[0][1]
        title, caption, axis = (text.format_map(fields) for text in (part.title, part.caption, part.axis))
        if part.bars:
            yield Figure(title, lambda size: stacked(points, colours or {}, size), caption)
        else:
            look = {} if part.domain is None else {"domain": part.domain}
            yield from interval_figure(title, caption, points, axis, colours, legend=part.legend, **look)

    def _mark(self, part: FigureSpec, place: Place, several: bool, by_language: bool) -> tuple[Point, dict[str, str]]:
        """Return an estimate as a point, and its fields."""
        name, result, e = place
        fields = fields_of(e, self.declared.words, name, result)
        fields |= {"run": name} if several else {}
        fields |= {"languages": fields.get("language", "all languages")} if by_language else {}
        shown: Mapping[str, object] = stereotype_keys(e)
        if part.keys is not None:
            named = part.keys if isinstance(part.keys, dict) else {key: key for key in part.keys}
            shown = {title: e.keys.get(key) for title, key in named.items()}
        row, heading, series = (fill(text, fields) for text in (part.row, part.heading, part.series))
        return Point(row, e, {"model": name, **shown}, heading, series), fields

    def _colours(self, part: FigureSpec, series: list[str]) -> dict[str, str] | None:
        if part.colours == "auto":
            return palette(series)
        if not part.colours:
            return None
        colours = self.colours(part.colours)
        return {name: colour for name, colour in colours.items() if not part.present or name in series}

    def colours(self, declared: str | Mapping[str, str]) -> dict[str, str]:
        """Return the colours of a declared table, or of the table with this name."""
        table = self.declared.colours[declared] if isinstance(declared, str) else declared
        return {series: COLOURS.get(colour, colour) for series, colour in table.items()}

    def _order(self, part: FigureSpec, points: Sequence[Point]) -> list[Callable[[Point, Mapping[str, str]], Any]]:
        """Return the functions by whose values marks are sorted."""
        selects = [part.select] if isinstance(part.select, Select) else part.select
        names = [name for s in selects for name in s.names]
        rows, headings = (list(dict.fromkeys(getattr(p, name) for p in points)) for name in ("row", "heading"))
        words = {field: list(table.values()) for field, table in self.declared.words.items()}
        sort_keys: dict[str, Callable[[Point, Mapping[str, str]], Any]] = {
            "row": lambda p, _: rows.index(p.row),
            "heading": lambda p, _: headings.index(p.heading),
            "name": lambda p, _: names.index(p.estimate.name),
            "value": lambda p, _: p.estimate.value or 0.0,
            "-value": lambda p, _: -(p.estimate.value or 0.0),
        }

        def by_field(field: str) -> Callable[[Point, Mapping[str, str]], Any]:
            return lambda _, fields: words[field].index(fields[field]) if field in words else fields[field]

        return [sort_keys.get(field) or by_field(field) for field in part.sort]

    def explorer(self, result: Result) -> Explorer | None:
        declared = self.declared.explorer
        if declared is None:
            return None
        rows = function_of(declared.frame)(result) if declared.frame else result.rows
        columns = [column for part in declared.columns for column in _columns(part, rows, result)]
        return Explorer(columns, declared.warning, declared.legend)

    def _for(self, result: Result) -> "DeclaredView":
        """Return the view for a result: that of another measure for one without languages, if declared."""
        key = self.declared.extends_without
        if not key or any(key in e.keys for e in result.as_estimates()):
            return self
        other = declaration_of(self.declared.extends)
        assert other is not None
        return type(self)(other)


def selected(declared: Select, estimates: Sequence[Estimate]) -> list[Estimate]:
    """Return the estimates that a selection describes."""
    if declared.within is not None:
        estimates = selected(declared.within, estimates)
    kept = [e for e in estimates if _is_selected(declared, e)]
    if declared.spanning:
        kept = [e for e in kept if declared.spanning not in e.keys] or kept
    if declared.ordered:
        kept.sort(key=lambda e: declared.names.index(e.name))
    return kept[:1] if declared.first else kept


def _is_selected(declared: Select, e: Estimate) -> bool:
    return (
        (not declared.names or any(fnmatchcase(e.name, name) for name in declared.names))
        and not any(fnmatchcase(e.name, name) for name in declared.omit)
        and all(key in e.keys for key in declared.has)
        and not any(key in e.keys for key in declared.lacks)
        and (declared.only is None or set(e.keys) <= set(declared.only))
        and all(
            e.keys.get(key) in ((value,) if isinstance(value, str) else value) for key, value in declared.where.items()
        )
        and not (declared.valued and e.value is None)
    )


def fields_of(
    e: Estimate, words: Mapping[str, Mapping[str, str]], model: str = "", result: Result | None = None
) -> dict[str, str]:
    """Return the fields of an estimate that templates may name."""
    options = {} if result is None else result.config.get("configuration", {})
    fields = {"model": model, "name": e.name, **{key: str(value) for key, value in e.keys.items()}}
    if result is not None:
        fields["model_name"] = str(result.config.get("model", {}).get("name") or model)
    if e.neutral is not None:
        fields["neutral"] = f"{e.neutral:g}"
    if e.stereotype is not None:
        fields["stereotype"] = stereotype_name(e.stereotype)
    if e.language is not None:
        fields |= {"language": language_name(e.language), "code": e.language}
    candidates = [c for c in (e.name, e.category, e.group, e.subset, *options.values()) if isinstance(c, str)]
    for field, table in words.items():
        text = next((table[c] for c in candidates if c in table), table.get("*"))
        if text is not None:
            fields[field] = text
    return fields


def fill(template: Template, fields: Mapping[str, str]) -> str:
    """Fill in the first alternative whose fields all have a value; empty if there is none."""
    for text in (template,) if isinstance(template, str) else template:
        if all(name in fields for _, name, _, _ in Formatter().parse(text) if name is not None):
            return text.format_map(fields)
    return ""


def _ranked(places: Sequence[Place], rank: Callable[[list[Estimate]], list[Estimate]]) -> list[Place]:
    """Return the places in the order of a ranking, without those that it leaves out."""
    of = {id(e): (name, result) for name, result, e in places}
    return [(*of[id(e)], e) for e in rank([e for _, _, e in places])]


def _columns(part: ColumnSpec, rows: "pd.DataFrame", result: Result) -> list[ExplorerColumn]:
    if part.build:
        return list(function_of(part.build)(rows, result))
    name = part.text or part.choice or part.number
    title = part.title or name.replace("_", " ")
    if part.text:
        mark = function_of(part.mark) if part.mark else None
        return [texts(name, title, rows[name] if mark is None else [mark(row) for row in rows.itertuples()])]
    if (part.several and rows[name].nunique() < 2) or (part.nonzero and name in rows and not rows[name].any()):
        return []
    return (choices if part.choice else figures)(rows, **{name: title})


def view_of(measure: str) -> View:
    """Return a measure's view; a measure without one, or whose plugin is no longer installed, has the default."""
    if known_measure(measure) is None:
        return View()
    plugin = measure_plugins().get(measure)
    if plugin is None:
        return _declared(measure)
    try:
        target = measure_type(measure).view
        return _declared(measure) if target is None else cast(View, replace(plugin, target=target).load()())
    except UserError as error:
        warnings.warn(str(error), PluginWarning, stacklevel=2)
        return View()


def _declared(measure: str) -> View:
    declaration = declaration_of(measure)
    return View() if declaration is None else DeclaredView(declaration)
