"""EuroGEST: who says a sentence, in thirty languages."""

from dataclasses import replace

import pandas as pd

from genderscope.measures.eurogest.rates import estimates
from genderscope.measures.eurogest.texts import EuroGestOptions
from genderscope.samples.gest import MALE
from tests.measure_examples import CHOICES, LANGUAGE_MODELS, UNTRAINED, MeasureExample, gest
from tests.measure_examples.gest_slavic import FORMS
from tests.support.evaluation import evaluate
from tests.support.tables import write_table

HEADER = ("language", "male", "female", "stereotype")


def artificial(draw, n, said):
    frame, _, _ = gest.artificial(draw, 2 * n, said)
    parts = []
    for language, condition, template in (("sk", "gendered", 1), ("sk", "pronoun", 2), ("fi", "noun", 3)):
        part = frame[frame["template"] == 3].assign(language=language, condition=condition, template=template)
        part["log_ratio"] += [draw.gauss(0, 0.3) for _ in range(len(part))]
        numbers = [f"{k}-krát. {said}" for k in part["sample"]]
        forms = {name: [f"Včera som {verb} {number}" for number in numbers] for name, verb in FORMS.items()}
        parts.append(part.assign(alternates=None, **forms))
    rows = pd.concat(parts, ignore_index=True)
    return rows, estimates(rows, EuroGestOptions(lang=("sk", "fi"))), {"lang": ["sk", "fi"]}


def run(folder, models):
    lines = [f"{lang},It was {k} zq here,It was {k} zx here,{k % 16 + 1}" for lang in ("fr", "it") for k in range(64)]
    pairs = folder / "eurogest.csv"
    pairs.write_text("\n".join(["language,male,female,stereotype", *lines]), encoding="utf-8")
    return evaluate("eurogest", str(models("gpt2", "bytes")), data=str(pairs), out=folder / "eurogest")


def in_two_conditions(run):
    """Return a run with a second condition, which says the opposite, and louder; own pairs are asked in one."""
    again = run.rows.assign(condition="noun", template=run.rows["template"] + 1, log_ratio=-3 * run.rows["log_ratio"])
    return replace(run, rows=pd.concat([run.rows, again], ignore_index=True))


def own_data(folder):
    rows = [("fr", f"fort {i} 0", f"forte {i} 0", i) for i in range(1, 17)]
    return {"data": write_table(folder / "europe.csv", HEADER, rows)}


def option_contexts(folder):
    rows = [("fr", f"fort {i} {k}", f"forte {i} {k}", i) for k in (1, 1, 2) for i in range(1, 17)]
    return [("causal", {"data": write_table(folder / "europe.csv", HEADER, rows)})]


EXAMPLE = MeasureExample(
    columns="""sample:i language:s condition:s alternates:s sentence:s female:s stereotype:i family:b template:i
        log_ratio:f log_probability:f mass:f note:s unread:s""",
    artificial=artificial,
    run=run,
    plant=gest.shift_log_ratios("stereotype", MALE),
    repeat_items=in_two_conditions,
    knows_nothing=UNTRAINED,
    models=LANGUAGE_MODELS,
    model_options=CHOICES,
    own_data=own_data,
    option_contexts=option_contexts,
    released_contexts=[("causal", {"lang": "sk,fr"}), ("causal", {"lang": "sk,fr", "as_published": "2026"})],
    option_values={
        "lang": ("sk", "fr"),
        "as_published": ("2025", "2026"),
        "condition": ("noun", "gendered"),
        "common": (True,),
    },
    simulated_as="gest",
)
