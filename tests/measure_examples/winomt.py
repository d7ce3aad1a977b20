"""WinoMT: people whose gender the sentence reveals."""

import random
from itertools import permutations
from typing import Any

import pandas as pd

from genderscope.measures.winomt.rates import estimates
from genderscope.samples.winomt import load_own
from tests.measure_examples import TRANSLATIONS, TRANSLATORS, Alike, MeasureExample
from tests.support.evaluation import evaluate
from tests.support.tables import write_table

#: English -> its masculine, feminine and neutral Spanish
JOBS = {
    "nurse": ("el enfermero", "la enfermera", "la persona"),
    "guard": ("el guarda", "la guarda", "la persona"),
    "cook": ("el cocinero", "la cocinera", "la persona"),
    "writer": ("el escritor", "la escritora", "la persona"),
    "lawyer": ("el abogado", "la abogada", "la persona"),
}
GENDERS = ("masculine", "feminine", "neutral")
PRONOUNS = dict(zip(GENDERS, ("he", "she", "they"), strict=True))
#: English -> masculine and feminine Spanish
OCCUPATIONS = {
    "nurse": ("el enfermero", "la enfermera"),
    "teacher": ("el profesor", "la profesora"),
    "writer": ("el escritor", "la escritora"),
    "cook": ("el cocinero", "la cocinera"),
    "lawyer": ("el abogado", "la abogada"),
    "mechanic": ("el mecánico", "la mecánica"),
    "carpenter": ("el carpintero", "la carpintera"),
    "designer": ("el diseñador", "la diseñadora"),
}


def artificial(draw, n, said):
    rows: list[dict[str, Any]] = []
    for k in range(n):
        (entity, forms), (other, others) = draw.sample(list(JOBS.items()), 2)
        for gender in ("masculine", "feminine", "neutral")[: 3 if k % 8 == 0 else 2]:
            expected = "feminine" if entity == "nurse" else "masculine"
            read = gender if draw.random() < (0.9 if gender == expected else 0.5) else expected
            silent = draw.random() < 0.1
            words, second = forms[GENDERS.index(read)], others[k % 2]
            text = f"Llegó tarde {k}. {said}" if silent else f"{words} llamó a {second} {k}. {said}"
            rows.append(
                {
                    **{"number": len(rows), "language": "es", "item": f"{k}{gender}", "twin": str(k)},
                    **{"source": f"The {entity} called the {other} because {PRONOUNS[gender]} was late {k}. {said}"},
                    **{"entity": entity, "other": other, "pair": "+".join(sorted((entity, other))), "gender": gender},
                    **{"stereotype": "" if gender == "neutral" else "pro" if gender == expected else "anti"},
                    **{"translation": text, "reading": None if silent else read, "pronoun": None},
                    **{"other_reading": None if silent else GENDERS[k % 2], "words": "" if silent else words},
                    **{"other_words": "" if silent else second, "unread": "person not found" if silent else None},
                }
            )
    frame = pd.DataFrame(rows).astype({"unread": "string"})
    return frame, estimates(frame), {"to": ["es"]}


def run_translated(folder, name, header, lines, said, measure, **more):
    """Measure own sentences of which a file has the translations."""
    data, out = folder / f"{name}.csv", folder / f"{name}-out.csv"
    data.write_text("\n".join([header, *lines]), encoding="utf-8")
    out.write_text("\n".join(["source,translation", *(f"{s},{t}" for s, t in said.items())]), encoding="utf-8")
    return evaluate(measure, f"file:{out}", to="es", data=str(data), out=folder / measure, **more)


def run(folder, models):
    """Own sentences about two people; the system follows most of the pronouns, and the stereotype otherwise."""
    draw, lines, said = random.Random(0), [], {}
    for one, other in permutations(OCCUPATIONS, 2):
        expected = list(OCCUPATIONS).index(one) >= len(OCCUPATIONS) / 2
        for told, (who, gender) in enumerate((("she", "feminine"), ("he", "masculine"))):
            source = f"The {one} called the {other} because {who} was late."
            lines.append(f"{source},{one},{gender},{'pro' if told == expected else 'anti'},{one}{other}")
            masculine = (told if draw.random() < 0.6 else expected) == 1
            names = OCCUPATIONS[one][not masculine], OCCUPATIONS[other][draw.random() < 0.4]
            said[source] = "Llovía." if draw.random() < 0.1 else "{} llamó a {} por el retraso.".format(*names)
    return run_translated(folder, "winomt", "source,entity,gender,stereotype,twin", lines, said, "winomt")


def read_as_men(rows, generator):
    changed = (generator.random(len(rows)) < 0.5) & rows["unread"].isna()
    rows.loc[changed, "reading"] = "masculine"
    return rows, None


def starter_sources(_):
    return [sentence.source for sentence in load_own("starter").samples], {"to": "es", "data": "starter"}


def own_data(folder):
    rows = [
        (f"The nurse called the guard because {who} was late {k} times.", "nurse", gender)
        for k in range(4)
        for who, gender in (("he", "masculine"), ("she", "feminine"))
    ]
    return {"data": write_table(folder / "nurses.csv", ("source", "entity", "gender"), rows)}


def sentences():
    """Return sentences about a guard, each with this person's gender."""
    told = (("he", "masculine"), ("she", "feminine"))
    return [(f"{k} nurses met a guard because {who} left", gender) for k in range(10) for who, gender in told]


def option_contexts(folder):
    rows = [(sentence, "guard", gender) for sentence, gender in sentences() * 2]
    data = write_table(folder / "nurses.csv", ("source", "entity", "gender"), rows)
    return [("translator", {"to": "es", "data": data})]


EXAMPLE = MeasureExample(
    columns="""number:i language:s item:s twin:s source:s entity:s other:s pair:s gender:s stereotype:s translation:s
        reading:s other_reading:s pronoun:s words:s other_words:s unread:s""",
    artificial=artificial,
    run=run,
    plant=read_as_men,
    one_row=True,
    knows_nothing=Alike(starter_sources, "El enfermero llamó al médico."),
    models=TRANSLATORS,
    model_options=TRANSLATIONS,
    own_data=own_data,
    target="es",
    audited_in=("cs",),
    option_contexts=option_contexts,
    option_translations={sentence: "el guarda" for sentence, _ in sentences()},
)
