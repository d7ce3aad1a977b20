"""The report: self-contained, with its figure, and safe against what models and data say."""

import re
from html.parser import HTMLParser

import pytest

import genderscope
from genderscope.report.forest import Axis, bar
from genderscope.report.html import write_reports
from genderscope.statistics.estimate import Estimate

HOSTILE = '<script>alert(1)</script>"><img src=x onerror=alert(2)>{{ 7 * 7 }}'


@pytest.fixture
def page(models, tmp_path):
    lines = [f"I was there {k} times.,{k % 16 + 1}" for k in range(64)]
    data = tmp_path / (HOSTILE.replace("/", "") + ".csv")
    data.write_text("\n".join(["sentence,stereotype", *lines]))
    result = genderscope.evaluate("gest", str(models("gpt2", "bytes")), data=str(data), out=tmp_path / "run")
    return (result.folder / "report.html").read_text()


def test_the_report_opens_with_a_forest_plot_of_both_groups(page):
    figure = page[page.index("<figure") : page.index("</figure>")]
    assert page.index("<figure") < page.index("<table")
    assert "women are …" in figure
    assert "men are …" in figure
    for name in ("7 beautiful", "8 tough"):
        assert name in figure


def test_the_report_asks_nothing_of_the_network(page):
    class Links(HTMLParser):
        found: list[str]

        def handle_starttag(self, tag, attrs):
            self.found += [
                v for k, v in attrs if k in {"src", "href", "action", "data"} and v and not v.startswith("#")
            ]

    links = Links()
    links.found = []
    links.feed(page)
    assert links.found == []
    assert "<script" not in page
    assert re.search(r"url\((?!['\"]?(#|data:))", page) is None


def test_what_the_data_says_is_escaped(page):
    assert "alert(1)" in page
    assert "<script>alert" not in page
    assert "<img" not in page
    assert "{{ 7 * 7 }}" in page


def estimate(low, value, high, neutral=1.0):
    return Estimate("q_i", value, low, high, 10, 0, neutral, "test")


def test_a_bar_shows_interval_value_and_neutral_point():
    drawn = bar(estimate(0.5, 0.7, 0.9), Axis(1.0, 0.7), 21)
    assert drawn.index("●") < drawn.index("│")
    assert drawn[drawn.index("●") - 1] == "─"


def test_a_bar_on_the_log_ratio_scale():
    drawn = bar(estimate(-0.5, 0.1, 0.7, 0.0), Axis(0.0, 1.0), 21)
    assert len(drawn) == 21
    assert "●" in drawn


def test_a_report_over_several_models_shows_how_their_stereotypes_agree(models, tmp_path):
    runs = [
        genderscope.evaluate("gest", str(models(name, "bytes")), data="starter", out=tmp_path / name)
        for name in ("gpt2", "llama")
    ]
    write_reports(runs, tmp_path / "both.html")
    page = (tmp_path / "both.html").read_text()
    assert "Agreement of the runs" in page
    assert page.index("Agreement of the runs") < page.index('id="run-1"')
