"""The picture of a translator: all its verdicts, whatever the measure, on one scale."""

import re
from dataclasses import replace
from typing import Any

import pytest

import genderscope
from genderscope.judgement import short_verdict
from genderscope.measures import MEASURES, judge_estimate, margin_of, measure_type
from genderscope.reference import published_values
from genderscope.report import write_reports
from genderscope.report.html.interval_pictures import CHARACTER, LABEL
from genderscope.report.html.translator_picture import picture_of, translator_blocks, translator_section
from tests.report.examples import result
from tests.support.bilingual import Bilingual

#: the measures of the picture
TRANSLATIONS = {measure for measure in MEASURES if picture_of(measure)}


@pytest.fixture(scope="module")
def runs():
    return [result(measure, "system", n=320) for measure in sorted(TRANSLATIONS)]


def lanes(blocks):
    """Return every lane with its translator, language and heading."""
    return [
        (system, language, block.title, lane)
        for system, languages in blocks.items()
        for language, found in languages.items()
        for block in found
        for lane in block.lanes
    ]


def test_every_measure_of_translators_is_in_the_picture():
    from genderscope.core.questions import Translation

    assert {name for name in MEASURES if measure_type(name).asks == {Translation}} == TRANSLATIONS


def test_the_numbers_are_those_of_the_verdicts(runs):
    found = lanes(translator_blocks(runs))
    assert {lane.result.measure for *_, lane in found} == TRANSLATIONS
    for _, language, _, lane in found:
        e, judgement = lane.estimate, judge_estimate(lane.result, lane.estimate)
        assert e in lane.result.as_estimates()
        assert e.language == language
        assert lane.verdict == short_verdict(judgement)
        margin = margin_of(lane.result, e)
        most = 1 if margin is None else margin.most
        for end in ("value", "low", "high", "wide_low", "wide_high"):
            drawn, known = getattr(lane.drawn, end), getattr(e, end)
            assert drawn == (None if known is None else pytest.approx((known - e.neutral) / most))
            assert drawn is None or -1 <= drawn <= 1


def test_a_value_without_meaning_is_left_out(runs):
    silent = [replace(run, estimates=run.estimates.assign(unread=10**6)) for run in runs]
    assert len(lanes(translator_blocks(silent))) < len(lanes(translator_blocks(runs)))


def test_published_systems_are_marked_where_the_run_is_comparable_with_them(runs):
    def ticks(runs):
        found = lanes(translator_blocks(runs))
        return next(
            lane.ticks for _, language, _, lane in found if (language, lane.label) == ("sk", "masculine rate (gest-mt)")
        )

    assert ticks(runs) == []
    whole = [
        replace(run, config=run.config | {"data": run.config["data"] | {"name": "gest-1.1"}})
        if run.measure == "gest-mt"
        else run
        for run in runs
    ]
    known = [
        v.value
        for v in published_values()
        if (v.set, v.estimate, dict(v.keys)) == ("gest-mt", "masculine_rate", {"language": "sk"})
    ]
    assert len(known) > 1
    assert [place for _, place in ticks(whole)] == pytest.approx(sorted((value - 0.5) / 0.5 for value in known))


def test_names_of_rows_fit_beside_their_intervals():
    labels = [f"{row.label} ({measure})" for measure in TRANSLATIONS for row in picture_of(measure)]
    assert all(len(label) * CHARACTER <= LABEL - 10 for label in labels)


def test_translators_are_apart_and_two_runs_of_one_are_numbered(runs):
    more = [result("gest-mt", "other", 1), result("dialogue", "other", 1), result("gest-mt", "system", 2)]
    found = lanes(translator_blocks([*runs, *more]))
    assert {system for system, *_ in found} == {"system", "other"}
    slovak = [lane.label for system, code, _, lane in found if (system, code) == ("system", "sk")]
    assert {"masculine rate (gest-mt)", "masculine rate (gest-mt), run 2"} <= set(slovak)


@pytest.mark.long
def test_a_page_has_the_picture_if_a_translator_was_measured_in_more_than_one_way(runs, tmp_path):
    for given, wanted in (
        (runs, True),
        (runs[:1], False),
        ([result("gest-mt", "one"), result("dialogue", "two")], False),
        ([result("gest"), result("winobias"), result("bbq")], False),
    ):
        write_reports(given, tmp_path / "page.html")
        page = (tmp_path / "page.html").read_text(encoding="utf-8")
        assert ('<section id="translators"' in page) == wanted
        assert page.count('href="#translators"') == wanted


def test_languages_beyond_the_first_few_are_collapsed(runs):
    section = translator_section(runs)
    ((_, languages),) = section["systems"]
    assert next(name for name, _ in languages) == "Spanish", "the language with the most measures comes first"
    assert all(len(re.findall("<svg", picture)) == 2 for _, picture in languages)


class Stereotyped(Bilingual):
    """Makes every third speaker a woman."""

    def translate(self, texts, source, target):
        self.told += texts
        verb = {"cs": "jsem", "sk": "som"}[target]
        return [f"Byl{'a' if len(text) % 3 == 0 else ''} {verb} tam {k}." for k, text in enumerate(texts)]


@pytest.mark.long
def test_the_scorecard_of_an_audit_has_it_for_a_translator_and_not_for_a_language_model(models, monkeypatch, tmp_path):
    monkeypatch.delenv("GENDERSCOPE_MIRROR", raising=False)
    common: dict[str, Any] = {"offline": True, "budget": "quick"}
    genderscope.audit(Stereotyped(), out=tmp_path / "mt", **common)
    assert '<section id="translators"' in (tmp_path / "mt" / "scorecard.html").read_text(encoding="utf-8")
    genderscope.audit(
        str(models("gpt2", "bytes")), out=tmp_path / "lm", options={"gest": {"limit": "32"}}, without=("bbq",), **common
    )
    assert '<section id="translators"' not in (tmp_path / "lm" / "scorecard.html").read_text(encoding="utf-8")
