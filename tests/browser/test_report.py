"""The report in a real browser, opened from disk."""

import csv
import io
import re
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from genderscope.util.safe_text import terminal_safe
from tests.report.examples import HOSTILE

pytestmark = pytest.mark.long

WIDE = ".drawing.wide"


def saved(page, button):
    with page.expect_download() as waiting:
        button.click()
    return Path(waiting.value.path()).read_text(encoding="utf-8"), waiting.value.suggested_filename


def rows(text):
    return list(csv.reader(io.StringIO(text)))


def explorer(page, measure="gest-mt"):
    return page.locator(f"#{measure} .explorer")


def count(page, measure="gest-mt"):
    return explorer(page, measure).locator(".count").inner_text()


def test_figures_are_drawn_and_tell_their_numbers(visit):
    page = visit("many", viewport={"width": 1200, "height": 900})
    for figure in page.locator("figure.chart").all():
        assert figure.locator(f"{WIDE} svg [data-keys]").count() > 2
        assert figure.locator(f"{WIDE} svg").bounding_box()["width"] > 400
        assert figure.locator(".drawing.narrow svg").is_hidden()
    mark = page.locator(f"#gest-mt-all-figure-0 {WIDE} path[data-keys]").first
    assert page.locator("#tip").is_hidden()
    mark.scroll_into_view_if_needed()
    mark.hover(force=True)
    tip = page.locator("#tip").inner_text()
    for expected in ("stereotype_rate (f_s) = ", "masculine_rate (f_m) = ", "95 % interval", "n = "):
        assert expected in tip


def test_a_filter_holds_for_figures_tables_and_samples_alike(visit):
    page = visit("many")
    bar = page.locator("#gest-mt .filters")
    bar.locator("label", has_text="language").locator("select").select_option("sk")
    figure = page.locator(f"#gest-mt-all-figure-0 {WIDE}")
    shown = [m.get_attribute("data-keys") for m in figure.locator("[data-keys]:not(.off)").all()]
    assert shown
    assert all('"sk"' in keys for keys in shown)
    assert figure.locator("[data-keys].off").count() == len(shown)
    assert count(page).endswith("of 320 samples")
    cells = explorer(page).locator("tbody tr td:nth-child(4)").all_inner_texts()
    assert set(cells) == {"sk"}
    assert page.locator("#gest-mt tr.off").count() > 0
    bar.locator("label", has_text="model").locator("select").select_option("two")
    assert count(page).endswith("of 160 samples")
    # the other measure has filters of its own
    assert count(page, "gest").endswith("of 64 samples")
    bar.get_by_role("button", name="Show all").click()
    assert count(page).endswith("of 640 samples")
    assert page.locator("#gest-mt .off").count() == 0


def test_a_click_on_a_mark_shows_its_samples(visit):
    page = visit("many", viewport={"width": 1200, "height": 900})
    mark = page.locator(f'#gest-0-figure-0 {WIDE} path[data-keys*="7 beautiful"]')
    mark.scroll_into_view_if_needed()
    mark.click(force=True)
    assert set(explorer(page, "gest").locator("tbody td:nth-child(2)").all_inner_texts()) == {"7 beautiful"}
    mark.click(force=True)
    assert count(page, "gest").endswith("of 64 samples")


def test_tables_are_sorted_by_number_within_their_parts(visit):
    page = visit("many")
    table = page.locator('#gest table[data-name="By stereotype"]')
    head = table.locator("thead th").nth(1)
    assert head.get_attribute("aria-sort") == "none"
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    values = [
        [float(v) for v in body.locator("tr:not(.heading) td:nth-child(2)").all_inner_texts()]
        for body in table.locator("tbody").all()
    ]
    assert [len(part) for part in values] == [7, 9]
    assert all(part == sorted(part) for part in values)
    head.locator("button").press("Enter")
    assert head.get_attribute("aria-sort") == "descending"
    assert table.locator("tbody").first.locator("tr").first.inner_text() == "women are …"


