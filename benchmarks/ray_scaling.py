"""How much faster are two Ray workers than one? What that makes of a cluster: benchmarks/projection.py.

    python benchmarks/ray_scaling.py [--model smollm2] [--workers 1,2] [--rounds 2]

The same questions are put to crews of different sizes in turns, so that a busy machine slows all of them down; time
counts from the moment when all workers have loaded the model. Every worker has one thread. "CPU ratio" is the
processor time that one worker needs for all questions over that of the larger crew together: 1 means that working side
by side costs nothing, however busy the machine is.
"""

import argparse
import os
import resource
import tempfile
import time
from collections import defaultdict
from pathlib import Path


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="smollm2")
    parser.add_argument("--workers", default="1,2")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--samples", type=int, default=256, help="sentences of the starter set, two questions each")
    return parser.parse_args()


def processor_seconds():
    """The processor time that all workers on this machine have used so far."""
    ticks = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if b"ray::_Actor" in (process / "cmdline").read_bytes():
                fields = (process / "stat").read_text().rpartition(")")[2].split()
                ticks += int(fields[11]) + int(fields[12])
        except OSError:  # it has just ended
            continue
    return ticks / os.sysconf("SC_CLK_TCK")


def together(opening, settings):
    """Workers that start when all of them have loaded the model."""
    from genderscope.engine.ray_engine import RayWorkers

    class Together(RayWorkers):
        began = None

        def next_event(self):
            if self.began is None:
                self.loaded = [super(Together, self).next_event() for _ in range(self.size)]
                self.began, self.processor = time.perf_counter(), processor_seconds()
            return self.loaded.pop() if self.loaded else super().next_event()

    return Together(opening, settings, patience=0)


def measure(model, questions, workers):
    """Have so many workers answer the questions; return seconds to load, to answer, of processor and of driver."""
    from genderscope.engine import EngineSettings
    from genderscope.engine.sharding import ask_workers
    from genderscope.runs import Journal

    crew = together(model.opening, EngineSettings("ray", workers=workers))
    end: list[float] = []
    left, driver = [len(questions)], resource.getrusage(resource.RUSAGE_SELF)

    def progress(count):
        left[0] -= count
        if not left[0]:
            end.extend((time.perf_counter(), processor_seconds()))

    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as place, Journal(Path(place, "journal")) as journal:
        ask_workers(crew, model, questions, journal, progress=progress)
        answers = len(journal)
    assert answers == len(questions)
    now = resource.getrusage(resource.RUSAGE_SELF)
    own = now.ru_utime + now.ru_stime - driver.ru_utime - driver.ru_stime
    return crew.began - start, end[0] - crew.began, end[1] - crew.processor, own


def main():
    given = arguments()
    # Ray puts its workers behind everything else on the machine, which a measurement should not.
    os.environ.setdefault("RAY_worker_niceness", "0")
    from genderscope.engine.ray_engine import cluster
    from genderscope.measures.gest import Gest
    from genderscope.models import WordModel, open_model

    model = open_model(given.model, device="cpu")
    assert isinstance(model, WordModel)
    gest = Gest(Gest.options_type(data="starter", limit=given.samples), model)
    questions = [question for sample in gest.samples for question in gest.ask(sample)]
    sizes = [int(size) for size in given.workers.split(",")]
    times = defaultdict(list)
    with cluster("local", max(sizes)):
        for _ in range(given.rounds):
            for size in sizes:
                times[size].append(measure(model, questions, size))
    print(f"{given.model}, {len(questions)} questions, {given.rounds} rounds, {os.cpu_count()} cores")
    print("workers  load s  answer s  questions/s   ratio  processor s  CPU ratio  driver ms/question")
    sums = {size: [sum(column) for column in zip(*times[size], strict=True)] for size in sizes}
    base = sums[sizes[0]]
    for size in sizes:
        load, wall, processor, own = sums[size]
        asked = given.rounds * len(questions)
        print(
            f"{size:>7}{load / given.rounds:>8.1f}{wall / given.rounds:>10.1f}{asked / wall:>13.1f}"
            f"{base[1] / wall:>7.2f}x{processor / given.rounds:>13.1f}{base[2] / processor:>11.2f}"
            f"{1000 * own / asked:>20.2f}"
        )


if __name__ == "__main__":
    main()
