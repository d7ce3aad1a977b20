"""The scorecard's picture and the sentences above it."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

import genderscope
from genderscope.comparison import collect, scorecard
from genderscope.report import scorecard_texts
from genderscope.report.html.interval_pictures import NARROW, WIDE, interval_picture
from genderscope.report.scorecard.scorecard_page import describe_card, scorecard_blocks

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def card(tmp_path_factory, models):
    folder = tmp_path_factory.mktemp("runs")
    for k, name in enumerate(("gpt2", "bert")):
        model = str(models(name, "bytes" if name == "gpt2" else "wordpiece-cased"))
        genderscope.evaluate("gest", model, data="starter", limit=64, templates="3,4", out=folder / f"run{k}")
    return scorecard(collect([folder]))


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_every_model_has_an_interval_a_value_and_a_verdict(card, width):
    root = ET.fromstring(interval_picture(scorecard_blocks(card), width, alone=True))
    texts = [text.text or "" for text in root.iter(f"{SVG}text")]
    for row in card.rows:
        assert any(row.label in text for text in texts)
    cells = [cell for column in card.columns for _, cell in card.cells(column)]
    assert len(list(root.iter(f"{SVG}circle"))) == len(cells)
    assert sum(cell.word in text for cell in cells for text in texts) >= len(cells)
    width_of_page = float(root.attrib["viewBox"].split()[2])
    drawn = [float(number) for path in root.iter(f"{SVG}path") for number in re.findall(r"[MH](\d+)", path.attrib["d"])]
    assert all(0 <= x <= width_of_page for x in drawn)


def test_names_are_escaped_and_shown_whole(card):
    rows = tuple(replace(row, label=f"<b>{'x' * 80}&{k}") for k, row in enumerate(card.rows))
    drawn = interval_picture(scorecard_blocks(replace(card, rows=rows)), alone=True)
    assert "<b>" not in drawn
    shown = "".join(text.text or "" for text in ET.fromstring(drawn).iter(f"{SVG}text"))
    assert all(row.label in shown for row in rows)


def test_the_sentences_say_what_is_clear_what_is_not_and_what_is_missing(card):
    sentences = describe_card(card, ["gest", "honest"])
    assert sentences[0] == "Nothing is clear from these runs."
    assert "cannot be judged (" in sentences[1]
    assert sentences[2] == "Not measured: honest."


def test_the_picture_is_a_file_of_its_own(card, tmp_path):
    ((path, text),) = scorecard_texts(card, {"svg": Path("card.svg")}).items()
    assert path == Path("card.svg")
    assert text.startswith("<svg xmlns=")