def test_downloads_hold_what_is_shown(visit):
    page = visit("many")
    text, name = saved(page, page.locator("#gest .tables .card", has_text="By stereotype").get_by_text("Download CSV"))
    assert name == "by-stereotype.csv"
    table = rows(text)
    assert table[0][:3] == ["part", "stereotype", "masculine rate"]
    assert [row[0] for row in table[1:]] == ["women are …"] * 7 + ["men are …"] * 9
    text, name = saved(page, page.locator("#gest").get_by_text("Download all estimates"))
    assert rows(text)[0][0] == "name"
    assert any(len(cell) > 12 and cell.startswith(("0.", "1.")) for row in rows(text) for cell in row)
    text, name = saved(page, page.locator("#gest-0-figure-0").get_by_text("Download SVG"))
    assert name == "masculine-rate-by-stereotype.svg"
    drawing = ET.fromstring(text)
    assert drawing.tag == "{http://www.w3.org/2000/svg}svg"
    assert "currentColor" not in text
    assert "1 emotional" in text
    assert len(drawing.findall(".//*[@aria-label]")) >= 32
    explorer(page).locator("label", has_text="read").locator("select").select_option("neutral")
    text, _ = saved(page, explorer(page).get_by_text("Download these rows"))
    assert [row[-1] for row in rows(text)] == ["unread", "neutral", "neutral"]


def test_evidence_is_marked_in_the_samples(look):
    page = look("many")
    marks = explorer(page).locator("td.text mark")
    assert marks.count() >= 20
    assert set(marks.all_inner_texts()) <= {"plakal", "plakala"}
    assert marks.first.get_attribute("class") in {"masculine", "feminine"}


def test_twenty_thousand_samples_are_searched_and_sorted_at_once(visit):
    from playwright.sync_api import expect

    page = visit("large")
    assert count(page).endswith("of 20,000 samples")
    took = page.evaluate(
        """() => { const select = document.querySelector('.explorer select'); const begin = performance.now();
        select.value = 'sk'; select.dispatchEvent(new Event('change')); return performance.now() - begin; }"""
    )
    print(f"filtering 20,000 rows took {took:.0f} ms")
    assert count(page).endswith("of 10,000 samples")
    assert took < 5000
    begin = time.monotonic()
    explorer(page).locator("input").fill("cried 77 plakala")
    expect(explorer(page).locator(".count")).not_to_contain_text("10,000")
    print(f"searching took {time.monotonic() - begin:.2f} s with 0.12 s of waiting for more letters")
    for line in explorer(page).locator("tbody tr").all():
        assert "77" in line.inner_text()
        assert "plakala" in line.inner_text()
    explorer(page).locator("input").fill("")
    expect(explorer(page).locator(".count")).to_contain_text("10,000")
    explorer(page).locator("thead button").first.click()
    assert explorer(page).locator("tbody tr").first.locator("td").first.inner_text() == "I cried 0 times."
    assert explorer(page).locator("tbody tr").nth(2).locator("td").first.inner_text() == "I cried 2 times."
    assert page.evaluate("document.querySelectorAll('.explorer tbody tr').length") == 25


