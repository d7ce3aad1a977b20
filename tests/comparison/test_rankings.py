"""Rankings of a folder of runs: order, ties, what is kept apart, and a page that is always the same."""

import csv
import html
import json
import os
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest

import genderscope
from genderscope.comparison import find_runs, rankings, scorecard
from genderscope.comparison.baseline import against
from genderscope.comparison.ranking import grouped, ranked, ranked_together
from genderscope.judgement import describe_order
from genderscope.report import scorecard_of, scorecard_texts
from genderscope.samples.gest import MALE
from tests.measure_examples.gest_mt import translated


@pytest.fixture
def folder(systems, tmp_path):
    """A folder with three systems, one of which is there twice, an unfinished run and strangers."""
    root = tmp_path / "all"
    shutil.copytree(systems, root / "deep" / "runs")
    shutil.copytree(systems / "even", root / "twin")
    (root / "half").mkdir()
    shutil.copy(systems / "even" / "run.json", root / "half" / "run.json")
    (root / "notes" / "old").mkdir(parents=True)
    (root / "broken").mkdir()
    for name in ("run.json", "result.json"):
        (root / "broken" / name).write_text("{}")
    return root


def test_runs_are_behind_those_that_are_better_and_twins_are_equal(folder):
    ranked = rankings(find_runs(folder).runs)
    assert [(r.measure, r.language) for r in ranked] == [("gest-mt", None), ("gest-mt", "cs"), ("gest-mt", "sk")]
    for ranking in ranked:
        assert ranking.criteria == ("stereotype_rate", "masculine_rate")
        # The weakly stereotypical system also avoids a gender now and then, which the even ones never do.
        names = {name for answer in ranking.answers for name in answer.runs}
        weak, strong = ((f"{name}/{{lang}}.csv") for name in ("weak", "strong"))
        twins = names - {weak, strong}
        assert len(twins) == 2
        better = {frozenset(answer.runs): answer.better for answer in ranking.answers}
        assert all(better[frozenset((weak, name))] == weak for name in names - {weak})
        assert better[frozenset(twins)] is None
        assert all(better[frozenset((strong, twin))] == twin for twin in twins)
        assert describe_order(ranking.answers)[0] == f"{weak} is better than all others."


def test_a_run_on_the_other_side_of_neutral_is_as_far(tmp_path):
    for name, male, female in (("pro", 0.9, 0.1), ("anti", 0.1, 0.9), ("mild", 0.7, 0.3)):
        translated(
            tmp_path / "files" / name,
            lambda i, m=male, f=female: m if i in MALE else f,
            ("sk",),
            tmp_path / "runs" / name,
        )
    (ranking,) = rankings(find_runs(tmp_path / "runs").runs)
    assert ranking.entries[0].path == "mild"
    assert {e.path for e in ranking.entries[1:]} == {"pro", "anti"}


def test_incomparable_runs_stand_in_tables_of_their_own(systems, tmp_path):
    runs = {str(k): genderscope.load_run(systems / name) for k, name in enumerate(("even", "weak", "strong"))}
    runs["1"].config["configuration"]["limit"] = 100
    runs["2"].config["data"]["sha256"] = "0" * 64
    ranked = rankings(runs)
    assert len(ranked) == 9
    assert all(len(r.entries) == 1 for r in ranked)
    assert any("limit=100" in r.options for r in ranked)
    assert not any("None" in r.options for r in ranked), "what is not set is not told"
    # One language needs no other: a run of Slovak alone stands beside one of Slovak and Czech.
    alone = translated(tmp_path, lambda i: 0.5, ("sk",))
    ranked = rankings({"both": genderscope.load_run(systems / "even"), "alone": alone})
    assert [(r.language, len(r.entries)) for r in ranked] == [(None, 1), ("cs", 1), ("sk", 2)]


@pytest.mark.long
def test_models_that_were_asked_differently_are_kept_apart(models, tmp_path):
    runs = {
        name: genderscope.evaluate("gest", str(models(*kind)), data="starter", limit=64, out=tmp_path / name)
        for name, kind in (("causal", ("gpt2", "bytes")), ("masked", ("bert", "wordpiece-cased")))
    }
    ranked = rankings(runs)  # three templates and two, of which they share one
    assert [re.search(r"templates=[\d+]+", r.options)[0] for r in ranked] == ["templates=1+2+7", "templates=7+8"]
    comparison = genderscope.compare(runs["masked"], runs["causal"])
    assert len(comparison.pairs["B"].first) == 64
    told = "1+2+7 and 7+8, respectively; only questions that both answered are compared (7)"
    assert any(told in caution for caution in comparison.cautions), comparison.cautions


def page(runs):
    (text,) = scorecard_texts(scorecard_of([runs]), {"html": Path("card.html")}).values()
    return text


@pytest.mark.long
def test_the_page_is_the_same_whatever_the_order_of_the_folder(folder, tmp_path, monkeypatch):
    first = page(folder)
    copy = tmp_path / "again"
    shutil.copytree(folder, copy)
    walk = os.walk

    def reversed_walk(top):
        for place, below, names in walk(top):
            below.reverse()
            yield place, below, names

    monkeypatch.setattr(os, "walk", reversed_walk)
    assert page(copy) == first.replace("../all/", "../again/")


