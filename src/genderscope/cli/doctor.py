"""`genderscope doctor`: what is installed, what is missing, and how to fix it."""

import os
import platform
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, requires
from importlib.util import find_spec
from pathlib import Path

import typer

from genderscope.cli.options import Json
from genderscope.cli.output import console, print_json
from genderscope.core.errors import UserError
from genderscope.util.safe_text import in_line
from genderscope.version import __version__, version_of

GOOD, NOTE, BAD = "ok", "note", "problem"
IGNORED_EXTRAS = {"all", "dev", "docs"}  # extras that combine others, or are only for development and documentation
#: environment variables with API keys; Amazon's client finds its own credentials
KEYS = (
    "GENDERSCOPE_API_KEY",
    "OPENAI_API_KEY",
    "ANTHROPIC_API_KEY",
    "GEMINI_API_KEY",
    "GOOGLE_API_KEY",
    "DEEPL_AUTH_KEY",
)


@dataclass(frozen=True)
class Component:
    """One line of the check: the component, its state, and what to do."""

    what: str
    state: str
    found: str
    advice: str = ""


def doctor_command(as_json: Json = False) -> None:
    """Check the installation: extras, GPU, cache, datasets and API keys; exit code 1 if something is broken."""
    findings = list(_check())
    if as_json:
        print_json([asdict(finding) for finding in findings])
    else:
        _show(findings)
    if any(finding.state == BAD for finding in findings):
        raise typer.Exit(1)


def _check() -> Iterator[Component]:
    """Yield all findings, the most basic first; import nothing large except torch."""
    yield Component("genderscope", GOOD, f"{__version__}, Python {platform.python_version()}, {platform.platform()}")
    yield from _extras()
    yield _torch()
    yield _cache()
    yield _mirror()
    yield _embedded()
    yield _apertium()
    yield _keys()


def _show(findings: list[Component]) -> None:
    from rich.text import Text

    from genderscope.report import plain_table

    styles = {GOOD: "green", NOTE: "yellow", BAD: "bold red"}
    table = plain_table(("", "", ""))
    for finding in findings:
        text = f"{finding.found}. {finding.advice}" if finding.advice else finding.found
        table.add_row(Text(finding.what), Text(finding.state, style=styles[finding.state]), Text(in_line(text)))
    console().print(table)


def _extras() -> Iterator[Component]:
    for extra, packages in extras().items():
        versions = {package: version_of(package) for package in sorted(packages)}
        missing = [package for package, version in versions.items() if version is None]
        if missing:
            advice = f"Install with: pip install 'genderscope[{extra}]'"
            yield Component(f"extra {extra}", NOTE, f"missing {', '.join(missing)}", advice)
        else:
            yield Component(f"extra {extra}", GOOD, ", ".join(f"{package} {v}" for package, v in versions.items()))


def extras() -> dict[str, list[str]]:
    """Return the packages of each extra, from the installed package's metadata."""
    try:
        declared = requires("genderscope") or []
    except PackageNotFoundError:
        return {}
    packages: dict[str, list[str]] = {}
    for requirement in declared:
        extra = re.search(r"extra\s*==\s*['\"]([\w-]+)['\"]", requirement)
        package = re.match(r"[\w.-]+", requirement)
        if extra is None or package is None or extra[1] in IGNORED_EXTRAS or package[0] == "genderscope":
            continue
        packages.setdefault(extra[1], []).append(package[0])
    return packages


def _torch() -> Component:
    if find_spec("torch") is None:
        advice = (
            "Needed for language models. Without a GPU, install the CPU build, which is gigabytes smaller "
            "(select CPU at pytorch.org/get-started), then run: pip install 'genderscope[hf]'"
        )
        return Component("torch", NOTE, "not installed", advice)
    try:
        import torch
    except Exception as error:  # a broken installation can raise anything
        return Component("torch", BAD, f"cannot be imported ({type(error).__name__}: {error})", "Reinstall it.")
    if torch.cuda.is_available():
        names = sorted({torch.cuda.get_device_name(k) for k in range(torch.cuda.device_count())})
        return Component("torch", GOOD, f"{torch.__version__}, {torch.cuda.device_count()} GPU ({', '.join(names)})")
    if torch.backends.mps.is_available():
        return Component("torch", GOOD, f"{torch.__version__}, Apple GPU (--device mps)")
    built = "" if torch.version.cuda is None else f", built for CUDA {torch.version.cuda}"
    advice = "The CPU build is gigabytes smaller." if built else ""
    return Component("torch", NOTE if built else GOOD, f"{torch.__version__}{built}, no GPU", advice)


def _cache() -> Component:
    from genderscope.core.user_cache import cache_folder

    folder = cache_folder("")
    existing = folder
    while not existing.exists():
        existing = existing.parent
    if not os.access(existing, os.W_OK):
        return Component("cache", BAD, f"{folder} is not writable", "Set GENDERSCOPE_CACHE to a writable folder.")
    free = shutil.disk_usage(existing).free / 2**30
    used = sum(f.stat().st_size for f in folder.rglob("*") if f.is_file()) / 2**20 if folder.is_dir() else 0.0
    advice = "Models and datasets may not fit." if free < 2 else ""
    return Component("cache", NOTE if advice else GOOD, f"{folder}, {used:,.0f} MiB used, {free:,.0f} GiB free", advice)


def _mirror() -> Component:
    from genderscope.samples.fetch import MIRROR, locate, mirror
    from genderscope.samples.registry import DATASETS, dataset

    try:
        root = mirror()
    except UserError as error:
        return Component("datasets", BAD, str(error).rstrip("."))
    complete = [name for name in DATASETS if all(locate(file) is not None for file in dataset(name).files)]
    where = f"{MIRROR} is {root}" if root else f"{MIRROR} is not set"
    description = f"{where}; {len(complete)} of {len(DATASETS)} datasets downloaded"
    missing = [name for name in DATASETS if name not in complete]
    advice = f"Download one with: genderscope data fetch {missing[0]}" if missing else ""
    return Component("datasets", GOOD, description, advice)


def _embedded() -> Component:
    if find_spec("torch") is None:
        return Component("smollm2", NOTE, "needs torch")
    from genderscope.models.hf import smollm2

    if smollm2.is_there():
        return Component("smollm2", GOOD, f"in {smollm2.folder()}")
    return Component("smollm2", NOTE, "not downloaded yet", "Download it with: genderscope models fetch smollm2")


def _apertium() -> Component:
    if shutil.which("apertium") is None:
        return Component(
            "apertium", NOTE, "not installed", "Needed only for apertium: models (Debian package: apertium-eng-spa)."
        )
    modes = sorted(p.stem for p in Path("/usr/share/apertium/modes").glob("*.mode"))
    pairs = [mode for mode in modes if re.fullmatch(r"[a-z]{3}-[a-z]{3}(_\w+)?", mode)]
    return Component("apertium", GOOD, ", ".join(pairs) or f"installed, modes unknown ({sys.platform})")


def _keys() -> Component:
    """Report which API keys are set, but never their values."""
    present = [name for name in KEYS if os.environ.get(name, "").strip()]
    if present:
        return Component("keys", GOOD, f"{', '.join(present)} set")
    return Component("keys", GOOD, "none set", f"Servers and services use {', '.join(KEYS)}.")
