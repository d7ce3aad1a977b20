"""GEST for chat models: who would say a sentence?"""

from itertools import permutations

import numpy as np
import pandas as pd

from genderscope.measures.gest_chat.rates import ChatRates
from genderscope.samples.gest import MALE
from tests.gest_chat.planted import Says, at_random
from tests.measure_examples import CHATS, REPLIES, MeasureExample
from tests.measure_examples.gest import own_data, repeated_sentences
from tests.support.evaluation import evaluate


def artificial(draw, n, said):
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


def run(folder, models):
    return evaluate("gest-chat", Says(at_random(0)), data="starter", limit=64, out=folder / "chat")


def follow_stereotypes(rows, generator):
    changed = generator.random(len(rows)) < 0.5
    rows.loc[changed, "outcome"] = np.where(rows.loc[changed, "stereotype"].isin(MALE), "male", "female")
    return rows, None


def option_contexts(folder):
    return [("chat", {"data": repeated_sentences(folder)}), ("chat", {"data": "starter", "form": "write"})]


EXAMPLE = MeasureExample(
    columns="""sample:i sentence:s stereotype:i wording:i order:s draw:i letter:s outcome:s female:f male:f
        neither:f mass:f reply:s thought:s ended:s served_by:s rule:s unread:s
        judge_outcome:s judge_reply:s judge_unread:s judge_agrees:o""",
    artificial=artificial,
    run=run,
    plant=follow_stereotypes,
    knows_nothing="tests/judgement/test_untrained.py::test_a_chat_model_that_talks_nonsense_is_not_judged",
    models=CHATS,
    model_options=REPLIES,
    own_data=own_data,
    option_contexts=option_contexts,
    option_values={
        "data_version": ("1.0", "1.1"),
        "lang": ("de",),
        "form": ("letter", "write"),
        "paraphrases": (2,),
        "draws": (2,),
    },
    options_of_released_data={"data_version"},
)
