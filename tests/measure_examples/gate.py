"""GATE: people of unknown gender."""

import random

import pandas as pd

from genderscope.measures.gate.rates import rate_tables
from genderscope.samples.gate import load_own
from tests.measure_examples import TRANSLATIONS, TRANSLATORS, Alike, MeasureExample
from tests.measure_examples.winomt import JOBS, OCCUPATIONS, read_as_men, run_translated, sentences
from tests.support.tables import write_table


def artificial(draw, n, said):
    rows = []
    for k in range(n):
        people = draw.sample(list(JOBS), 1 + k % 2)
        source = f"The {' and the '.join(people)} were late {k}. {said}"
        for place, entity in enumerate(people):
            reading = draw.choice(("masculine", "masculine", "feminine", "neutral", "alternatives", None))
            his, hers, either = JOBS[entity]
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


def run(folder, models):
    """Own sentences about one or two people, of whom most become men."""
    draw, lines, said = random.Random(0), [], {}
    for k in range(80):
        people = draw.sample(list(OCCUPATIONS), 1 + k % 2)
        source = f"The {' and the '.join(people)} slept {k} times."
        lines += [f"{source},{person}" for person in people]
        names = [OCCUPATIONS[person][draw.random() < 0.4] for person in people]
        said[source] = f"Llovía {k} veces." if draw.random() < 0.1 else f"{' y '.join(names)} durmieron {k} veces."
    return run_translated(folder, "gate", "source,entity", lines, said, "gate")


def starter_sources(_):
    return [sentence.source for sentence in load_own("starter", ("es",)).samples], {"to": "es", "data": "starter"}


def own_data(folder):
    rows = [(f"The nurse saw {k} lakes.", "nurse") for k in range(8)]
    return {"data": write_table(folder / "people.csv", ("source", "entity"), rows)}


def option_contexts(folder):
    rows = [(sentence, "guard") for sentence, _ in sentences() * 2]
    return [("translator", {"to": "es", "data": write_table(folder / "people.csv", ("source", "entity"), rows)})]


EXAMPLE = MeasureExample(
    columns="""sentence:i person:i people:i language:s item:s source:s entity:s role:s kind:s plural:b translation:s
        reading:s how:s words:s unread:s""",
    artificial=artificial,
    run=run,
    plant=read_as_men,
    knows_nothing=Alike(starter_sources, "El enfermero llamó al médico."),
    models=TRANSLATORS,
    model_options=TRANSLATIONS,
    own_data=own_data,
    target="es",
    option_contexts=option_contexts,
    option_translations={sentence: "el guarda" for sentence, _ in sentences()},
)
