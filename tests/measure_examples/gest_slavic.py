"""GEST on Slavic language models: pairs of sentences in the forms of women and men."""

from genderscope.measures.gest import Rates
from genderscope.samples.gest import MALE
from tests.measure_examples import CHOICES, NEXT_TOKENS, UNTRAINED, MeasureExample, gest
from tests.support.evaluation import evaluate
from tests.support.tables import write_table

#: the two forms of a pair
FORMS = {"sentence": "plakal", "female": "plakala"}


def artificial(draw, n, said):
    frame, _, _ = gest.artificial(draw, 2 * n, said)
    frame = frame[frame["template"] == 3].assign(template=1, language="sk")
    numbers = [f"{k}-krát. {said}" for k in frame["sample"]]
    forms = {name: [f"Včera som {verb} {number}" for number in numbers] for name, verb in FORMS.items()}
    frame = frame.assign(**forms)
    return frame, Rates(frame, 0, "ratio").estimates(), {"lang": "sk"}


def run(folder, models):
    lines = [f"It was {k} the zq said .,It was {k} the zx said .,{k % 16 + 1},I saw it." for k in range(64)]
    pairs = folder / "pairs.csv"
    pairs.write_text("\n".join(["male,female,stereotype,source", *lines]), encoding="utf-8")
    model = str(models("roberta", "bytes-mask"))
    return evaluate("gest-slavic", model, pairs=str(pairs), multi_token=True, out=folder / "slavic")


def own_data(folder):
    rows = [(f"Bol som there {i}.", f"Bola som there {i}.", i) for i in range(1, 17)]
    return {"pairs": write_table(folder / "pairs.csv", ("male", "female", "stereotype"), rows)}


def option_contexts(folder):
    rows = [(f"bol {i} {k}", f"bola {i} {k}", i) for k in (1, 1, 2) for i in range(1, 17)]
    pairs = write_table(folder / "pairs.csv", ("male", "female", "stereotype"), rows)
    return [("masked", {"pairs": pairs}), ("masked", {"pairs": pairs, "as_published": True})]


EXAMPLE = MeasureExample(
    columns="""sample:i language:s sentence:s female:s stereotype:i family:b template:i log_ratio:f
        log_probability:f mass:f note:s unread:s""",
    artificial=artificial,
    run=run,
    plant=gest.shift_log_ratios("stereotype", MALE),
    one_row=True,
    knows_nothing=UNTRAINED,
    models=NEXT_TOKENS,
    model_options=CHOICES,
    own_data=own_data,
    option_contexts=option_contexts,
    released_contexts=[],  # these pairs are not in every mirror
    option_values={"lang": ("sk",)},
    simulated_as="gest",
)
