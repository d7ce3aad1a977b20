"""Reports and comparisons, made by the report package on demand and cached until a run changes."""

import tempfile
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path

from genderscope.comparison import compare
from genderscope.report import comparison_page, write_report
from genderscope.runs import REPORT, as_written, load_run, reading
from genderscope.serving.run_index import ListedRun, stamp_of

#: maximum number of pages in memory; a page may have several megabytes
KEPT = 16
#: link to the list, inserted at the top of pages that also work without the viewer
BACK = '<header>\n<nav aria-label="Viewer"><a href="/">All runs</a></nav>'


class RunPages:
    """Cache of pages. They are made one at a time, since each may need much memory."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pages: OrderedDict[object, str] = OrderedDict()

    def report(self, run: ListedRun) -> str:
        """Return a finished run's report: the stored one if it is unaltered, otherwise a new one."""
        return self._page("report", [run], lambda: _stored_report(run.folder) or _new_report(run.folder))

    def comparison(self, runs: Sequence[ListedRun]) -> str:
        """Return the comparison of the runs with the first; raise if they are incomparable."""
        return self._page("comparison", runs, lambda: _comparison([run.folder for run in runs]))

    def _page(self, kind: str, runs: Sequence[ListedRun], make: Callable[[], str]) -> str:
        key = kind, *((run.name, stamp_of(run.folder)) for run in runs)
        with self._lock:
            if key not in self._pages:
                self._pages[key] = make().replace("<header>", BACK, 1)
                while len(self._pages) > KEPT:
                    self._pages.popitem(last=False)
            self._pages.move_to_end(key)
            return self._pages[key]


def _stored_report(folder: Path) -> str | None:
    path = folder / REPORT
    load_run(folder)  # a report of damaged rows is not shown
    if path.is_symlink() or not as_written(folder, REPORT):
        return None
    return path.read_text(encoding="utf-8", errors="backslashreplace")


def _new_report(folder: Path) -> str:
    result = load_run(folder)
    with tempfile.TemporaryDirectory() as place, reading(result):
        target = Path(place) / REPORT
        write_report(result, target)
        return target.read_text(encoding="utf-8")


def _comparison(folders: Sequence[Path]) -> str:
    with reading(*folders):
        return comparison_page(compare(*folders))
