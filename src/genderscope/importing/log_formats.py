"""The known formats of logs, and the measures that their tasks belong to."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from genderscope.core.errors import UserError, unknown
from genderscope.importing.exported_tasks import import_exported_inspect, import_exported_lm_eval
from genderscope.importing.genderbench_log import is_genderbench, read_genderbench
from genderscope.importing.genderbench_probes import IMPORTERS
from genderscope.importing.inspect_log import is_inspect, read_inspect
from genderscope.importing.inspect_tasks import import_inspect_bbq, import_stereoset
from genderscope.importing.lm_eval_bbq import BBQ_TASKS, ESBBQ_TASKS, import_bbq, import_esbbq
from genderscope.importing.lm_eval_items import (
    CROWS_TASKS,
    DISCRIM_TASKS,
    WINOGENDER_TASKS,
    import_crows,
    import_discrim,
    import_winogender,
)
from genderscope.importing.lm_eval_log import is_lm_eval, read_lm_eval
from genderscope.importing.log import ImportedRows, Log
from genderscope.importing.plain_log import import_plain, is_plain, read_plain

Importer = Callable[[Log], ImportedRows]


@dataclass(frozen=True)
class Format:
    """A format of logs: how a file is recognised and read, and the tasks whose rows are known."""

    recognises: Callable[[Path], bool]
    read: Callable[[Path], Log]
    tasks: Mapping[str, Importer]
    #: for tasks with any other name
    otherwise: Importer | None = None
    #: for tasks that genderscope exported
    exported: Importer | None = None


FORMATS = (
    Format(
        is_lm_eval,
        read_lm_eval,
        {
            **dict.fromkeys(BBQ_TASKS, import_bbq),
            **dict.fromkeys(ESBBQ_TASKS, import_esbbq),
            **dict.fromkeys(CROWS_TASKS, import_crows),
            **dict.fromkeys(WINOGENDER_TASKS, import_winogender),
            **dict.fromkeys(DISCRIM_TASKS, import_discrim),
        },
        exported=import_exported_lm_eval,
    ),
    Format(
        is_inspect,
        read_inspect,
        {"bbq": import_inspect_bbq, "stereoset": import_stereoset},
        exported=import_exported_inspect,
    ),
    Format(is_genderbench, read_genderbench, IMPORTERS),
    Format(is_plain, read_plain, {}, import_plain),
)


def is_log(path: Path) -> bool:
    """Return whether a path is a log of a known format, judging by name and first bytes."""
    return path.is_file() and _format_of(path) is not None


def logs_in(folder: Path) -> list[Path]:
    """Return the logs in a folder, recursively."""
    return sorted(path for path in folder.rglob("*") if is_log(path))


def read_rows(path: Path) -> tuple[Log, ImportedRows]:
    """Read a log and the rows that it contains; raise a UserError if its format or task is unknown."""
    if not path.exists():
        raise UserError(f"There is no log '{path}'; give a file that another tool wrote.")
    log_format = _format_of(path)
    if log_format is None:
        raise UserError(
            f"'{path}' is not a log of a known format; give a log of lm-evaluation-harness (samples_TASK_DATE.jsonl), "
            "Inspect (.eval, .json) or GenderBench (PROBE_UUID.jsonl), or JSONL that begins with "
            '{"genderscope": 1, …}.'
        )
    log = log_format.read(path)
    importer = log_format.tasks.get(log.task, log_format.otherwise) if log.exported is None else log_format.exported
    if importer is None:
        raise unknown(f"task of {log.tool}", log.task, list(log_format.tasks))
    return log, importer(log)


def _format_of(path: Path) -> Format | None:
    return next((log_format for log_format in FORMATS if log_format.recognises(path)), None)
