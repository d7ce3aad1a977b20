"""A run made from a log: its configuration, with the log's origin, and its result."""

import shlex
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from genderscope.core.errors import SeriousCaution, once_each
from genderscope.evaluation import RUNS, current_versions, folder_name, page_writer
from genderscope.importing.log import ImportedRows, Log, ToolNumber
from genderscope.importing.log_formats import read_rows
from genderscope.judgement import with_symbols
from genderscope.measures import AnyMeasure, Options, frame_of, margins_of, measure_type, parse_options, schema_of
from genderscope.runs import ASKED, STARTED, Result, RunFolder, estimates_to_frame, is_finished, signature
from genderscope.statistics.estimate import Estimate
from genderscope.util import clock

if TYPE_CHECKING:
    from collections.abc import Sequence

#: entry of run.json with the origin of an imported run
IMPORTED = "imported"
SAME = "equal"
#: largest difference between two sums of the same numbers, and from a number that the tool may have rounded
ROUNDING, REPORTED = 1e-9, 1e-6


def import_log(path: Path, out: Path | None = None, model: str | None = None, report: bool = True) -> Result:
    """Turn a log of another tool into a run and return its result; a log that was imported before is only loaded.

    Args:
        path: The log.
        out: The run's folder; by default a subfolder of `runs/` named after measure, model and log.
        model: Name of the model, for a log that does not record it, or to replace a name.
        report: Whether to write report.html.
    """
    log, rows = read_rows(path)
    log = replace(log, model=model or log.model)
    kind = measure_type(rows.measure)
    options = parse_options(kind, rows.options)
    config = _config(kind, options, log, rows)
    folder = out or RUNS / folder_name(kind.id, config)
    named = ["--model", model] if model else []
    config["command"] = shlex.join(["genderscope", "import", str(path), *named, "-o", str(folder)])
    # Everything is computed before the folder is created, so that a log that cannot be used leaves nothing behind.
    made = None if is_finished(folder) else _result(kind, options, log, rows, config, folder)
    with RunFolder(folder, config if made is None else made.config) as opened:
        page = page_writer(report)
        if opened.orphaned:
            opened.adopt(())
        elif (finished := opened.finished(page)) is not None:
            return finished
        result = made or _result(kind, options, log, rows, config, folder)
        opened.record(**result.config)
        opened.save(result, page, schema_of(kind.row_type))
    return result


def _config(kind: type[AnyMeasure], options: Options, log: Log, rows: ImportedRows) -> dict[str, Any]:
    """Return the content of run.json; the log takes the place of the model's fingerprint."""
    named = {
        "name": log.model or f"unknown model ({log.name})",
        "fingerprint": f"log-{log.files[log.name][:8]}",
        "kind": f"log of {log.tool}",
    }
    settings = {**rows.settings, "tool": log.source.replace(" ", "-"), "task": log.task}
    configuration = {
        "measure": kind.id,
        "model": named["name"],
        "fingerprint": named["fingerprint"],
        "data": rows.data["name"],
        "data_sha256": rows.data["sha256"],
        "batch_size": "auto",
        **{k: list(v) if isinstance(v, tuple) else v for k, v in options.model_dump().items()},
        "tool": log.tool,
        "task": log.task,
    }
    return {
        "signature": signature(kind.id, rows.data, named, settings, options.seed),
        "command": "",
        "configuration": configuration,
        "settings": settings,
        "data": dict(rows.data),
        "model": named,
        "citation": kind.citation,
        "margins": margins_of(kind, options),
        "versions": current_versions(),
        STARTED: clock.now().isoformat(),
        ASKED: [log.asked.isoformat() if log.asked is not None else None],
        IMPORTED: {
            "tool": log.tool,
            "version": log.version,
            "task": log.task,
            "files": dict(log.files),
            "settings": dict(log.settings),
            "lacks": [*_missing(log), *log.lacks, *rows.lacks],
        },
    }


def _result(
    kind: type[AnyMeasure], options: Options, log: Log, rows: ImportedRows, config: dict[str, Any], folder: Path
) -> Result:
    measure = rows.bound or kind.for_rows(options)
    frame = frame_of(rows.rows, kind.row_type)
    estimates = with_symbols(kind.symbols, measure.estimates(frame))
    numbers = [_explained(number, estimates) for number in rows.numbers]
    origin = {**config[IMPORTED], "numbers": [asdict(number) for number in numbers]}
    cautions = [
        *_unlike(log, numbers),
        *rows.cautions,
        *measure.cautions(frame, estimates),
        *([f"The log does not record {_series(origin['lacks'])}."] if origin["lacks"] else []),
    ]
    return Result(
        kind.id,
        estimates_to_frame(estimates),
        frame,
        config["signature"],
        measure.summary(estimates),
        once_each(cautions),
        {**config, IMPORTED: origin},
        folder,
    )


def _missing(log: Log) -> list[str]:
    """Return what every log should record and this one does not."""
    recorded = {"the tool's version": log.version, "the model's name": log.model, "when it was asked": log.asked}
    return [what for what, value in recorded.items() if value is None]


def _explained(number: ToolNumber, estimates: "Sequence[Estimate]") -> ToolNumber:
    """Return the number with its reason, or a remark that both are the same if they are."""
    ours = next((e.value for e in estimates if e.name == number.estimate and not e.keys), None)
    if ours is None or not isinstance(number.recomputed, float | int) or abs(ours - number.recomputed) > ROUNDING:
        return number
    return replace(number, reason=SAME)


def _unlike(log: Log, numbers: "Sequence[ToolNumber]") -> list[str]:
    """Return a caveat if the log's responses do not give the numbers that the tool reports."""
    unlike = [
        number.metric
        for number in numbers
        if number.reported is not None
        and number.recomputed is not None
        and not np.allclose(number.reported, number.recomputed, rtol=0, atol=REPORTED)
    ]
    if not unlike:
        return []
    return [
        SeriousCaution(
            f"The responses in the log do not give the {_series(unlike)} that {log.tool} reports: the log was changed "
            "or cut, or it is of a version with another definition."
        )
    ]


def _series(names: "Sequence[str]") -> str:
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)
