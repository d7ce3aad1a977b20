"""Probes of GenderBench as runs of `bbq`, `gest-chat` and `decisions`, and its own metrics recomputed.

A log holds prompts and answers, but neither BBQ's templates nor the decisions, occupations and conflicts behind the
prompts. These are looked up in the released data, which has the same prompts.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

from genderscope.core.questions import ReplyAnswer
from genderscope.importing.bbq_questions import Questions
from genderscope.importing.genderbench_log import Attempt, attempts, recomputes
from genderscope.importing.log import ImportedRows, Log, ToolNumber, known_metrics
from genderscope.importing.log_node import Node
from genderscope.measures import frame_of
from genderscope.measures.bbq import BbqRow, chat_prompt
from genderscope.measures.bbq import reply_row as bbq_row
from genderscope.measures.decisions import DecisionRow
from genderscope.measures.decisions import reply_row as decision_row
from genderscope.measures.gest_chat import GestChatRow, Wording, built_in, digest
from genderscope.measures.gest_chat import reply_row as chat_row
from genderscope.measures.published import bbq_metrics, decision_metrics, gest_metrics
from genderscope.samples.bbq import KINDS
from genderscope.samples.bbq import load_released as load_bbq
from genderscope.samples.decisions import DecisionSample, Probe
from genderscope.samples.decisions import load_released as load_decisions
from genderscope.samples.gest import STEREOTYPES, GestSample
from genderscope.statistics.estimate import Estimate

#: probe -> the form in which it asks
GEST_PROBES = {"GestProbe": "ask", "GestCreativeProbe": "write"}
#: probe -> its name here
DECISION_PROBES: dict[str, Probe] = {
    "JobsLumProbe": "jobs",
    "InventoriesProbe": "inventories",
    "DiscriminationTamkinProbe": "discrimination",
    "RelationshipLevyProbe": "relationships",
}
BBQ_PROBE = "BbqProbe"


def import_gest(log: Log) -> ImportedRows:
    """Return the rows of the probe about who says a sentence, or of the one that writes about characters."""
    form, state = GEST_PROBES[log.task], log.records[0]
    wording = built_in("en", form, 1, True)[0]
    samples: dict[int, GestSample] = {}
    answered: list[tuple[Attempt, Sequence[str] | None]] = []
    for attempt in attempts(state):
        order = None if form == "write" else [option.text() for option in attempt.details.at("options").items()]
        stereotype = attempt.about.at("stereotype_id")
        if stereotype.whole() not in STEREOTYPES:
            raise stereotype.error("is not a stereotype of GEST, from 1 to 16")
        sentence = _sentence(attempt, wording, order)
        samples[attempt.item] = GestSample(attempt.item, sentence, stereotype.whole())
        answered.append((attempt, order))

    def rows(as_published: bool) -> list[GestChatRow]:
        return [
            replace(
                chat_row(samples[a.item], wording, order, ReplyAnswer(text=a.answer), "en", as_published), draw=a.draw
            )
            for a, order in answered
        ]

    contents = [[sample.sentence, sample.stereotype] for sample in samples.values()]
    return ImportedRows(
        measure="gest-chat",
        options={"form": form},
        rows=rows(False),
        data=_data("gest-log", contents),
        settings={"form": form, "wordings": f"1-{digest([wording])}"},
        numbers=_numbers(log, state, gest_metrics(rows(True), form)),
    )


def _sentence(attempt: Attempt, wording: Wording, order: Sequence[str] | None) -> str:
    """Return the sentence in a prompt; raise if the rest of the prompt is not GenderBench's default."""
    marked = wording.ask("\0", order) if order is not None else wording.ask("\0")
    before, _, after = marked.partition("\0")
    text = attempt.prompt
    if not (text.startswith(before) and text.endswith(after)):
        raise attempt.details.error("belongs to a prompt with another wording than the default one")
    return text[len(before) : len(text) - len(after)]


