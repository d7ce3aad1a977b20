"""`genderscope doctor`: what is installed on this machine, what is missing, and what to do about it."""

import json
import os
import platform
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from genderscope.cli.common import console
from genderscope.errors import UserError
from genderscope.terminal_safe import in_line
from genderscope.version import __version__

GOOD, NOTE, BAD = "ok", "note", "problem"
#: extras of other extras, of the documentation and of development are no ability of the program
NO_ABILITY = {"all", "dev", "docs"}
#: where servers and services look for a key; Amazon's client has many ways of its own
KEYS = (
    "GENDERSCOPE_API_KEY",
    "OPENAI_API_KEY",
    "ANTHROPIC_API_KEY",
    "GEMINI_API_KEY",
    "GOOGLE_API_KEY",
    "DEEPL_AUTH_KEY",
)


@dataclass(frozen=True)
class Finding:
    """One line: what was looked at, how it is, and what to do."""

    what: str
    state: str
    found: str
    advice: str = ""


def doctor(as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False) -> None:
    """Look at this machine: installed extras, GPU, cache, mirror, embedded model; exit 1 where something is broken."""
    findings = list(examined())
    if as_json:
        print(json.dumps([asdict(finding) for finding in findings], ensure_ascii=False, indent=1))
    else:
        _show(findings)
    if any(finding.state == BAD for finding in findings):
        raise typer.Exit(1)


def examined() -> Iterator[Finding]:
    """Yield everything that was found, the most basic first. Nothing heavy is imported but torch, where it is there."""
    yield Finding("genderscope", GOOD, f"{__version__}, Python {platform.python_version()}, {platform.platform()}")
    yield from _extras()
    yield _torch()
    yield _cache()
    yield _mirror()
    yield _embedded()
    yield _apertium()
    yield _keys()


def _show(findings: list[Finding]) -> None:
    from rich.text import Text

    from genderscope.report import plain_table

    styles = {GOOD: "green", NOTE: "yellow", BAD: "bold red"}
    table = plain_table(("", "", ""))
    for finding in findings:
        told = in_line(f"{finding.found}. {finding.advice}" if finding.advice else finding.found)
        table.add_row(Text(finding.what), Text(finding.state, style=styles[finding.state]), Text(told))
    console().print(table)


def _extras() -> Iterator[Finding]:
    for extra, packages in extras().items():
        missing = sorted(package for package in packages if not _installed(package))
        if missing:
            advice = f"Install it with: pip install 'genderscope[{extra}]'"
            yield Finding(f"extra {extra}", NOTE, f"missing {', '.join(missing)}", advice)
        else:
            yield Finding(f"extra {extra}", GOOD, ", ".join(f"{p} {version(p)}" for p in sorted(packages)))


def extras() -> dict[str, list[str]]:
    """Return the packages of each extra, as the installed package declares them."""
    try:
        declared = requires("genderscope") or []
    except PackageNotFoundError:
        return {}
    found: dict[str, list[str]] = {}
    for requirement in declared:
        extra = re.search(r"extra\s*==\s*['\"]([\w-]+)['\"]", requirement)
        package = re.match(r"[\w.-]+", requirement)
        if extra is None or package is None or extra[1] in NO_ABILITY or package[0] == "genderscope":
            continue
        found.setdefault(extra[1], []).append(package[0])
    return found


def _installed(package: str) -> bool:
    try:
        version(package)
    except PackageNotFoundError:
        return False
    return True


def _torch() -> Finding:
    if find_spec("torch") is None:
        advice = (
            "Language models need it. On a machine without a GPU, install its CPU build, which is gigabytes smaller "
            "(choose CPU at pytorch.org/get-started), then: pip install 'genderscope[hf]'"
        )
        return Finding("torch", NOTE, "not installed", advice)
    try:
        import torch
    except Exception as error:  # a broken installation fails in any way it likes
        return Finding("torch", BAD, f"cannot be imported ({type(error).__name__}: {error})", "Install it again.")
    if torch.cuda.is_available():
        names = sorted({torch.cuda.get_device_name(k) for k in range(torch.cuda.device_count())})
        return Finding("torch", GOOD, f"{torch.__version__}, {torch.cuda.device_count()} GPU ({', '.join(names)})")
    if torch.backends.mps.is_available():
        return Finding("torch", GOOD, f"{torch.__version__}, Apple GPU (--device mps)")
    built = "" if torch.version.cuda is None else f", built for CUDA {torch.version.cuda}"
    advice = "The CPU build would be gigabytes smaller." if built else ""
    return Finding("torch", NOTE if built else GOOD, f"{torch.__version__}{built}, no GPU on this machine", advice)


def _cache() -> Finding:
    from genderscope.cache import cache_folder

    folder = cache_folder("")
    present = folder
    while not present.exists():
        present = present.parent
    if not os.access(present, os.W_OK):
        return Finding("cache", BAD, f"{folder} cannot be written", "Set GENDERSCOPE_CACHE to a folder that can.")
    free = shutil.disk_usage(present).free / 2**30
    used = sum(f.stat().st_size for f in folder.rglob("*") if f.is_file()) / 2**20 if folder.is_dir() else 0.0
    advice = "Models and datasets may not fit." if free < 2 else ""
    return Finding("cache", NOTE if advice else GOOD, f"{folder}, {used:,.0f} MiB used, {free:,.0f} GiB free", advice)


def _mirror() -> Finding:
    from genderscope.samples.fetch import MIRROR, locate, mirror
    from genderscope.samples.registry import DATASETS, dataset

    try:
        root = mirror()
    except UserError as error:
        return Finding("datasets", BAD, str(error).rstrip("."))
    whole = [name for name in DATASETS if all(locate(file) is not None for file in dataset(name).files)]
    where = f"{MIRROR} is {root}" if root else f"{MIRROR} is not set"
    found = f"{where}; {len(whole)} of {len(DATASETS)} datasets are here"
    rest = [name for name in DATASETS if name not in whole]
    advice = f"Fetch another with: genderscope data fetch {rest[0]}" if rest else ""
    return Finding("datasets", GOOD, found, advice)


def _embedded() -> Finding:
    if find_spec("torch") is None:
        return Finding("smollm2", NOTE, "needs torch")
    from genderscope.models.hf import smollm2

    if smollm2.is_there():
        return Finding("smollm2", GOOD, f"in {smollm2.folder()}")
    return Finding("smollm2", NOTE, "not fetched yet", "Fetch it with: genderscope models fetch smollm2")


def _apertium() -> Finding:
    if shutil.which("apertium") is None:
        return Finding("apertium", NOTE, "not installed", "Only apertium: models need it (Debian: apertium-eng-spa).")
    modes = sorted(p.stem for p in Path("/usr/share/apertium/modes").glob("*.mode"))
    translating = [mode for mode in modes if re.fullmatch(r"[a-z]{3}-[a-z]{3}(_\w+)?", mode)]
    return Finding("apertium", GOOD, ", ".join(translating) or f"installed, modes unknown ({sys.platform})")


def _keys() -> Finding:
    """Say which keys of servers and services are there; their values are nobody's business."""
    there = [name for name in KEYS if os.environ.get(name, "").strip()]
    told = f"{', '.join(there)} set" if there else "none set"
    return Finding("keys", GOOD, told, "" if there else f"Servers and services read {', '.join(KEYS)}.")
