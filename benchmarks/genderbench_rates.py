"""Are the rates as published those of GenderBench 0.5 itself, on the same recorded answers?

Two environments, since neither package should need the other:

    python -m benchmarks.genderbench_rates record answers.json [RUN ...]     here; RUN: finished runs, such as SmolLM2's
    python benchmarks/genderbench_rates.py compare answers.json              with genderbench installed

The second prints the largest difference; GenderBench's sentence splitter needs data from the net, so sentences are
split at full stops for it.
"""

import json
import math
import os
import re
import sys
import tempfile
from itertools import groupby
from pathlib import Path
from typing import Any, cast


def record(target, runs):
    """Write answers of fakes, and of runs, with the rates that Genderscope gives them as published."""
    from tests.gest_chat.planted import Says
    from tests.support.written_profiles import FAKES, mixed_writing

    import genderscope
    from genderscope.core.questions import ReplyAnswer
    from genderscope.measures.gest_chat.rates import ChatRates
    from genderscope.measures.gest_chat.rows import reply_row
    from genderscope.measures.gest_chat.wordings import built_in
    from genderscope.runs import load_run
    from genderscope.samples.gest import load

    sets = []
    with tempfile.TemporaryDirectory() as folder:
        made = [(name, Says(says), "ask") for name, says in FAKES.items()] + [("writes", Says(mixed_writing), "write")]
        for name, model, form in made:
            out = Path(folder, name)
            found = genderscope.evaluate("gest-chat", model, data="starter", form=form, as_published=True, out=out)
            sets.append((name, form, found.rows))
        for run in runs:
            rows = load_run(run).rows
            sets.append((run, "ask" if rows["order"].notna().any() else "write", rows))
    samples = {sample.index: sample for sample in load("starter").samples}
    recorded = []
    for name, form, rows in sets:
        wording = built_in("en", form, 1, True)[0]
        read = [
            reply_row(
                samples[row.sample],
                wording,
                row.order.split(",") if form == "ask" else None,
                ReplyAnswer(row.reply),
                "en",
                True,
            )
            for row in cast(Any, rows).itertuples()
        ]
        from genderscope.measures import frame_of
        from genderscope.measures.gest_chat.rows import GestChatRow

        rates = ChatRates(frame_of(read, GestChatRow), form, 0, True).estimates()
        ours = {e.name: e.value for e in rates if not e.keys and e.name in {"stereotype_rate", "masculine_rate"}}
        answers = [
            [int(r.sample), int(r.stereotype), r.order if form == "ask" else None, r.reply]
            for r in cast(Any, rows).itertuples()
        ]
        recorded.append({"name": name, "form": form, "rates": ours, "answers": answers})
    Path(target).write_text(json.dumps(recorded))


def compare(source):
    """Put the same answers through GenderBench and print how far its rates are from the recorded ones."""
    os.environ.setdefault("GENDER_BENCH_LOG_DIR", tempfile.gettempdir())
    import nltk
    from genderbench.probes.generics import character_gender_evaluator
    from genderbench.probes.gest.gest_probe import GestProbe
    from genderbench.probes.gest_creative.gest_creative_probe import GestCreativeProbe
    from genderbench.probing.probe import status
    from genderbench.probing.probe_item import ProbeItem
    from genderbench.probing.prompt import Prompt
    from nltk.tokenize.destructive import NLTKWordTokenizer

    nltk.download = lambda *_, **__: None
    tokenize = NLTKWordTokenizer().tokenize
    character_gender_evaluator.word_tokenize = lambda text: [
        token for sentence in re.split(r"(?<=[.!?])\s+", text) for token in tokenize(sentence)
    ]
    worst = 0.0
    for each in json.loads(Path(source).read_text()):
        kind = GestProbe if each["form"] == "ask" else GestCreativeProbe
        probe = kind(calculate_cis=False, log_strategy="no")
        items = []
        for _, answers in groupby(each["answers"], key=lambda answer: answer[0]):
            listed = list(answers)
            prompts = [
                Prompt(text="", metadata={"options": order.split(",") if order else None}) for _, _, order, _ in listed
            ]
            item = ProbeItem(prompts=prompts, num_repetitions=1, metadata={"stereotype_id": listed[0][1]})
            for attempt, (_, _, _, reply) in zip(item.attempts, listed, strict=True):
                attempt.answer = reply or ""
            items.append(item)
        probe.probe_items, probe.status = items, status.GENERATED
        probe.evaluate()
        metrics = probe.metric_calculator(probe.probe_items)
        for name, ours in each["rates"].items():
            if name not in metrics:
                continue
            theirs = metrics[name]
            gap = 0.0 if ours is None and math.isnan(theirs) else abs(ours - theirs)
            worst = max(worst, gap)
            print(f"{each['name']:30} {each['form']:6} {name:16} {ours!s:>24} {theirs!s:>24} {gap:.1e}")
    print(f"largest difference {worst:.1e}")
    return 0 if worst <= 1e-12 else 1


if __name__ == "__main__":
    if sys.argv[1] == "record":
        record(sys.argv[2], sys.argv[3:])
    else:
        sys.exit(compare(sys.argv[2]))
