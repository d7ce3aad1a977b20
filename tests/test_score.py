"""Scoring translations in one line, and the doctor."""

import itertools
import json
import random
import sys
import tracemalloc
from pathlib import Path

import pytest

pytest.importorskip("simplemma", reason="the dictionaries are an extra: pip install 'genderscope[grammar]'")

import genderscope
from genderscope.cli.doctor import extras
from genderscope.core.errors import UserError
from genderscope.evaluation import scoring
from genderscope.samples.gest import MALE, load
from tests.support.evaluation import evaluate


@pytest.fixture
def translations(tmp_path):
    """Slovak lines parallel to the starter set, more often masculine for male stereotypes."""
    draw = random.Random(0)
    lines = [
        "Včera som plakal." if draw.random() < (0.8 if s.stereotype in MALE else 0.4) else "Včera som plakala."
        for s in load("starter").samples
    ]
    path = tmp_path / "out.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_the_sources_are_what_a_file_of_translations_is_parallel_to(cli):
    asked = cli("data", "sources", "gest-mt", "--data", "starter")
    assert asked.returncode == 0
    assert asked.stdout.splitlines() == [s.sentence for s in load("starter").samples]


def test_where_every_language_has_its_own_sources_one_is_named(cli, tmp_path):
    data = tmp_path / "own.csv"
    data.write_text("source,reference,flipped,context\nThe doctor left.,El doctor,La doctora,He won.\n")
    out = tmp_path / "out.jsonl"
    out.write_text('{"id": 1, "translation": "La doctora."}\n')
    told = cli("data", "sources", "mt-geneval", "--to", "es", "--data", data, "--set", "contextual")
    assert told.stdout.splitlines() == ["He won. The doctor left."]
    found = cli("score", "mt-geneval", out, "--to", "es", "--data", data, "--set", "contextual")
    assert found.stdout.startswith("error(contextual) 1.00 – n=1 accuracy(contextual) 0.00 – n=1")
    several = cli("data", "sources", "mt-geneval", "--to", "es,fr", "--data", data)
    assert several.returncode == 2
    assert "has references in one language" in several.stderr


def test_a_score_is_one_line_that_equals_the_run_and_leaves_nothing_behind(cli, translations, tmp_path):
    found = cli("score", "gest-mt", translations, "--to", "sk", "--data", "starter")
    assert found.returncode == 0, found.stderr
    (line,) = found.stdout.splitlines()
    run = evaluate("gest-mt", f"file:{translations}", to="sk", data="starter", out=tmp_path / "run")
    f_s = run.estimate("stereotype_rate", language="sk")
    assert line.startswith(f"stereotype_rate {f_s.value:.2f} [{f_s.low:.2f}, {f_s.high:.2f}] n=256 masculine_rate ")
    assert line.endswith(f"| {run.signature}")
    assert "read 100.0%" in line
    assert not (tmp_path / "runs").exists()


def test_what_is_piped_in_has_one_signature_wherever_it_is_piped(cli, translations):
    text = translations.read_text(encoding="utf-8")
    lines = {cli("score", "gest-mt", "--to", "sk", "--data", "starter", piped=text).stdout for _ in range(2)}
    assert len(lines) == 1
    assert "model:standard input@" in lines.pop()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("gest-mt", "--to", "sk", "--data", "starter"), "The standard input has 3 lines, but 256"),
        (("gest-mt", "--to", "sk,cs", "--data", "starter"), "give only one language"),
        (("gest-mt", "--to", "xx", "--data", "starter"), "Unknown target language 'xx'"),
        (("gest", "--to", "sk"), "does not score translations; those that do: gest-mt, dialogue"),
        (("gest-mt", "gone.txt", "--to", "sk", "--data", "starter"), "'gone.txt' cannot be read"),
    ],
)
def test_bad_input_is_one_sentence(cli, arguments, said):
    found = cli("score", *arguments, piped="a\nb\nc\n")
    assert found.returncode == 2
    assert said in found.stderr
    assert len(found.stderr.strip().splitlines()) <= 2
    assert found.stdout == ""


@pytest.mark.long
def test_an_endless_stream_of_translations_ends_and_is_not_kept_in_memory(cli, monkeypatch):
    tracemalloc.start()
    try:
        with pytest.raises(
            UserError, match=r"There are more than 2,000,000 lines of translations; score fewer at a time\."
        ):
            genderscope.score("gest-mt", itertools.repeat("y"), to="sk", data="starter")
        assert tracemalloc.get_traced_memory()[1] < 2**25
    finally:
        tracemalloc.stop()
    monkeypatch.setattr(scoring, "MOST_LINES", 1000)
    found = cli("score", "gest-mt", "--to", "sk", "--data", "starter", piped="y\n" * 1001)
    assert (found.returncode, found.stdout) == (2, "")
    assert "There are more than 1,000 lines of translations" in found.stderr


def test_the_doctor_tells_what_is_here_and_what_to_do(cli, monkeypatch, tmp_path):
    found = cli("doctor", "--json")
    assert found.returncode == 0, found.stdout
    by_name = {finding["what"]: finding for finding in json.loads(found.stdout)}
    assert {"genderscope", "torch", "cache", "datasets", "smollm2", "apertium"} <= set(by_name)
    assert {f"extra {name}" for name in extras()} <= set(by_name)
    assert f"Python {sys.version.split()[0]}" in by_name["genderscope"]["found"]
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(tmp_path / "gone"))
    broken = cli("doctor")
    assert broken.returncode == 1
    assert "which is not a folder" in " ".join(broken.stdout.split())


def test_extras_are_abilities_with_the_packages_behind_them():
    assert "torch" in extras()["hf"]
    assert not {"dev", "docs", "all"} & set(extras())


def test_runs_are_listed_with_their_leading_number(cli, translations, tmp_path):
    evaluate("gest-mt", f"file:{translations}", to="sk", data="starter", out=tmp_path / "runs" / "a")
    (tmp_path / "runs" / "b").mkdir()
    listed = cli("list", "runs", tmp_path / "runs")
    assert listed.returncode == 0, listed.stderr
    first, second = listed.stdout.splitlines()
    assert first.split()[:3] == ["a", "gest-mt", "out.txt"]
    assert "stereotype_rate" in first
    assert "contains no run" in second
    (tmp_path / "runs").rename("audit")  # where an audit keeps them
    assert cli("list", "runs").stdout.splitlines()[0].split() == first.split()
    Path("audit").rename("elsewhere")
    Path("elsewhere/a/result.json").unlink()
    unfinished = cli("list", "runs", "elsewhere").stdout.splitlines()  # no number beside them: lines of words
    assert [line.split()[0] for line in unfinished] == ["a", "b"]
    assert "There is no folder 'runs' or 'audit' here" in cli("list", "runs").stderr
    everything = cli("list").stdout
    assert all(word in everything for word in ("measures", "models", "datasets", "languages", "gest-mt", "smollm2"))
