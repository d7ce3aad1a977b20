"""Dialogues: adjectives about speakers in translations."""

import pandas as pd

from genderscope.measures.dialogue import DialogueRates
from genderscope.samples.dialogue import load, starter_vocabulary
from tests.dialogue.planted import Planted
from tests.measure_examples import MARIAN, TRANSLATIONS, TRANSLATORS, Alike, MeasureExample
from tests.support.evaluation import evaluate


def artificial(draw, n, said):
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


def half_stereotypical(one):
    """Half of all readings are women's whatever the adverb, so that a bias planted later shows with every adverb."""
    return "F" if len(f"{one.adjective}{one.adverb}") % 2 else one.stereotype or "M"


def run(folder, models):
    planted = Planted(starter_vocabulary(), half_stereotypical)
    return evaluate("dialogue", planted, to=("es",), data="starter", limit=600, out=folder / "dialogue")


def read_as_men(rows, generator):
    rows.loc[generator.random(len(rows)) < 0.6, "gender"] = "masculine"
    return rows, None


def starter_sources(_=None):
    return [source.text for source in load("starter").samples], {"to": "es", "data": "starter"}


EXAMPLE = MeasureExample(
    columns="""source:i instance:i language:s text:s translation:s subset:s template:i determined:b adjective:s
        kind:s sentiment:s adjective_stereotype:s referent:s speaker:s utterance:i negated:b look_ahead:b true_gender:s
        other_gender:s equality:s stereotype:s agreement:s adverb:s occupation:s repeated:b word:s start:i end:i
        gender:s strategy:s how:s plural:b noun:b unread:s""",
    artificial=artificial,
    run=run,
    plant=read_as_men,
    lost=("gender", "neutral"),
    knows_nothing=Alike(starter_sources, "«Estoy cansado», dijo."),
    models=TRANSLATORS - {MARIAN},
    model_options=TRANSLATIONS,
    own_data=lambda folder: {"data": "starter", "limit": "8"},
    own_sources=lambda options: starter_sources()[0],
    target="cs",
    audited_in=("cs",),
)