def test_the_command_ranks_a_language_and_names_what_is_left_out(cli, folder):
    done = cli("scorecard", folder, "--lang", "sk", "--html", "board.html", "--csv", "board.csv")
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("Skipped 2 of 6 runs: broken is damaged (")
    assert "half is not finished (resume it with: genderscope" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    lines = list(csv.DictReader(Path("board.csv").read_text(encoding="utf-8").splitlines()))
    assert len(lines) == 4 * 2
    assert {line["estimate"] for line in lines} == {"stereotype_rate", "masculine_rate"}
    assert {line["language"] for line in lines} == {"sk"}
    text = Path("board.html").read_text(encoding="utf-8")
    assert "Left out: half is not finished." in text
    assert "Left out: notes/old contains no run." in text
    assert "prefers-color-scheme: dark" in text
    done = cli("scorecard", folder, "--lang", "ks")
    assert (done.returncode, done.stderr.splitlines()[-1]) == (
        2,
        "Error: Unknown language 'ks'; available: cs, sk.",
    )


def test_neither_an_empty_folder_nor_none_makes_a_page(cli, tmp_path):
    (tmp_path / "empty").mkdir()
    done = cli("scorecard", tmp_path / "empty", "--html", "card.html")
    assert done.returncode == 2
    assert done.stderr == f"Error: There is no finished run in '{tmp_path}/empty', so nothing was written.\n"
    assert not Path("card.html").exists()
    done = cli("scorecard", tmp_path / "nowhere")
    assert done.returncode == 2
    assert "There is no folder" in done.stderr


def test_the_old_command_says_where_it_went(cli, folder):
    done = cli("leaderboard", folder, "-o", "board.html")
    assert done.returncode == 2
    assert "'genderscope leaderboard' is part of 'genderscope scorecard DIR'" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not Path("board.html").exists()


class Page(HTMLParser):
    """Collects the elements of a page, and where they point."""

    def __init__(self):
        super().__init__()
        self.tags, self.links = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [v for k, v in attrs if k in {"src", "href", "action", "data"} or k.startswith("on")]


def test_the_page_asks_nothing_of_the_network_and_escapes_names(systems, tmp_path):
    hostile = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&{{ 7 * 7 }}"
    shutil.copytree(systems / "even", tmp_path / "runs" / "even")
    config = json.loads((tmp_path / "runs" / "even" / "run.json").read_text())
    config["model"]["name"] = config["data"]["name"] = hostile
    (tmp_path / "runs" / "even" / "run.json").write_text(json.dumps(config))
    text = page(tmp_path / "runs")
    seen = Page()
    seen.feed(text)
    # Links lead within the page, or to the reports of the runs.
    assert {link for link in seen.links if not link.startswith("#")} == {"../runs/even/report.html"}
    assert "img" not in seen.tags
    assert seen.tags.count("script") == 1
    assert "{{ 7 * 7 }}" in text
    assert re.search(r"url\(|https?://", text) is None
    policy = html.unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1])
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy


def p_values(answers):
    """The p-values of all findings, by language and criterion."""
    parts = [part for answer in answers for part in (answer.parts or (answer,))]
    return {(part.runs, part.language, f.name): f.p for part in parts for f in part.findings if f.p is not None}


def test_answers_are_corrected_for_the_number_of_runs_and_of_tables(systems):
    names = ("even", "weak", "strong")
    pair = genderscope.compare(*(systems / name for name in names[:2]), names=names[:2])
    every = genderscope.compare(*(systems / name for name in names), names=names)
    alone, together = p_values(pair.answers["weak"]), p_values(every.answers["weak"])
    assert any(p < 0.5 for p in alone.values())
    assert together == pytest.approx({key: min(1.0, 2 * p) for key, p in alone.items()})
    groups = grouped({name: genderscope.load_run(systems / name) for name in names})
    for group, ranking in zip(groups, ranked_together(groups), strict=True):
        own, corrected = p_values(ranked(group).answers), p_values(ranking.answers)
        assert corrected == pytest.approx({key: min(1.0, 3 * p) for key, p in own.items()}), "three tables"


def test_a_baseline_is_compared_with_all_others_at_once(systems):
    names = ("even", "weak", "strong")
    runs = {name: genderscope.load_run(systems / name) for name in names}
    card = scorecard(find_runs(systems))
    paths = {cell.run: row for row in card.rows for cell in row.cells.values()}
    baseline = next(row for run, row in paths.items() if run.endswith("even"))
    answers = [answer for _, answer in against(card, baseline).answers]
    assert len(answers) > 1
    for answer in answers:
        run = next(name for name in names if name in answer.runs[1])
        pair = genderscope.compare(runs["even"], runs[run], names=answer.runs)
        expected = {key: min(1.0, len(answers) * p) for key, p in p_values(pair.answers[answer.runs[1]]).items()}
        assert p_values([answer]) == pytest.approx(expected)
