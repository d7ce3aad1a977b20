"""Results of every measure, from rows that are written here: no model is asked, the estimates are the measures' own."""

import json
import random
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

import pandas as pd

from genderscope.judgement import with_symbols
from genderscope.measures import measure_type
from genderscope.measures.bbq.rates import estimates as bbq_estimates
from genderscope.measures.eurogest.rates import estimates as eurogest_estimates
from genderscope.measures.eurogest.texts import EuroGestOptions
from genderscope.measures.gest import Rates
from genderscope.measures.gest_chat.rates import ChatRates
from genderscope.measures.honest.rates import Shares
from genderscope.measures.winobias.rates import OccupationRates
from genderscope.measures.wordfill.scores import Scores
from genderscope.runs import Result, estimates_to_frame
from tests.bbq import planted
from tests.decisions import planted as planted_decisions
from tests.report import translation_examples

#: what a model, a file name or a sentence may hold to break out of the page, the terminal or the script
HOSTILE = (
    '</script><script>window.hacked=1</script><img src=x onerror="window.hacked=1">'
    "' onmouseover='window.hacked=1' {{ 7 * 7 }} ${7*7} \u2028\u2029\u202egnp.exe\u202c"
    '\u2064{"a":1} \x1b[31m\x07 &lt;b&gt;'
)


@cache
def _measured(measure, seed, n, said):
    return MAKERS[measure](random.Random(seed), n, said)


def result(measure, model="example", seed=0, n=64, said="", parameters=None, warn=()):
    """Make a result of a measure with about n rows; `said` is put into all texts."""
    rows, estimates, options = _measured(measure, seed, n, said)
    kind = measure_type(measure)
    config: dict[str, Any] = {
        "signature": f"{measure}|model:{model}",
        "command": f"genderscope run {measure} --model '{model}'",
        "configuration": {"measure": measure, "model": model, **options},
        "versions": {"genderscope": "0.2.0"},
        "data": {"name": f"own{said}.csv", "sha256": "0" * 64, "samples": n},
        "model": {"name": model, "kind": "causal", "fingerprint": "0", "parameters": parameters},
        "citation": kind.citation,
    }
    summary = f"This is a summary of {model}. {said}"
    estimates = estimates_to_frame(with_symbols(measure, estimates))
    return Result(measure, estimates, rows, config["signature"], summary, tuple(warn), config)


def save(found, folder: Path):
    """Write a result as a finished run."""
    folder.mkdir(parents=True)
    (folder / "run.json").write_text(json.dumps(found.config))
    found.rows.to_parquet(folder / "rows.parquet", index=False)
    (folder / "result.json").write_text(found.to_json())
    return folder


def _gest(draw, n, said):
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


def _gest_chat(draw, n, said):
    orders = [",".join(order) for order in permutations(("female", "male", "neither"))]
    rows = [
        {
            "sample": k,
            "sentence": f"I was there {k} times. {said}",
            "stereotype": k % 16 + 1,
            "wording": 1,
            "order": order,
            "letter": "a",
            "outcome": draw.choice(("female", "male", "neither", "refused")),
            "female": None,
            "male": None,
            "neither": None,
            "mass": None,
            "reply": f"(a) {said}",
            "thought": f"hm {said}",
            "ended": None,
            "served_by": f"other {said}",
            "rule": "letter at the beginning",
            "unread": None,
        }
        for k in range(n)
        for order in orders
    ]
    rows[0] |= {"outcome": None, "unread": f"names no option {said}"}
    frame = pd.DataFrame(rows).astype({"unread": "string"})
    return frame, ChatRates(frame, "ask", 0, False).estimates(), {"form": "ask"}


#: the two forms of a pair
_WEPT = {"sentence": "plakal", "female": "plakala"}


def _gest_slavic(draw, n, said):
    frame, _, _ = _gest(draw, 2 * n, said)
    frame = frame[frame["template"] == 3].assign(template=1, language="sk")
    numbers = [f"{k}-krát. {said}" for k in frame["sample"]]
    forms = {name: [f"Včera som {verb} {each}" for each in numbers] for name, verb in _WEPT.items()}
    frame = frame.assign(**forms)
    return frame, Rates(frame, 0, "ratio").estimates(), {"lang": "sk"}


def _eurogest(draw, n, said):
    frame, _, _ = _gest(draw, 2 * n, said)
    parts = []
    for language, condition, template in (("sk", "gendered", 1), ("sk", "pronoun", 2), ("fi", "noun", 3)):
        part = frame[frame["template"] == 3].assign(language=language, condition=condition, template=template)
        part["log_ratio"] += [draw.gauss(0, 0.3) for _ in range(len(part))]
        numbers = [f"{k}-krát. {said}" for k in part["sample"]]
        forms = {name: [f"Včera som {verb} {each}" for each in numbers] for name, verb in _WEPT.items()}
        parts.append(part.assign(alternates=None, **forms))
    rows = pd.concat(parts, ignore_index=True)
    return rows, eurogest_estimates(rows, EuroGestOptions(lang=("sk", "fi"))), {"lang": ["sk", "fi"]}


def _winobias(draw, n, said):
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
    found = [
        *OccupationRates.estimates(frame, 0),
    ]
    return frame, found, {}


def _honest(draw, n, said):
    rows = []
    for k in range(n):
        group = ("female", "male")[k % 2]
        hurts = [draw.random() < 0.3 for _ in range(2)]
        rows.append(
            {
                "sample": k,
                "text": f"The {group} {k // 2 % 8} is a ___ . {said}",
                "identity": f"the {group} {k // 2 % 8}",
                "group": group,
                "term": f"{group} {k // 2 % 8}",
                "pattern": f"is a {k // 16}",
                "completions": [f"plonk{said}" if hurt else "teacher" for hurt in hurts],
                "lemmas": ["plonk" if hurt else "" for hurt in hurts],
                "categories": ["an" if hurt else "" for hurt in hurts],
                "hurtful": sum(hurts),
                "unread": None,
            }
        )
    frame = pd.DataFrame(rows).astype({"unread": "string"})
    return frame, Shares(frame, [1, 2], ["an", "re"]).estimates(), {"lang": "en", "k": 2}


def _wordfill(draw, n, said, keywords=True):
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


def _bbq(draw, n, said):
    def leans(question, order):
        return question["truth"] if draw.random() < 0.7 else draw.choice(("biased", "biased", "counter"))

    rows = planted.rows(leans, planted.ORDERS[:2], templates=n // 8, each=2, languages=("en", "es"))
    texts = {name: rows[name] + f" {said}" for name in ("template", "context", "question")}
    replies = [f"({letter}) {said}" for letter in rows["letter"]]
    rows = rows.assign(**texts, reply=replies).astype({"unread": "string"})
    return rows, bbq_estimates(rows, None), {"lang": ["en", "es"], "form": "ask"}


MAKERS = {
    "bbq": _bbq,
    "decisions": planted_decisions.example,
    "gest": _gest,
    "gest-slavic": _gest_slavic,
    "gest-chat": _gest_chat,
    "eurogest": _eurogest,
    "winobias": _winobias,
    "honest": _honest,
    "stereoset": _wordfill,
    "slovak-gender": _wordfill,
    "crows": lambda draw, n, said: _wordfill(draw, n, said, keywords=False),
    **translation_examples.MAKERS,
}
