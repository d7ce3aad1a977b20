"""The drawing process, which reads one JSON request per line and writes one JSON reply per line.

It imports nothing from the package, so that it starts quickly, and exits when its stdin closes or after ten minutes of
inactivity.
"""

import base64
import json
import os
import sys
import threading
from contextlib import suppress
from typing import Any

IDLE_SECONDS = 600
#: scale factor for PNG files at 300 dpi, relative to 96 dpi on screen
SCALE = 300 / 96


def main() -> None:
    """Answer requests until stdin closes."""
    with suppress(ImportError):  # Windows
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # no core dump if the engine aborts
    failure = ""
    try:
        import vl_convert

        vl_convert.get_themes()  # starts the JavaScript engine before the first request
    except Exception as error:
        failure = f"{type(error).__name__}: {error}"
    while True:
        idle = threading.Timer(IDLE_SECONDS, os._exit, [0])
        idle.daemon = True
        idle.start()
        line = sys.stdin.buffer.readline()
        idle.cancel()
        if not line:
            return
        reply = {"failure": failure} if failure else _answer(vl_convert, json.loads(line))
        sys.stdout.buffer.write(json.dumps(reply).encode() + b"\n")
        sys.stdout.buffer.flush()


def _answer(vl_convert: Any, request: dict[str, Any]) -> dict[str, str]:
    try:
        # Pass a dict, since vl-convert would parse the numbers in a string with less precision.
        svg = vl_convert.vegalite_to_svg(request["specification"]) if "specification" in request else request["svg"]
        if request["kind"] == "svg":
            return {"drawn": svg}
        made = vl_convert.svg_to_pdf(svg) if request["kind"] == "pdf" else vl_convert.svg_to_png(svg, scale=SCALE)
        return {"drawn": base64.b64encode(made).decode()}
    except Exception as error:  # this figure cannot be drawn, but others may be
        return {"error": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    main()
