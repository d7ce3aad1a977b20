"""Notebook display of results and comparisons: headline estimates with inline plots, and with all text escaped."""

from collections.abc import Sequence

from markupsafe import Markup, escape

from genderscope.comparison import Comparison
from genderscope.measures import measure_type
from genderscope.reference import reference_sentences
from genderscope.report.charts.forest import Axis, difference_strips, strip
from genderscope.report.terminal.comparison_table import (
    all_cautions,
    describe_method,
    describe_shared,
    difference_rows,
    plain_answers,
    table_headings,
)
from genderscope.report.views.plain_view import numbers
from genderscope.runs import Result
from genderscope.util.safe_text import terminal_safe

#: inline styles, since notebooks use their own style sheets
STYLE = "text-align:right;padding:.2em .6em;white-space:nowrap;font-variant-numeric:tabular-nums"
FIRST = "text-align:left;padding:.2em .6em;white-space:nowrap"
SOFT = "font-size:85%;opacity:.75;overflow-wrap:anywhere"


def result_html(result: Result) -> str:
    """Return a result's headline estimates with plots, its summary, cautions and signature as HTML."""
    names = measure_type(result.measure).headline
    headline = [e for e in result.as_estimates() if e.name in names and e.template is None and e.value is not None]
    # Estimates with the same name share an axis, so that their plots are comparable.
    axes = {e.name: Axis.around([other for other in headline if other.name == e.name]) for e in headline}
    rows = [(e.name, e.scope or "all", *numbers(e), strip(e, axes[e.name])) for e in headline]
    headings = ("estimate", "for", "value", "95 % interval", "neutral", "n", "unread", "")
    model, data = (result.config[part]["name"] for part in ("model", "data"))
    return terminal_safe(
        Markup("<div><p><strong>{}</strong> · {} · {}</p>{}<p>{}</p>{}<p style='{}'>{}</p></div>").format(
            result.measure,
            model,
            data,
            _table(headings, rows),
            " ".join([result.summary, *reference_sentences(result)]),
            _cautions(result.cautions),
            SOFT,
            f"Coverage {result.coverage:.1%}. {f'{result.age} ' if result.age else ''}Signature: {result.signature}",
        )
    )


def comparison_html(comparison: Comparison) -> str:
    """Return a comparison's runs, their differences from the first run, and the verdicts as HTML."""
    paragraph = Markup("<p>{}</p>")
    runs = (f"{name} = {run.config['model']['name']}" for name, run in comparison.runs.items())
    parts = [Markup("<p><strong>{}</strong> · {}</p>").format(comparison.measure, "; ".join(runs))]
    for name in comparison.pairs:
        strong = Markup("<p><strong>{}</strong></p>")
        parts += [strong.format(sentence) for sentence in plain_answers(comparison, name)]
        parts.append(_differences(comparison, name))
        parts.append(paragraph.format(f"{name} compared with {comparison.first}: {describe_shared(comparison, name)}"))
    parts.append(_cautions(all_cautions(comparison)))
    parts.append(Markup("<p style='{}'>{}</p>").format(SOFT, describe_method(comparison)))
    return terminal_safe(Markup("<div>{}</div>").format(Markup("").join(parts)))


def _differences(comparison: Comparison, name: str) -> Markup:
    differences = comparison.of(name)
    strips = difference_strips(differences)
    rows = [(*cells, drawn) for cells, drawn in zip(difference_rows(comparison, name), strips, strict=True)]
    return _table((*table_headings(comparison, name), ""), rows)


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> Markup:
    def line(tag: str, texts: Sequence[str]) -> Markup:
        drawn = (
            Markup(f"<{tag} style='{{}}'>{{}}</{tag}>").format(FIRST if k == 0 else STYLE, escape(text))
            for k, text in enumerate(texts)
        )
        return Markup("<tr>{}</tr>").format(Markup("").join(drawn))

    body = Markup("").join(line("td", row) for row in rows)
    return Markup("<table><thead>{}</thead><tbody>{}</tbody></table>").format(line("th", headings), body)


def _cautions(cautions: Sequence[str]) -> Markup:
    return Markup("").join(Markup("<p>Caution: {}</p>").format(caution) for caution in cautions)
