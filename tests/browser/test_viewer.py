"""The viewer in a real browser: filters, sorting, comparison, live progress, and what axe finds."""

import shutil

import pytest

from tests.browser.accessibility import CUT, violations
from tests.report.examples import HOSTILE
from tests.support.viewer import answer, begin, configured, finish, served

pytestmark = pytest.mark.long

#: width -> colours, as for the scorecard
WIDTHS = {1400: "light", 768: "dark", 390: "light"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("viewer") / "runs"
    for seed, model in enumerate(("org/small", "org/large", f"odd {HOSTILE}{'y' * 150}")):
        finish(root / "gest" / str(seed), configured("gest", model, seed))
    finish(root / "winobias", configured("winobias", "org/small", 4))
    damaged = finish(root / "damaged", configured("gest", "broken", 5))
    (damaged / "result.json").write_text("{")
    return root


@pytest.fixture
def slow(folder):
    """A run that is still going on."""
    run = begin(folder / "slow", configured("gest-mt", "slow", 6), 2, questions=8)
    yield run
    run.close()
    shutil.rmtree(folder / "slow")


@pytest.fixture
def viewer(every_tab, folder, slow):
    """A viewer; in the end the pages have asked nobody else and the console is empty."""
    every_tab.asked.clear()
    every_tab.said.clear()
    with served(folder) as running:
        yield running
        every_tab.settle()
        asked, said = list(every_tab.asked), list(every_tab.said)
        every_tab.load("about:blank")  # stops the polling
    assert all(url.startswith((running.url, "blob:")) for url in asked)
    assert said == []


def shown(page):
    return [row.locator("small").first.inner_text() for row in page.locator("#runs tbody tr").all() if row.is_visible()]


def test_nothing_is_cut_and_axe_finds_nothing(every_tab, viewer):
    for path in ("", "run/slow", "run/damaged"):
        for width, scheme in WIDTHS.items():
            page = every_tab.load(f"{viewer.url}{path}", viewport={"width": width, "height": 900}, color_scheme=scheme)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.evaluate(CUT) == []
            assert violations(page) == []


def test_runs_are_filtered_sorted_compared_and_opened(every_tab, viewer):
    page = every_tab.load(viewer.url, viewport={"width": 1400, "height": 900})
    assert shown(page) == ["slow", "damaged", "winobias", "gest/2", "gest/1", "gest/0"]
    asked = len(every_tab.asked)
    page.get_by_label("Text").fill("ORG LARGE")
    assert shown(page) == ["gest/1"]
    page.get_by_label("Text").fill("")
    page.locator("#model").select_option("org/small")
    page.locator("#measure").select_option("gest")
    assert shown(page) == ["gest/0"]
    verdict = page.locator("#runs tbody tr:visible td[data-title=verdict]").inner_text()
    page.locator("#verdict").select_option(verdict)
    assert shown(page) == ["gest/0"]
    for name in ("model", "measure", "verdict"):
        page.locator(f"#{name}").select_option("")
    assert not [url for url in every_tab.asked[asked:] if not url.endswith("/progress.json")]
    page.get_by_role("button", name="date").click()
    assert shown(page)[0] == "gest/0"
    page.get_by_label("Compare gest/0").check()
    page.get_by_label("Compare gest/1").check()
    page.get_by_role("button", name="Compare the chosen runs").click()
    assert "compared with" in page.locator("h2").first.inner_text()
    page.get_by_role("link", name="All runs").click()
    page.get_by_role("link", name="org/large").click()
    assert "org/large" in page.title()
    page.locator(".explorer").first.wait_for(state="attached")
    assert page.locator(".explorer input").count() > 0  # the script works in the sandbox
    assert page.evaluate("window.hacked") is None
    assert page.evaluate("window.origin") == "null"


def test_progress_is_shown_without_reloading(every_tab, viewer, slow):
    page = every_tab.load(viewer.url, viewport={"width": 1400, "height": 900})
    row = page.locator("#runs tbody tr", has_text="slow")
    assert "running: 2 answers to 8 questions" in row.inner_text()
    answer(slow, 2, 7)
    row.get_by_text("running: 7 answers to 8 questions").wait_for(timeout=20_000)
    assert row.locator("progress").evaluate("(bar) => bar.value") == 7
    slow.save(configured("gest-mt", "slow", 6), None)
    page.get_by_text("Runs have been finished or changed").wait_for(timeout=20_000)
    page.get_by_role("link", name="reload the page").click()
    assert page.locator("#runs tbody tr", has_text="slow").inner_text().strip().endswith("finished")
