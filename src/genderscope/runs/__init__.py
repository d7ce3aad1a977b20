"""Storage of runs: folder, journal and signature."""

from typing import TYPE_CHECKING

from genderscope.util.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from .run_record import AGAIN as AGAIN, ASKED as ASKED, STARTED as STARTED, age_of as age_of
    from .run_record import asked_part as asked_part, days_of as days_of, how_to_ask_again as how_to_ask_again
    from .run_record import in_words as in_words, moment_of as moment_of, oldest_answer as oldest_answer
    from .run_record import when_given as when_given
    from .atomic_files import MISSING as MISSING, csv_file as csv_file, require_place as require_place
    from .atomic_files import spreadsheet_csv as spreadsheet_csv, what_is_there as what_is_there
    from .atomic_files import write_whole as write_whole
    from .run_record import CHAT_OPTIONS as CHAT_OPTIONS, HASHED as HASHED, chat_options_of as chat_options_of
    from .run_record import recorded_configuration as recorded_configuration
    from .folder import Report as Report, RunFolder as RunFolder
    from .atomic_files import output_locked as output_locked
    from .journal import Journal as Journal
    from .loading import Run as Run, is_checked as is_checked, listed_runs as listed_runs, load_run as load_run
    from .loading import loaded as loaded, read_result as read_result
    from .loading import reading as reading, require_folders as require_folders, require_runs as require_runs
    from .plot import Plot as Plot
    from .run_record import CALL as CALL, recorded_model as recorded_model
    from .run_record import recorded_options as recorded_options
    from .replaced_runs import holds_answers as holds_answers, keep_earlier as keep_earlier, replaced_by as replaced_by
    from .replaced_runs import without_earlier as without_earlier
    from .result import Result as Result, estimates_to_frame as estimates_to_frame
    from .run_files import DamagedRunError as DamagedRunError, read_config as read_config, record as record
    from .run_files import CONFIG as CONFIG, JOURNAL as JOURNAL, REPORT as REPORT, RESULT as RESULT, ROWS as ROWS
    from .run_files import as_written as as_written, recorded as recorded, run_folder as run_folder
    from .run_state import QUESTIONS as QUESTIONS, RunProgress as RunProgress, progress_of as progress_of
    from .run_state import is_finished as is_finished, require_room as require_room, state_of as state_of
    from .served_models import other_models as other_models
    from .served_models import require_requested_model as require_requested_model
    from .run_record import signature as signature

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__)