def import_genderbench_bbq(log: Log) -> ImportedRows:
    """Return the rows of the probe about BBQ's questions."""
    state = log.records[0]
    samples_by_prompt = {
        chat_prompt(sample, order, "genderbench"): (sample, order)
        for sample in load_bbq("bbq", "en", False).samples
        for order in permutations(KINDS)
    }
    answered = _looked_up(attempts(state), samples_by_prompt, "BBQ")
    own, published = (
        [
            bbq_row(replace(sample, index=a.item), order, ReplyAnswer(text=a.answer), published=variant)
            for a, (sample, order) in answered
        ]
        for variant in (None, "genderbench")
    )
    if any(a.draw for a, _ in answered):
        own = [row for row, (a, _) in zip(own, answered, strict=True) if a.draw == 0]
    metrics = bbq_metrics(frame_of(published, BbqRow), 0)
    samples = {a.item: replace(sample, index=a.item) for a, (sample, _) in answered}
    left_out = ["Only the first answer to each prompt is used."] if len(own) < len(answered) else []
    return replace(
        Questions(samples, {}).imported(log, own, _numbers(log, state, metrics), cautions=left_out),
        data=Questions(samples, {}).data("bbq-log"),
    )


def import_decisions(log: Log) -> ImportedRows:
    """Return the rows of one of the probes about decisions and characters."""
    state, probe = log.records[0], DECISION_PROBES[log.task]
    samples_by_prompt: dict[str, list[DecisionSample]] = {}
    for sample in load_decisions((probe,)).samples:
        samples_by_prompt.setdefault(sample.prompt, []).append(sample)
    answered = _looked_up(attempts(state), samples_by_prompt, "GenderBench 1.1.0")
    samples_by_item = _told_apart(answered)
    own, published = (
        [
            decision_row(samples_by_item[a.item, a.prompt], a.draw, ReplyAnswer(text=a.answer), as_published)
            for a, _ in answered
        ]
        for as_published in (False, True)
    )
    metrics = [e.with_keys(subset=None) for e in decision_metrics(frame_of(published, DecisionRow), 0)]
    contents = sorted({(row.item, row.gender or "", row.order or "", row.prompt) for row in own})
    return ImportedRows(
        measure="decisions",
        options={"probes": (probe,)},
        rows=own,
        data=_data(f"{probe}-log", contents),
        settings={"probes": probe},
        numbers=_numbers(log, state, metrics),
    )


def _told_apart(answered: Iterable[tuple[Attempt, Sequence[DecisionSample]]]) -> dict[tuple[int, str], DecisionSample]:
    """Return the sample of each item's prompts; some traits are in several inventories, or twice in one of them."""
    samples_by_item: dict[tuple[int, str], DecisionSample] = {}
    taken: set[str] = set()
    for attempt, samples in answered:
        key = attempt.item, attempt.prompt
        if key in samples_by_item:
            continue
        source = attempt.about.maybe("source")
        fitting = [sample for sample in samples if source is None or sample.source == source.text()]
        if not fitting:
            raise attempt.about.error("names an inventory without this trait")
        samples_by_item[key] = next(
            (sample for sample in fitting if f"{sample.item} {key[1]}" not in taken), fitting[0]
        )
        taken.add(f"{samples_by_item[key].item} {key[1]}")
    return samples_by_item


def _looked_up(
    answers: Iterable[Attempt], samples_by_prompt: Mapping[str, Any], data: str
) -> list[tuple[Attempt, Any]]:
    """Return the answers with what is known about their prompts; raise for a prompt that is not in the data."""
    pairs = []
    for attempt in answers:
        if attempt.prompt not in samples_by_prompt:
            raise attempt.details.error(f"belongs to a prompt that is not in the data of {data}")
        pairs.append((attempt, samples_by_prompt[attempt.prompt]))
    return pairs


def _numbers(log: Log, state: Node, published: Sequence[Estimate]) -> list[ToolNumber]:
    values = {e.name: e for e in published if not e.keys}
    numbers = []
    for name, (estimate, reason) in known_metrics("genderbench", log.task).items():
        reported, computed = log.reported.get(name), values.get(name)
        recomputed: float | tuple[float, float] | None = None
        if computed is not None and isinstance(reported, tuple) and recomputes(state):
            recomputed = None if computed.low is None or computed.high is None else (computed.low, computed.high)
        elif computed is not None and not isinstance(reported, tuple):
            recomputed = computed.value
        numbers.append(ToolNumber(name, reported, recomputed, estimate, reason))
    return numbers


def _data(name: str, contents: Sequence[Any]) -> dict[str, Any]:
    text = json.dumps(list(contents), ensure_ascii=False)
    sha256 = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return {"name": name, "sha256": sha256, "samples": len(contents)}


IMPORTERS: dict[str, Callable[[Log], ImportedRows]] = {
    **dict.fromkeys(GEST_PROBES, import_gest),
    **dict.fromkeys(DECISION_PROBES, import_decisions),
    BBQ_PROBE: import_genderbench_bbq,
}
