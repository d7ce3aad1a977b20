from dataclasses import replace

import pandas as pd
import pytest

from genderscope.measures import MEASURES
from genderscope.report import write_reports
from tests.browser.tabs import Tabs
from tests.conftest import chromium
from tests.embedded import one_at_a_time
from tests.report.examples import HOSTILE, result

LONG_NAMES = ("HuggingFaceTB/SmolLM2-135M-Instruct", "FacebookAI/xlm-roberta-base-finetuned-on-something")


@pytest.fixture(scope="session")
def pages(together):
    """Reports: of several systems and measures, of one large run, of one with hostile texts everywhere."""
    with one_at_a_time(together / "pages") as folder:
        if not (folder / "fourteen.html").exists():
            _write(folder)
    return folder


def _write(folder):
    # A run that is on several pages is measured and drawn once.
    made = {
        "many": [
            result("gest-mt", "one", n=320),
            result("gest-mt", "two", 1, n=320),
            result("gest", LONG_NAMES[0], parameters=134_515_008, warn=["Take care."]),
        ],
        "large": [_large(20_000)],
        "hostile": [result("gest", f"model {HOSTILE}", said=HOSTILE, warn=[HOSTILE])],
        "honest": [result("honest", LONG_NAMES[0])],
        # their samples have the most columns; those of gest-chat and stereoset are on the next page
        "pairs": [result(m, LONG_NAMES[k], k) for m in ("dialogue", "eurogest") for k in (0, 1)],
        "fourteen": [result(m, LONG_NAMES[k], k) for m in list(MEASURES)[:6] for k in (0, 1)]
        + [elsewhere(result("gest", "gpt2", 3)), elsewhere(result("gest", "gpt2", 4))],
    }
    for name, results in made.items():
        write_reports(results, folder / f"{name}.html")


def elsewhere(found):
    """The same result on other data."""
    return replace(found, config={**found.config, "data": {"name": "other.csv", "sha256": "1" * 64, "samples": 64}})


def _large(rows):
    """A result with many rows; how its estimates are computed is tested elsewhere."""
    small = result("gest-mt", "one", n=320)
    many = pd.concat([small.rows] * (rows // 320 + 1), ignore_index=True).head(rows)
    return replace(small, rows=many.assign(sentence=[f"I cried {k // 2} times." for k in range(rows)]))


@pytest.fixture(scope="package")
def browser():
    """One browser for all that is read in one: it is gone before other tests begin."""
    with chromium() as running:
        yield running


@pytest.fixture(scope="package")
def every_tab(browser):
    return Tabs(browser)


@pytest.fixture
def tabs(every_tab):
    """Tabs; in the end nothing was asked of the network but files, and the console is empty."""
    every_tab.asked.clear()
    every_tab.said.clear()
    yield every_tab
    every_tab.settle()
    assert all(url.startswith(("file:///", "blob:null/")) for url in every_tab.asked)
    assert every_tab.said == []


@pytest.fixture
def opened(tabs):
    """The addresses that a test opens; in the end nothing else was asked for."""
    known: set[str] = set()
    yield known
    tabs.settle()
    assert {url for url in tabs.asked if not url.startswith("blob:null/")} <= known


@pytest.fixture
def visit(tabs, pages, opened):
    """Load a report to do something with it."""

    def visit(name, unfold=True, **options):
        opened.add(f"file://{pages / name}.html")
        page = tabs.load(f"file://{pages / name}.html", **options)
        if unfold:
            unfolded(page)
        return page

    return visit


@pytest.fixture
def look(tabs, pages, opened):
    """Show a report that a test only looks at, which is loaded once for all that do so one after another."""

    def look(name, unfold=True, **options):
        opened.add(f"file://{pages / name}.html")
        return tabs.look(f"file://{pages / name}.html", unfolded if unfold else folded, **options)

    return look


def unfolded(page):
    """Unfold all but what is behind a content warning."""
    page.evaluate("document.querySelectorAll('details:not(.warning)').forEach((each) => (each.open = true))")


def folded(page):
    """Leave a page as it was loaded."""
