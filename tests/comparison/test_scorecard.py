"""The scorecard: models × measures, the same numbers in every form, and nothing beside what is not comparable."""

import csv
import io
import json
import re
import shutil
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

import genderscope
from genderscope.comparison import collect, scorecard
from genderscope.report import SafeConsole, model_index, scorecard_of, scorecard_texts, show_scorecard, write_scorecard
from genderscope.report.scorecard import badge
from tests.report.examples import result, save

HOSTILE = 'a|b_{c}$%&#~^\\input{x}</script><script>alert(1)</script>\x1b[31m\u202e`*\n| x |: "quoted" {{ 7 * 7 }}'


def gest(folder, model, seed=0, **options):
    """Save a run of GEST whose rows are written by hand."""
    found = result("gest", model, seed, n=128)
    found.config["versions"] = {"genderscope": "0.2.0"}
    found.config["configuration"] = {**found.config["configuration"], **options}
    return save(found, folder)


@pytest.fixture(scope="module")
def folder(systems, tmp_path_factory):
    """Three translators, one of them there twice; three models of GEST, one of them with fewer samples."""
    root = tmp_path_factory.mktemp("scorecard")
    shutil.copytree(systems, root / "deep" / "mt")
    shutil.copytree(systems / "even", root / "twin")
    gest(root / "gest" / "one", "org/one")
    gest(root / "gest" / "odd", HOSTILE, seed=1)
    gest(root / "gest" / "few", "org/few", seed=2, limit=100)
    (root / "half").mkdir()
    shutil.copy(systems / "even" / "run.json", root / "half" / "run.json")
    return root


@pytest.fixture(scope="module")
def card(folder):
    return scorecard(collect([folder]), "strong")


@pytest.fixture(scope="module")
def texts(card, folder):
    """The card in every form, by its name."""
    names = {"html": "c.html", "markdown": "c.md", "latex": "c.tex", "csv": "c.csv", "json": "c.json"}
    made = scorecard_texts(card, {form: folder / name for form, name in names.items()})
    return {path.suffix[1:]: text for path, text in made.items()}


def column(card, name):
    return next(each for each in card.columns if each.id == name)


def test_a_cell_is_what_its_run_found(card, folder):
    seen = 0
    for row in card.rows:
        for name, cell in row.cells.items():
            run = genderscope.load_run(folder / cell.run)
            assert cell.estimate == run.estimate(column(card, name).estimate)
            assert cell.coverage == run.coverage
            seen += 1
    assert seen == 4 * 2 + 3


def test_every_form_tells_the_same_numbers(card, texts):
    lines = {(line["scorecard_column"], line["run"]): line for line in csv.DictReader(io.StringIO(texts["csv"]))}
    told = {
        (cell["column"], cell["run"]): cell for model in json.loads(texts["json"])["models"] for cell in model["cells"]
    }
    for row in card.rows:
        for name, cell in row.cells.items():
            e, line, json_cell = cell.estimate, lines[name, cell.run], told[name, cell.run]
            assert (json_cell["value"], json_cell["low"], json_cell["high"]) == (e.value, e.low, e.high)
            assert (float(line["value"]), float(line["low"]), int(line["n"])) == (e.value, e.low, e.n)
            assert float(line["coverage"]) == json_cell["coverage"] == cell.coverage
            assert (line["verdict"], line["rank"]) == (
                str(cell.judgement.verdict),
                "" if cell.rank is None else str(cell.rank),
            )
            for form in ("html", "md"):
                shown = re.sub(r"\\(?=[\[\]])|<[^>]*>|\s+", " ", texts[form]).replace("[ ", "[").replace(" ]", "]")
                assert f"[{e.low:.2f}, {e.high:.2f}]" in re.sub(" +", " ", shown)
                assert f"{e.value:.2f}" in shown
            ends = f"{{[}}{e.low:.2f}, {e.high:.2f}{{]}}".replace("{[}-", "{[}$-$")
            assert ends in texts["tex"]
            assert f"& {e.n} &" in texts["tex"]


def test_the_order_of_translators_has_sentences_of_its_own_and_no_estimate_claims_it(card, texts):
    assert {cell.rank for _, cell in card.cells(column(card, "gest-mt"))} == {None}
    ((_, answers),) = (each for each in card.rankings if each[0] == "gest-mt")
    better = {frozenset(a.runs): a.better for a in answers}
    twins = [name for a in answers for name in a.runs if name.startswith("even")]
    assert better[frozenset(twins)] is None
    assert all(better[frozenset((twin, "strong/{lang}.csv"))] == twin for twin in set(twins))
    assert [name for name in ("md", "html") if "is better" not in texts[name]] == []


