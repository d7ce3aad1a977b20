"""WinoBias: he or she in sentences about jobs."""

import pandas as pd

from genderscope.measures.winobias.rates import OccupationRates
from tests.measure_examples import CHOICES, NEXT_TOKENS, UNTRAINED, MeasureExample, PinnedData
from tests.measure_examples.gest import shift_log_ratios
from tests.support.evaluation import evaluate


def artificial(draw, n, said):
    jobs = [("nurse", "female"), ("baker", "female"), ("guard", "male"), ("cook", "male")]
    rows = [
        {
            "sample": k,
            "subset": ("type 1 dev", "type 2 dev")[k // 4 % 2],
            "sentence": f"The {job} said that [he/she] was late. {said}",
            "occupation": job,
            "gender": gender,
            "log_ratio": draw.gauss(0.5 if gender == "male" else -0.3, 0.5),
            "note": None,
            "unread": None,
        }
        for k in range(n)
        for job, gender in [jobs[k % 4]]
    ]
    frame = pd.DataFrame(rows).astype({"unread": "string", "note": "string"})
    return frame, [*OccupationRates.estimates(frame, 0)], {}


def run(folder, models):
    return evaluate("winobias", str(models("gpt2", "bytes")), limit=120, out=folder / "winobias")


def own_sentences():
    """Return our own sentences in the form of the released files, by path."""
    people = [("doctor", "nurse", "he", "she"), ("nurse", "doctor", "she", "he")]
    lines = [
        [f"{k} [The {one}] asked the {other} {k} times because [{who[turn]}] was late."
         for k, (one, other, *who) in enumerate(people * 2, 1)]
        for turn in (0, 1)
    ]  # fmt: skip
    return {
        f"winobias/{version}_stereotyped_type{kind}.txt.{split}": "\n".join(sentences)
        for version, sentences in zip(("pro", "anti"), lines, strict=True)
        for kind in (1, 2)
        for split in ("dev", "test")
    }


EXAMPLE = MeasureExample(
    columns="sample:i subset:s line:i sentence:s occupation:s gender:s log_ratio:f mass:f note:s unread:s",
    artificial=artificial,
    run=run,
    plant=shift_log_ratios("gender", ["male"]),
    one_row=True,
    from_mirror=True,
    every_interval_is_wide=True,
    knows_nothing=UNTRAINED,
    models=NEXT_TOKENS,
    model_options=CHOICES,
    own_data=lambda folder: {},
    pinned_data=PinnedData("winobias", own_sentences),
    released_contexts=[("masked", {})],
)
