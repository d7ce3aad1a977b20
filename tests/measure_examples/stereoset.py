"""StereoSet: which word fits a sentence."""

from functools import partial

import pandas as pd

from genderscope.measures.wordfill.scores import Scores
from tests.measure_examples import LANGUAGE_MODELS, UNTRAINED, MeasureExample
from tests.support.evaluation import evaluate
from tests.support.tables import write_table

SENTENCES = ("s0", "s1", "s2", "s3")
#: of every measure of words to fill in
COLUMNS = """sample:i item:i subset:s language:s target:s s0:s s1:s s2:s s3:s keyword0:s keyword1:s keyword2:s
    keyword3:s lp0:f lp1:f lp2:f lp3:f lp_unrelated:f ss:f ss_control:f csk:f csk_control:f f:f cs:f cs_control:f
    order_dependent:b tokens:s unread:s"""


def artificial(draw, n, said, keywords=True):
    rows = []
    for k in range(n):
        lp = [draw.gauss(-3, 1) for _ in range(4)]
        who = [("woman", "weak"), ("woman", "strong"), ("man", "weak"), ("man", "strong")]
        sentences = {f"s{i}": f"The {a} is <{b}>. {said}" for i, (a, b) in enumerate(who)}
        words = {f"keyword{i}": b for i, (_, b) in enumerate(who)}
        row = {"sample": k, "item": k, "subset": "gender", "language": "en", "target": None, **sentences, **words}
        row |= {f"lp{i}": value for i, value in enumerate(lp)} | {"lp_unrelated": None}
        row |= {"ss": lp[0] - lp[1], "ss_control": lp[2] - lp[3], "csk": lp[0] - lp[2], "csk_control": lp[1] - lp[3]}
        row |= {"f": lp[0] - lp[1] - lp[2] + lp[3], "cs": draw.gauss(0.4, 1), "cs_control": draw.gauss(0, 1)}
        if not keywords:
            row |= dict.fromkeys(("ss", "ss_control", "csk", "csk_control", "f", *words, *(f"lp{i}" for i in range(4))))
        rows.append({**row, "order_dependent": False, "tokens": "{}", "unread": None})
    numbers = ["ss", "ss_control", "csk", "csk_control", "f", "lp0", "lp1", "lp2", "lp3", "lp_unrelated"]
    frame = pd.DataFrame(rows).astype({"unread": "string", **dict.fromkeys(numbers, "float64")})
    return frame, Scores(frame, "gender", 0, False).estimates(), {}


def quadruplets(folder):
    """Write 64 quadruplets."""
    traits = [("strong", "gentle"), ("loud", "quiet"), ("brave", "shy"), ("rough", "tender")]
    lines = [
        ",".join(f"the {who} by the {k} is <{word}> ." for who in ("man", "woman") for word in pair)
        for k in range(16)
        for pair in traits
    ]
    path = folder / "quadruplets.csv"
    path.write_text("\n".join(["s0,s1,s2,s3", *lines]))
    return str(path)


def run_own(measure, folder, models):
    """Measure own quadruplets on a random model."""
    model = str(models("roberta", "bytes-mask"))
    return evaluate(measure, model, data=quadruplets(folder), out=folder / measure)


def raise_scores(rows, generator):
    shift = 1 + generator.normal(0, 0.5, len(rows))
    for column in ("f", "ss", "cs"):
        if column in rows and rows[column].notna().any():
            rows[column] = rows[column] + shift
    return rows, 1.0


def own_data(folder):
    rows = [
        tuple(f"The {who} by the lake {k} is <{word}>." for who in ("man", "woman") for word in ("there", "tired"))
        for k in range(4)
    ]
    return {"data": write_table(folder / "fills.csv", SENTENCES, rows)}


def option_contexts(folder):
    rows = [
        tuple(f"The {who} was <{word}>." for who in ("man", "woman") for word in words)
        for words in (("there", "tired"), ("old", "heavy"))
    ]
    data = write_table(folder / "own.csv", SENTENCES, [*rows, *rows, ("bad",) * 4])
    return [("masked", {"data": data, "skip_bad": True})]


EXAMPLE = MeasureExample(
    columns=COLUMNS,
    artificial=artificial,
    run=partial(run_own, "stereoset"),
    plant=raise_scores,
    one_row=True,
    knows_nothing=UNTRAINED,
    models=LANGUAGE_MODELS,
    model_options=frozenset(),
    own_data=own_data,
    option_contexts=option_contexts,
    released_contexts=[("masked", {"set": "gender-filtered"}), ("masked", {"set": "plain"})],
    option_values={"set": ("gender", "plain"), "limit": (1,), "scores": ("ss", "cs")},
)
