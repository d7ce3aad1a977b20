"""Many runs and large journals: how long until a leaderboard is written, and until a journal is open?

    python benchmarks/many_runs.py [--runs 100,500] [--answers 100000,1000000]

A leaderboard ranks so many runs of `gest` of 256 rows, all of which are comparable: copies of one run with noise added
to every outcome. A journal holds so many answers of 60 bytes and is closed before it is opened again. A copy of it is
checked in full; reading every answer, each checked against its checksum, is measured next to both.
"""

import argparse
import hashlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import genderscope
from genderscope.evaluation import bind
from genderscope.measures import measure_type, parse_options
from genderscope.models import open_model
from genderscope.runs import Journal, estimates_to_frame
from genderscope.runs.atomic_files import json_bytes
from genderscope.runs.run_files import CONFIG, RESULT, ROWS, result_bytes

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.tiny_model import build

ROWS_PER_RUN = 256
ANSWER = b'{"scores":[0.123456789,0.987654321],"mass":0.5,"tokens":[1]}'


def make_runs(count, folder):
    options: dict[str, Any] = {"data": "starter", "limit": ROWS_PER_RUN // 2}
    model = str(folder / "model")
    build(model)
    one = genderscope.evaluate("gest", model, out=folder / "one", report=False, **options)
    kind = measure_type("gest")
    bound = bind(kind, parse_options(kind, options), open_model(model))
    draw = np.random.default_rng(0)
    for k in range(count):
        rows = one.rows.assign(log_ratio=one.rows["log_ratio"] + draw.normal(0, 1, len(one.rows)) + draw.normal(0, 0.3))
        config = {**one.config, "model": {**one.config["model"], "name": f"model-{k}"}}
        run = replace(one, rows=rows, estimates=estimates_to_frame(bound.estimates(rows)), config=config)
        place = folder / "runs" / f"run-{k}"
        place.mkdir(parents=True)
        (place / CONFIG).write_bytes(json_bytes(config))
        run.rows.to_parquet(place / ROWS, index=False)
        (place / RESULT).write_bytes(result_bytes(run, place))
    return folder / "runs"


def leaderboard(count):
    with tempfile.TemporaryDirectory() as name:
        folder = make_runs(count, Path(name))
        begun, spent = time.perf_counter(), children()
        command = [sys.executable, "-m", "genderscope", "leaderboard", str(folder), "-o", f"{name}/board.html"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return time.perf_counter() - begun, children() - spent


def children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def journal(count):
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "journal.sqlite"
        keys = [hashlib.blake2b(str(k).encode(), digest_size=16).digest() for k in range(count)]
        with Journal(path) as made:
            for start in range(0, count, 10_000):
                made.write((key, ANSWER) for key in keys[start : start + 10_000])
        spent = []
        for place in (path, Path(shutil.copy(path, Path(name) / "copy.sqlite"))):  # a copy is not known to be intact
            begun = time.process_time()
            with Journal(place) as opened:
                spent.append(time.process_time() - begun)
        with Journal(path) as opened:
            begun = time.process_time()
            assert sum(1 for _ in opened.read(keys)) == count
            return *spent, time.process_time() - begun


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", default="100,500")
    parser.add_argument("--answers", default="100000,1000000")
    given = parser.parse_args()
    print("| leaderboard of | on the clock | CPU time |\n|---|---|---|")
    for count in filter(None, given.runs.split(",")):
        wall, spent = leaderboard(int(count))
        print(f"| {int(count):,} runs | {wall:.1f} s | {spent:.1f} s |", flush=True)
    print("\n| journal of, CPU time | opened | a copy opened | every answer read |\n|---|---|---|---|")
    for count in filter(None, given.answers.split(",")):
        opened, copied, read = journal(int(count))
        print(f"| {int(count):,} answers | {opened:.3f} s | {copied:.2f} s | {read:.1f} s |", flush=True)


if __name__ == "__main__":
    main()
