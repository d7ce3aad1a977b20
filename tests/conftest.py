import contextlib
import fnmatch
import gc
import io
import os
import shutil
import signal
import sys
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import hypothesis
import pytest

from tests.embedded import demo, fetched, wheel
from tests.support import mirror as datasets

# Tests never ask the model hub: what they need is built here.
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

# How fast inputs are drawn and tested says more about what else runs on the machine than about the program.
hypothesis.settings.register_profile("busy", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("busy")

# Where no bytecode may be written, every process that a test starts would compile the whole package again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

#: the files that take longest, the longest first: begun early, none of them is left over when the others are done
LONGEST = (
    "docs/test_commands.py",
    "test_architectures.py",
    "browser/test_widths.py",
    "engine/test_run.py",
    "test_coverage.py",
    "engine/test_ray.py",
    "engine/test_workers.py",
    "engine/test_many_models.py",
    "eurogest/test_scores.py",
    "comparison/test_measures.py",
    "test_smollm2.py",
    "auditing/test_jobs.py",
    "dialogue/test_measure.py",
    "server/test_faults.py",
    "server/test_bounds.py",
    "hard/test_readers.py",
    "mt/test_gest_mt.py",
    "hard/test_stopping.py",
    "browser/test_report.py",
    "api/test_distribution.py",
    "report/test_page.py",
    "test_options.py",
    "hard/test_finished.py",
    "browser/test_scorecard.py",
    "test_runs.py",
    "comparison/test_compare.py",
)

WITH_RAY = ("engine/test_run.py", "engine/test_ray.py", "engine/test_workers.py")

BROWSER_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--js-flags=--single-threaded",  # all cores are busy with tests: threads that help only cost more
]


def pytest_configure(config):
    """Keep the order below; xdist would begin with the files that have the most tests, however short they are.

    Where the tests run in the background, Ctrl-C is ignored, and so it would be by the commands that they start.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    datasets.hide()
    gc.disable()  # what is loaded to collect the tests stays
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False


@pytest.hookimpl(optionalhook=True)  # also where the tests run in one process
def pytest_xdist_make_scheduler(config, log):
    """Deal files to the processes as `--dist loadfile` does, but to one what shares a Ray cluster or a browser."""
    from xdist.scheduler import LoadFileScheduling

    class OneCluster(LoadFileScheduling):
        def _split_scope(self, nodeid):
            file = super()._split_scope(nodeid)
            if "tests/browser/" in file:
                return "browser"
            return "engine" if file.endswith(WITH_RAY) else file

    return OneCluster(config, log) if config.getvalue("dist") == "loadfile" else None


@pytest.hookimpl(tryfirst=True)  # before tests are selected by their markers
def pytest_collection_modifyitems(config, items):
    """Mark long cases, and let files that take long begin, so that in the end no process waits for another."""
    _mark_long_cases(items, complete=not any("::" in argument for argument in config.args))
    for item in items:
        if "mirror" in item.fixturenames:
            item.add_marker(pytest.mark.mirror)
    order = {Path(__file__).parent / name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: order.get(item.path, len(order)))


def _mark_long_cases(items, complete):
    """Mark all cases of a test `long` but those that `long_but` names; each of its patterns must name one."""
    unused: dict[tuple[Path, str], set[str]] = {}
    for item in items:
        for marker in item.iter_markers("long_but"):
            patterns = [pattern for pattern in marker.args if fnmatch.fnmatchcase(item.callspec.id, pattern)]
            unused.setdefault((item.path, item.originalname), set(marker.args)).difference_update(patterns)
            if not patterns:
                item.add_marker(pytest.mark.long)
    wrong = [f"{path.name}: {name} {sorted(patterns)}" for (path, name), patterns in unused.items() if patterns]
    if complete and wrong:
        raise pytest.UsageError("Marks long_but name cases that their tests do not have: " + "; ".join(wrong))


@pytest.hookimpl(tryfirst=True)  # before fixtures are set up
def pytest_runtest_setup(item):
    """Hide the mirror also from fixtures that read where it is, unless the test is known to look for it."""
    datasets.running.marked = item.get_closest_marker("mirror") is not None


def pytest_collection_finish():
    """What has been loaded by now stays: whoever looks for garbage need not look there every time."""
    gc.enable()
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)


@pytest.fixture(scope="session")
def together(tmp_path_factory):
    """A folder that all processes of this test session share."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "together"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session", autouse=True)
