"""What does the trial of the ways cost in a run of GEST on the embedded model?

    python benchmarks/trial.py [--sentences N]

Counts processor time, so that a busy machine changes little: what the trial needs beyond the run's own passes, against
the whole run. The passes that it tries answer their questions, so they are no cost.
"""

import argparse
import sys
import time
from pathlib import Path
from typing import Any

from genderscope.measures.gest import TEMPLATES
from genderscope.measures.gest.templates import SENTENCE_FIRST
from genderscope.models import open_model
from genderscope.models.hf.language_model import LanguageModel

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.gest import sentences


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sentences", type=int, default=3565)
    chosen = sentences(parser.parse_args().sentences)
    questions = [TEMPLATES[template].ask(sentence, False) for sentence in chosen for template in SENTENCE_FIRST]
    model = open_model("smollm2")
    assert isinstance(model, LanguageModel)
    model.load()
    with model.without_gradients():
        model.model(model.tensor([0, 1])[None])  # the first pass of a process is slower, whatever it is for
    choose: Any = model.exactness.choose_strategy
    read: Any = model.logits_of
    tried, used = [], []

    def timed(*args):
        start = time.process_time()
        way = choose(*args)
        tried.append(time.process_time() - start)
        return way

    def reading(*args, keep=False):
        start = time.process_time()
        logits = read(*args, keep=keep)
        if keep:
            used.append(time.process_time() - start)
        return logits

    model.exactness.choose_strategy, model.logits_of = timed, reading  # type: ignore[method-assign]
    start = time.process_time()
    plan = model.plan(questions, None)
    for batch in plan.batches:
        model.answer(batch)
    run = time.process_time() - start
    ways = ", ".join(sorted({str(batch.strategy) for batch in plan.batches}))
    print("| questions | way | run s | trial s | share |\n|---|---|---|---|---|")
    trial = sum(tried) - sum(used)
    print(f"| {len(questions):,} | {ways} | {run:.1f} | {trial:.2f} | {trial / run:.1%} |")


if __name__ == "__main__":
    main()
