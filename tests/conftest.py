import os
import shutil
from pathlib import Path

import pytest

from tests.tiny import CAUSAL, MASKED, TOKENIZERS, build

# Tests never ask the model hub: what they need is built here.
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

BROWSER_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    """Every test has a cache of its own and starts in an empty folder."""
    monkeypatch.setenv("GENDERSCOPE_CACHE", str(tmp_path / "cache"))
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)


@pytest.fixture(scope="session")
def models(tmp_path_factory):
    """Build a tiny model of an architecture over a tokenizer, once a session: models('gpt2', 'bytes')."""
    root = tmp_path_factory.mktemp("models")

    def get(architecture: str, tokenizer: str) -> Path:
        folder = root / f"{architecture}-{tokenizer}"
        if not folder.exists():
            build(architecture, tokenizer, folder)
        return folder

    return get


@pytest.fixture(scope="session")
def browser():
    """A real Chromium, started once: Playwright cannot run twice in a process."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        pytest.skip("there is no chromium on this machine")
    with playwright.sync_playwright() as running:
        chromium = running.chromium.launch(executable_path=found, args=BROWSER_ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture
def mirror() -> Path:
    """The local mirror of the datasets; tests that need it are skipped without one."""
    folder = os.environ.get("GENDERSCOPE_MIRROR")
    if not folder:
        pytest.skip("GENDERSCOPE_MIRROR names no mirror of the datasets")
    return Path(folder)


__all__ = ["CAUSAL", "MASKED", "TOKENIZERS"]
