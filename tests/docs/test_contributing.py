"""The pages for contributors name files, commands and headings that exist."""

import re
import sys
from dataclasses import MISSING, fields
from pathlib import Path

import pytest
import yaml

import genderscope.measures
from genderscope.measures import MEASURES
from genderscope.report.views.declared_view import view_of
from tests.docs.blocks import ROOT
from tests.measure_examples import MeasureExample
from tests.support.evaluation import evaluate

PAGES = [ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "SECURITY", "CODE_OF_CONDUCT")]
DESIGN = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
FORMS = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in ROOT.glob(".github/ISSUE_TEMPLATE/[!c]*.yml")]


def anchors(page):
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_to_files_and_headings(page):
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", page.read_text(encoding="utf-8")):
        name, _, anchor = target.partition("#")
        assert (ROOT / name).exists(), target
        assert not anchor or anchor in anchors(ROOT / name), target


@pytest.mark.parametrize(
    "text",
    [
        *(page.read_text(encoding="utf-8") for page in PAGES[1:]),
        DESIGN.partition("## Adding things")[2].partition("\n## ")[0],
    ],
    ids=["contributing", "security", "conduct", "design"],
)
def test_files_that_are_named_exist(text):
    named = re.findall(r"`((?:src|tests|benchmarks|docs|examples)/[\w./-]+)`", text)
    own = ("card.md", "view.toml", "examples.txt", "symbols.toml")  # of a measure
    beside = {name: f"src/genderscope/measures/winobias/{name}" for name in own}
    named += [beside.get(name, name) for name in re.findall(r"`([\w-]+\.(?:toml|txt|cff|md))`", text)]
    names = [name.replace("CODE", "sk").replace("pronouns", "gate") for name in named]  # the example is a measure
    assert [name for name in names if not (ROOT / name).exists()] == []


def test_what_a_measure_needs_is_where_the_page_says():
    """The example of the page has every entry that is required, and no other than those that exist."""
    section = DESIGN.partition("### Adding a measure")[2].partition("\n### ")[0]
    given = set(re.findall(r"^    (\w+)=", section.partition("EXAMPLE = MeasureExample(\n")[2], re.MULTILINE))
    required = {field.name for field in fields(MeasureExample) if field.default is MISSING}
    assert required <= given <= {field.name for field in fields(MeasureExample)}
    for name in ("MEASURES", "MeasureExample", "Rate", "situations"):
        assert f"`{name}" in section, name


def test_the_measure_of_the_page_runs_and_marks_the_pronouns(tmp_path, monkeypatch, models):
    section = DESIGN.partition("### Adding a measure")[2].partition("\n### ")[0]
    measure, rates, view, _ = re.findall(r"^```(?:python|toml)\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    folder = tmp_path / "pronouns"
    folder.mkdir()
    for name, text in {"__init__.py": "", "measure.py": measure, "rates.py": rates, "view.toml": view}.items():
        (folder / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(genderscope.measures, "__path__", [*genderscope.measures.__path__, str(tmp_path)])
    monkeypatch.setitem(MEASURES, "pronouns", "genderscope.measures.pronouns.measure:Pronouns")
    result = evaluate("pronouns", str(models("gpt2", "bytes")), out=tmp_path / "run")
    assert result.summary.startswith("Cannot be judged"), "the verdict does not say where, as there is only one"
    sentences = view_of("pronouns").explorer(result).columns[0].values
    marks = [part for parts in sentences for part in parts if not isinstance(part, str)]
    assert len(marks) == 2 * len(result.rows) == 48, "of both pronouns, one is marked and one faded"


def test_hooks_run_tools_of_the_environment():
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    assert [repository["repo"] for repository in config["repos"]] == ["local"], "another would be downloaded"
    for hook in config["repos"][0]["hooks"]:
        assert hook["language"] == "system"
        folder, _, name = hook["entry"].split()[0].rpartition("/")
        assert folder == ".venv/bin"
        assert (Path(sys.executable).parent / name).exists(), name


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form["name"])
def test_forms_of_issues_are_shaped_as_github_wants_them(form):
    assert {"name", "description", "body"} <= set(form)
    ids = [part["id"] for part in form["body"]]
    assert len(ids) == len(set(ids))
    for part in form["body"]:
        assert part["type"] in {"textarea", "input", "dropdown", "checkboxes", "markdown"}
        assert part["attributes"]["label"]
