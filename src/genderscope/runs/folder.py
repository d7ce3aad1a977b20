"""A run's folder: configuration, journal and finally the result, all written atomically.

run.json       configuration, versions, checksums, model, seed     journal.sqlite   answers in order of arrival
rows.parquet   one row per sample and question                     result.json      estimates, all checksums
report.html    the result for human readers

Damaged files are set aside; rerunning the original command rebuilds them from the journal.
"""

import errno
import logging
import os
from collections.abc import Callable, Iterable
from datetime import date, datetime
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from genderscope.core.errors import UserError
from genderscope.runs.atomic_files import MISSING, json_bytes, set_aside, take_lock, what_is_there, write_whole
from genderscope.runs.journal import Journal
from genderscope.runs.loading import load_run
from genderscope.runs.result import Result
from genderscope.runs.run_files import (
    CONFIG,
    CONTROLS,
    JOURNAL,
    REPORT,
    RESULT,
    ROWS,
    UNDRAWN,
    DamagedRunError,
    as_written,
    read_config,
    record,
    result_bytes,
    result_entry,
)
from genderscope.runs.run_record import ASKED, STARTED, moment_of
from genderscope.runs.run_state import folder_error, is_finished, refuse_another
from genderscope.util import clock

#: writes a result's report and returns why it lacks figures, or None if it has all of them
Report = Callable[[Result, Path], str | None]

_log = logging.getLogger("genderscope")
_CHUNK = 1000
#: errors that prevent writing to a folder, but not reading from it
_READ_ONLY = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT}


