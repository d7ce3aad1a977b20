"""Kills a run again and again at random moments and resumes it: is anything ever lost?

    python benchmarks/soak_kills.py [--kills 1000] [--seed 0]

Every run is a process of its own, forked from one that has the heavy packages loaded, and ended without warning at a
random moment: while it asks, while it starts or while it writes the result. It tells through a pipe how many answers
it believes to be kept; then the journal must hold at least as many. When a run gets through, its rows must be those of
the run that nobody disturbed, and the next one begins.
"""

import argparse
import os
import random
import select
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pandas as pd
import scipy.special  # noqa: F401
import vl_convert  # noqa: F401 - loaded once here, so that every fork starts quickly
from transformers.models.llama import modeling_llama  # noqa: F401

import genderscope.evaluation.pipeline
import genderscope.measures.gest.rates
import genderscope.models.hf.model_classes

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks import tiny_model

BATCH = 2
SAMPLES = 64


def run(model, out, progress=None):
    genderscope.evaluate(
        "gest", str(model), data="starter", limit=SAMPLES, out=out, batch_size=BATCH, progress=progress
    )


def start(model, out, answers=None, delay=0.0):
    """Start a run in a process of its own; return its id and a pipe that gets a byte for every answer that is kept.

    Once it has told of so many answers, the kernel ends it after `delay` seconds of its own processor time, whatever
    it is doing then: on a busy machine nobody else could end it in time.
    """
    read, write = os.pipe()
    child = os.fork()
    if child:
        os.close(write)
        return child, read
    code, told = 1, 0

    def tell(done):
        nonlocal told
        os.write(write, b"." * done)
        if answers is not None and told < answers <= told + done:
            signal.setitimer(signal.ITIMER_PROF, delay)
        told += done

    try:
        os.close(read)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)  # ends the process at once, as SIGKILL does
        run(model, out, lambda _total: tell)
        code = 0
    finally:
        os._exit(code)


def watch(child, pipe, seconds=600.0):
    """Kill the process after so many seconds unless it ends before; return how many answers it told of and its end."""
    end = time.monotonic() + seconds
    told = 0
    while (left := end - time.monotonic()) > 0:
        if select.select([pipe], [], [], left)[0]:
            chunk = os.read(pipe, 65536)
            if not chunk:
                break
            told += len(chunk)
    else:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    while chunk := os.read(pipe, 65536):
        told += len(chunk)
    os.close(pipe)
    return told, status


def ended_at_random(model, out, chance, typical, before, asked):
    """Start a run and end it: most often while it asks, else while it starts or writes the result."""
    kind = chance.random()
    if kind < 0.75:  # a run that has all its answers gets through
        answers = before + chance.randrange(1, 24)
        return watch(*start(model, out, answers, chance.uniform(0.0001, 0.02)))
    if kind < 0.95:
        return watch(*start(model, out, asked, chance.uniform(0.0001, 1.0)))
    child, pipe = start(model, out)
    return watch(child, pipe, chance.uniform(0, typical))


def kept(out):
    """Count the answers that another process finds in the journal."""
    try:
        db = sqlite3.connect(f"file:{out}/journal.sqlite?mode=ro", uri=True)
        try:
            return db.execute("SELECT count(*) FROM answers").fetchone()[0]
        finally:
            db.close()
    except sqlite3.OperationalError:  # killed before there was a table
        return 0


def soak(workspace, kills, seed=0, say=print):
    """Kill so many runs; return the figures."""
    model, whole = workspace / "model", workspace / "whole"
    tiny_model.build(model)
    begun = time.monotonic()
    asked, status = watch(*start(model, whole))
    assert status == 0, "the run that is not disturbed failed"
    typical = time.monotonic() - begun
    if say:
        say(f"an undisturbed run takes {typical:.1f} s and asks {asked} questions", flush=True)
    reference = pd.read_parquet(whole / "rows.parquet")
    chance = random.Random(seed)
    figures: dict[str, Any] = {"kills": 0, "runs": 0, "lost": 0, "different": 0, "while": Counter()}
    out, before = workspace / "run-0", 0
    begun = time.monotonic()
    while figures["kills"] < kills:
        told, status = ended_at_random(model, out, chance, typical, before, asked)
        if status in (signal.SIGKILL, signal.SIGPROF):
            figures["kills"] += 1
            now = kept(out)
            # `told` counts what was known already too; the journal may be ahead by the batch in hand, never behind.
            figures["lost"] += max(0, told - now) + max(0, before - now)
            figures["while"]["starting" if not told else "asking" if told < asked else "writing the result"] += 1
            before = now
        elif status == 0:
            rows = pd.read_parquet(out / "rows.parquet")
            figures["runs"] += 1
            figures["different"] += not rows.equals(reference)
            out, before = workspace / f"run-{figures['runs']}", 0
        else:
            raise SystemExit(f"a resumed run in {out} failed with status {status}")
        if say and figures["kills"] % 25 == 0 and status:
            say(f"{time.monotonic() - begun:7.0f} s  {figures}", flush=True)
    run(model, out)  # the last one, killed as it was, must get through too
    figures["runs"] += 1
    figures["different"] += not pd.read_parquet(out / "rows.parquet").equals(reference)
    return figures


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = soak(Path(folder), chosen.kills, chosen.seed)
    print(found)
    sys.exit(1 if found["lost"] or found["different"] else 0)
