"""Logs of lm-evaluation-harness: `samples_TASK_DATE.jsonl`, next to `results_DATE.json` of the same date."""

import hashlib
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from genderscope.core.errors import UserError
from genderscope.core.tables import own_file
from genderscope.importing.log import EXPORTED, Log
from genderscope.importing.log_node import Node, is_finite_number, json_lines, json_node

TOOL = "lm-evaluation-harness"
#: the first and last version whose logs have been compared; earlier ones do not record their version
FIRST, LAST = (0, 4, 9), (0, 4, 13)
WRITER = f"the logs of {TOOL} {'.'.join(map(str, FIRST))} to {'.'.join(map(str, LAST))}"
WHAT = "log"
_SAMPLES = re.compile(r"samples_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(\.\d+)?)\.jsonl(\.gz)?")
#: settings of an evaluation that its results file records
_SETTINGS = ("limit", "gen_kwargs", "batch_size", "random_seed", "fewshot_seed")


def is_lm_eval(path: Path) -> bool:
    """Return whether a file is named like a file of samples."""
    return _SAMPLES.fullmatch(path.name) is not None


def read_lm_eval(path: Path) -> Log:
    """Read a file of samples and the results that belong to it."""
    named = _SAMPLES.fullmatch(path.name)
    assert named is not None
    results, summary = _results(path, named["date"])
    content = own_file(str(path), WHAT)
    task = named["task"]
    version = _version(results)
    reported = {
        metric.removesuffix(",none"): node.number()
        for metric, node in results.at("results", task).fields().items()
        if metric.endswith(",none") and "_stderr" not in metric and is_finite_number(node.value)
    }
    settings = {name: node.value for name in _SETTINGS if (node := results.at("config").maybe(name)) is not None}
    config = results.at("configs").maybe(task)
    metadata = None if config is None else config.maybe("metadata")
    shots = results.at("n-shot").maybe(task)
    settings |= {"num_fewshot": shots.value} if shots is not None else {}
    settings |= {
        name: node.value
        for name in ("system_instruction_sha", "chat_template_sha")
        if (node := results.maybe(name)) is not None
    }
    return Log(
        tool=TOOL,
        version=version,
        task=task,
        model=results.at("model_name").text(),
        files={path.name: hashlib.sha256(content).hexdigest(), summary.name: _sha256(summary)},
        records=_unique(list(_records(content, path))),
        reported=reported,
        asked=_asked(results.at("date")),
        settings=settings,
        lacks=("the model's weights or version",),
        exported=None if metadata is None else metadata.maybe(EXPORTED),
    )


def _asked(date: Node) -> datetime:
    try:
        return datetime.fromtimestamp(date.number()).astimezone()
    except (ValueError, OverflowError, OSError):
        raise date.error("is not a date in seconds") from None


def _results(path: Path, date: str) -> tuple[Node, Path]:
    """Return the results of the evaluation that wrote the samples."""
    summary = next(
        (p for p in (path.with_name(f"results_{date}.json{end}") for end in ("", ".gz")) if p.exists()), None
    )
    if summary is None:
        raise UserError(
            f"'{path}' needs 'results_{date}.json' in the same folder, which records model and version; {TOOL} writes "
            "both files."
        )
    advice = f"copy it again from the output of {TOOL}"
    return json_node(own_file(str(summary), WHAT), f"'{summary}'", WRITER, advice), summary


def _sha256(path: Path) -> str:
    return hashlib.sha256(own_file(str(path), WHAT)).hexdigest()


def _version(results: Node) -> str:
    node = results.at("lm_eval_version")
    version = node.text()
    numbers = tuple(int(part) for part in re.findall(r"\d+", version)[:3])
    if not FIRST <= numbers <= LAST:
        raise node.error(f"is '{version[:40]}'")
    return version


def _records(content: bytes, path: Path) -> Iterator[Node]:
    if not content.strip():
        raise UserError(f"'{path}' is empty; it should contain one line per sample.")
    for record in json_lines(content, path, WRITER, f"copy the file again from the output of {TOOL}"):
        record.at("doc_id").whole()
        record.at("doc").fields()
        record.at("filtered_resps").items()
        yield record


def _unique(records: list[Node]) -> list[Node]:
    """Raise if a document occurs twice, as in a file to which two evaluations were appended."""
    seen: set[tuple[int, str]] = set()
    for record in records:
        name = record.maybe("filter")
        key = (record.at("doc_id").whole(), name.text() if name is not None else "")
        if key in seen:
            raise record.at("doc_id").error("occurs twice")
        seen.add(key)
    return records


def log_likelihoods(record: Node) -> list[float]:
    """Return the log-likelihoods of a document's choices."""
    return [response.at(0).number() for response in record.at("filtered_resps").items()]


def reply(record: Node) -> str:
    """Return the text that was generated for a document."""
    return record.at("filtered_resps", 0).text()
