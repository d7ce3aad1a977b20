"""Results for papers, programs and notebooks: complete, and harmless whatever a model is called."""

import csv
import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

import genderscope
from genderscope.report import publish
from genderscope.report.export.markup import latex_text, markdown_text
from genderscope.util.safe_text import in_line
from tests.support.hostile import HOSTILE


@pytest.fixture
def result(systems):
    return genderscope.load_run(systems / "weak")


@pytest.fixture
def hostile(result):
    config = {**result.config, "model": {**result.config["model"], "name": HOSTILE}}
    return replace(result, config=config, signature=f"gest-mt|model:{HOSTILE}")


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "csv", "json"])
def test_every_form_holds_value_interval_n_neutral_and_signature(cli, systems, result, form):
    done = cli("show", systems / "weak", "--format", form, *(["--full"] if form == "table" else []))
    assert done.returncode == 0, done.stderr
    f_s = result.estimate("stereotype_rate", language="sk")
    digits = f"{f_s.value:.2f}" if form in {"table", "markdown", "latex"} else repr(f_s.value)[:12]
    assert digits in done.stdout
    assert str(f_s.n) in done.stdout
    assert "neutral" in done.stdout
    assert re.search("coverage", done.stdout, re.IGNORECASE)
    assert "version:" in done.stdout


def test_json_is_what_it_was(cli, systems, result):
    assert cli("show", systems / "weak", "--json").stdout.strip() == result.to_json()
    assert cli("show", systems / "weak", "--format", "json").stdout.strip() == result.to_json()


def test_a_file_is_written_whole(cli, systems):
    done = cli("show", systems / "weak", "--format", "latex", "-o", "table.tex")
    assert done.stdout.strip() == "table.tex"
    assert Path("table.tex").read_text().count("\\end{table}") == 2
    done = cli("show", systems / "weak", "--format", "csv", "-o", "/proc/no/table.csv")
    assert done.returncode == 2
    assert "Cannot write '/proc/no/table.csv'" in done.stderr


def test_an_unknown_format_is_suggested(cli, systems):
    done = cli("show", systems / "weak", "--format", "latx")
    assert done.returncode == 2
    assert "Did you mean 'latex'?" in done.stderr


def test_csv_holds_every_estimate(result, hostile):
    lines = list(csv.DictReader(io.StringIO(publish(result, "csv"))))
    assert len(lines) == len(result.estimates)
    (line,) = (x for x in lines if x["name"] == "stereotype_rate" and x["language"] == "sk")
    assert float(line["value"]) == result.estimate("stereotype_rate", language="sk").value
    assert 0.8 < float(line["coverage"]) < 1
    assert len(list(csv.DictReader(io.StringIO(publish(hostile, "csv"))))) == len(lines)


def test_latex_comes_out_harmless(hostile):
    text = re.sub(r"^%.*$", "", publish(hostile, "latex"), flags=re.MULTILINE)  # a comment may say anything
    assert "\\input" not in text
    assert text.count("\\begin{table}") == text.count("\\end{table}") == text.count("\\end{tabular}\n") == 2
    for table in text.split("\\end{tabular}"):
        body = [line for line in table.splitlines() if line.endswith("\\\\") and "multicolumn" not in line]
        assert len({len(re.findall(r"(?<!\\)&", line)) for line in body}) <= 1
    assert latex_text("50% & a_b #1 $x$ {y} ~ ^ \\z") == (
        r"50\% \& a\_b \#1 \$x\$ \{y\} \textasciitilde{} \textasciicircum{} \textbackslash{}z"
    )
    assert latex_text("-0.05 a-b [-1, 2]") == "$-$0.05 a-b {[}$-$1, 2{]}"


def test_markdown_comes_out_harmless(hostile):
    text = publish(hostile, "markdown")
    assert "<script" not in text
    for table in re.split(r"\n\n+", text):
        lines = [line for line in table.splitlines() if line.startswith("|")]
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines}) <= 1
        assert all(len(re.findall(r"(?<!\\)\|", line)) in {8, 9} for line in lines)
    assert markdown_text("a|b *c* `d` <e> [f](g)") == r"a\|b \*c\* \`d\` &lt;e&gt; \[f\]\(g\)"


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "csv", "json"])
def test_no_name_steers_the_terminal(hostile, form):
    text = publish(hostile, form)
    assert "\x1b" not in text
    assert "\r" not in text
    assert form == "json" or "\u202e" not in text


def test_comparisons_do_not_steer_it_either(cli, systems, hostile, tmp_path):
    import shutil

    shutil.copytree(systems / "weak", tmp_path / "hostile")
    (tmp_path / "hostile" / "run.json").write_text(json.dumps(hostile.config))
    done = cli("compare", systems / "strong", tmp_path / "hostile", "--fail-if", "stereotype_rate > 5")
    assert done.returncode == 0, done.stderr
    assert "\x1b[31m" not in done.stdout
    assert "␛[31mred\ufffd" in done.stdout
    done = cli("scorecard", tmp_path)
    assert "\x1b[31m" not in done.stdout


def test_harmless_keeps_what_people_write():
    assert in_line("Žltý kôň – 日本語 ☕ a_b") == "Žltý kôň – 日本語 ☕ a_b"
    assert in_line("\x1b[2J\u202e\x9b\n") == "␛[2J\ufffd\ufffd␊"


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.seen, self.text = [], ""

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)

    def handle_data(self, data):
        self.text += data


def parsed(html):
    page = Tags()
    page.feed(html)
    return page


def test_a_result_shows_itself_in_a_notebook(result, hostile):
    page = parsed(result._repr_html_())
    f_s = result.estimate("stereotype_rate", language="sk")
    assert f"{f_s.value:.2f}" in page.text
    assert result.summary in page.text
    assert page.seen.count("svg") == 6  # f_s and f_m for both languages and over all
    assert len(result._repr_html_()) < 20_000
    assert "script" not in parsed(hostile._repr_html_()).seen
    assert "<script>alert(1)</script>" in parsed(hostile._repr_html_()).text


def test_a_comparison_shows_itself_in_a_notebook(systems, hostile):
    comparison = genderscope.compare(systems / "strong", hostile)
    page = parsed(comparison._repr_html_())
    assert "B is better in all 2 languages, also for other stereotypes." in page.text
    assert "script" not in page.seen
    assert page.seen.count("svg") == len(comparison.differences)
    assert set(comparison.table["estimate"]) == {"stereotype_rate", "masculine_rate"}


def test_a_result_without_any_reading_still_shows_itself(tmp_path):
    from tests.measure_examples.gest_mt import translated

    silent = translated(tmp_path, lambda i: 0.5, silent=1.1)
    assert "Too few answers could be read" in silent._repr_html_()
    for form in ("table", "markdown", "latex", "csv", "json"):
        assert publish(silent, form)
