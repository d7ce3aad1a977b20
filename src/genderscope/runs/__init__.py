"""Storage of runs: folder, journal and signature."""

from typing import TYPE_CHECKING

from genderscope.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from .age import (
        AGAIN as AGAIN,
        ASKED as ASKED,
        STARTED as STARTED,
        age_of as age_of,
        asked_part as asked_part,
        days_of as days_of,
        how_to_ask_again as how_to_ask_again,
        in_words as in_words,
        moment_of as moment_of,
        when_given as when_given,
    )
    from .earlier import (
        holds_answers as holds_answers,
        keep_earlier as keep_earlier,
        replaced_by as replaced_by,
        without_earlier as without_earlier,
    )
    from .files import (
        MISSING as MISSING,
        csv_file as csv_file,
        require_place as require_place,
        spreadsheet_csv as spreadsheet_csv,
        what_is_there as what_is_there,
        write_whole as write_whole,
    )
    from .folder import Report as Report, RunFolder as RunFolder
    from .journal import Journal as Journal
    from .lock import output_locked as output_locked
    from .plot import Plot as Plot
    from .result import Result as Result, estimates_to_frame as estimates_to_frame
    from .signatures import signature as signature
    from .loading import (
        load_run as load_run,
        reading as reading,
        require_folders as require_folders,
        require_runs as require_runs,
    )
    from .run_files import (
        DamagedRunError as DamagedRunError,
        read_config as read_config,
        record as record,
        recorded as recorded,
        run_folder as run_folder,
    )
    from .run_state import is_finished as is_finished, require_room as require_room, state_of as state_of

__getattr__, __dir__ = lazy_exports(__name__)
