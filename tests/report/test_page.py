"""The page: self-contained, complete for every measure, and safe against what models and data say."""

import json
import math
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

import genderscope
from genderscope.measures import MEASURES
from genderscope.report import write_reports
from genderscope.report.charts.forest import Axis, bar
from genderscope.report.charts.model_sizes import family
from genderscope.report.html.run_groups import named
from genderscope.report.views import explorer
from genderscope.report.views.declared_view import view_of
from genderscope.report.views.explorer import marked, script_safe
from genderscope.report.views.run_summary import lead_sentences
from genderscope.statistics.estimate import Estimate
from tests.measure_examples import example_of
from tests.report.examples import HOSTILE, result


class Page(HTMLParser):
    """What a browser would make of the page: elements with their attributes, scripts and text."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.scripts, self.texts = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data):
        if self.elements and self.elements[-1][0] == "script":
            self.scripts[-1] += data
        self.texts.append(data)


def write(tmp_path, *results):
    target = tmp_path / "page.html"
    write_reports(results, target)
    return target.read_text(encoding="utf-8")


def test_a_tile_says_what_each_of_its_intervals_generalises_to(tmp_path):
    page = write(tmp_path, result("gest", n=320))
    assert "95 % interval 1.57 to 1.85 for other sentences" in page
    assert "1.38 to 2.11 for other stereotypes too" in page
    assert page.count('class="wide"') == page.count("for other stereotypes too</p>")
    assert "for other" not in write(tmp_path, result("honest", n=320))


@pytest.mark.long
def test_a_page_places_its_result_among_published_values_or_says_why_not(tmp_path):
    one, two = (result("gest", name, seed) for seed, name in enumerate(("one", "two")))
    for results in ((one,), (one, two)):
        page = write(tmp_path, *results)
        assert page.count("Published English models are not comparable: ") == len(results)


def test_a_page_begins_with_the_verdict(tmp_path):
    found = result("gest", n=320)
    (verdict, _), *_ = lead_sentences(found)
    assert verdict in "".join(Page(write(tmp_path, found)).texts)


def test_a_page_says_that_the_starter_set_is_for_trying(tmp_path):
    found = result("gest")
    assert "trial set" not in write(tmp_path, found)
    trial = {**found.config, "configuration": {**found.config["configuration"], "data": "starter"}}
    assert write(tmp_path, replace(found, config=trial)).count("trial set; publish numbers from the full data") == 1


def test_every_measure_has_an_example():
    assert all(callable(example_of(measure).artificial) for measure in MEASURES)


@pytest.mark.long_but("gest", "honest", "crows", "gate")
@pytest.mark.parametrize("measure", MEASURES)
def test_every_measure_has_figures_samples_and_plain_words(measure, tmp_path):
    found = result(measure, "one")
    view = view_of(measure)
    assert view.about
    assert list(view.figures("one", found)), "no figure"
    assert list(view.compare(named([found, result(measure, "two", 1)]))), "no figure over several runs"
    assert view.headline(found)
    for estimate in view.headline(found)[:1]:
        assert estimate.name in view.direction, "nobody says what lies below and above the neutral point"
    samples = view.explorer(found)
    assert samples is not None, "no explorer"
    assert len(samples) == len(found.rows)
    assert any(isinstance(part, tuple) for c in samples.columns if c.kind == "text" for v in c.values for part in v)
    page = write(tmp_path, found)
    for expected in ("About the measure.", "Coverage.", "neutral", "95 % interval", "How to cite", found.signature):
        assert expected in page


def test_several_measures_and_runs_are_on_one_page(tmp_path):
    page = write(tmp_path, result("gest", "one"), result("winobias", "one"), result("gest", "two", 1))
    assert "3 runs of 2 measures" in page
    assert page.index("Runs compared") < page.index('id="gest-1"') < page.index('id="winobias"')
    assert page.count("Agreement between runs") > 0


def test_the_page_allows_no_request_and_only_its_own_script(tmp_path):
    page = Page(write(tmp_path, result("gest-mt")))
    policy = next(a["content"] for t, a in page.elements if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    for _, attributes in page.elements:
        for name in ("src", "href", "action", "data", "xlink:href"):
            assert attributes.get(name, "#").startswith("#")
    assert not [a for _, a in page.elements if any(name.startswith("on") or name == "style" for name in a)]


@pytest.mark.long_but("gest", "gest-chat", "honest", "crows", "dialogue")
@pytest.mark.parametrize("measure", MEASURES)
def test_what_models_and_data_say_stays_data(measure, tmp_path):
    text = write(tmp_path, result(measure, f"model {HOSTILE}", said=HOSTILE, warn=[HOSTILE]))
    page = Page(text)
    assert not {tag for tag, _ in page.elements} & {"img", "b", "iframe", "object", "base", "form"}
    # all estimates, all samples, and the page's own script; none of them ended early
    assert len(page.scripts) == 3
    assert "<script>window" not in text
    assert not [a for _, a in page.elements if any(name.startswith("on") for name in a)]
    assert "{{ 7 * 7 }}" in text
    samples = json.loads(page.scripts[1])
    assert "window.hacked=1</script>" in json.dumps(samples, ensure_ascii=False)


def test_hurtful_words_wait_behind_a_warning(tmp_path):
    page = write(tmp_path, result("honest"))
    outside = re.sub(r'<details class="card warning">.*?</details>', "", page, flags=re.DOTALL)
    assert "plonk" in page
    assert "plonk" not in outside
    assert "<summary>Content warning: hurtful words. Show the samples</summary>" in page


def test_too_many_rows_are_sampled_and_the_page_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(explorer, "MOST", 20)
    page = write(tmp_path, result("gest", n=64))
    assert "a random sample of 20 of 64 rows" in page
    assert page == write(tmp_path, result("gest", n=64))


def test_models_without_a_known_size_are_left_out_of_figure_4_and_counted():
    runs = named([result("gest", "gpt2", parameters=124_000_000), result("gest", "served", 1)])
    figure = next(f for f in view_of("gest").compare(runs) if "size" in f.title)
    assert "1 of 2 runs are not shown" in figure.caption


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ({"name": "facebook/opt-1.3b"}, "opt"),
        ({"name": "FacebookAI/xlm-roberta-base"}, "xlm-roberta"),
        ({"name": "smollm2"}, "smollm2"),
        ({"name": "adoption", "architecture": "LlamaForCausalLM"}, "Llama"),
        ({"name": "mine", "architecture": "GPT2LMHeadModel"}, "GPT2"),
        ({"name": "mine"}, "mine"),
    ],
)
def test_families_are_told_by_name_then_by_architecture(model, expected):
    assert family(model) == expected


def test_the_size_is_recorded_even_if_all_answers_were_there_already(models, tmp_path):
    first = genderscope.evaluate("gest", str(models("gpt2", "bytes")), data="starter", limit=16, out=tmp_path / "run")
    (tmp_path / "run" / "result.json").unlink()
    again = genderscope.evaluate("gest", str(models("gpt2", "bytes")), data="starter", limit=16, out=tmp_path / "run")
    assert first.config["model"]["parameters"] > 1000
    assert again.config["model"]["parameters"] == first.config["model"]["parameters"]


def test_runs_on_a_page_have_short_names_that_differ():
    names = [name for name, _ in named([result("gest", n) for n in ("/a/b/mine", "org/m", "org/m", "s/{lang}.csv")])]
    assert names == ["mine", "org/m", "org/m (2)", "s"]


def test_marks_are_cut_from_the_text():
    assert marked("I was tired.", [(6, 11, "other"), (8, 9, "other")]) == ["I was ", ("tired", "other"), "."]


def test_json_in_a_script_is_read_back_the_same():
    said = f"{HOSTILE} \ud800"
    safe = script_safe(json.dumps(said, ensure_ascii=False))
    assert not set("<>&\u2028\u2029") & set(safe)
    assert json.loads(safe) == said
    assert safe.encode()


def estimate(low, value, high, neutral=1.0):
    return Estimate(
        name="masculine_rate_by_stereotype",
        value=value,
        low=low,
        high=high,
        n=10,
        unread=0,
        neutral=neutral,
        method="test",
    )


def test_a_bar_shows_interval_value_and_neutral_point():
    drawn = bar(estimate(0.5, 0.7, 0.9), Axis(1.0, 0.7), 21)
    assert drawn.index("●") < drawn.index("│")
    assert drawn[drawn.index("●") - 1] == "─"


def test_a_bar_on_the_log_ratio_scale():
    drawn = bar(estimate(-0.5, 0.1, 0.7, 0.0), Axis(0.0, 1.0), 21)
    assert len(drawn) == 21
    assert "●" in drawn


def test_an_occupation_has_its_own_rate():
    rates = {e.category: e for e in result("winobias").as_estimates() if e.name == "masculine_rate_by_occupation"}
    rows = result("winobias").rows
    mean = rows.loc[rows["occupation"] == "guard", "log_ratio"].mean()
    assert rates["guard"].value == pytest.approx(math.exp(mean))
    assert rates["guard"].low < rates["guard"].value < rates["guard"].high
    assert rates["guard"].group == "male"
