"""How a run is stored: its folder, its journal, its signature."""

from typing import TYPE_CHECKING

from genderscope.doors import door

if TYPE_CHECKING:
    from genderscope.runs.files import MISSING, csv_file, require_place, what_is_there, write_whole
    from genderscope.runs.folder import RunFolder, is_finished, read_config, record, require_room, state_of
    from genderscope.runs.journal import Journal
    from genderscope.runs.lock import output_locked
    from genderscope.runs.plot import Plot
    from genderscope.runs.result import Result, estimates_to_frame
    from genderscope.runs.signature import signature
    from genderscope.runs.stored import DamagedRunError, load_run, reading, require_folders, require_runs

__all__ = [
    "MISSING",
    "DamagedRunError",
    "Journal",
    "Plot",
    "Result",
    "RunFolder",
    "csv_file",
    "estimates_to_frame",
    "is_finished",
    "load_run",
    "output_locked",
    "read_config",
    "reading",
    "record",
    "require_folders",
    "require_place",
    "require_room",
    "require_runs",
    "signature",
    "state_of",
    "what_is_there",
    "write_whole",
]

__getattr__ = door(
    __name__,
    {
        "DamagedRunError": "stored",
        "Journal": "journal",
        "MISSING": "files",
        "Plot": "plot",
        "Result": "result",
        "RunFolder": "folder",
        "csv_file": "files",
        "estimates_to_frame": "result",
        "is_finished": "folder",
        "load_run": "stored",
        "output_locked": "lock",
        "read_config": "folder",
        "reading": "stored",
        "record": "folder",
        "require_folders": "stored",
        "require_place": "files",
        "require_room": "folder",
        "require_runs": "stored",
        "signature": "signature",
        "state_of": "folder",
        "what_is_there": "files",
        "write_whole": "files",
    },
)
