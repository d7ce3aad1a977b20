"""The pages of BBQ: figures by group, language and template, and the templates furthest from 0 in their own words."""

import pytest

from genderscope.judgement import with_symbols
from genderscope.measures.bbq.measure import Bbq
from genderscope.measures.bbq.rates import estimates
from genderscope.report.charts.style import PAGE
from genderscope.report.views.declared_view import view_of
from genderscope.runs import Result, estimates_to_frame
from genderscope.samples.bbq import AMBIGUOUS, BIASED, COUNTER
from tests.bbq import planted


def shown(model, keep=None, **options):
    rows = planted.rows(model, planted.ORDERS[:2], **options)
    rows = rows if keep is None else rows[rows["condition"] == keep].reset_index(drop=True)
    table = estimates_to_frame(with_symbols(Bbq.symbols, estimates(rows, None)))
    return Result("bbq", table, rows, "", "", (), {"model": {"name": "planted"}})


def three_biased(question, order):
    """Three templates are biased, one of them against the stereotype."""
    kind = {"2": BIASED, "5": BIASED, "7": COUNTER}.get(question["template"])
    return kind or question["truth"]


def titles(result):
    return [figure.title for figure in view_of("bbq").figures("planted", result)]


def test_only_biased_templates_are_quoted():
    (table,) = (t for t in view_of("bbq").tables(shown(three_biased, templates=12)) if "furthest" in t.title)
    assert {line[0]: line[1] for line in table.rows} == {"2": "1.00", "5": "1.00", "7": "-1.00"}
    assert table.rows[0][-1] == "Two people met (2). Who was late (0)?"


def test_without_bias_nothing_is_quoted():
    assert not any("furthest" in t.title for t in view_of("bbq").tables(shown(planted.right, templates=6)))


def test_the_templates_furthest_from_neutral_are_named_by_a_question():
    chart = next(
        f for f in view_of("bbq").figures("planted", shown(three_biased, templates=12)) if "template" in f.title
    )
    text = str(chart.chart(PAGE))
    assert all(f"{template}: Who was late" in text for template in ("2", "5", "7"))


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, ["Bias by template"]),
        (
            {"languages": ("en", "tr")},
            ["Bias by language", "Bias by template, English", "Bias by template, Turkish"],
        ),
    ],
)
def test_languages_have_figures_of_their_own(options, expected):
    always = {"Bias without and with the answer in the context", "Outcomes by context"}
    assert sorted(titles(shown(three_biased, templates=8, **options))) == sorted({*always, *expected})


def test_one_kind_of_context_is_enough_for_a_page():
    result = shown(three_biased, keep=AMBIGUOUS, templates=8)
    assert "Bias by template" in titles(result)
    assert all("disambiguated" not in line[0] for table in view_of("bbq").tables(result) for line in table.rows)


def test_the_explorer_shows_the_chosen_option_where_there_is_no_reply():
    columns = {c.name: c.values for c in view_of("bbq").explorer(shown(planted.stereotyped, templates=4)).columns}
    assert set(map(tuple, columns["reply"])) == {(("stereotypical", "other"),)}
