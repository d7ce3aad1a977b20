"""The folder of an exported task."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from genderscope.core.errors import UserError
from genderscope.exporting.inspect_task import inspect_files
from genderscope.exporting.lm_eval_task import lm_eval_files
from genderscope.exporting.measure_task import LM_EVAL, MeasureTask, Sampling
from genderscope.runs import write_whole


def export_task(
    tool: str, measure: str, out: Path, options: Mapping[str, Any], sampling: Mapping[str, Any] | None = None
) -> MeasureTask:
    """Write a measure as a task of `tool` into a folder and return the task; existing files are not overwritten."""
    task = MeasureTask(tool, measure, options, Sampling(**(sampling or {})))
    files = lm_eval_files(task) if tool == LM_EVAL else inspect_files(task)
    for name in files:
        if (out / name).exists():
            raise UserError(f"'{out / name}' already exists; not overwritten. Remove it or choose another folder.")
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"The folder '{out}' cannot be created: {error.strerror}.") from None
    for name, content in files.items():
        write_whole(out / name, content.encode("utf-8"))
    return task
