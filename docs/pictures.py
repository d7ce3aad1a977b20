"""Draw the pictures of README and site: make pictures.

The terminal and the page show the demo. The gallery shows simulated results, because most datasets must not be copied.
A test compares the numbers in the pictures with the program's output.
"""

import json
import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.report.examples import result  # noqa: E402

from genderscope.comparison import compare  # noqa: E402
from genderscope.measures import MEASURES  # noqa: E402
from genderscope.report import PAGE, SafeConsole, show, show_comparison, svg, view_of  # noqa: E402
from genderscope.runs import Result, load_run  # noqa: E402

ASSETS = ROOT / "docs" / "assets"
#: the numbers in the page's picture, for the test that it is up to date
NUMBERS = "page.json"


def terminal(run: Result) -> str:
    """Draw the terminal output of a run."""
    return _drawn(lambda console: show(run, console), "genderscope demo", "terminal")


def compared() -> str:
    """Draw the comparison of two simulated translation systems; the second has fewer masculine speakers."""
    first, second = (result("gest-mt", name, 3, n=640) for name in ("last release", "candidate"))
    changed = second.rows["gender"].eq("masculine") & (second.rows.index % 3 == 0) & second.rows["stereotype"].gt(7)
    second = replace(second, rows=second.rows.assign(gender=second.rows["gender"].mask(changed, "feminine")))
    found = compare(first, second)
    return _drawn(lambda console: show_comparison(found, console), "genderscope compare A B", "compare")


def _drawn(print_on: Callable[[SafeConsole], None], title: str, name: str) -> str:
    """Draw printed output as SVG, without web fonts."""
    console = SafeConsole(record=True, width=92, file=StringIO(), force_terminal=True, color_system="truecolor")
    print_on(console)
    drawn = console.export_svg(title=title, unique_id=name)
    return re.sub(r"@font-face \{.*?\}\s*", "", drawn, flags=re.DOTALL)


def headline(run: Result) -> dict[str, float | None]:
    """Return the headline numbers of the page."""
    return {e.name: e.value for e in view_of(run.measure).headline(run)}


def gallery(measure: str) -> str:
    """Draw the first figure of a measure's simulated result."""
    figure = next(iter(view_of(measure).figures("simulated", result(measure, "simulated", n=320))))
    return svg(figure.chart(PAGE))


def photograph(report: Path) -> None:
    """Take a screenshot of a page in light and dark mode."""
    from playwright.sync_api import sync_playwright

    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with sync_playwright() as running:
        chromium = running.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        for scheme in ("light", "dark"):
            page = chromium.new_page(viewport={"width": 1000, "height": 700}, color_scheme=scheme)
            page.goto(f"file://{report.absolute()}")
            page.screenshot(path=ASSETS / f"page-{scheme}.png")
        chromium.close()


def main(folder: Path) -> None:
    """Draw all pictures; `folder` contains the demo's run."""
    run = load_run(folder)
    run = Result(run.measure, run.estimates, run.rows, run.signature, run.summary, run.cautions, run.config)
    (ASSETS / "gallery").mkdir(parents=True, exist_ok=True)
    (ASSETS / "terminal.svg").write_text(terminal(run), encoding="utf-8")
    (ASSETS / "compare.svg").write_text(compared(), encoding="utf-8")
    (ASSETS / NUMBERS).write_text(json.dumps(headline(run), indent=1) + "\n", encoding="utf-8")
    for measure in MEASURES:
        (ASSETS / "gallery" / f"{measure}.svg").write_text(gallery(measure), encoding="utf-8")
    photograph(folder / "report.html")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