@pytest.mark.parametrize("name", ["many", "hostile", "honest"])
def test_a_telephone_scrolls_in_one_direction_only(look, name):
    page = look(name, viewport={"width": 360, "height": 740}, has_touch=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for figure in page.locator("figure.chart").all():
        assert figure.locator(".drawing.narrow svg").is_visible()
        assert figure.locator(f"{WIDE} svg").is_hidden()
    smallest = page.evaluate(
        """() => Math.min(...[...document.querySelectorAll('.drawing.narrow svg')].map((svg) =>
        svg.getBoundingClientRect().width / svg.viewBox.baseVal.width * 11))"""
    )
    assert smallest > 9


CONTRAST = """() => {
  const linear = (v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const parse = (text) => (text.match(/[\\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
  const light = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
  const back = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (colour.startsWith('rgb') && (parse(colour)[3] ?? 1) > 0.9) return parse(colour);
    }
    return [255, 255, 255];
  };
  const found = [];
  for (const element of document.querySelectorAll('body *:not(script):not(option):not(noscript)')) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || element.disabled || element.closest('svg') || !element.getClientRects().length) continue;
    const [a, b] = [light(parse(getComputedStyle(element).color)), light(back(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    found.push([ratio, element.tagName + '.' + element.className + ' ' + element.textContent.slice(0, 30)]);
  }
  return found.sort((x, y) => x[0] - y[0]).slice(0, 3);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_in_light_and_dark(look, scheme):
    page = look("many", color_scheme=scheme)
    worst = page.evaluate(CONTRAST)
    assert worst[0][0] >= 4.5, worst
    ink, paper = page.evaluate(
        "['color', 'backgroundColor'].map((name) => getComputedStyle(document.body)[name])",
    )
    brightness = [sum(map(int, re.findall(r"\d+", colour))) for colour in (ink, paper)]
    assert (brightness[0] < brightness[1]) == (scheme == "light")
    assert page.evaluate("getComputedStyle(document.querySelector('.drawing svg text')).fill") == ink


def test_everything_can_be_reached_by_keyboard(visit):
    page = visit("many", viewport={"width": 1200, "height": 900})
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    drawing = page.locator(f"#gest-0-figure-0 {WIDE}")
    drawing.focus()
    page.keyboard.press("ArrowDown")
    assert page.locator("#tip").inner_text().startswith("1 emotional")
    page.keyboard.press("ArrowDown")
    assert page.locator("#status").inner_text().startswith("2 gentle")
    page.keyboard.press("Enter")
    assert set(explorer(page, "gest").locator("tbody td:nth-child(2)").all_inner_texts()) == {"2 gentle"}
    page.keyboard.press("Escape")
    assert page.locator("#tip").is_hidden()
    unreachable = page.evaluate(
        "[...document.querySelectorAll('button, select, input, summary')].filter((e) => e.tabIndex < 0).length"
    )
    assert unreachable == 0


def test_the_structure_is_told_to_screen_readers(look):
    page = look("many")
    assert page.locator("h1").count() == 1
    assert page.locator("main").count() == 1
    for table in page.locator("table.data").all():
        assert table.locator("caption").text_content()
        assert table.locator('thead th[scope="col"]').count() > 1
        assert table.locator('tbody th[scope="row"]').count() > 0
    for drawing in page.locator(".drawing").all():
        assert drawing.get_attribute("role") == "img"
        assert drawing.get_attribute("aria-label")
        described = drawing.get_attribute("aria-describedby")
        assert page.locator(f"#{described}").inner_text()
    unnamed = page.evaluate(
        """[...document.querySelectorAll('button, select, input')].filter((e) =>
        !(e.textContent.trim() || e.getAttribute('aria-label') || e.closest('label')?.textContent.trim())).length"""
    )
    assert unnamed == 0


def test_on_paper_there_are_no_buttons_and_no_hurtful_words(visit):
    page = visit("honest")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    for selector in (".filters", ".tools", ".drawing.narrow", "details.warning .explorer"):
        for element in page.locator(selector).all():
            assert element.is_hidden(), selector
    assert page.locator(f"{WIDE} svg").first.is_visible()
    assert "plonk" not in page.locator("body").inner_text()
    page = visit("many")
    page.emulate_media(media="print", color_scheme="dark")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open]):not(.warning)").count() == 0
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.querySelector('.explorer tr')).breakInside") == "avoid"
    pdf = page.pdf(format="A4")
    assert pdf.startswith(b"%PDF")


def test_hurtful_words_are_shown_only_to_those_who_ask(visit):
    page = visit("honest")
    assert "plonk" not in page.locator("body").inner_text()
    assert page.locator(".explorer table").count() == 0
    page.get_by_text("Show the samples").click()
    page.locator(".explorer mark").first.wait_for()
    assert set(page.locator(".explorer mark").all_inner_texts()) == {"plonk"}


def test_hostile_texts_are_shown_and_do_nothing(visit):
    page = visit("hostile", viewport={"width": 1200, "height": 900})
    shown = explorer(page, "gest").locator("td.text").first.text_content()
    assert terminal_safe(HOSTILE) in shown, "control characters are made visible"
    drawing = page.locator(f"#gest-0-figure-0 {WIDE}")
    drawing.locator("path[data-keys]").first.hover(force=True)
    assert "1 emotional" in page.locator("#tip").inner_text()
    explorer(page, "gest").locator("thead button").first.click()
    for element in page.locator("td.text").all()[:3]:
        element.hover()
    assert page.evaluate("window.hacked") is None
    assert page.locator("img").count() == 0
    text, _ = saved(page, explorer(page, "gest").get_by_text("Download these rows"))
    assert len(rows(text)) == 65