def test_runs_that_are_not_comparable_stand_apart_and_it_says_why(card, texts):
    full, few = (each for each in card.columns if each.measure == "gest")
    assert [{row.label for row, _ in card.cells(each)} for each in (full, few)][1] == {"org/few"}
    assert few.apart == "limit=100"
    assert full.apart == "without limit=100"
    assert all("limit=100" in text for text in texts.values())
    # Another language needs a column only where the runs that have it share none over all of theirs.
    assert [each.id for each in card.columns] == ["gest", "gest (2)", "gest-mt", "gest-mt masculine_rate"]


def test_a_run_of_one_language_stands_beside_that_language_of_others(systems, tmp_path):
    from tests.measure_examples.gest_mt import translated

    shutil.copytree(systems / "even", tmp_path / "runs" / "both")
    translated(tmp_path / "alone", lambda i: 0.5, ("sk",), tmp_path / "runs" / "alone")
    card = scorecard(collect([tmp_path / "runs"]))
    assert [(each.id, each.runs) for each in card.columns if each.estimate == "stereotype_rate"] == [
        ("gest-mt", 1),
        ("gest-mt[sk]", 2),
    ]


def test_other_weights_of_one_name_are_another_model(tmp_path):
    for k, weights in enumerate(("1" * 64, "2" * 64)):
        found = result("gest", "org/one", k)
        found.config["versions"] = {"genderscope": "0.2.0"}
        found.config["model"]["weights"] = weights
        save(found, tmp_path / str(k))
    assert [row.label for row in scorecard(collect([tmp_path])).rows] == [
        "org/one (weights 111111111111)",
        "org/one (weights 222222222222)",
    ]
    twice = collect([tmp_path, tmp_path / "0"])
    assert len(twice.runs) == 2


def test_a_run_without_any_leading_estimate_has_no_cell_and_does_no_harm(tmp_path):
    gest(tmp_path / "with", "org/one")
    bare = result("gest", "org/one", 1, n=128)
    bare = replace(bare, estimates=bare.estimates[bare.estimates["name"] == "rank"])
    save(bare, tmp_path / "without")
    (row,) = scorecard(collect([tmp_path])).rows
    assert [cell.run for cell in row.cells.values()] == ["with"]


def test_differences_are_paired_and_corrected_for_all_that_the_card_shows(card, systems, folder):
    alone = genderscope.compare(systems / "strong", systems / "even")
    (mine,) = (d for d in alone.of("B") if d.name == "stereotype_rate")
    cell = next(cell for row, cell in card.cells(column(card, "gest-mt")) if cell.run == "deep/mt/even")
    d = cell.difference
    assert d.value == mine.value
    assert d.differs
    assert d.nearer == d.second == next(row.label for row in card.rows if cell in row.cells.values())
    assert d.p <= d.p_adjusted
    shown = sum(cell.difference is not None for row in card.rows for cell in row.cells.values())
    assert shown == 3 * 2
    one = next(row for row in card.rows if row.label == "org/one")
    assert one.cells["gest"].no_difference == "strong has no comparable run"


def test_names_do_no_harm(card, texts, folder):
    assert "<script>alert" not in texts["html"]
    assert "{{ 7 * 7 }}" in texts["html"]
    assert texts["html"].count("<script>") == 1
    assert "<script" not in texts["md"]
    for block in re.split(r"\n\n+", texts["md"]):
        lines = [line for line in block.splitlines() if line.startswith("|")]
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines}) <= 1
    assert "\\input" not in texts["tex"]
    body = [line for line in texts["tex"].splitlines() if line.endswith("\\\\") and "multicolumn" not in line]
    assert len({len(re.findall(r"(?<!\\)&", line)) for line in body}) == 1
    assert "\\toprule" in texts["tex"]
    assert all("\x1b" not in text and "\u202e" not in text for form, text in texts.items() if form != "json")
    odd = next(row for row in card.rows if row.label.startswith("a|b"))
    drawn = scorecard_texts(scorecard(collect([folder]), measures=["gest"]), {"badge": folder / "b"}, odd.label)
    assert "a|b_{c}" in ET.fromstring(next(iter(drawn.values()))).findtext("{http://www.w3.org/2000/svg}title")


def test_the_model_card_is_read_by_the_hub(card, folder):
    yaml = pytest.importorskip("yaml")
    hub = pytest.importorskip("huggingface_hub.repocard_data")
    for row in card.rows:
        (text,) = scorecard_texts(card, {"model_card": folder / "m.md"}, row.label).values()
        _, metadata, prose = re.split(r"^---$", text, maxsplit=2, flags=re.MULTILINE)
        read = yaml.safe_load(metadata)
        assert [r["metrics"] for r in read["model-index"][0]["results"]] == [
            r["metrics"] for r in model_index(card, row)["model-index"][0]["results"]
        ]
        name, found = hub.model_index_to_eval_results(read["model-index"])
        assert name
        assert sorted(f.metric_value for f in found) == sorted(cell.estimate.value for cell in row.cells.values())
        assert all("95 % interval [" in f.metric_name and "neutral" in f.metric_name for f in found)
        assert "### Cautions" in prose
        assert "free of gender bias" in prose


