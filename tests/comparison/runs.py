"""Runs of every measure, made in seconds, and biases planted into their rows."""

import csv
import random
from dataclasses import replace
from itertools import permutations

import numpy as np

from genderscope.samples.dialogue import starter_vocabulary
from genderscope.samples.gest import MALE, load
from tests.bbq.planted_chat import at_random as at_random_of_three
from tests.decisions import planted as decisions_planted
from tests.dialogue.planted import Planted
from tests.gest_chat.planted import Says, at_random
from tests.honest.planted import write_data
from tests.support.evaluation import evaluate
from tests.tiny import CORPUS

FORMS = {"sk": ("Včera som plakal.", "Včera som plakala."), "cs": ("Včera jsem plakal.", "Včera jsem plakala.")}


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
    spec = translations(folder, chance, more.pop("seed", 0), more.pop("silent", 0.0))
    return evaluate("gest-mt", spec, to=to, data="starter", out=out or folder / "run", **more)


def gest(folder, models):
    return evaluate("gest", str(models("gpt2", "bytes")), data="starter", limit=128, out=folder / "gest")


def gest_mt(folder, models):
    return translated(folder / "mt", lambda i: 0.6 if i in MALE else 0.4, silent=0.1)


def gest_chat(folder, models):
    return evaluate("gest-chat", Says(at_random(0)), data="starter", limit=64, out=folder / "chat")


def gest_slavic(folder, models):
    lines = [f"It was {k} the zq said .,It was {k} the zx said .,{k % 16 + 1},I saw it." for k in range(64)]
    pairs = folder / "pairs.csv"
    pairs.write_text("\n".join(["male,female,stereotype,source", *lines]), encoding="utf-8")
    model = str(models("roberta", "bytes-mask"))
    return evaluate("gest-slavic", model, pairs=str(pairs), multi_token=True, out=folder / "slavic")


def eurogest(folder, models):
    lines = [f"{lang},It was {k} zq here,It was {k} zx here,{k % 16 + 1}" for lang in ("fr", "it") for k in range(64)]
    pairs = folder / "eurogest.csv"
    pairs.write_text("\n".join(["language,male,female,stereotype", *lines]), encoding="utf-8")
    return evaluate("eurogest", str(models("gpt2", "bytes")), data=str(pairs), out=folder / "eurogest")


def winobias(folder, models):
    return evaluate("winobias", str(models("gpt2", "bytes")), limit=120, out=folder / "winobias")


def honest(folder, models):
    data, _ = write_data(folder)
    words = sorted({word for line in CORPUS for word in line.split() if word.isalpha()})
    lexicon = folder / "words.tsv"
    lexicon.write_text("\n".join(["lemma\tcategory\tlevel", *(f"{w}\tan\tconservative" for w in words[::2])]))
    model = str(models("bert", "wordpiece-cased"))
    return evaluate("honest", model, data=data, lexicon=str(lexicon), k=5, out=folder / "honest")


def quadruplets(folder):
    traits = [("strong", "gentle"), ("loud", "quiet"), ("brave", "shy"), ("rough", "tender")]
    lines = [
        ",".join(f"the {who} by the {k} is <{word}> ." for who in ("man", "woman") for word in pair)
        for k in range(16)
        for pair in traits
    ]
    path = folder / "quadruplets.csv"
    path.write_text("\n".join(["s0,s1,s2,s3", *lines]))
    return str(path)


def wordfill(measure):
    def make(folder, models):
        model = str(models("roberta", "bytes-mask"))
        return evaluate(measure, model, data=quadruplets(folder), out=folder / measure)

    return make


def crows(folder, models):
    model = str(models("roberta", "bytes-mask"))
    return evaluate("crows", model, set="negation", limit=30, out=folder / "crows")


def half_stereotypical(one):
    """Half of all readings are women's whatever the adverb, so that a bias planted later shows with every adverb."""
    return "F" if len(f"{one.adjective}{one.adverb}") % 2 else one.stereotype or "M"


def dialogue(folder, models):
    planted = Planted(starter_vocabulary(), half_stereotypical)
    return evaluate("dialogue", planted, to=("es",), data="starter", limit=600, out=folder / "dialogue")


def mt_geneval(folder, models):
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


def _said(folder, name, header, lines, said, measure, **more):
    """Measure own sentences of which a file has the translations."""
    data, out = folder / f"{name}.csv", folder / f"{name}-out.csv"
    data.write_text("\n".join([header, *lines]), encoding="utf-8")
    out.write_text("\n".join(["source,translation", *(f"{s},{t}" for s, t in said.items())]), encoding="utf-8")
    return evaluate(measure, f"file:{out}", to="es", data=str(data), out=folder / measure, **more)


def winomt(folder, models):
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
    return _said(folder, "winomt", "source,entity,gender,stereotype,twin", lines, said, "winomt")


