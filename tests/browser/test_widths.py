"""The pages at the widths of a desk, a tablet and a telephone: nothing is cut, and axe finds nothing."""

import pytest

from tests.browser.accessibility import violations

pytestmark = pytest.mark.long

WIDTHS = (1400, 768, 390)
#: text that leaves its box, its drawing or the page; a table that must be pushed sideways hides numbers too
CUT = """() => {
  const found = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) found.push(`the page is ${root.scrollWidth} wide`);
  for (const each of document.querySelectorAll('body *')) {
    if (!each.getClientRects().length || each.closest('#tip, .hidden, .skip, script, select')) continue;
    const text = each.textContent.trim();
    const svg = each.ownerSVGElement;
    if (svg) {
      const [box, all] = [each, svg].map((one) => one.getBoundingClientRect());
      if (each.tagName !== 'text' || !box.width) continue;
      const out = Math.max(all.left - box.left, box.right - all.right, all.top - box.top, box.bottom - all.bottom);
      if (out > 1) found.push(`drawn ${Math.round(out)} px outside: ${text}`);
      if (text.replace('are …', '').includes('…')) found.push(`cut: ${text}`);
    } else if (getComputedStyle(each).display !== 'inline' && each.scrollWidth > each.clientWidth + 1) {
      const size = `${each.scrollWidth} in ${each.clientWidth}`;
      if (each.clientWidth) found.push(`${each.tagName}.${each.className} ${size}: ${text.slice(0, 40)}`);
    }
  }
  return found;
}"""


@pytest.mark.parametrize("width", WIDTHS)
def test_every_number_of_the_overview_stands_under_its_heading(look, width):
    page = look("many", viewport={"width": width, "height": 900})
    shown = page.evaluate("""() => [...document.querySelectorAll('table.overview')].map((table) =>
      [...table.rows].filter((row) => row.offsetHeight && row.cells.length > 1).map((row) =>
        [...row.cells].filter((cell) => cell.offsetWidth).length))""")
    assert all(len(set(cells)) == 1 for cells in shown)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["many", "pairs", "fourteen", "honest"])
def test_nothing_is_cut(look, name, width):
    page = look(name, viewport={"width": width, "height": 900})
    assert page.evaluate(CUT) == []


@pytest.mark.parametrize(
    ("name", "width", "scheme"),
    [
        ("many", 1400, "light"),
        ("honest", 390, "dark"),
        ("fourteen", 1400, "dark"),
        ("fourteen", 390, "light"),
    ],
)
def test_axe_finds_nothing(look, visit, name, width, scheme):
    # Of fourteen runs the folds stay closed: what is in them is as on the other pages. It has neither width nor
    # colours, so once is enough.
    without_folds = (name, width) == ("fourteen", 390)
    show = visit if without_folds else look
    page = show(name, name != "fourteen", viewport={"width": width, "height": 900}, color_scheme=scheme)
    if without_folds:
        page.evaluate("document.querySelectorAll('details:not([open]) > :not(summary)').forEach((one) => one.remove())")
    assert violations(page) == []


def test_samples_are_sorted_where_rows_are_cards(visit):
    page = visit("pairs", viewport={"width": 390, "height": 900})
    explorer = page.locator(".explorer").first
    explorer.get_by_label("sort by").select_option("sort by: model")
    first = explorer.locator("tbody tr").first
    before = first.inner_text()
    explorer.get_by_role("button", name="Reverse").click()
    assert first.inner_text() != before


def test_a_page_of_fourteen_runs_is_short_and_shows_every_run_first(visit):
    page = visit("fourteen", unfold=False, viewport={"width": 1400, "height": 900})
    assert page.evaluate("document.documentElement.scrollHeight") <= 12_000
    overview = page.locator("table.overview tbody tr:not(.heading)")
    assert overview.count() >= 14
    for line in overview.all():
        assert "[" in line.locator("td").nth(2).inner_text() or line.locator("td").nth(2).inner_text() == "–"
    assert page.locator("details.run[open]").count() == 0
    overview.nth(1).locator("a").click()
    assert page.locator("#gest-1").is_visible()


def test_runs_on_other_data_are_not_drawn_on_the_same_axis(look):
    page = look("fourteen", viewport={"width": 1400, "height": 900})
    assert "2 groups, on separate axes, because they differ in data." in page.locator("#gest .apart").inner_text()
    for figure, mine in (("gest-all", "SmolLM2"), ("gest-all1", "gpt2")):
        drawn = page.locator(f"#{figure}-figure-0 .drawing.wide").inner_html()
        assert mine in drawn
        assert ("gpt2" in drawn) == (mine == "gpt2")
