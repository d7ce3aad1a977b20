"""Logs of tasks that genderscope exported, read by the measure that wrote their questions."""

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from genderscope.core.questions import ReplyAnswer
from genderscope.exporting import (
    INSPECT,
    LM_EVAL,
    MeasureTask,
    Request,
    Response,
    inspect_reply,
    part_of,
    reply_value,
    task_of,
)
from genderscope.importing.inspect_log import completion, stop_reason
from genderscope.importing.lm_eval_log import log_likelihoods, reply
from genderscope.importing.log import ImportedRows, Log, ToolNumber
from genderscope.importing.log_node import Node
from genderscope.models import without_thoughts

NO_TOKENS = "token counts and the size of the vocabulary, so that the likelihood gain is unknown"
NO_END = "why a reply ended"
FAILED = "the tool reports an error"
TIES = "a share over all questions, where a tie counts for the first option; ours is in the table"
UNWEIGHTED = "a mean over all replies that were read, without our weights"
#: setting of the harness -> ours
SAMPLING = {"temperature": "temperature", "top_p": "top_p", "max_gen_toks": "max_tokens"}

#: a sample's position, and the position of the first question that a request belongs to
Place = tuple[int, int]


def import_exported_lm_eval(log: Log) -> ImportedRows:
    """Return the rows of a task that was exported to lm-evaluation-harness."""
    task = _task(LM_EVAL, log)
    responses = _responses(log.records, task, _place_in_doc, _reply if task.replies else _likelihoods)
    number = _harness_number(log, task)
    sampling = _harness_sampling(log.records[0]) if task.replies else {}
    return _imported(log, task, responses, sampling, [number], NO_END if task.replies else NO_TOKENS)


def import_exported_inspect(log: Log) -> ImportedRows:
    """Return the rows of a task that was exported to Inspect; of several epochs, the first is used."""
    task = _task(INSPECT, log)
    first = [sample for sample in log.records if sample.at("epoch").whole() == 1]
    responses = _responses(first, task, _place_in_sample, _completion)
    sampling = {name: log.settings[name] for name in ("temperature", "top_p", "max_tokens") if name in log.settings}
    more = len(log.records) - len(first)
    cautions = [f"Only the first epoch is used; {more:,} further answers are not."] if more else []
    imported = _imported(log, task, responses, sampling, [], None, cautions)
    return imported if more else replace(imported, numbers=_inspect_numbers(log, task, imported.rows))


def _task(tool: str, log: Log) -> MeasureTask:
    """Rebuild the task, whose description is checked field by field."""
    assert log.exported is not None
    log.exported.at("layout").whole()
    log.exported.at("measure").text()
    for name in ("options", "sampling", "data"):
        log.exported.at(name).fields()
    return task_of(tool, log.exported.value)


def _responses(
    records: Sequence[Node],
    task: MeasureTask,
    place_of: Callable[[Node], tuple[Node, str]],
    respond: Callable[[Node, Request], Response],
) -> dict[Place, Response]:
    """Return the response to each request; raise if a record's text is not the request's."""
    asked = {(k, request.question): request for k, request in task.requests()}
    responses: dict[Place, Response] = {}
    for record in records:
        about, name = place_of(record)
        place = about.at("sample").whole(), about.at("question").whole()
        text = record.at(*name.split("."))
        if place not in asked or text.text() != asked[place].text:
            raise text.error("is not the question that the exported task has here")
        if place in responses:
            raise text.error("occurs twice")
        responses[place] = respond(record, asked[place])
    return responses


def _place_in_doc(record: Node) -> tuple[Node, str]:
    return record.at("doc"), "doc.text"


def _place_in_sample(record: Node) -> tuple[Node, str]:
    return record.at("metadata"), "input"


def _likelihoods(record: Node, request: Request) -> tuple[float, ...]:
    """Return the log-likelihoods; raise if the harness put something else before or after the text."""
    scores = log_likelihoods(record)
    if len(scores) != len(request.continuations):
        raise record.at("filtered_resps").error(f"has {len(scores)} entries, not {len(request.continuations)}")
    for k, continuation in enumerate(request.continuations):
        before, after = (record.at("arguments", f"gen_args_{k}", f"arg_{i}") for i in (0, 1))
        if before.text() != request.text:
            raise before.error("is not the question alone; run the task without a chat template and without examples")
        if after.text() != continuation:
            raise after.error("is not the continuation that the exported task has here")
    return tuple(scores)


