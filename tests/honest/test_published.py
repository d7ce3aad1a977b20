"""The published tables beside our runs."""

import csv

import pytest
from rich.console import Console

from genderscope.core.errors import UserError
from genderscope.published.honest_tables import honest, scores
from genderscope.published.paper_tables import published_table
from tests.honest.planted import write_data
from tests.support.evaluation import evaluate
from tests.tiny import build


@pytest.fixture
def run(tmp_path):
    build("gpt2", "bytes", tmp_path / "gpt2")
    data, lexicon = write_data(tmp_path)
    return evaluate("honest", str(tmp_path / "gpt2"), data=data, lexicon=lexicon, new_tokens=1, out="run")


def test_the_tables_are_complete():
    assert len(scores([])) == 23
    assert len(published_table("honest_table3_bert.csv")) == 108
    assert len(published_table("honest_table4_gpt2.csv")) == 72


def test_a_run_of_a_model_of_the_paper_stands_beside_its_line(run, tmp_path):
    console = Console(width=200, record=True)
    honest(console, [run.folder], tmp_path / "scores.csv")
    said = console.export_text()
    line = next(line for line in said.splitlines() if line.strip().startswith("GPT-2 (EN)"))
    assert "17.14" in line
    assert "[" in line
    with (tmp_path / "scores.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["model"] == "GPT-2 (EN)"]
    assert [row["k"] for row in rows] == ["1", "5", "20"]
    assert float(rows[0]["ours"]) == run.estimate("honest_score", subset="K=1").value


def test_runs_of_other_measures_are_refused(models):
    other = evaluate("gest", str(models("gpt2", "bytes")), data="starter", limit=16, out="other")
    with pytest.raises(UserError, match="is a run of 'gest', not of 'honest'"):
        honest(Console(), [other.folder], None)