class RunFolder:
    """A run's folder, used by one process at a time."""

    def __init__(self, path: Path, config: dict[str, Any]) -> None:
        self.path = path
        self._config = config
        self._day: date | None = None  # the last day on which answers were recorded
        #: error that prevents writing to the folder of a finished run, which can still be shown
        self.read_only: UserError | None = None
        self._lock = self._take()
        try:
            #: whether run.json is lost, so that only the journal identifies the run
            self.orphaned = self._is_orphaned()
            if not self.orphaned:
                self._check()
        except BaseException:
            self.close()
            raise

    @cached_property
    def journal(self) -> Journal:
        """The answers so far; opened on first use, since a finished run does not need it."""
        journal = Journal(self.path / JOURNAL)
        journal.before_store = self._note_day
        return journal

    @cached_property
    def started(self) -> datetime:
        """Start time of the run, used for dates in prompts even after the run is resumed."""
        config = {} if self.orphaned else read_config(self.path)
        # The time is missing if run.json was lost, but the journal may contain a copy of it.
        return moment_of(config.get(STARTED)) or moment_of(self.journal.notes().get(STARTED)) or clock.now()

    def _note_day(self) -> None:
        """Record today's date before the first answers of the day are stored."""
        now = clock.now()
        if now.date() == self._day:
            return
        self._day = now.date()
        config = read_config(self.path)
        asked = config.get(ASKED, [None] if len(self.journal) else [])
        if not any(moment.date() == self._day for text in asked if (moment := moment_of(text))):
            self.record(**{ASKED: [*asked, now.isoformat()]})
            self.journal.note({f"{ASKED} {self._day}": now.isoformat()})  # in case run.json is lost

    def _take(self) -> int | None:
        busy = (
            f"Another process is working in '{self.path}'; wait for it to finish or choose another folder with --out."
        )
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            return take_lock(self.path / ".lock", busy)
        except (OSError, ValueError) as error:
            refusal = folder_error(self.path, error)
            if getattr(error, "errno", None) not in _READ_ONLY or not is_finished(self.path):
                raise refusal from None
            self.read_only = refusal
            return None

    def _is_orphaned(self) -> bool:
        """Return whether the folder contains a run's files but no valid configuration."""
        if what_is_there(self.path / CONFIG) == MISSING:
            return any(what_is_there(self.path / name) != MISSING for name in (JOURNAL, RESULT))
        try:
            read_config(self.path)
        except DamagedRunError:
            return True
        return False

    def _check(self) -> None:
        """Write a new run's configuration; raise if the folder contains a run with another configuration."""
        if what_is_there(self.path / CONFIG) == MISSING:
            self._write(CONFIG, json_bytes(self._config))
            return
        refuse_another(self.path, self._config)

    def adopt(self, keys: Iterable[bytes]) -> None:
        """Take over a folder without a valid run.json if it belongs to the run with these questions, else raise."""
        if self.read_only is not None:
            raise self.read_only
        if self._is_of_another(iter(keys)):
            raise UserError(
                f"'{self.path / CONFIG}' is missing or damaged, and the rest of the folder belongs to another run "
                "(another model, other data or options); choose another folder with --out."
            )
        # An existing result may have been computed with other options, so it is rebuilt.
        moved = [set_aside(p).name for n in (CONFIG, RESULT) if what_is_there(p := self.path / n) != MISSING]
        notes = sorted(self.journal.notes().items())
        days: list[str | None] = [text for name, text in notes if name.startswith(f"{ASKED} ")]
        timing = {STARTED: self.started.isoformat(), ASKED: days or [None] * bool(self.journal)}
        self._write(CONFIG, json_bytes({**self._config, **timing}))
        self.orphaned = False
        _log.warning(
            "The run.json in '%s' was missing or damaged; rewriting it, and rebuilding the rest from the %s answers in "
            "the journal%s.",
            self.path,
            f"{len(self.journal):,}",
            f" (set aside: {', '.join(moved)})" if moved else "",
        )

    def _is_of_another(self, keys: Iterable[bytes]) -> bool:
        if len(self.journal):
            source = iter(keys)
            while chunk := list(islice(source, _CHUNK)):
                if self.journal.known(chunk):
                    return False
            return True
        signed = result_entry(self.path, "signature")
        # Parts are appended to the signature at the end of a run: dates, and the share of answers that could be read.
        return signed is not None and not f"{signed}|".startswith(f"{self._config['signature']}|")

    def record(self, **entries: Any) -> None:
        """Add entries to run.json that are known only once the model is loaded."""
        record(self.path, **entries)

    def finished(self, write_report: Report | None) -> Result | None:
        """Return the result if it exists, setting damaged files aside; repair a damaged or incomplete report."""
        if what_is_there(self.path / RESULT) == MISSING:
            return None
        try:
            result = load_run(self.path)
        except DamagedRunError as damage:
            if self.read_only is not None:
                raise
            there = what_is_there(damage.path) != MISSING
            kept = f" and was set aside as '{set_aside(damage.path).name}'" if there else ""
            _log.warning("'%s' is damaged (%s)%s; rebuilding it.", damage.path, damage.reason, kept)
            return None
        if write_report is not None:
            self._mend_report(result, write_report)
        return result

    def _mend_report(self, result: Result, write_report: Report) -> None:
        """Rewrite a report that is damaged or missing or that lacks figures; on failure, only warn."""
        damaged = as_written(self.path, REPORT) is False
        if not damaged and (result_entry(self.path, UNDRAWN) is None or self.read_only):
            return
        report = self.path / REPORT
        try:
            if self.read_only is not None:
                raise self.read_only
            self._save_report(result, write_report)
        except UserError as error:
            _log.warning("'%s' %s: %s", report, "is damaged" if damaged else "lacks figures", error)
        else:
            if damaged:
                _log.warning("'%s' was damaged or missing and has been rewritten.", report)

    def save(self, result: Result, write_report: Report | None, schema: Any = None) -> None:
        """Write rows (with `schema`, if given), report and, finally, the result, which marks the run as finished."""
        # Rows written by an earlier version may have other columns.
        fits = schema is not None and schema.names == list(result.rows.columns)
        self._write(ROWS, lambda target: result.rows.to_parquet(target, index=False, schema=schema if fits else None))
        if result.controls is not None:
            controls = result.controls
            self._write(CONTROLS, lambda target: controls.to_parquet(target, index=False))
        self._save_report(result, write_report)

    def _save_report(self, result: Result, write_report: Report | None) -> None:
        """Write the report, then the result with the report's checksum."""
        undrawn: list[str | None] = [None]
        if write_report is not None:
            self._write(REPORT, lambda target: undrawn.append(write_report(result, target)))
        self._write(RESULT, result_bytes(result, self.path, undrawn[-1]))

    def _write(self, name: str, content: bytes | Callable[[Path], Any]) -> None:
        """Write one of the run's files, setting aside anything in its place that is not a regular file."""
        if what_is_there(self.path / name) not in (None, MISSING):
            set_aside(self.path / name)
        write_whole(self.path / name, content)

    def close(self) -> None:
        """Release the folder."""
        if "journal" in self.__dict__:
            self.journal.close()
        if self._lock is not None:
            os.close(self._lock)

    def __enter__(self) -> "RunFolder":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
