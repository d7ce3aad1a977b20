"""The viewer's own pages: the list of runs, a run without a report, and messages."""

import os
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote_to_bytes

from genderscope.comparison import compare
from genderscope.report import comparison_page, render_page, write_report
from genderscope.runs import REPORT, RunProgress, as_written, load_run, reading
from genderscope.serving.run_index import ListedRun, stamp_of
from genderscope.util import clock

#: a run whose last answer is older, in seconds, is listed as unfinished rather than running
RECENT = 120
STYLES = ("ranking.css", "viewer.css")


def link_of(name: str) -> str:
    """Return a run's name as part of an address, which may contain any byte."""
    return quote(os.fsencode(name), safe="/")


def name_of(link: str) -> str:
    """Return the name of a run from its link."""
    return os.fsdecode(unquote_to_bytes(link))


def list_page(folder: str, runs: Iterable[ListedRun]) -> str:
    """Return the list of runs, newest first."""
    listed = sorted(runs, key=lambda run: (-_seconds(run.when), run.name))
    return render_page(
        "viewer.html.j2",
        STYLES,
        ("ranking.js", "viewer.js"),
        single_line=True,
        served=True,
        title=f"Runs in {folder}",
        kind="leaderboard viewer",
        runs=[_row(run) for run in listed],
        measures=sorted({run.measure for run in listed if run.measure}),
        models=sorted({run.model for run in listed if run.model}),
        verdicts=sorted({run.finding.verdict for run in listed if run.finding and run.finding.verdict}),
        count=len(listed),
        finished=sum(run.finding is not None for run in listed),
    )


def message_page(title: str, sentences: Iterable[str], run: ListedRun | None = None) -> str:
    """Return a page with a message; for an unfinished run, also with its progress."""
    return render_page(
        "viewer_message.html.j2",
        STYLES,
        ("viewer.js",) if run is not None and run.is_unfinished else (),
        single_line=True,
        served=True,
        title=title,
        kind="viewer",
        sentences=list(sentences),
        run=None if run is None else _row(run),
    )


def progress_data(runs: Iterable[ListedRun]) -> dict[str, Any]:
    """Return what the pages poll: the number of finished runs, and the progress of unfinished ones by link."""
    listed = list(runs)
    progress = {link_of(run.name): _progress(run.progress) for run in listed if run.progress is not None}
    return {"finished": sum(run.finding is not None for run in listed), "progress": progress}


def _row(run: ListedRun) -> dict[str, Any]:
    return {
        "name": run.name,
        "link": link_of(run.name),
        "model": run.model or run.name,
        "measure": run.measure,
        "data": " · ".join(filter(None, (_languages(run), str(run.config.get("data", {}).get("name", ""))))),
        "lead": run.finding.lead if run.finding else None,
        "more": run.finding.leads - 1 if run.finding else 0,
        "verdict": run.finding.verdict if run.finding else "",
        "seconds": _seconds(run.when) or "",
        "when": f"{run.when:%Y-%m-%d %H:%M}" if run.when else "",
        "is_finished": run.finding is not None,
        "status": _status(run),
        "progress": None if run.progress is None else _progress(run.progress),
    }


def _languages(run: ListedRun) -> str:
    options = run.config.get("configuration", {})
    languages = options.get("lang") or options.get("to") or ""
    return ", ".join(map(str, languages)) if isinstance(languages, list) else str(languages)


def _seconds(moment: datetime | None) -> int:
    try:
        return 0 if moment is None else int(moment.timestamp())
    except (OverflowError, OSError, ValueError):  # a year that the platform does not support
        return 0


def _status(run: ListedRun) -> str:
    if run.unusable is not None:
        return run.unusable.in_words(with_remedy=False).removeprefix("is ")
    return "finished" if run.newer is None else f"earlier run of {run.newer}"


def _progress(progress: RunProgress) -> dict[str, Any]:
    """Return an unfinished run's progress in words and as numbers for a bar."""
    answers, questions, last = progress.answers, progress.questions, progress.last
    is_recent = last is not None and (clock.now() - last).total_seconds() < RECENT
    count = "unknown number of answers" if answers is None else f"{answers:,} answer{'s' * (answers != 1)}"
    of = "" if questions is None else f" to {questions:,} questions"
    when = "" if last is None else f", the last at {last:%Y-%m-%d %H:%M:%S}"
    text = f"{'running' if is_recent else 'not finished'}: {count}{of}{when}"
    return {"text": text, "answers": answers, "questions": questions}


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
