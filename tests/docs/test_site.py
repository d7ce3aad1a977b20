"""The site builds strictly, without a network, and asks nothing of one when it is read."""

import importlib
import inspect
import os
import re
import subprocess
import sys

import pytest

import genderscope
from genderscope.measures import MEASURES, measure_type
from tests.docs.blocks import ROOT
from tests.report.examples import result

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built as `make docs` builds it, with no way out."""
    target = tmp_path_factory.mktemp("site")
    closed = dict.fromkeys(("http_proxy", "https_proxy"), "http://127.0.0.1:9")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", ROOT / "mkdocs.yml", "-d", target]
    environment = os.environ | closed | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return target


@pytest.fixture(scope="module")
def pages(site):
    return {path.relative_to(site).as_posix(): path.read_text(encoding="utf-8") for path in site.rglob("*.html")}


def test_no_page_loads_anything_from_outside(site, pages):
    loading = re.compile(r"<(?:script|link|img|iframe|source|embed|object|video|audio)\b[^>]*>", re.IGNORECASE)
    for name, page in pages.items():
        for tag in loading.findall(page):
            assert not re.search(r"""(?:src|href|data)\s*=\s*["']?(?:https?:)?//""", tag), f"{name}: {tag}"
    for sheet in site.rglob("*.css"):
        assert not re.search(r"url\(\s*[\"']?(?:https?:)?//|@import", sheet.read_text(encoding="utf-8")), sheet.name


def test_every_measure_has_a_page_from_its_card(pages):
    for name in MEASURES:
        stem = name.replace("-", "_")
        page = pages[f"measures/{stem}.html"]
        card = (ROOT / "src/genderscope/measures" / stem / "card.md").read_text(encoding="utf-8")
        assert all(word in page for word in re.findall(r"\*\*([A-Z][a-z]+)\.\*\*", card))
        assert f'href="{stem}.html"' in pages["measures/index.html"]


def test_the_glossary_lists_every_estimate_with_its_symbol():
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").partition("## Estimates in words")[2]
    listed = set()
    for row in re.findall(r"^\| (`.*) \|$", text, re.MULTILINE):
        measures, name, symbol, _ = (cell.strip() for cell in row.split("|"))
        listed |= {(measure, name.strip("`"), symbol.strip("`")) for measure in re.findall(r"`([\w-]+)`", measures)}
    measures = {measure for measure, _, _ in listed}  # a new measure's card is enough until the glossary is extended
    assert len(measures) >= 16
    stated = {(name, *pair) for name in measures for pair in measure_type(name).symbols.items()}
    assert {(m, n, s) for m, n, s in listed if s} == stated
    for measure in measures:
        assert {(measure, e.name, e.symbol or "") for e in result(measure).as_estimates()} <= listed


def test_the_reference_lists_every_command_and_its_options(pages):
    reference = pages["reference/cli.html"]
    for command in ("demo", "run gest", "run dialogue", "data fetch", "read speaker", "pairs build", "reproduce"):
        assert f"genderscope {command}" in reference
    for option in ("--as-published", "--batch-size", "--data-version", "--gold"):
        assert option in reference


#: what plugins and programs import from
DOORS = tuple(f"genderscope.{name}" for name in ("measures", "models", "core.questions", "grammar", "integrations"))


def test_the_reference_documents_what_is_public_by_the_name_one_imports(pages):
    names = [f"genderscope.{name}" for name in dir(genderscope) if not name.startswith("_")]
    for door in map(importlib.import_module, DOORS):
        offered = getattr(door, "__all__", None) or [name for name, of in vars(door).items() if _defined_in(door, of)]
        names += [f"{door.__name__}.{name}" for name in offered if _is_class_or_function(getattr(door, name))]
    missing = [name for name in names if f'id="{name}"' not in pages["reference/api.html"]]
    assert missing == []


def _is_class_or_function(value):
    return inspect.isclass(value) or inspect.isfunction(value)


def _defined_in(module, value):
    return getattr(value, "__module__", None) == module.__name__ and not value.__name__.startswith("_")


def test_parameters_and_fields_stand_in_tables_with_what_they_mean(pages):
    def about(name):
        text = pages["reference/api.html"].split(f'id="{name}"')[1].split("doc-heading")[1]
        return " ".join(re.sub(r"<[^>]+>", " ", text).split())

    assert "model str | Model | Module A model string" in about("genderscope.evaluate")
    assert "neutral float | None" in about("genderscope.statistics.estimate.Estimate")
    assert "row_key tuple [ str , ...] columns that identify a row" in about("genderscope.measures.Measure")


@pytest.fixture(scope="module")
def tab(browser):
    return browser.new_page()


@pytest.mark.parametrize(
    "page",
    [
        "reference/api.html",
        "reference/cli.html",
        "tutorial.html",
        "comparing.html",
        "glossary.html",
        "measures/dialogue.html",
        "measures/stereoset.html",
        "how-to/plan-a-study.html",
        "eurogest.html",
    ],
)
def test_no_line_is_wider_than_the_page(tab, site, page):
    tab.set_viewport_size({"width": 1400, "height": 900})
    tab.goto((site / page).as_uri())
    # A block of code may scroll in itself; a table that does hides its last column.
    tables = "[...document.querySelectorAll('.md-typeset__scrollwrap')].filter(e => e.scrollWidth > e.clientWidth + 1)"
    assert tab.evaluate(f"{tables}.map(e => e.innerText.slice(0, 80))") == []
    for width in (1400, 390):
        tab.set_viewport_size({"width": width, "height": 900})
        assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_make_docs_builds_it():
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8").split("\ndocs:")[1].split("\n\n")[0]
    assert "mkdocs build --strict" in recipe
