"""Where does the time go from the command to the result?

    OMP_NUM_THREADS=1 python benchmarks/stages.py [--model SPEC] [--data starter] [--device cpu]

A process of its own runs `gest` and keeps the time of each stage, without that of the stages inside it: seconds on the
clock, and of the processor, which is the column to read on a busy machine. "ours" is what is neither Python's start nor
torch, transformers (its import, and its reading of configuration and tokenizer), reading weights nor passes through the
model. The second process finds the run finished. With --rounds the fastest of several is shown, stage by stage. Our
modules are compiled first, as pip does when it installs them. What draws starts in another process while the model is
opened: its processor time counts, and nobody waits for it.
"""

import argparse
import compileall
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

STAGES: tuple[str, ...] = ("start of Python", "command line", "torch", "transformers", "tokenizer", "own modules")
STAGES += ("opening", "weights")
STAGES += ("exactness check", "passes", "planning, journal, rows", "estimates", "report")
STAGES += ("drawing, in a process of its own",)
#: what is not ours
THEIRS = ("start of Python", "torch", "transformers", "tokenizer", "weights", "exactness check", "passes")


class Watch:
    """Seconds of each stage without those of the stages inside it, on the clock and of the processor."""

    def __init__(self):
        self.spent = {stage: [0.0, 0.0] for stage in STAGES}
        self.open = []

    def __call__(self, stage):
        return _Stage(self, stage)

    def around(self, owner, name, stage):
        """Keep the time of a function or method."""
        inner = getattr(owner, name)

        def timed(*arguments, **options):
            with self(stage):
                return inner(*arguments, **options)

        setattr(owner, name, timed)


class _Stage:
    def __init__(self, watch, stage):
        self.watch, self.stage = watch, stage

    def __enter__(self):
        self.begun = (time.perf_counter(), time.process_time())
        self.inside = [0.0, 0.0]
        self.watch.open.append(self)

    def __exit__(self, *_):
        now = (time.perf_counter(), time.process_time())
        self.watch.open.pop()
        for k in range(2):
            took = now[k] - self.begun[k]
            self.watch.spent[self.stage][k] += took - self.inside[k]
            if self.watch.open:
                self.watch.open[-1].inside[k] += took


def child(begun, model, data, device, out):
    watch = Watch()
    watch.spent["start of Python"] = [time.time() - begun, time.process_time()]
    with watch("command line"):
        import genderscope.cli.app
    with watch("torch"):
        import torch
    with watch("transformers"):
        import transformers.modeling_utils
        from transformers import AutoModelForCausalLM, AutoModelForMaskedLM, AutoTokenizer
    with watch("own modules"):
        import pandas
        import pyarrow.parquet

        from genderscope import evaluation
        from genderscope.evaluation import run_config
        from genderscope.measures.gest.measure import Gest
        from genderscope.models.hf import language_model, model_classes
        from genderscope.models.hf.passes.exactness_check import ExactnessCheck
        from genderscope.models.spec import SpecOpening
        from genderscope.report import write_report
        from genderscope.report.charts import drawing
    watch.around(SpecOpening, "open", "opening")
    watch.around(model_classes, "_config", "tokenizer")
    watch.around(language_model, "read_tokenizer", "tokenizer")
    watch.around(language_model, "load_weights", "weights")
    watch.around(ExactnessCheck, "choose_strategy", "exactness check")
    watch.around(language_model.LanguageModel, "begin", "passes")
    watch.around(Gest, "estimates", "estimates")
    watch.around(run_config, "_write_report", "report")
    with watch("planning, journal, rows"):
        evaluation.evaluate("gest", model, data=data, device=device, out=out)
    drawing._process.end()  # only the time of processes that have ended is told
    watch.spent["drawing, in a process of its own"][1] = _children()
    used = (genderscope, torch, transformers, AutoModelForCausalLM, AutoModelForMaskedLM, AutoTokenizer, write_report)
    assert all((*used, pandas, pyarrow))
    print(json.dumps(watch.spent))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="smollm2")
    parser.add_argument("--data", default="starter")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    compileall.compile_dir(Path(__file__).parents[1] / "src", quiet=1)
    rounds = [_round(options) for _ in range(options.rounds)]
    spent = {stage: [min(each[stage][k] for each in rounds) for k in range(2)] for stage in rounds[0]}
    again = spent.pop("again")
    print("| stage | s | processor s |\n|---|---|---|")
    for stage in STAGES:
        print(f"| {stage} | {spent[stage][0]:.2f} | {spent[stage][1]:.2f} |")
    ours = [sum(spent[stage][k] for stage in STAGES if stage not in THEIRS) for k in range(2)]
    print(f"| **ours** | {ours[0]:.2f} | {ours[1]:.2f} |")
    print(f"| the finished run again | {again[0]:.2f} | {again[1]:.2f} |")


def _round(options):
    """Return the seconds of each stage of a run, and of showing it again."""
    with tempfile.TemporaryDirectory() as place:
        out = f"{place}/run"
        given = [options.model, options.data, options.device, out]
        command = [sys.executable, __file__, "child", str(time.time()), *given]
        spent = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        again = [sys.executable, "-m", "genderscope", "run", "gest", "--model", options.model, "--data", options.data]
        before, start = _children(), time.perf_counter()
        subprocess.run([*again, "--out", out], check=True, capture_output=True)
        return {**spent, "again": [time.perf_counter() - start, _children() - before]}


def _children():
    import resource

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    if sys.argv[1:2] == ["child"]:
        child(float(sys.argv[2]), *sys.argv[3:])
    else:
        main()