def _reply(record: Node, request: Request) -> ReplyAnswer:
    prompt = record.at("arguments", "gen_args_0", "arg_0")
    if prompt.value == request.text:
        raise prompt.error("is the question without a chat template; run the task with --apply_chat_template")
    text, thought = without_thoughts(reply(record))
    return ReplyAnswer(text, thought)


def _completion(record: Node, request: Request) -> ReplyAnswer:
    if record.maybe("error") is not None:
        return ReplyAnswer(None, unread=FAILED)
    return inspect_reply(completion(record), stop_reason(record))


def _harness_sampling(record: Node) -> dict[str, Any]:
    """Return the settings with which replies were generated, which --gen_kwargs may have changed."""
    given = record.at("arguments", "gen_args_0", "arg_1").fields()
    sampling = {ours: given[name].number() for name, ours in SAMPLING.items() if name in given}
    sampled = "do_sample" in given and given["do_sample"].flag()
    return sampling if sampled else sampling | {"temperature": 0.0}


def _harness_number(log: Log, task: MeasureTask) -> ToolNumber:
    """Return the harness's metric, recomputed from the log."""
    (metric, reported), *_ = log.reported.items()
    if task.replies:
        replied = [bool(reply(record).strip()) for record in log.records]
        return ToolNumber(
            metric, reported, sum(replied) / len(replied), None, "the share of replies that are not empty"
        )
    counted = [(record.at("doc", "target").whole(), log_likelihoods(record)) for record in log.records]
    hits = [scores.index(max(scores)) == target for target, scores in counted if target >= 0]
    return ToolNumber(metric, reported, sum(hits) / len(hits) if hits else None, None, TIES)


def _inspect_numbers(log: Log, task: MeasureTask, rows: Sequence[Any]) -> list[ToolNumber]:
    """Return the means that the exported scorer reports, recomputed from the rows."""
    samples = {sample.index: sample for sample in task.measure.samples}
    values: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        sample = samples[row.sample]
        if (value := reply_value(row, sample)) is not None:
            values[f"mean_{part_of(sample)}"].append(value)
    reported = {metric.rpartition("/")[2]: value for metric, value in log.reported.items()}
    return [
        ToolNumber(name, reported.get(name), math.fsum(scores) / len(scores), None, UNWEIGHTED)
        for name, scores in values.items()
    ]


def _imported(
    log: Log,
    task: MeasureTask,
    responses: Mapping[Place, Response],
    sampling: Mapping[str, Any],
    numbers: Sequence[ToolNumber],
    lacks: str | None,
    cautions: Sequence[str] = (),
) -> ImportedRows:
    """Return the rows of all samples whose requests have a response."""
    wanted: dict[int, list[Place]] = {k: [] for k in range(len(task.measure.samples))}
    for k, request in task.requests():
        wanted[k].append((k, request.question))
    complete = [k for k, places in wanted.items() if all(place in responses for place in places)]
    if not any(wanted[k] for k in complete):
        raise log.records[0].error("belongs to a sample for which the log does not have all answers")
    missing = len(wanted) - len(complete)
    data = task.measure.data()
    if missing:
        data = data | {"name": f"{data['name']}:{len(complete)}", "samples": len(complete)}
    left_out = [f"{missing:,} samples are left out because the log does not have all their answers."] if missing else []
    return ImportedRows(
        measure=task.measure.id,
        options=task.description["options"],
        rows=[row for k in complete for row in task.rows(k, [responses[place] for place in wanted[k]])],
        data=data,
        settings=task.measure.settings() | {name: f"{value:g}" for name, value in sampling.items()},
        numbers=numbers,
        cautions=[*cautions, *left_out],
        lacks=[lacks] if lacks else [],
        bound=task.measure,
    )
