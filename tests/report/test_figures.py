"""`genderscope figures`: a file a figure, the same names and bytes every time, one sentence for every mistake."""

import xml.etree.ElementTree as ET
from dataclasses import fields, replace

import pytest

from genderscope.cli.app import main
from genderscope.judgement import FailedEstimate
from genderscope.measures import MEASURES
from genderscope.report import COLUMN, PAGE, write_reports
from genderscope.report.charts.style import failure_note
from genderscope.report.views.declared_view import view_of
from genderscope.report.views.plain_view import mark_runs
from genderscope.runs import load_run
from tests.report.examples import HOSTILE, result, save


@pytest.fixture
def command(capsys, monkeypatch):
    def run(*arguments):
        monkeypatch.setattr("sys.argv", ["genderscope", *map(str, arguments)])
        try:
            main()
        except SystemExit as done:
            said = capsys.readouterr()
            return done.code or 0, said.out, said.err
        said = capsys.readouterr()
        return 0, said.out, said.err

    return run


def test_figures_of_runs_and_over_runs(command, tmp_path):
    runs = [
        save(result("gest", name, k, parameters=size), tmp_path / name)
        for k, (name, size) in enumerate({"gpt2": 124_000_000, "gpt2-large": 774_000_000}.items())
    ]
    _, out, _ = command("figures", *runs, "-o", tmp_path / "figures")
    names = [
        "gest-compared-stereotype-rate-g_s-by-run.svg",
        "gest-compared-stereotype-rate-and-model-size.svg",
        "gest-compared-agreement-between-runs.svg",
        "gest-gpt2-masculine-rate-by-stereotype.svg",
        "gest-gpt2-large-masculine-rate-by-stereotype.svg",
    ]
    assert out.split() == [str(tmp_path / "figures" / name) for name in names]
    before = {path.name: path.read_bytes() for path in (tmp_path / "figures").iterdir()}
    assert set(before) == set(names)
    for content in before.values():
        assert ET.fromstring(content).tag.endswith("svg")
        assert b"currentColor" not in content
    sizes = before["gest-compared-stereotype-rate-and-model-size.svg"].decode()
    assert "124,000,000 parameters" in sizes
    assert sizes.count(">gpt2<") == 1, "both models are of one family, so the legend names it once"
    command("figures", *runs, "-o", tmp_path / "figures")
    assert {path.name: path.read_bytes() for path in (tmp_path / "figures").iterdir()} == before


def test_text_is_large_enough_for_a_column(command, tmp_path):
    run = save(result("gest"), tmp_path / "run")
    command("figures", run, "-o", tmp_path / "figures")
    drawing = ET.parse(tmp_path / "figures" / "gest-example-masculine-rate-by-stereotype.svg").getroot()
    column = 3.03 * 72  # a column of the ACL style, in points
    points = [
        float(text.get("font-size").removesuffix("px")) * column / float(drawing.get("width"))
        for text in drawing.iter("{http://www.w3.org/2000/svg}text")
    ]
    assert min(points) > 7


@pytest.mark.parametrize(("kind", "begins"), [("pdf", b"%PDF"), ("png", b"\x89PNG")])
def test_other_formats(command, tmp_path, kind, begins):
    run = save(result("winobias", f"model {HOSTILE}"), tmp_path / "run")
    code, out, _ = command("figures", run, "--format", kind, "--width", "page", "-o", tmp_path / "figures")
    assert code == 0
    [path] = (tmp_path / "figures").iterdir()
    assert str(path) == out.strip()
    assert path.read_bytes().startswith(begins)


def test_mistakes_get_one_sentence(command, tmp_path):
    run = save(result("gest"), tmp_path / "run")
    (tmp_path / "file").write_text("")
    for arguments, complaint in (
        ((run, "--format", "svgg"), "Unknown format 'svgg'; available: pdf, png, svg. Did you mean 'svg'?"),
        ((run, "--width", "wide"), "Unknown width 'wide'; available: column, page."),
        ((tmp_path,), f"There is no run in '{tmp_path}' (no run.json)"),
        ((run, "-o", tmp_path / "file"), "is a file; give a folder to --out."),
    ):
        code, _, err = command("figures", *arguments)
        assert code == 2
        assert complaint in " ".join(err.split())
        assert "Traceback" not in err


def untrained(found):
    """Return a result as if the model hardly ever wrote the words that are compared."""
    return found.estimated(
        [replace(e, value=1e-4) if e.name in {"mass", "mass_median"} else e for e in found.as_estimates()]
    )


def filters(chart, mark):
    """Return the filters of a chart's layers with this mark."""
    return [layer.get("transform") for layer in chart["layer"] if layer["mark"]["type"] == mark]


def test_values_that_are_not_meaningful_are_hollow_and_no_part_of_a_trend():
    runs = [
        ("gpt2", result("gest", "gpt2", parameters=1_000)),
        ("gpt2-large", result("gest", "gpt2-large", 1, parameters=9_000)),
    ]
    small = ("gpt2-medium", untrained(result("gest", "gpt2-medium", 2, parameters=3_000)))
    charts = {f.title: f.chart(PAGE) for f in view_of("gest").compare(mark_runs([*runs, small]))}
    chart = charts["Stereotype rate and model size"]
    solid, hollow = [{"filter": "!isValid(datum.failure)"}], [{"filter": "isValid(datum.failure)"}]
    assert filters(chart, "line") == [solid]
    assert filters(chart, "point") == [solid, hollow]
    assert failure_note(chart).startswith(
        "Hollow or pale: cannot be judged (1 of 3 values), because the model hardly ever writes"
    )
    assert "gpt2-medium" not in str(charts["Agreement between runs"])
    plain = {f.title: f.chart(PAGE) for f in view_of("gest").compare(mark_runs(runs))}
    assert filters(plain["Stereotype rate and model size"], "point") == [None]
    assert failure_note(plain["Stereotype rate and model size"]) == ""


def test_files_and_pages_say_why_values_are_hollow(command, tmp_path):
    run = save(untrained(result("gest")), tmp_path / "run")
    command("figures", run, "-o", tmp_path / "figures")
    drawing = (tmp_path / "figures" / "gest-example-masculine-rate-by-stereotype.svg").read_text()
    assert "Hollow or pale: cannot" in drawing
    write_reports([load_run(run)], tmp_path / "page.html")
    assert "Hollow or pale: cannot be judged (19 of 19 values)" in (tmp_path / "page.html").read_text()


@pytest.mark.parametrize("measure", MEASURES)
def test_figures_of_every_measure_can_be_drawn_if_nothing_is_meaningful(measure):
    found = result(measure)
    failed = [FailedEstimate(**fields_of(e), failure="it failed") for e in found.as_estimates()]
    view, runs = view_of(measure), [("a", found.estimated(failed)), ("b", found)]
    for figure in (*view.figures(*runs[0]), *view.compare(runs)):
        assert figure.chart(COLUMN)


def fields_of(e):
    return {field.name: getattr(e, field.name) for field in fields(e)}