def test_a_missing_interval_says_why(tmp_path):
    found = result("dialogue", "org/one")
    found.config["versions"] = {"genderscope": "0.2.0"}
    save(found, tmp_path / "runs" / "one")
    card = scorecard(collect([tmp_path / "runs"]))
    (row,) = card.rows
    cell = next(iter(row.cells.values()))
    assert cell.estimate.low is None
    assert cell.word == "inconclusive"
    files = {form: tmp_path / form for form in ("html", "markdown", "latex", "json", "model_card", "badge")}
    for path, text in scorecard_texts(card, files).items():
        assert ("no interval" if path.name == "badge" else cell.estimate.remark) in text


@pytest.mark.parametrize("width", [60, 80, 120])
def test_name_value_interval_and_n_fit_every_terminal(card, width):
    file = io.StringIO()
    show_scorecard(card, SafeConsole(file=file, width=width, color_system=None))
    lines = file.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    for row in card.rows:
        for cell in row.cells.values():
            e = cell.estimate
            numbers = rf" {e.value:.2f} +\[{e.low:.2f}, {e.high:.2f}\] .*\b{e.n}\b"
            assert any(line.startswith(row.label[:10]) and re.search(numbers, line) for line in lines)


def test_the_command_writes_what_is_asked_for_and_replaces_only_its_own(cli, folder, tmp_path):
    done = cli("scorecard", folder, "--measure", "gest", "--html", "c.html", "--csv", "c.csv")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["c.html", "c.csv"]
    assert cli("scorecard", folder, "--measure", "gest", "--html", "c.html", "--csv", "c.csv").returncode == 0
    Path("notes.md").write_text("my notes")
    done = cli("scorecard", folder, "--measure", "gest", "--html", "new.html", "--markdown", "notes.md")
    assert done.returncode == 2
    assert done.stderr.startswith("Error: 'notes.md' already exists and was not written by genderscope")
    assert Path("notes.md").read_text() == "my notes"
    assert not Path("new.html").exists()
    before = Path("c.html").read_bytes()
    (tmp_path / "empty").mkdir()
    done = cli("scorecard", tmp_path / "empty", "--html", "c.html")
    assert done.returncode == 2
    assert "There is no finished run in" in done.stderr
    assert Path("c.html").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--baseline", "org/on"), "Unknown model 'org/on'"),
        (("--measure", "gset"), "Unknown measure 'gset'"),
        (("--badge", "b.svg", "--measure", "gest"), "choose one with --model"),
        (("--model", "org/one"), "Option --model has no effect without --model-card or --badge"),
        (("--html", "x", "--csv", "x"), "'x' is given for two formats"),
    ],
)
def test_a_mistake_is_one_sentence(cli, folder, arguments, said):
    done = cli("scorecard", folder / "gest", *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_badge_names_measure_value_and_interval(systems, tmp_path):
    card = scorecard_of([systems / "weak"])
    (drawn,) = scorecard_texts(card, {"badge": tmp_path / "b.svg"}).values()
    (row,) = card.rows
    shown = " ".join(ET.fromstring(drawn).itertext())
    for cell in row.cells.values():  # f_s must not be read without f_m
        assert f"{cell.estimate.value:.2f} [{cell.estimate.low:.2f}, {cell.estimate.high:.2f}]" in shown
    assert "gest-mt" in shown
    assert "pass" not in shown


def test_the_door_writes_every_form(systems, tmp_path):
    written = write_scorecard([systems], tmp_path / "new" / "folder", baseline="even")
    assert {path.name for path in written} == {
        *(f"scorecard.{ending}" for ending in ("html", "svg", "md", "tex", "csv", "json")),
        *(f"model-card-{name}.md" for name in ("even", "strong", "weak")),
    }
    assert all(path.stat().st_size for path in written)
    assert write_scorecard([systems], tmp_path / "new" / "folder") == written


def test_a_badge_says_where_its_value_lies_among_published_ones(folder, monkeypatch):
    alone = scorecard(collect([folder]), measures=["gest"])
    label = alone.rows[0].label

    def title():
        (text,) = scorecard_texts(alone, {"badge": folder / "b"}, label).values()
        return ET.fromstring(text).findtext("{http://www.w3.org/2000/svg}title")

    assert "published" not in title()
    monkeypatch.setattr(badge, "known_values", lambda *_: SimpleNamespace(published=["a value"]))
    monkeypatch.setattr(badge, "sentences_about", lambda *_: ["rate: higher than 2 of 5 published models; a 1.00."])
    assert title().endswith("read. rate: higher than 2 of 5 published models; a 1.00")
