"""Small logs that the tools themselves wrote, about questions of our own; `README.md` in `logs/` tells how."""

import gzip
import json
from pathlib import Path

LOGS = Path(__file__).parent / "logs"


def lm_eval(name, folder):
    """Unpack a log of lm-evaluation-harness into a folder; return the file of samples."""
    target = folder / name
    target.mkdir(parents=True)
    for path in (LOGS / "lm_eval" / name).iterdir():
        (target / path.name.removesuffix(".gz")).write_bytes(gzip.decompress(path.read_bytes()))
    return next(target.glob("samples_*.jsonl"))


def results_of(samples):
    """Return the file of results next to a file of samples."""
    return next(samples.parent.glob("results_*.json"))


def changed_line(path, number, change):
    """Apply a change to the record in one line of a log."""
    lines = path.read_text(encoding="utf-8").splitlines()
    record = json.loads(lines[number])
    change(record)
    lines[number] = json.dumps(record)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def changed_json(path, change):
    """Apply a change to a JSON file."""
    content = json.loads(path.read_text(encoding="utf-8"))
    change(content)
    path.write_text(json.dumps(content), encoding="utf-8")
