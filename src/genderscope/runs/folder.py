"""The folder of a run: its configuration, its journal, and in the end its result, never half-written.

run.json       configuration, versions, checksums, model, seed     journal.sqlite   answers, as they came
rows.parquet   one row a sample and question                       result.json      the estimates
report.html    the same for people
"""

import fcntl
import json
import os
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any

from genderscope.errors import UserError
from genderscope.runs.journal import Journal
from genderscope.runs.result import Result, estimates_to_frame
from genderscope.statistics.estimate import Estimate


class RunFolder:
    """A run's folder, held by one process at a time."""

    def __init__(self, path: Path, config: dict[str, Any]) -> None:
        self.path = path
        self._lock = self._take()
        try:
            self._check(config)
        except BaseException:
            os.close(self._lock)
            raise

    @cached_property
    def journal(self) -> Journal:
        """The answers so far; opened when it is first needed, since a finished run needs none."""
        return Journal(self.path / "journal.sqlite")

    def _take(self) -> int:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            lock = os.open(self.path / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise UserError(
                f"The run folder '{self.path}' cannot be written ({error.strerror}); choose another with --out."
            ) from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(lock)
            raise UserError(
                f"Another process is working in '{self.path}'; wait for it or choose another folder with --out."
            ) from None
        return lock

    def _check(self, config: dict[str, Any]) -> None:
        """Write the configuration of a new run; refuse a folder that holds a run of another configuration."""
        path = self.path / "run.json"
        if not path.exists():
            write_whole(path, json.dumps(config, ensure_ascii=False, indent=1).encode())
            return
        kept = read_config(self.path)
        for key, value in config["configuration"].items():
            if kept["configuration"].get(key) != value:
                raise UserError(
                    f"'{self.path}' holds a run with {key} = {kept['configuration'].get(key)!r}, not {value!r}; "
                    "choose another folder with --out."
                )

    def record(self, **entries: Any) -> None:
        """Add to run.json what is known only once the model is loaded."""
        config = read_config(self.path)
        config.update(entries)
        write_whole(self.path / "run.json", json.dumps(config, ensure_ascii=False, indent=1).encode())

    @property
    def finished(self) -> bool:
        """Whether the result has been written."""
        return (self.path / "result.json").is_file()

    def save(self, result: Result, write_report: Callable[[Result, Path], None]) -> None:
        """Write rows, report and last the result: its presence says that the run is finished."""
        write_whole(self.path / "rows.parquet", lambda target: result.rows.to_parquet(target, index=False))
        write_whole(self.path / "report.html", lambda target: write_report(result, target))
        write_whole(self.path / "result.json", result.to_json().encode())

    def close(self) -> None:
        """Let go of the folder."""
        if "journal" in self.__dict__:
            self.journal.close()
        os.close(self._lock)

    def __enter__(self) -> "RunFolder":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def write_whole(path: Path, content: bytes | Callable[[Path], Any]) -> None:
    """Write a file aside and rename it, so that it is there whole or not at all."""
    aside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        if callable(content):
            content(aside)
        else:
            aside.write_bytes(content)
        aside.replace(path)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else " ".join(str(error).split())[:200]
        raise UserError(
            f"'{path}' cannot be written ({reason}); mend that, for example by making space, and give the same "
            "command again: nothing that was there is lost."
        ) from None
    finally:
        aside.unlink(missing_ok=True)


def read_config(path: Path) -> dict[str, Any]:
    """Read the run.json of a folder."""
    try:
        config: dict[str, Any] = json.loads((path / "run.json").read_bytes())
    except FileNotFoundError:
        raise UserError(
            f"There is no run in '{path}' (no run.json); give the folder that 'genderscope run' printed."
        ) from None
    except (OSError, ValueError):
        raise UserError(
            f"'{path / 'run.json'}' cannot be read as JSON; the run must be made again in a new folder."
        ) from None
    return config


def load_run(path: Path | str) -> Result:
    """Load the result of a finished run."""
    import pandas as pd

    folder = Path(path)
    config = read_config(folder)
    try:
        content = json.loads((folder / "result.json").read_bytes())
    except FileNotFoundError:
        raise UserError(
            f"The run in '{folder}' is not finished; resume it with the command that started it: {config['command']}"
        ) from None
    estimates = estimates_to_frame([Estimate(**e) for e in content["estimates"]])
    rows = pd.read_parquet(folder / "rows.parquet")
    cautions = tuple(content["cautions"])
    return Result(
        content["measure"], estimates, rows, content["signature"], content["summary"], cautions, config, folder
    )
