"""The pictures of README and site show the numbers that the program gives; no browser is needed to tell."""

import importlib.util
import json
import re
from html import unescape
from pathlib import Path

import pytest

from genderscope.measures import MEASURES, measure_type
from genderscope.runs import load_run

ROOT = Path(__file__).parents[2]
NUMBER = re.compile(r"-?\d+\.\d+|\d+(?=%)")


@pytest.fixture(scope="module")
def pictures():
    spec = importlib.util.spec_from_file_location("pictures", ROOT / "docs" / "pictures.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def told(drawn):
    """The numbers in a figure's labels."""
    return [float(n) for label in re.findall(r'aria-label="([^"]*)"', drawn) for n in NUMBER.findall(label)]


def words(drawn):
    """The words of a drawn terminal."""
    return unescape(" ".join(re.findall(r">([^<]+)</text>", drawn))).replace("\xa0", " ").split()


#: the measures that the gallery shows; a new one may be missing until the pictures are drawn again
SHOWN = re.findall(r"\(assets/gallery/([a-z-]+)\.svg\)", (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8"))


def test_the_gallery_shows_every_picture_that_was_drawn():
    assert sorted(SHOWN) == sorted(path.stem for path in (ROOT / "docs" / "assets" / "gallery").glob("*.svg"))
    assert len(SHOWN) >= 16
    assert set(SHOWN) <= set(MEASURES)


@pytest.mark.long
@pytest.mark.parametrize("measure", SHOWN)
def test_the_gallery_has_a_current_figure_of_every_measure(pictures, measure):
    stored = (pictures.ASSETS / "gallery" / f"{measure}.svg").read_text(encoding="utf-8")
    assert told(stored)
    assert told(stored) == pytest.approx(told(pictures.gallery(measure)), rel=2e-3)


@pytest.mark.long
def test_terminal_and_page_show_the_numbers_of_the_demo(pictures, demo):
    run = load_run(demo[1])
    drawn = words((pictures.ASSETS / "terminal.svg").read_text(encoding="utf-8"))
    for e in run.as_estimates():
        if e.name in measure_type(run.measure).headline and not e.scope:
            value, low = drawn[drawn.index(e.name) + 1 :][:2]
            assert float(value) == pytest.approx(e.value, abs=0.011), e
            assert float(low) == pytest.approx(e.low, abs=0.011), e
    stored = json.loads((pictures.ASSETS / pictures.NUMBERS).read_text(encoding="utf-8"))
    assert stored == pytest.approx(pictures.headline(run), rel=1e-3)


def test_the_picture_of_a_comparison_is_what_compare_prints(pictures):
    stored = words((pictures.ASSETS / "compare.svg").read_text(encoding="utf-8"))
    now = words(pictures.compared())
    assert len(stored) == len(now)
    for before, after in zip(stored, now, strict=True):
        numbers = [[float(n) for n in NUMBER.findall(word)] for word in (before, after)]
        assert numbers[0] == pytest.approx(numbers[1], abs=0.011)
        assert NUMBER.sub("", before) == NUMBER.sub("", after)


def test_pictures_are_small_and_ask_nothing_of_the_network(pictures):
    for path in pictures.ASSETS.rglob("*.*"):
        assert path.stat().st_size < 150_000, path
        if path.suffix == ".svg":
            assert not re.search(r"(href|src)=\"http|url\(.?http|@import", path.read_text(encoding="utf-8")), path
