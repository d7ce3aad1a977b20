"""Display of results in Python: repr, notebook HTML, text and plots."""

from genderscope.comparison import Comparison, Validity
from genderscope.core.errors import UserError, unknown
from genderscope.report.charts.run_agreement import models_scatter
from genderscope.report.charts.style import COLUMN, PAGE, Spec, picture, with_failure_note
from genderscope.report.export.formats import publish
from genderscope.report.html.notebook import comparison_html, result_html
from genderscope.report.html.run_groups import named
from genderscope.report.views.declared_view import view_of
from genderscope.report.views.plain_view import Figure, interval, mark_runs, number
from genderscope.runs import Plot, Result
from genderscope.statistics.estimate import Estimate
from genderscope.util.safe_text import in_line, well_formed


def html(shown: Result | Comparison) -> str:
    """Return a result or comparison as HTML for notebooks."""
    return result_html(shown) if isinstance(shown, Result) else comparison_html(shown)


def text(result: Result, form: str) -> str:
    """Return a result as Markdown or LaTeX."""
    return publish(result, form).rstrip("\n") + "\n"


def brief(result: Result) -> str:
    """Return a result's repr: measure, model, data, the first two headline estimates, verdict and coverage."""
    model, data = (result.config[part]["name"] for part in ("model", "data"))
    # Estimates with a neutral point come first, since those without one are hard to interpret on their own.
    headline = sorted(view_of(result.measure).headline(result), key=lambda e: e.neutral is None)
    first = "; ".join(_number(e) for e in headline[:2])
    read = f"{result.coverage:.1%} of {len(result.rows):,} questions read"
    age = f"\n {result.age}" if result.age else ""
    about = _plain(f"{result.measure} · {model} · {data}")
    return f"<Result {about}\n {_plain(first or result.summary)}; {result.verdict}; {read}{age}>"


def _number(e: Estimate) -> str:
    scope = f"[{e.scope}]" if e.scope else ""
    neutral = "" if e.neutral is None else f", neutral {e.neutral:g}"
    return f"{e.name}{scope} = {number(e.value)} {interval(e)}{neutral}, n = {e.n:,}"


def _plain(text: str) -> str:
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in in_line(text))


def plot(shown: Result | Validity, figure: str | None = None) -> Plot:
    """Return the report figure with this title; by default, the first figure."""
    if isinstance(shown, Result):
        view, runs = view_of(shown.measure), mark_runs(named([shown]))
        # If the view has no figures, the first headline estimate is drawn.
        figures = list(view.figures(*runs[0])) or list(view.compare_headlines(runs))
    else:
        figures = [_of_validity(shown)]
    if not figures:
        raise UserError("There is nothing to plot: none of the result's figures has any values.")
    titles = [candidate.title for candidate in figures]
    if figure is not None and figure not in titles:
        raise unknown("figure", figure, titles)
    drawn_figure = figures[0 if figure is None else titles.index(figure)]
    sizes = {"page": PAGE, "column": COLUMN}

    def drawing(width: str) -> Spec:
        return with_failure_note(drawn_figure.chart(sizes[width]), sizes[width])

    return Plot(drawn_figure.title, drawn_figure.caption, lambda kind, width: picture(drawing(width), kind))


def _of_validity(validity: Validity) -> Figure:
    dots = {well_formed(model): point for model, point in validity.points.items()}
    x, y = (well_formed(str(quantity)) for quantity in (validity.x, validity.y))
    caption = f"{y} against {x}, one point per model."
    return Figure(f"{x} and {y}", lambda size: models_scatter(dots, x, y, size), caption)
