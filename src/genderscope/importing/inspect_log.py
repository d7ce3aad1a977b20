"""Logs of Inspect: `.eval`, a zip file with `header.json` and one file per sample, or the same as one `.json` file."""

import hashlib
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from genderscope.core.errors import UserError
from genderscope.core.tables import own_file
from genderscope.exporting import ENDINGS
from genderscope.importing.log import EXPORTED, Log
from genderscope.importing.log_node import Node, first_bytes, is_finite_number, json_node
from genderscope.runs import moment_of

TOOL = "Inspect"
VERSION = 2
WRITER = f"the logs of {TOOL} (format {VERSION})"
COPY = f"copy the log again from the log folder of {TOOL}"
HEADER, SAMPLES = "header.json", "samples/"
#: size limit for one file in a log, in bytes
LARGEST = 200_000_000
#: compression by Zstandard, which Python's zipfile cannot read
ZSTANDARD = 93
_SETTINGS = ("temperature", "top_p", "max_tokens", "seed", "reasoning_effort", "system_message")


def is_inspect(path: Path) -> bool:
    """Return whether a file is a log, judging by its ending and, for JSON, by its first entries."""
    if path.suffix == ".eval":
        return True
    start = first_bytes(path, (".json",), 200)
    return all(entry in start for entry in (b'"version"', b'"status"', b'"eval"'))


def read_inspect(path: Path) -> Log:
    """Read a finished log."""
    content = own_file(str(path), "log")
    if not content:
        raise UserError(f"'{path}' is empty; copy it again from the log folder of {TOOL}.")
    header, samples = _zipped(path) if path.suffix == ".eval" else _whole(content, path)
    version = header.at("version")
    if version.value != VERSION:
        raise version.error(f"is {version.value!r}, not {VERSION}")
    header.at("status").one_of("success")
    about = header.at("eval")
    records = sorted(samples, key=lambda sample: (sample.at("id").name(), sample.at("epoch").whole()))
    if not records:
        raise UserError(f"'{path}' contains no samples; it was written with --no-log-samples.")
    # The plan has the task's settings; those of the model take precedence.
    plan = header.maybe("plan")
    configs = (None if plan is None else plan.maybe("config"), about.maybe("model_generate_config"))
    given = {name: node for config in configs if config is not None for name, node in config.fields().items()}
    settings = {name: given[name].value for name in _SETTINGS if name in given}
    metadata = about.maybe("metadata")
    exported = None if metadata is None else metadata.maybe(EXPORTED)
    orders = () if exported is not None else ("answers with the options in other orders",)
    packages = about.at("packages").fields()
    return Log(
        tool=TOOL,
        version=about.at("packages", "inspect_ai").text(),
        task=about.at("task").text().rpartition("/")[2],
        model=about.at("model").text(),
        files={path.name: hashlib.sha256(content).hexdigest()},
        records=records,
        reported=dict(_metrics(header.at("results"))),
        asked=moment_of(about.at("created").text()),
        settings={**settings, **{name: node.value for name, node in packages.items()}},
        lacks=("the model's weights or version", *orders),
        exported=exported,
    )


def _metrics(results: Node) -> Iterator[tuple[str, float]]:
    for score in results.at("scores").items():
        for name, metric in score.at("metrics").fields().items():
            value = metric.maybe("value")  # null if it is not a number
            if value is not None and is_finite_number(value.value):
                yield f"{score.at('name').text()}/{name}", value.number()


def _whole(content: bytes, path: Path) -> tuple[Node, list[Node]]:
    node = json_node(content, f"'{path}'", WRITER, COPY)
    samples = node.maybe("samples")
    return node, [] if samples is None else list(samples.items())


def _zipped(path: Path) -> tuple[Node, list[Node]]:
    """Read the header and all samples; raise if the archive is cut or damaged."""
    try:
        with zipfile.ZipFile(path) as archive, path.open("rb") as raw:
            entries = {entry.filename: entry for entry in archive.infolist()}
            if HEADER not in entries:
                raise UserError(
                    f"'{path}' has no '{HEADER}': the evaluation has not finished, or the file is not a log of {TOOL}."
                )
            nodes = {
                name: json_node(_content(archive, raw, entry), f"'{path}', {name}", WRITER, COPY)
                for name, entry in entries.items()
                if name == HEADER or (name.startswith(SAMPLES) and name.endswith(".json"))
            }
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError):  # RuntimeError: encrypted
        raise UserError(f"'{path}' is cut or damaged; copy it again from the log folder of {TOOL}.") from None
    return nodes.pop(HEADER), list(nodes.values())


def _content(archive: zipfile.ZipFile, raw: IO[bytes], entry: zipfile.ZipInfo) -> bytes:
    """Return the content of an entry, also if it is compressed by Zstandard."""
    if entry.file_size > LARGEST:
        raise UserError(
            f"'{archive.filename}', {entry.filename} is larger than {LARGEST:,} bytes; it cannot be imported."
        )
    if entry.compress_type != ZSTANDARD:
        return archive.read(entry)
    import pyarrow as pa

    raw.seek(entry.header_offset + 26)  # the lengths of the name and of the extra field in the local header
    lengths = raw.read(4)
    raw.seek(int.from_bytes(lengths[:2], "little") + int.from_bytes(lengths[2:], "little"), 1)
    packed = pa.BufferReader(raw.read(entry.compress_size))
    content = bytes(pa.CompressedInputStream(packed, "zstd").read(entry.file_size))
    if len(content) != entry.file_size or zlib.crc32(content) != entry.CRC:
        raise zipfile.BadZipFile(entry.filename)
    return content


def completion(sample: Node) -> str:
    """Return the model's reply."""
    return sample.at("output", "completion").text()


def ending(sample: Node) -> str | None:
    """Return why a reply ended early, in our terms; None if it did not."""
    return ENDINGS.get(stop_reason(sample) or "")


def stop_reason(sample: Node) -> str | None:
    """Return why a reply ended, in Inspect's terms."""
    choices = sample.at("output").maybe("choices")
    reasons = [] if choices is None else [choice.maybe("stop_reason") for choice in choices.items()]
    return reasons[0].text() if reasons and reasons[0] is not None else None
