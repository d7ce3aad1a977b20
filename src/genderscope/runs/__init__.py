"""How a run is stored: its folder, its journal, its signature."""

from typing import TYPE_CHECKING

from genderscope.doors import door

if TYPE_CHECKING:
    from genderscope.runs.age import (
        AGAIN,
        ASKED,
        STARTED,
        age_of,
        asked_part,
        days_of,
        how_to_ask_again,
        in_words,
        moment_of,
        when_given,
    )
    from genderscope.runs.earlier import holds_answers, keep_earlier, replaced_by, without_earlier
    from genderscope.runs.files import MISSING, csv_file, require_place, spreadsheet_csv, what_is_there, write_whole
    from genderscope.runs.folder import (
        Report,
        RunFolder,
        is_finished,
        read_config,
        record,
        recorded,
        require_room,
        state_of,
    )
    from genderscope.runs.journal import Journal
    from genderscope.runs.lock import output_locked
    from genderscope.runs.plot import Plot
    from genderscope.runs.result import Result, estimates_to_frame
    from genderscope.runs.signature import signature
    from genderscope.runs.stored import DamagedRunError, load_run, reading, require_folders, require_runs, run_folder

__all__ = [
    "AGAIN",
    "ASKED",
    "MISSING",
    "STARTED",
    "DamagedRunError",
    "Journal",
    "Plot",
    "Report",
    "Result",
    "RunFolder",
    "age_of",
    "asked_part",
    "csv_file",
    "days_of",
    "estimates_to_frame",
    "holds_answers",
    "how_to_ask_again",
    "in_words",
    "is_finished",
    "keep_earlier",
    "load_run",
    "moment_of",
    "output_locked",
    "read_config",
    "reading",
    "record",
    "recorded",
    "replaced_by",
    "require_folders",
    "require_place",
    "require_room",
    "require_runs",
    "run_folder",
    "signature",
    "spreadsheet_csv",
    "state_of",
    "what_is_there",
    "when_given",
    "without_earlier",
    "write_whole",
]

__getattr__ = door(
    __name__,
    {
        "AGAIN": "age",
        "ASKED": "age",
        "DamagedRunError": "stored",
        "Journal": "journal",
        "MISSING": "files",
        "Plot": "plot",
        "Report": "folder",
        "Result": "result",
        "RunFolder": "folder",
        "STARTED": "age",
        "age_of": "age",
        "asked_part": "age",
        "csv_file": "files",
        "days_of": "age",
        "estimates_to_frame": "result",
        "holds_answers": "earlier",
        "how_to_ask_again": "age",
        "in_words": "age",
        "is_finished": "folder",
        "keep_earlier": "earlier",
        "load_run": "stored",
        "moment_of": "age",
        "output_locked": "lock",
        "read_config": "folder",
        "reading": "stored",
        "record": "folder",
        "recorded": "folder",
        "replaced_by": "earlier",
        "require_folders": "stored",
        "require_place": "files",
        "require_room": "folder",
        "require_runs": "stored",
        "run_folder": "stored",
        "signature": "signature",
        "spreadsheet_csv": "files",
        "state_of": "folder",
        "what_is_there": "files",
        "when_given": "age",
        "without_earlier": "earlier",
        "write_whole": "files",
    },
)
