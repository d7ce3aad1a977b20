"""Plain JSONL: a header line that says what the values mean, then one object per item.

{"genderscope": 1, "task": "my-task", "model": "my-model", "meaning": "the accuracy", "scale": "share",
 "contrast": ["female", "male"]}
{"item": "1-f", "cluster": "nurse", "group": "female", "value": 1}
{"item": "1-m", "cluster": "nurse", "group": "male", "value": null, "unread": "no answer"}
"""

import hashlib
from pathlib import Path

from genderscope.core.errors import UserError, did_you_mean
from genderscope.core.tables import opened, own_file
from genderscope.importing.log import ImportedRows, Log, ToolNumber, item_scores
from genderscope.importing.log_node import Node, json_lines
from genderscope.measures.item_scores import ItemScoreRow
from genderscope.runs import moment_of

TOOL = "plain JSONL"
VERSION = 1
WRITER = f"the format described in the documentation (version {VERSION})"
HEADER = (
    "genderscope",
    "task",
    "model",
    "meaning",
    "scale",
    "neutral",
    "contrast",
    "tool",
    "date",
    "reported",
    "lacks",
)
FIELDS = ("item", "cluster", "group", "draw", "value", "outcome", "text", "reply", "unread")
#: largest number of an answer to the same item
LAST_DRAW = 1_000_000
_FIRST = b'{"genderscope":'


def is_plain(path: Path) -> bool:
    """Return whether a file begins with a header line."""
    if not {".jsonl", ".json"} & set(path.suffixes):
        return False
    try:
        with opened(path, "log") as file:
            return b"".join(file.read(200).split()).startswith(_FIRST)
    except UserError:
        return False


def read_plain(path: Path) -> Log:
    """Read a file in the plain format."""
    content = own_file(str(path), "log")
    header, *records = json_lines(content, path, WRITER, "write one object per line")
    _refuse_others(header, HEADER)
    version = header.at("genderscope")
    if version.value != VERSION:
        raise version.error(f"is {version.value!r}, not {VERSION}")
    if not records:
        raise UserError(f"'{path}' has a header but no items; add one line per item.")
    for record in records:
        _refuse_others(record, FIELDS)
    model, date, tool = (header.maybe(name) for name in ("model", "date", "tool"))
    reported = header.maybe("reported")
    asked = None
    if date is not None:
        try:
            asked = moment_of(date.text())
            asked = asked and asked.astimezone()
        except (ValueError, OverflowError):  # years that the system's clock does not have
            asked = None
        if asked is None:
            raise date.error("is not a date such as 2026-11-17")
    return Log(
        tool=tool.text() if tool is not None else TOOL,
        version=None,
        task=header.at("task").text(),
        model=model.text() if model is not None else None,
        files={path.name: hashlib.sha256(content).hexdigest()},
        records=[header, *records],
        reported={} if reported is None else {name: node.number() for name, node in reported.fields().items()},
        asked=asked,
        lacks=tuple(entry.text() for entry in lacks.items()) if (lacks := header.maybe("lacks")) is not None else (),
    )


def import_plain(log: Log) -> ImportedRows:
    """Return the rows of a file in the plain format."""
    header, *records = log.records
    scale = header.at("scale").one_of("share", "score")
    neutral, contrast = header.maybe("neutral"), header.maybe("contrast")
    groups = tuple(group.text() for group in contrast.items()) if contrast is not None else ()
    options = {
        "meaning": header.at("meaning").text(),
        "scale": scale,
        "neutral": neutral.number() if neutral is not None else None,
        "contrast": groups,
    }
    rows = [_row(record, k, scale) for k, record in enumerate(records)]
    seen: set[tuple[str, str | None, int]] = set()
    for row, record in zip(rows, records, strict=True):
        if (key := (row.item, row.group, row.draw)) in seen:
            raise record.at("item").error("occurs twice with the same group and draw")
        seen.add(key)
    if missing := [group for group in groups if group not in {row.group for row in rows}]:
        raise header.at("contrast").error(f"names '{missing[0]}', which no item has as its group")
    numbers = [
        ToolNumber(name, value, None, "mean", "the file does not say how it was computed")
        for name, value in log.reported.items()
    ]
    return item_scores(log.task, rows, options, numbers)


def _row(record: Node, index: int, scale: str) -> ItemScoreRow:
    item = record.at("item").name()
    value, cluster, draw = record.maybe("value"), record.maybe("cluster"), record.maybe("draw")
    texts = {name: node.text() for name in FIELDS[5:] if (node := record.maybe(name)) is not None}
    group = record.maybe("group")
    number = value.number() if value is not None else None
    if value is not None and number is not None and scale == "share" and not 0 <= number <= 1:
        raise value.error(f"is {number:g}, but the header says that values are shares, between 0 and 1")
    if value is not None and "unread" in texts:
        raise record.error("has both a value and a reason why it is unread; leave one of them out")
    if draw is not None and not 0 <= draw.whole() <= LAST_DRAW:
        raise draw.error(f"is not a number from 0 to {LAST_DRAW:,}")
    if value is None and not {"unread", "outcome"} & texts.keys():
        raise record.error("has neither a value nor a reason ('unread' or 'outcome') why there is none")
    return ItemScoreRow(
        sample=index,
        item=item,
        cluster=cluster.name() if cluster is not None else item,
        group=group.name() if group is not None else None,
        draw=draw.whole() if draw is not None else 0,
        value=number,
        **texts,
    )


def _refuse_others(node: Node, allowed: tuple[str, ...]) -> None:
    """Raise for a field that is not part of the format, which would otherwise be ignored."""
    for name, field in node.fields().items():
        if name not in allowed:
            raise field.error(f"is not one of {', '.join(allowed)}.{did_you_mean(name, allowed)}")
