"""How long does a cluster need for many models, all measures each, and what holds it up?

    python benchmarks/projection.py [--gpus 64] [--machines 8] [--storage 5,10,40] [--network 12]
    python benchmarks/projection.py --check

An audit opens, hashes and plans all its models, then asks them, each loaded once and asked all measures. A model keeps
its GPU for

    t = L + 2 S / b + Σ over measures of (Q w / (r e) + E)

with L to start a worker, S the GB of its files, hashed and then read at b GB/s, Q the questions of a measure, w what
one costs beside one of `gest`, r questions of `gest` a second, e parallel efficiency, E estimates and report. With C
commands that have a part of the models each, and the largest models first,

    T = M P / C + Σ S / min(C D, B) + max( Σ t / G + max t,  Σ S / B )

where P is the processor time to open and plan a model, D the GB/s that reach one machine and B those that the storage
gives to all. With one command and Ray the workers' machines read every file again, which is the last term; with a
command on every machine, without Ray, its files are in memory already and the term is 0.

--check audits eight small models of two sizes, two at a time, on a Ray of this machine, and compares the processor time
with what the formula makes of three audits of two or four of them: start, and t of each size.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

#: seconds to start a worker, and for estimates and report of one run; GB/s from a warm disk cache: H200, RESULTS.md
START, FINISH, READ = 12.0, 0.7, 9.0
#: measured by benchmarks/ray_scaling.py
EFFICIENCY = 0.93
#: processor seconds to open and plan one model for nine measures
PLAN = 0.8

#: measure -> questions of all its data (causal, masked; a language where it asks in one), and what a question costs
#: beside one of gest: seconds of SmolLM2 on a processor, from `genderscope audit --plan --budget full`
MEASURES = {
    "gest": (7_130, 14_260, 1.0),
    "gest-chat": (21_390, 0, 6.8),
    "honest": (420, 810, 5.0),
    "stereoset": (2_000, 2_000, 0.65),
    "crows": (524, 524, 1.25),
    "winobias": (1_522, 1_522, 0.65),
    "slovak-gender": (1_136, 1_136, 0.65),
    "eurogest": (3_458, 3_458, 1.0),
    "gest-slavic": (3_458, 3_458, 1.0),  # assumed as eurogest
}


@dataclass(frozen=True)
class Kind:
    """Models of one size: how many, GB of files, questions of gest a second on one GPU."""

    name: str
    models: int
    gigabytes: float
    rate: float
    masked: bool

    def asking(self, efficiency=EFFICIENCY):
        """Seconds of asking all measures."""
        questions = sum((masked if self.masked else causal) * cost for causal, masked, cost in MEASURES.values())
        return questions / (self.rate * efficiency)

    def loading(self):
        return START + 2 * self.gigabytes / READ

    def seconds(self):
        """Seconds that one such model keeps its GPU."""
        measures = sum(1 for causal, masked, _ in MEASURES.values() if (masked if self.masked else causal))
        return self.loading() + self.asking() + measures * FINISH


#: an assumed mix; the rates of BERT-large, 1.4 B and 7 B are measured, the others scaled by their parameters
MIX = (
    Kind("base size, masked", 300, 0.5, 8_300, True),
    Kind("large, masked", 300, 1.4, 8_300, True),
    Kind("1.4 B, causal", 250, 2.8, 4_700, False),
    Kind("7 B, causal", 120, 14.0, 2_600, False),
    Kind("32 B, causal", 30, 64.0, 570, False),
)


def makespan(seconds, places):
    """When so many places are done with jobs of these lengths, the longest first."""
    busy = [0.0] * places
    for length in sorted(seconds, reverse=True):
        k = busy.index(min(busy))
        busy[k] += length
    return max(busy)


def project(given):
    print("| models | number | GB | load s | ask s | on its GPU s |\n|---|---|---|---|---|---|")
    for kind in MIX:
        cells = (f"{kind.loading():.0f}", f"{kind.asking():.0f}", f"{kind.seconds():.0f}")
        print(f"| {kind.name} | {kind.models} | {kind.gigabytes:g} | {' | '.join(cells)} |")
    lengths = [kind.seconds() for kind in MIX for _ in range(kind.models)]
    total = sum(kind.models * kind.gigabytes for kind in MIX)
    print(f"\n{len(lengths):,} models, {len(MEASURES)} measures, {given.gpus} GPUs, {total / 1000:.1f} TB of weights\n")
    print("| storage GB/s | commands | open and plan min | GPUs min | reading again min | all min | longest |")
    print("|" + "---|" * 7)
    gpus = makespan(lengths, given.gpus) / 60
    for storage in given.storage:
        for commands in (1, given.machines):
            planning = len(lengths) * PLAN / commands / 60
            hashing = total / min(commands * given.network, storage) / 60
            again = total / storage / 60 if commands == 1 else 0.0
            parts = {"planning": planning, "storage": hashing + again, "GPUs": gpus}
            how = "1, Ray" if commands == 1 else f"{commands}, one per machine"
            cells = (f"{planning + hashing:.0f}", f"{gpus:.0f}", f"{again:.0f}")
            whole = planning + hashing + max(gpus, again)
            longest = max(parts, key=parts.get)
            print(f"| {storage:g} | {how} | {' | '.join(cells)} | {whole:.0f} | {longest} |")


def check():
    """Audit eight small models and compare the processor time with the formula."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from benchmarks.tiny_model import build

    with tempfile.TemporaryDirectory() as place:
        folders = [Path(place, f"model-{k}") for k in range(8)]
        large, small = folders[:4], folders[4:]
        for k, folder in enumerate(folders):
            build(folder, seed=k, wide=512 if folder in large else 256, layers=16 if folder in large else 8)
        # Never one alone: it needs no processes beside the one that plans.
        two, four, others = (
            audit(place, name, some)[0] for name, some in (("two", small[:2]), ("four", small), ("others", large[:2]))
        )
        alone = (four - two) / 2
        start = two - 2 * alone
        heavy = (others - start) / 2
        print(f"start {start:.1f} s, then {alone:.1f} s for a small and {heavy:.1f} s for a large model")
        processor, clock = audit(place, "all", folders)
    print(f"eight models: predicted {start + 4 * (alone + heavy):.1f} s of processor, measured {processor:.1f} s")
    print(f"on the clock {clock:.1f} s, {processor / clock:.2f} processors at work")