def shared_cache(together):
    """The cache of what is set up for several tests; the user's own is never touched.

    Indexing the dictionaries takes longer than the quick tests, so these may keep them from one session to the next.
    """
    cache = together / "cache"
    cache.mkdir(exist_ok=True)
    if kept := os.environ.get("GENDERSCOPE_TEST_DICTIONARIES"):
        Path(kept).mkdir(exist_ok=True)
        with contextlib.suppress(FileExistsError):
            (cache / "grammar").symlink_to(kept, target_is_directory=True)
    (cache / "grammar").mkdir(exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GENDERSCOPE_CACHE", str(cache))
        yield cache


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch, shared_cache):
    """Every test starts in an empty folder with a cache of its own, but dictionaries are indexed once a session."""
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / "grammar").symlink_to(shared_cache / "grammar", target_is_directory=True)
    monkeypatch.setenv("GENDERSCOPE_CACHE", str(cache))
    monkeypatch.setenv("GENDERSCOPE_REFERENCE", str(tmp_path / "reference.csv"))
    monkeypatch.delenv("COLUMNS", raising=False)  # of the terminal that the tests were started in
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)


@dataclass(frozen=True)
class Done:
    """What a command left behind, by the names that subprocess gives it."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def cli(monkeypatch, capsys):
    """Run a command as a user would, but in this process, which has loaded torch already: cli('compare', a, b)."""
    from genderscope.cli.app import main

    def run(*arguments, piped=None):
        monkeypatch.setattr(sys, "argv", ["genderscope", *map(str, arguments)])
        if piped is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(piped.encode()), encoding="utf-8"))
        capsys.readouterr()  # what was printed before
        code = 0
        try:
            main()
        except SystemExit as ended:
            code = int(ended.code or 0)
        said = capsys.readouterr()
        return Done(code, said.out, said.err)

    return run


@pytest.fixture
def at(monkeypatch):
    """Set the clock, which the package reads in one place: at("2026-11-14T09:30:00+01:00")."""
    from genderscope.util import clock

    def set_to(moment):
        monkeypatch.setattr(clock, "now", lambda: datetime.fromisoformat(moment))

    return set_to


@pytest.fixture(scope="session")
def models(tmp_path_factory):
    """Build a tiny model of an architecture over a tokenizer, once a session: models('gpt2', 'bytes')."""
    from tests.tiny import build

    root = tmp_path_factory.mktemp("models")

    def get(architecture: str, tokenizer: str) -> Path:
        folder = root / f"{architecture}-{tokenizer}"
        if not folder.exists():
            build(architecture, tokenizer, folder)
        return folder

    return get


@contextlib.contextmanager
def chromium():
    """A real Chromium; one at a time, since Playwright cannot run twice in a process, nor beside other event loops."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        pytest.skip("there is no chromium on this machine")
    with playwright.sync_playwright() as running:
        started = running.chromium.launch(executable_path=found, args=BROWSER_ARGUMENTS)
        yield started
        started.close()


@pytest.fixture(scope="module")
def browser():
    with chromium() as running:
        yield running


@pytest.fixture
def mirror(monkeypatch):
    """The local mirror of the datasets; tests that need it are skipped without one, and no other test sees it.

    It uses the test's own `monkeypatch`, which undoes everything in reverse order: another one would be undone too
    early, and a test that sets the variable again would leave it to the next one.
    """
    folder = datasets.mirror_folder()
    if folder is None:
        pytest.skip(f"{datasets.NAME} names no mirror of the datasets")
    monkeypatch.setenv(datasets.NAME, str(folder))
    return folder


__all__ = ["demo", "fetched", "wheel"]
