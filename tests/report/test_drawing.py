"""A process of its own draws the same as this one, and nobody notices when it is gone."""

import subprocess
import sys

CODE = """
import os, signal, sys
from genderscope.report.charts import drawing
data = {"values": [{"a": 0.1 + 0.2, "b": 2, "c": "žena"}, {"a": 1e-9, "b": 3, "c": "muž"}]}
encoding = {key: {"field": field, "type": "quantitative"} for key, field in (("x", "a"), ("y", "b"))}
chart = {"data": data, "mark": "point", "encoding": encoding | {"color": {"field": "c", "type": "nominal"}}}
drawing.ready_to_draw()
with drawing.drawing_aside():
    drawing.ready_to_draw()
    drawing.ready_to_draw()
    (aside,) = drawing._aside.get()
    found = drawing.draw(chart)
    print("vl_convert" in sys.modules, "žena" in found)
    os.kill(aside._process.pid, signal.SIGKILL)
    print(drawing.draw(chart) == found, "vl_convert" in sys.modules)
print(aside._process.returncode, drawing._aside.get())
"""


def test_a_drawing_made_aside_is_the_same_to_the_byte():
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == ["False True", "True True", "-9 None"], done.stderr
