"""Apertium, a rule-based translation system from the operating system's packages: `apertium:eng-spa`."""

import hashlib
import shutil
import subprocess
from collections.abc import Sequence
from typing import Any

from genderscope.errors import UserError, did_you_mean
from genderscope.languages import LANGUAGES
from genderscope.models.translation.base import Translator

TWO_LETTERS = {language.iso3: code for code, language in LANGUAGES.items()} | {code: code for code in LANGUAGES}


def open_apertium(mode: str, _settings: Any) -> "Apertium":
    """Open an installed mode, named like eng-spa."""
    if shutil.which("apertium") is None:
        raise UserError(f"Apertium is not installed; on Debian: apt-get install apertium apertium-{mode}")
    installed = installed_modes()
    if mode not in installed:
        have = f"installed are {', '.join(installed)}" if installed else "none is installed"
        raise UserError(
            f"Apertium has no mode '{mode}' here ({have}); "
            f"on Debian: apt-get install apertium-{mode}{did_you_mean(mode, installed)}"
        )
    return Apertium(mode)


def installed_modes() -> list[str]:
    """List the modes that this machine has; none where Apertium itself is missing."""
    return _text_of(["apertium", "-l"]).stdout.split() if shutil.which("apertium") else []


class Apertium(Translator):
    """One mode of Apertium; unknown words stay as they are, unmarked."""

    kind = "rule-based translation"
    scales = True

    def __init__(self, mode: str) -> None:
        super().__init__(f"apertium:{mode}")
        self.mode = mode
        pair = mode.split("_", maxsplit=1)[0].split("-")
        self.source, self.target = (TWO_LETTERS.get(code, code) for code in pair[:2])
        #: the rules change with the packages, so their versions are part of the fingerprint
        self.version = _versions()

    @property
    def fingerprint(self) -> str:
        return hashlib.sha256(f"{self.kind}|{self.mode}|{self.version}".encode()).hexdigest()[:12]

    def describe(self) -> dict[str, Any]:
        described = {"name": self.name, "kind": self.kind, "fingerprint": self.fingerprint}
        return {**described, "mode": self.mode, "version": self.version}

    def check(self, source: str, target: str) -> None:
        if (source, target) != (self.source, self.target):
            raise UserError(f"'{self.name}' translates {self.source} to {self.target}, not {source} to {target}.")

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[str | None]:
        # One process for all lines; if the rules join or split lines, each text gets its own process.
        lines = self._run("\n".join(" ".join(text.split()) for text in texts)).split("\n")
        if len(lines) != len(texts):
            lines = [self._run(" ".join(text.split())) for text in texts]
        return [line.strip() for line in lines]

    def _run(self, text: str) -> str:
        done = _text_of(["apertium", "-u", self.mode], text)
        if done.returncode:
            reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            raise UserError(f"'{self.name}' failed: {reason}")
        return done.stdout.removesuffix("\n")


def _versions() -> str:
    if shutil.which("dpkg-query") is None:
        return " ".join(_text_of(["apertium", "-V"]).stdout.split())
    listed = _text_of(["dpkg-query", "-W", "-f", "${Package} ${Version}\n", "apertium*"]).stdout
    return " ".join(sorted(line for line in listed.splitlines() if line.split()[1:]))


def _text_of(command: list[str], text: str | None = None) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)
