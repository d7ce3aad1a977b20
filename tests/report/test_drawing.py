"""Figures are drawn in a process of their own, which may be killed, hang or refuse a figure."""

import os
import signal
import subprocess
import sys

import pytest

from genderscope.core.errors import DrawingError
from genderscope.report.charts import drawing

DATA = {"values": [{"a": 0.1 + 0.2, "b": 2, "c": "žena"}, {"a": 1e-9, "b": 3, "c": "muž"}]}
ENCODING = {key: {"field": field, "type": "quantitative"} for key, field in (("x", "a"), ("y", "b"))}
CHART = {"data": DATA, "mark": "point", "encoding": ENCODING | {"color": {"field": "c", "type": "nominal"}}}


@pytest.fixture
def process():
    """Returns the running drawing process; a new one if the last one died."""

    def running():
        drawing.ready_to_draw()
        return drawing._process._process

    yield running
    drawing._process.end()


def test_the_javascript_engine_is_never_loaded_here(process):
    assert "žena" in drawing.draw(CHART)
    assert process().pid == process().pid, "one process draws all figures"
    code = "import sys, genderscope.report.html.report_page; print('vl_convert' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False"


@pytest.mark.long
def test_a_killed_process_is_replaced_and_draws_the_same_bytes(process):
    first, pid = drawing.draw(CHART), process().pid
    os.kill(pid, signal.SIGKILL)
    assert drawing.draw(CHART) == first
    assert process().pid != pid


def test_pdf_and_png_come_from_the_process_too(process):
    svg = drawing.draw(CHART)
    assert drawing.convert(svg, "pdf").startswith(b"%PDF")
    assert drawing.convert(svg, "png").startswith(b"\x89PNG")


@pytest.mark.long
def test_a_process_that_hangs_is_given_up(process, monkeypatch):
    os.kill(process().pid, signal.SIGSTOP)
    monkeypatch.setattr(drawing, "SECONDS", 0.5)
    with pytest.raises(DrawingError, match=r"did not respond within 0\.5 s") as failed:
        drawing.draw(CHART)
    assert not failed.value.only_this
    monkeypatch.setattr(drawing, "SECONDS", 60.0)
    assert "<svg" in drawing.draw(CHART), "a new process draws the next figure"


def test_a_figure_that_cannot_be_drawn_does_not_end_the_process(process):
    pid = process().pid
    with pytest.raises(DrawingError, match="ValueError") as failed:
        drawing.draw({"mark": "no such mark"})
    assert failed.value.only_this
    assert process().pid == pid


def test_a_machine_without_room_for_a_process_is_one_sentence(process, monkeypatch):
    process()
    drawing._process.end()
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    with pytest.raises(DrawingError, match="the drawing process could not be started"):
        drawing.draw(CHART)


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "fork"), reason="only POSIX forks")
def test_a_forked_process_draws_with_a_process_of_its_own(process):
    first, pid = drawing.draw(CHART), process().pid
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:  # pragma: no cover - in the forked process
        alike = drawing.draw(CHART) == first and process().pid != pid
        drawing._process.end()
        os.write(writer, b"yes" if alike else b"no")
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reader, 3) == b"yes"
    assert drawing.draw(CHART) == first
    assert process().pid == pid
