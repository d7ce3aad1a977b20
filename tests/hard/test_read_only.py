"""A finished run is shown again wherever it can be read, even if nothing can be written there."""

import contextlib
import multiprocessing
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import genderscope
from genderscope.core.errors import UserError
from tests.shown_again import without_age

mounting = pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="only a superuser can mount a disk")


@pytest.fixture
def disk(tmp_path):
    """A small disk of its own, and what changes how it is mounted."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = ["mount", "-t", "tmpfs", "-o", "size=8m", "none", place]
    if subprocess.run(mounted, check=False, capture_output=True).returncode:
        pytest.skip("no disk can be mounted here")
    yield place, lambda how: subprocess.run(["mount", "-o", f"remount,{how}", place], check=True)
    os.chdir(tmp_path)
    subprocess.run(["umount", place], check=True)


@pytest.fixture
def command(models, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    return ["run", "gest", "--model", models("gpt2", "bytes"), "--data", "starter", "--limit", 16]


@pytest.mark.long_but("True")
@mounting
@pytest.mark.parametrize("remembered", [True, False])
def test_on_a_read_only_disk(disk, command, cli, tmp_path, monkeypatch, remembered):
    place, mount = disk
    first = cli(*command, "--out", place / "run")
    assert first.returncode == 0, first.stderr
    mount("ro")
    if not remembered:  # another machine, whose cache knows nothing of the model
        monkeypatch.setenv("GENDERSCOPE_CACHE", str(tmp_path / "other"))
    again = cli(*command, "--out", place / "run")
    assert (again.returncode, without_age(again.stdout), again.stderr) == (0, first.stdout, "")
    margin = cli(*command, "--out", place / "run", "--margin", "1.3")
    assert margin.returncode == 0, margin.stderr
    other = cli(*command, "--out", place / "run", "--seed", "1")
    assert other.returncode == 2
    assert "contains a run with seed = 0, not 1" in other.stderr
    new = cli(*command, "--out", place / "new")
    assert new.returncode == 2
    assert "Cannot write to the run folder" in new.stderr
    assert "(Read-only file system)" in new.stderr


@pytest.mark.long
@mounting
def test_in_the_default_folder_too(disk, command, cli, monkeypatch):
    place, mount = disk
    monkeypatch.chdir(place)
    first = cli(*command)
    mount("ro")
    again = cli(*command)
    assert (again.returncode, without_age(again.stdout), again.stderr) == (0, first.stdout, "")
    assert cli(*command, "--seed", "1").returncode == 2


@mounting
def test_damage_is_told_and_a_report_is_done_without(disk, command, cli):
    place, mount = disk
    first = cli(*command, "--out", place / "run")
    (place / "run" / "report.html").write_text("damaged")
    mount("ro")
    again = cli(*command, "--out", place / "run")
    assert (again.returncode, without_age(again.stdout)) == (0, first.stdout)
    assert "report.html' is damaged: Cannot write to the run folder" in again.stderr
    mount("rw")
    (place / "run" / "rows.parquet").write_text("damaged")
    mount("ro")
    again = cli(*command, "--out", place / "run")
    assert again.returncode == 2
    assert len(again.stderr.splitlines()) == 1
    assert not list((place / "run").glob("*corrupt*"))


@pytest.mark.long_but("True")
@mounting
@pytest.mark.parametrize("locked", [True, False])
def test_on_a_full_disk(disk, command, cli, locked):
    place, _ = disk
    first = cli(*command, "--out", place / "run")
    if not locked:
        (place / "run" / ".lock").unlink()
    with (place / "filler").open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while file.write(bytes(4096)):
            pass
    again = cli(*command, "--out", place / "run")
    assert (again.returncode, without_age(again.stdout), again.stderr) == (0, first.stdout, "")


@pytest.mark.skipif(os.geteuid() != 0, reason="only a superuser can become someone who may not write")
def test_in_a_folder_of_somebody_else(models, tmp_path):
    model = shutil.copytree(models("gpt2", "bytes"), tmp_path / "model")
    run = tmp_path / "run"
    made = genderscope.evaluate("gest", str(model), data="starter", limit=16, out=run)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    process = context.Process(target=_as_nobody, args=(model, run, queue))
    process.start()
    shown, refused = queue.get(timeout=120)
    process.join(60)
    assert without_age(shown) == made.to_json()
    assert refused.startswith("Cannot write")
    assert "(Permission denied)" in refused


def _as_nobody(model, run, queue):
    for path in (*run.parents, run, *run.iterdir(), model, *model.iterdir()):
        if path.stat().st_uid == 0 and path != Path("/") and not path.samefile("/tmp"):
            path.chmod(path.stat().st_mode | 0o055)
    os.setuid(65534)
    try:
        shown = genderscope.evaluate("gest", str(model), data="starter", limit=16, out=run).to_json()
    except BaseException as error:
        shown = repr(error)
    try:
        refused = str(genderscope.evaluate("gest", str(model), data="starter", limit=16, out=run.parent / "new"))
    except UserError as error:
        refused = str(error)
    queue.put((shown, refused))
