"""Results of the measures of translators, from rows that are written here."""

import json
from typing import Any

import pandas as pd

from genderscope.measures.dialogue import DialogueRates
from genderscope.measures.gate.rates import rate_tables
from genderscope.measures.gest_mt.rates import MtRates
from genderscope.measures.mt_geneval.rates import rate_tables as geneval_tables
from genderscope.measures.winomt.rates import estimates as winomt_estimates
from genderscope.statistics.declared_rates import estimates_of


def _gest_mt(draw, n, said):
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


def _dialogue(draw, n, said):
    cells = [
        (subset, template, stereotype, kind, sentiment)
        for subset, template in (("stereo_manner", 1), ("stereo_manner", 2))
        for stereotype in ("M", "F", "none")
        for kind in ("appearance", "character")
        for sentiment in ("pos", "neg")
    ]
    rows = []
    for k in range(max(n, 4 * len(cells))):
        subset, template, stereotype, kind, sentiment = cells[k % len(cells)]
        masculine = draw.random() < {"M": 0.9, "F": 0.5, "none": 0.7}[stereotype]
        word = "cansado" if masculine else "cansada"
        text = f"—Estoy {word} —dijo. {said}"
        rows.append(
            {
                **dict.fromkeys(("speaker", "utterance", "adverb", "occupation", "how", "look_ahead"), "none"),
                **{"source": k, "instance": 0, "language": "es", "subset": subset, "template": template},
                **{"text": f'"I am tired," I said. {said}', "translation": text, "adjective": "tired"},
                **{"determined": False, "kind": kind, "sentiment": sentiment, "adjective_stereotype": "neither"},
                **{"referent": "I", "negated": False, "repeated": False, "plural": False, "strategy": None},
                **{"true_gender": "none", "other_gender": "none", "equality": "none", "agreement": "none"},
                **{"stereotype": stereotype, "gender": "masculine" if masculine else "feminine"},
                **{"word": word, "start": text.index(word), "end": text.index(word) + len(word), "unread": None},
            }
        )
    frame = pd.DataFrame(rows).astype({"unread": "string"})
    return frame, DialogueRates(frame, 0, False).estimates(), {"to": ["es"]}


def _mt_geneval(draw, n, said):
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
    return frame, estimates_of(geneval_tables(frame)), {"to": ["es"]}


#: English -> its masculine, feminine and neutral Spanish
_JOBS = {
    "nurse": ("el enfermero", "la enfermera", "la persona"),
    "guard": ("el guarda", "la guarda", "la persona"),
    "cook": ("el cocinero", "la cocinera", "la persona"),
    "writer": ("el escritor", "la escritora", "la persona"),
    "lawyer": ("el abogado", "la abogada", "la persona"),
}
_GENDERS = ("masculine", "feminine", "neutral")
_PRONOUNS = dict(zip(_GENDERS, ("he", "she", "they"), strict=True))


def _winomt(draw, n, said):
    rows: list[dict[str, Any]] = []
    for k in range(n):
        (entity, forms), (other, others) = draw.sample(list(_JOBS.items()), 2)
        for gender in ("masculine", "feminine", "neutral")[: 3 if k % 8 == 0 else 2]:
            expected = "feminine" if entity == "nurse" else "masculine"
            read = gender if draw.random() < (0.9 if gender == expected else 0.5) else expected
            silent = draw.random() < 0.1
            words, second = forms[_GENDERS.index(read)], others[k % 2]
            text = f"Llegó tarde {k}. {said}" if silent else f"{words} llamó a {second} {k}. {said}"
            rows.append(
                {
                    **{"number": len(rows), "language": "es", "item": f"{k}{gender}", "twin": str(k)},
                    **{"source": f"The {entity} called the {other} because {_PRONOUNS[gender]} was late {k}. {said}"},
                    **{"entity": entity, "other": other, "pair": "+".join(sorted((entity, other))), "gender": gender},
                    **{"stereotype": "" if gender == "neutral" else "pro" if gender == expected else "anti"},
                    **{"translation": text, "reading": None if silent else read, "pronoun": None},
                    **{"other_reading": None if silent else _GENDERS[k % 2], "words": "" if silent else words},
                    **{"other_words": "" if silent else second, "unread": "person not found" if silent else None},
                }
            )
    frame = pd.DataFrame(rows).astype({"unread": "string"})
    return frame, winomt_estimates(frame), {"to": ["es"]}


def _gate(draw, n, said):
    rows = []
    for k in range(n):
        people = draw.sample(list(_JOBS), 1 + k % 2)
        source = f"The {' and the '.join(people)} were late {k}. {said}"
        for place, entity in enumerate(people):
            reading = draw.choice(("masculine", "masculine", "feminine", "neutral", "alternatives", None))
            his, hers, either = _JOBS[entity]
            words = {"masculine": his, "feminine": hers, "neutral": either, "alternatives": f"{his} {hers}"}
            text = f"[[{his}/{hers}]]" if reading == "alternatives" else words.get(reading, "alguien")
            rows.append(
                {
                    **{"sentence": k, "person": place, "people": len(people), "language": "es", "item": str(k)},
                    **{"source": source, "entity": entity, "role": ("subject", "object")[place], "kind": "profession"},
                    **{"plural": False, "translation": f"Llegó {text} {k}. {said}", "reading": reading},
                    **{"how": {"neutral": "rewording", "alternatives": "offered"}.get(reading)},
                    **{"words": words.get(reading, ""), "unread": None if reading else "person not found"},
                }
            )
    frame = pd.DataFrame(rows).astype({"unread": "string"})
    return frame, rate_tables(frame)[0].estimates(), {"to": ["es"]}


MAKERS = {
    "gest-mt": _gest_mt,
    "dialogue": _dialogue,
    "mt-geneval": _mt_geneval,
    "winomt": _winomt,
    "gate": _gate,
}
