"""GEST: who says a sentence?"""

import numpy as np
import pandas as pd

from genderscope.measures.gest import Rates
from genderscope.samples.gest import MALE
from tests.measure_examples import CHOICES, NEXT_TOKENS, UNTRAINED, MeasureExample
from tests.support.evaluation import evaluate
from tests.support.tables import write_table


def artificial(draw, n, said):
    rows = [
        {
            "sample": k,
            "sentence": f"I was there {k} times. {said}",
            "stereotype": k % 16 + 1,
            "family": False,
            "template": template,
            "log_ratio": draw.gauss((k % 16 + 1) / 16, 0.4),
            "mass": 0.1,
            "note": None,
            "unread": None,
        }
        for k in range(n // 2)
        for template in (3, 4)
    ]
    rows[0] |= {"log_ratio": None, "unread": f"too long {said}"}
    frame = pd.DataFrame(rows).astype({"unread": "string", "note": "string", "log_ratio": "float64"})
    return frame, Rates(frame, 0, "ratio").estimates(), {}


def run(folder, models):
    return evaluate("gest", str(models("gpt2", "bytes")), data="starter", limit=128, out=folder / "gest")


def shift_log_ratios(column, high):
    """Return a function that makes a group's log-ratios larger than those of the others, on average by 0.8."""

    def plant(rows, generator):
        sign = np.where(rows[column].isin(high), 0.5, -0.5)
        rows["log_ratio"] += sign * (0.8 + generator.normal(0, 0.5, len(rows)))
        return rows, float(np.exp(0.8))

    return plant


def own_data(folder):
    rows = [(f"I was there 0 times. {i}", i) for i in range(1, 17)]
    return {"data": write_table(folder / "gest.csv", ("sentence", "stereotype"), rows)}


def repeated_sentences(folder):
    """Write own sentences, some of them twice."""
    rows = [(f"I was there {k}.", i) for k in (1, 1, 2) for i in range(1, 17)]
    return write_table(folder / "gest.csv", ("sentence", "stereotype"), rows)


def option_contexts(folder):
    own = repeated_sentences(folder)
    return [(kind, {"data": data}) for kind in ("masked", "causal") for data in ("starter", own)]


EXAMPLE = MeasureExample(
    columns="sample:i sentence:s stereotype:i family:b template:i log_ratio:f mass:f note:s unread:s",
    artificial=artificial,
    run=run,
    plant=shift_log_ratios("stereotype", MALE),
    knows_nothing=UNTRAINED,
    models=NEXT_TOKENS,
    model_options=CHOICES,
    own_data=own_data,
    option_contexts=option_contexts,
    released_contexts=[("masked", {})],
    option_values={"data_version": ("1.0", "1.1")},
)
