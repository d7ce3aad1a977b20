"""Many runs and large journals: how long until a scorecard is printed, and until a journal is open?

    python benchmarks/many_runs.py [--runs 100,500] [--rows 7130] [--answers 100000,1000000]

Runs of `gest` have as many rows as with GEST's own sentences and two templates, and all are comparable: copies of one
run with noise added to every outcome, and with a probability mass that makes them meaningful. A journal holds answers
of 60 bytes and is closed before it is opened again. A copy of it is checked in full; reading every answer, each checked
against its checksum, is measured next to both.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import genderscope
from genderscope.evaluation import bind
from genderscope.measures import measure_type, parse_options
from genderscope.models import open_model
from genderscope.runs import Journal, estimates_to_frame
from genderscope.runs.atomic_files import json_bytes
from genderscope.runs.run_files import CONFIG, RESULT, ROWS, result_bytes
from genderscope.samples.gest import MALE

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.tiny_model import build

#: runs in one report
REPORTED = 50
ANSWER = b'{"scores":[0.123456789,0.987654321],"mass":0.5,"tokens":[1]}'


def make_runs(count, rows_per_run, folder):
    options: dict[str, Any] = {"data": "starter", "limit": 128}
    model = str(folder / "model")
    build(model)
    one = genderscope.evaluate("gest", model, out=folder / "one", report=False, **options)
    kind = measure_type("gest")
    bound = bind(kind, parse_options(kind, options), open_model(model))
    samples = one.rows["sample"].max() + 1
    copies = range(-(-rows_per_run // len(one.rows)))
    many = pd.concat(
        [
            one.rows.assign(sample=one.rows["sample"] + k * samples, sentence=one.rows["sentence"] + f" {k}")
            for k in copies
        ],
        ignore_index=True,
    )
    many = many.head(rows_per_run).assign(mass=0.5)
    many.loc[len(one.rows) :, "mass"] = np.nan  # known for a sample of the questions
    stereotyped = many["stereotype"].isin(MALE) * 0.5
    draw = np.random.default_rng(0)
    for k in range(count):
        noise = draw.normal(0, 1, len(many)) + draw.normal(0, 0.3) + draw.uniform() * stereotyped
        rows = many.assign(log_ratio=many["log_ratio"] + noise)
        config = {**one.config, "model": {**one.config["model"], "name": f"model-{k}"}}
        run = replace(one, rows=rows, estimates=estimates_to_frame(bound.estimates(rows)), config=config)
        place = folder / "runs" / f"run-{k}"
        place.mkdir(parents=True)
        (place / CONFIG).write_bytes(json_bytes(config))
        run.rows.to_parquet(place / ROWS, index=False)
        (place / RESULT).write_bytes(result_bytes(run, place))
    return folder / "runs"


def run_command(*arguments):
    """Return the seconds and the largest memory in megabytes of a command."""
    begun = time.perf_counter()
    with subprocess.Popen([sys.executable, "-m", "genderscope", *arguments], stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return time.perf_counter() - begun, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def commands(count, rows_per_run):
    """Yield a name, seconds, CPU seconds and megabytes for each command on so many runs."""
    with tempfile.TemporaryDirectory() as name:
        folder = make_runs(count, rows_per_run, Path(name))
        some = [str(path) for path in sorted(folder.iterdir())[:REPORTED]]
        for what, arguments in (
            ("scorecard", ["scorecard", str(folder)]),
            ("list runs", ["list", "runs", str(folder)]),
            (f"report of {len(some)}", ["report", *some, "-o", f"{name}/report.html"]),
        ):
            yield what, *run_command(*arguments)


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
    parser.add_argument("--rows", type=int, default=7130)
    parser.add_argument("--answers", default="100000,1000000")
    given = parser.parse_args()
    print("| command | runs | on the clock | CPU time | memory |\n|---|---|---|---|---|")
    for count in filter(None, given.runs.split(",")):
        for what, wall, spent, memory in commands(int(count), given.rows):
            print(f"| {what} | {int(count):,} | {wall:.1f} s | {spent:.1f} s | {memory:.0f} MB |", flush=True)
    print("\n| journal of, CPU time | opened | a copy opened | every answer read |\n|---|---|---|---|")
    for count in filter(None, given.answers.split(",")):
        opened, copied, read = journal(int(count))
        print(f"| {int(count):,} answers | {opened:.3f} s | {copied:.2f} s | {read:.1f} s |", flush=True)


if __name__ == "__main__":
    main()