def gate(folder, models):
    """Own sentences about one or two people, of whom most become men."""
    draw, lines, said = random.Random(0), [], {}
    for k in range(80):
        people = draw.sample(list(OCCUPATIONS), 1 + k % 2)
        source = f"The {' and the '.join(people)} slept {k} times."
        lines += [f"{source},{person}" for person in people]
        names = [OCCUPATIONS[person][draw.random() < 0.4] for person in people]
        said[source] = f"Llovía {k} veces." if draw.random() < 0.1 else f"{' y '.join(names)} durmieron {k} veces."
    return _said(folder, "gate", "source,entity", lines, said, "gate")


def bbq(folder, models):
    return evaluate("bbq", Says(at_random_of_three(0)), data="starter", orders="all", out=folder / "bbq")


def decisions(folder, models):
    model = decisions_planted.Decides(decisions_planted.at_random(0))
    return evaluate("decisions", model, data="starter", draws=2, out=folder / "decisions")


RUNS = {
    "gest": gest,
    "gest-chat": gest_chat,
    "gest-mt": gest_mt,
    "gest-slavic": gest_slavic,
    "eurogest": eurogest,
    "winobias": winobias,
    "honest": honest,
    "stereoset": wordfill("stereoset"),
    "slovak-gender": wordfill("slovak-gender"),
    "crows": crows,
    "dialogue": dialogue,
    "mt-geneval": mt_geneval,
    "winomt": winomt,
    "gate": gate,
    "bbq": bbq,
    "decisions": decisions,
}
#: measures whose data only the mirror has
FROM_MIRROR = {"winobias", "crows"}


def more_biased(result, seed=0):
    """Return the result with rows in which the leading estimate was raised, and by how much where that is known."""
    generator = np.random.default_rng(seed)
    rows = result.rows.copy()
    rows, truth = PLANTS[result.measure](rows, generator)
    return replace(result, rows=rows, folder=None), truth


def _log_ratio(column, high):
    def plant(rows, generator):
        sign = np.where(rows[column].isin(high), 0.5, -0.5)
        rows["log_ratio"] += sign * (0.8 + generator.normal(0, 0.5, len(rows)))
        return rows, float(np.exp(0.8))

    return plant


def _more_stereotypical(rows, generator):
    chosen = (generator.random(len(rows)) < 0.5) & rows["unread"].isna()
    rows.loc[chosen, "gender"] = np.where(rows.loc[chosen, "stereotype"].isin(MALE), "masculine", "feminine")
    return rows, None


def _follows(rows, generator):
    chosen = generator.random(len(rows)) < 0.5
    rows.loc[chosen, "outcome"] = np.where(rows.loc[chosen, "stereotype"].isin(MALE), "male", "female")
    return rows, None


def _scores(rows, generator):
    shift = 1 + generator.normal(0, 0.5, len(rows))
    for column in ("f", "ss", "cs"):
        if column in rows and rows[column].notna().any():
            rows[column] = rows[column] + shift
    return rows, 1.0


def _hurtful(rows, generator):
    rows["categories"] = [
        ["an" if found or generator.random() < 0.4 else "" for found in readings] for readings in rows["categories"]
    ]
    return rows, None


def _masculine(rows, generator):
    rows.loc[generator.random(len(rows)) < 0.6, "gender"] = "masculine"
    return rows, None


def _wrong(rows, generator):
    chosen = (generator.random(len(rows)) < 0.5) & rows["unread"].isna()
    rows.loc[chosen, "reading"] = "wrong"
    return rows, None


def _read_as_men(rows, generator):
    chosen = (generator.random(len(rows)) < 0.5) & rows["unread"].isna()
    rows.loc[chosen, "reading"] = "masculine"
    return rows, None


def _biased(rows, generator):
    chosen = (generator.random(len(rows)) < 0.3) & rows["condition"].eq("ambiguous")
    rows.loc[chosen, "outcome"] = "biased"
    return rows, None


def _for_men(rows, generator):
    chosen = (generator.random(len(rows)) < 0.5) & rows["probe"].eq("discrimination")
    yes = rows.loc[chosen, "gender"].eq("male")
    rows.loc[chosen, "outcome"], rows.loc[chosen, "value"] = np.where(yes, "yes", "no"), yes.astype(float)
    return rows, None


PLANTS = {
    "gest": _log_ratio("stereotype", MALE),
    "gest-slavic": _log_ratio("stereotype", MALE),
    "eurogest": _log_ratio("stereotype", MALE),
    "winobias": _log_ratio("gender", ["male"]),
    "gest-chat": _follows,
    "gest-mt": _more_stereotypical,
    "stereoset": _scores,
    "slovak-gender": _scores,
    "crows": _scores,
    "honest": _hurtful,
    "dialogue": _masculine,
    "mt-geneval": _wrong,
    "winomt": _read_as_men,
    "gate": _read_as_men,
    "bbq": _biased,
    "decisions": _for_men,
}
