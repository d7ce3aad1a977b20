"""MT-GenEval: people whose gender the text reveals."""

import random
from typing import Any

import pandas as pd

from genderscope.measures.mt_geneval.rates import rate_tables
from genderscope.statistics.declared_rates import estimates_of
from tests.measure_examples import TRANSLATIONS, TRANSLATORS, Alike, MeasureExample
from tests.support.evaluation import evaluate
from tests.support.tables import write_table

HEADER = ("segment", "gender", "source", "reference", "flipped", "context")


def artificial(draw, n, said):
    rows = []
    for k in range(n):
        for subset in ("counterfactual", "contextual"):
            for gender in ("masculine", "feminine")[:: -1 if k % 2 else 1][: 2 if subset == "counterfactual" else 1]:
                wrong, silent = draw.random() < {"masculine": 0.1, "feminine": 0.4}[gender], draw.random() < 0.2
                word = {"masculine": "actor", "feminine": "actriz"}
                other = word["feminine" if gender == "masculine" else "masculine"]
                used = "estrella" if silent else other if wrong else word[gender]
                rows.append(
                    {
                        **{"subset": subset, "segment": k, "gender": gender, "language": "es", "item": f"{subset}{k}"},
                        **{"source": f"{gender} {k} {said}", "reference": word[gender], "flipped": other},
                        **{"translation": f"Era {used}. {said}", "mixed": False},
                        **{"reading": None if silent else "wrong" if wrong else "right"},
                        **{"right_words": used if used == word[gender] else ""},
                        **{"wrong_words": used if used == other else ""},
                        **{"unread": "no gendered word" if silent else None},
                    }
                )
    frame = pd.DataFrame(rows).astype({"unread": "string"})
    return frame, estimates_of(rate_tables(frame)), {"to": ["es"]}


def run(folder, models):
    """Own segments, translated by a system that makes one in three wrong and shows no gender in some."""
    draw, lines = random.Random(0), ["segment,gender,source,reference,flipped,context"]
    said = {}
    for k in range(60):
        words = [f"ko{k}", f"ka{k}"]
        for gender, right, wrong in zip(("masculine", "feminine"), words, words[::-1], strict=True):
            lines.append(f"{k},{gender},The {gender} {k} came.,{right},{wrong},")
            said[f"The {gender} {k} came."] = draw.choice([right, right, wrong, right, "nada"])
        lines.append(f",,It {k} came.,{words[0]},{words[1]},{'He' if k % 2 else 'She'} left.")
        said[f"{'He' if k % 2 else 'She'} left. It {k} came."] = draw.choice([*words, words[0], "nada"])
    data, out = folder / "segments.csv", folder / "out.csv"
    data.write_text("\n".join(lines), encoding="utf-8")
    out.write_text("\n".join(["source,translation", *(f"{s},{t}" for s, t in said.items())]), encoding="utf-8")
    return evaluate("mt-geneval", f"file:{out}", to="es", data=str(data), out=folder / "geneval")


def make_wrong(rows, generator):
    changed = (generator.random(len(rows)) < 0.5) & rows["unread"].isna()
    rows.loc[changed, "reading"] = "wrong"
    return rows, None


def own_data(folder):
    rows: list[tuple[Any, ...]] = [
        (k, gender, f"The {gender} {k} came.", right, wrong, "")
        for k in range(4)
        for gender, right, wrong in (("masculine", f"ko{k}", f"ka{k}"), ("feminine", f"ka{k}", f"ko{k}"))
    ]
    rows += [("", "", f"It {k} came.", f"ko{k}", f"ka{k}", "He left.") for k in range(4)]
    return {"data": write_table(folder / "segments.csv", HEADER, rows)}


def own_sources(folder):
    rows = [
        (k, gender, f"The {gender} {k} came.", right, wrong)
        for k in range(20)
        for gender, right, wrong in (("masculine", "él vino", "ella vino"), ("feminine", "ella vino", "él vino"))
    ]
    data = write_table(folder / "segments.csv", HEADER[:-1], rows)
    return [row[2] for row in rows], {"to": "es", "data": data, "set": "counterfactual"}


def option_contexts(folder):
    rows = [
        row
        for k in range(20)
        for row in (
            (k, "masculine", f"He {k}.", f"un {k}", f"una {k}", ""),
            (k, "feminine", f"She {k}.", f"una {k}", f"un {k}", ""),
            ("", "", f"It {k}.", f"un {k}", f"una {k}", "He."),
        )
    ]
    return [("translator", {"to": "es", "data": write_table(folder / "segments.csv", HEADER, rows)})]


EXAMPLE = MeasureExample(
    columns="""subset:s segment:i gender:s language:s item:s source:s reference:s flipped:s translation:s
        reading:s mixed:b right_words:s wrong_words:s unread:s""",
    artificial=artificial,
    run=run,
    plant=make_wrong,
    knows_nothing=Alike(own_sources, "él vino"),
    models=TRANSLATORS,
    model_options=TRANSLATIONS,
    own_data=own_data,
    target="sk",
    option_contexts=option_contexts,
    option_translations={f"{who} {k}.": f"un {k}" for who in ("He", "She", "It", "He. It") for k in range(20)},
    option_values={"set": ("counterfactual", "contextual"), "context": ("none",)},
    options_of_released_data={"split"},
)
