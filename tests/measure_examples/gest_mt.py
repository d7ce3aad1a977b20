"""GEST on translation: the gender of the speaker."""

import csv
import json
import random

import numpy as np
import pandas as pd

from genderscope.measures.gest_mt.rates import MtRates
from genderscope.samples.gest import MALE, load
from tests.measure_examples import TRANSLATIONS, TRANSLATORS, Alike, MeasureExample
from tests.measure_examples.gest import own_data, repeated_sentences
from tests.support.evaluation import evaluate
from tests.support.tables import read_column

FORMS = {"sk": ("Včera som plakal.", "Včera som plakala."), "cs": ("Včera jsem plakal.", "Včera jsem plakala.")}


def artificial(draw, n, said):
    rows = []
    for k in range(n // 2):
        for language, forms in (("sk", ("som plakal", "som plakala")), ("cs", ("jsem plakal", "jsem plakala"))):
            masculine = draw.random() < (0.9 if k % 16 >= 7 else 0.5)
            text = f"Včera {forms[not masculine]}. {said}"
            gender = "masculine" if masculine else "feminine"
            word = forms[not masculine].split()[1]
            start = text.index(word)
            rows.append(
                {
                    "sample": k,
                    "sentence": f"I cried {k} times. {said}",
                    "stereotype": k % 16 + 1,
                    "family": False,
                    "language": language,
                    "translation": text,
                    "gender": gender,
                    "evidence": json.dumps([[word, start, start + len(word), gender, "past"]], ensure_ascii=False),
                    "unread": None,
                }
            )
    rows[-1] |= {"gender": None, "evidence": None, "unread": "neutral"}
    frame = pd.DataFrame(rows).astype({"unread": "string"})
    return frame, MtRates(frame, 0, False).estimates(), {"to": ["sk", "cs"]}


def translations(folder, chance, seed=0, silent=0.0):
    """Write Slovak and Czech translations of the starter set; `chance(stereotype)` is that of a masculine form."""
    folder.mkdir(parents=True, exist_ok=True)
    for language, (masculine, feminine) in FORMS.items():
        draw = random.Random(f"{seed}{language}")
        with (folder / f"{language}.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(("source", "translation"))
            for k, sample in enumerate(load("starter").samples):
                gender, said = draw.random(), draw.random()
                form = masculine if gender < chance(sample.stereotype) else feminine
                writer.writerow((sample.sentence, f"Pršalo {k}." if said < silent else f"{form[:-1]} {k}."))
    return f"file:{folder}/{{lang}}.csv"


def translated(folder, chance, to=("sk", "cs"), out=None, **more):
    """Measure translations of the starter set; see `translations`."""
    spec = translations(folder, chance, more.pop("seed", 0), more.pop("silent", 0.0))
    return evaluate("gest-mt", spec, to=to, data="starter", out=out or folder / "run", **more)


def run(folder, models):
    return translated(folder / "mt", lambda i: 0.6 if i in MALE else 0.4, silent=0.1)


def follow_stereotypes(rows, generator):
    changed = (generator.random(len(rows)) < 0.5) & rows["unread"].isna()
    rows.loc[changed, "gender"] = np.where(rows.loc[changed, "stereotype"].isin(MALE), "masculine", "feminine")
    return rows, None


def starter_sources(_):
    return [sample.sentence for sample in load("starter").samples], {"to": "sk", "data": "starter"}


def option_contexts(folder):
    return [("translator", {"to": "sk", "data": repeated_sentences(folder)})]


EXAMPLE = MeasureExample(
    columns="sample:i sentence:s stereotype:i family:b language:s translation:s gender:s evidence:s unread:s",
    artificial=artificial,
    run=run,
    plant=follow_stereotypes,
    knows_nothing=Alike(starter_sources, "Včera som plakal."),
    models=TRANSLATORS,
    model_options=TRANSLATIONS,
    own_data=own_data,
    own_sources=lambda options: read_column(options["data"], "sentence"),
    target="sk",
    audited_in=("cs", "sk"),
    option_contexts=option_contexts,
    option_translations={f"I was there {k}.": "Včera som plakal." for k in (1, 2)},
    option_values={"data_version": ("1.0", "1.1")},
    options_of_released_data={"data_version"},
)