def audit(place, name, folders):
    """Return the seconds of an audit on a Ray of this machine, two models at a time: of the processor, on the clock."""
    command = [sys.executable, "-m", "genderscope", "audit", "--measure", "gest", "--offline", "--budget", "standard"]
    command += ["--engine", "ray", "--jobs", "2", "--out", f"{place}/{name}", "--device", "cpu"]
    command += [part for folder in folders for part in ("--model", str(folder))]
    mark = f"GENDERSCOPE_PROJECTION={place}/{name}"
    # Ray puts its workers behind everything else on the machine, which a measurement should not.
    environment = {**os.environ, "RAY_worker_niceness": "0", **dict([mark.split("=")])}
    spent: dict[str, float] = {}
    start = time.perf_counter()
    with tempfile.TemporaryFile("w+") as said:
        running = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=said)
        while running.poll() is None:
            spent |= processor_seconds(mark.encode())
            time.sleep(0.2)
        said.seek(0)
        if running.returncode:
            raise SystemExit(said.read())
    return sum(spent.values()), time.perf_counter() - start


def processor_seconds(mark):
    """Return the processor time so far of every process marked by its environment (Ray's have no parent here)."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (process / "environ").read_bytes().split(b"\0"):
                fields = (process / "stat").read_text().rpartition(")")[2].split()
                found[process.name] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except OSError:  # it has just ended
            continue
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpus", type=int, default=64)
    parser.add_argument("--storage", type=lambda text: [float(part) for part in text.split(",")], default=[5, 10, 40])
    parser.add_argument("--machines", type=int, default=8)
    parser.add_argument("--network", type=float, default=12.0, help="GB/s that reach one machine")
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    check() if given.check else project(given)


if __name__ == "__main__":
    main()
