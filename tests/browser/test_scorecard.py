"""The scorecard, a comparison and a badge in a real browser, opened from disk."""

import re

import pytest

from genderscope.comparison import collect, compare, scorecard
from genderscope.report import comparison_page, scorecard_texts
from tests.browser.accessibility import CUT, violations
from tests.report.examples import HOSTILE, result, save

pytestmark = pytest.mark.long

MODELS = ("org/small", "org/large_v2", f"odd {HOSTILE}{'y' * 150}")
#: width -> colours; the pages have three layouts and two sets of colours
WIDTHS = {1400: "light", 768: "dark", 390: "light"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A card of three models, a comparison and a badge."""
    root = tmp_path_factory.mktemp("cards")
    runs = root / "runs"
    for seed, model in enumerate(MODELS):
        for measure in ("gest", "winobias", "crows", "stereoset"):
            found = result(measure, model, seed, n=64, warn=["Take care."])
            found.config["versions"] = {"genderscope": "0.2.0"}
            save(found, runs / measure / str(seed))
            (runs / measure / str(seed) / "report.html").write_text("<title>a report</title>")
    card = scorecard(collect([runs]), "org/small")
    alone = scorecard(collect([runs / "gest" / "0"]))
    made = {
        **scorecard_texts(card, {"html": root / "card.html"}),
        **scorecard_texts(alone, {"badge": root / "badge.svg"}),
        root / "compared.html": comparison_page(compare(runs / "winobias" / "0", runs / "winobias" / "2")),
    }
    for path, text in made.items():
        path.write_text(text, encoding="utf-8", errors="backslashreplace")
    return root


@pytest.fixture
def visit(tabs, folder):
    """Load a page to do something with it; the numbers of a scorecard are unfolded."""

    def load(name, **options):
        page = tabs.load(f"file://{folder / name}", **options)
        for summary in page.locator("details.numbers > summary").all():
            summary.click()
        return page

    return load


def unfolded(page):
    """Unfold everything."""
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")


@pytest.mark.parametrize("name", ["card.html", "compared.html"])
def test_nothing_is_cut_and_axe_finds_nothing(tabs, folder, name):
    for width, scheme in WIDTHS.items():
        view = {"viewport": {"width": width, "height": 900}, "color_scheme": scheme}
        page = tabs.look(f"file://{folder / name}", unfolded, **view)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(CUT) == []
        assert violations(page) == []


def test_the_page_tells_everything_without_its_script(visit):
    page = visit("card.html", viewport={"width": 1400, "height": 900}, java_script_enabled=False)
    assert page.locator(".filters").is_hidden()
    assert page.locator("#card thead button").count() == 0
    assert page.locator("#card tbody tr").count() == 3
    text = page.locator("#card tbody tr").first.inner_text()
    for expected in ("rank", "read", "n 6", "["):
        assert expected in text
    assert page.locator("main").count() == page.locator("header").count() == page.locator("footer").count() == 1
    page.locator("#card .value a").first.click()
    assert page.title() == "a report"


def test_columns_sort_by_rank_and_ties_stay_ties(visit):
    page = visit("card.html", viewport={"width": 1400, "height": 900})
    head = page.locator("#card thead th", has_text="crows")
    index = page.locator("#card thead th").all_inner_texts().index(head.inner_text())

    def ranks():
        cells = page.locator(f"#card tbody tr > :nth-child({index + 1})").all_inner_texts()
        return [int(re.search(r"rank (\d+)", cell)[1]) for cell in cells]

    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    assert ranks() == sorted(ranks())
    head.get_by_role("button").press("Enter")
    assert head.get_attribute("aria-sort") == "descending"
    assert ranks() == sorted(ranks(), reverse=True)
    assert "ties" in page.locator("#status").inner_text()
    cells = page.locator(f"#card tbody tr > :nth-child({index + 1})").all_inner_texts()
    for rank in set(ranks()):
        shared = [cell for cell in cells if f"rank {rank}" in cell]
        assert all((f"rank {rank}=" in cell) == (len(shared) > 1) for cell in shared)
    name = head.inner_text().splitlines()[0]
    values = page.locator(f"#card tbody tr > :nth-child({index + 1}) .value").all_inner_texts()
    narrow = visit("card.html", viewport={"width": 390, "height": 900})
    narrow.get_by_label("Sort by").select_option(name)
    narrow.get_by_role("button", name="Reverse").click()
    assert narrow.locator(f"#card tbody tr > :nth-child({index + 1}) .value").all_inner_texts() == values


def test_models_and_measures_are_filtered(visit):
    for width in (1400, 390):
        page = visit("card.html", viewport={"width": width, "height": 900})
        page.get_by_label("Model contains").fill("LARGE")
        assert [row.is_visible() for row in page.locator("#card tbody tr").all()].count(True) == 1
        page.locator("#measures").select_option("gest")
        shown = [cell for cell in page.locator("#card tbody td").all() if cell.is_visible()]
        assert len(shown) == 1
        assert page.evaluate("window.hacked") is None


def test_the_badge_is_as_wide_as_its_text(visit):
    page = visit("badge.svg")
    for text in page.locator("text").all():
        told, drawn = text.evaluate(
            "(e) => { const told = e.textLength.baseVal.value; e.removeAttribute('textLength');"
            " return [told, e.getComputedTextLength()]; }"
        )
        assert told == pytest.approx(drawn, rel=0.15), "the letters are stretched or squeezed"
    boxes = [text.bounding_box() for text in page.locator("text").all()]
    assert boxes[0]["x"] + boxes[0]["width"] < boxes[1]["x"]
    assert page.locator("svg").get_attribute("role") == "img"


@pytest.mark.parametrize("name", ["card.html", "compared.html"])
def test_on_paper_everything_is_unfolded_and_fits(tabs, folder, name):
    page = tabs.load(f"file://{folder / name}", viewport={"width": 794, "height": 1123}, color_scheme="dark")
    folded = page.locator("details:not([open]) table")
    assert folded.count() > 0
    assert not any(table.is_visible() for table in folded.all())
    page.emulate_media(media="print")
    try:
        assert all(table.is_visible() for table in folded.all())
        assert not any(element.is_visible() for element in page.locator("nav").all())
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert page.evaluate("document.documentElement.scrollWidth") <= 794
    finally:
        page.emulate_media(media="screen")
