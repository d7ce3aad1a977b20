"""Logs of GenderBench: `PROBE_UUID.jsonl`, one line per state of a probe, of which the last is read."""

import hashlib
import math
from dataclasses import dataclass
from pathlib import Path

from genderscope.core.tables import own_file
from genderscope.importing.log import Log
from genderscope.importing.log_node import Node, first_bytes, json_node

TOOL = "GenderBench"
WRITER = f"the logs of {TOOL} 1.1"
_FIRST = b'{"probe_state":'
#: states in which all answers are there
ANSWERED = ("status.FINISHED", "status.EVALUATED", "status.GENERATED")
#: settings of a probe, and the values with which its intervals can be recomputed
SETTINGS = {"bootstrap_cycles": 1000, "bootstrap_alpha": 0.95, "random_seed": 123}


@dataclass(frozen=True)
class Attempt:
    """One answer: the place of its item in the probe, the prompt with its metadata, and the repetition."""

    item: int
    about: Node
    prompt: str
    details: Node
    answer: str
    draw: int


def is_genderbench(path: Path) -> bool:
    """Return whether a file begins with the state of a probe."""
    return b"".join(first_bytes(path, (".jsonl",), 40).split()).startswith(_FIRST)


def read_genderbench(path: Path) -> Log:
    """Read the last state of a probe."""
    content = own_file(str(path), "log")
    lines = [line for line in content.decode("utf-8", "replace").split("\n") if line.strip()]
    advice = f"copy the file again from the log folder of {TOOL}"
    state = json_node(lines[-1], f"'{path}', line {len(lines)}", WRITER, advice).at("probe_state")
    state.at("status").one_of(*ANSWERED)
    settings = {name: state.at(name).value for name in (*SETTINGS, "calculate_cis", "num_repetitions")}
    marks = {
        name: mark.value for name, node in state.at("marks").fields().items() if (mark := node.maybe("mark_value"))
    }
    return Log(
        tool=TOOL,
        version=None,
        task=state.at("class").text(),
        model=None,
        files={path.name: hashlib.sha256(content).hexdigest()},
        records=[state],
        reported=dict(_metrics(state)),
        settings={**settings, **({"marks": marks} if marks else {})},
        lacks=("temperature, length limit and system prompt",),
    )


def _metrics(state: Node) -> "list[tuple[str, float | tuple[float, float]]]":
    metrics: list[tuple[str, float | tuple[float, float]]] = []
    for name, node in state.at("metrics").fields().items():
        values = node.value if isinstance(node.value, list) else [node.value]
        if not all(isinstance(value, int | float) for value in values) or len(values) not in (1, 2):
            raise node.error("is neither a number nor an interval")
        if all(math.isfinite(value) for value in values):
            metrics.append((name, (values[0], values[1]) if len(values) == 2 else values[0]))
    return metrics


def recomputes(state: Node) -> bool:
    """Return whether the probe's intervals can be recomputed: it used the default bootstrap."""
    return all(state.at(name).value == value for name, value in SETTINGS.items())


def attempts(state: Node) -> list[Attempt]:
    """Return all answers, in the order of the items."""
    collected = []
    for number, item in enumerate(state.at("probe_items").items()):
        about = item.maybe("metadata") or Node({}, item.where, item.writer, f"{item.path}.metadata")
        for attempt in item.at("attempts").items():
            prompt = attempt.at("prompt")
            details = prompt.maybe("metadata") or Node({}, item.where, item.writer, f"{prompt.path}.metadata")
            draw = attempt.at("repetition_id").whole()
            answer = attempt.at("answer").text()
            collected.append(Attempt(number, about, prompt.at("text").text(), details, answer, draw))
    if not collected:
        raise state.at("probe_items").error("is empty")
    return collected
