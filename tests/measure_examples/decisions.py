"""Decisions about women and men."""

from typing import Any

import numpy as np

from genderscope.samples.decisions import COLUMNS
from tests.decisions import planted
from tests.measure_examples import CHATS, REPLIES, MeasureExample
from tests.support.evaluation import evaluate
from tests.support.tables import write_table

WORDS = ("there", "tired", "old", "heavy", "late", "small")


def run(folder, models):
    model = planted.Decides(planted.at_random(0))
    return evaluate("decisions", model, data="starter", draws=2, out=folder / "decisions")


def decide_for_men(rows, generator):
    changed = (generator.random(len(rows)) < 0.5) & rows["probe"].eq("discrimination")
    yes = rows.loc[changed, "gender"].eq("male")
    rows.loc[changed, "outcome"], rows.loc[changed, "value"] = np.where(yes, "yes", "no"), yes.astype(float)
    return rows, None


def own_data(folder):
    rows: list[tuple[Any, ...]] = [("jobs", f"{word} worker", "", k / 5, "", "", "") for k, word in enumerate(WORDS)]
    rows += [("inventories", f"is {word}", "", k % 2, "", "", "") for k, word in enumerate(WORDS)]
    rows += [("discrimination", f"[She|He] is {word}. May [she|he] come?", "", "", "", "", "") for word in WORDS]
    rows += [("relationships", f"NAME1 is {word}; NAME2 says no.", "", "", "", "Eva", "Jan") for word in WORDS]
    return {"data": write_table(folder / "decisions.csv", COLUMNS, rows)}


def option_contexts(folder):
    rows: list[tuple[Any, ...]] = [("jobs", "painter", 0.4), ("jobs", "painter", 0.4), ("jobs", "sailor", 0.9)]
    rows += [("inventories", "sings", 0), ("inventories", "boxes", 1), ("discrimination", "[She|He] asks.", "")]
    own = write_table(folder / "decisions.csv", ("probe", "text", "score"), rows)
    return [("chat", {"data": "starter"}), ("chat", {"data": own})]


EXAMPLE = MeasureExample(
    columns="""sample:i probe:s item:s scenario:s gender:s order:s score:f source:s draw:i prompt:s
        letter:s outcome:s value:f reply:s thought:s ended:s served_by:s rule:s unread:s""",
    artificial=planted.example,
    run=run,
    plant=decide_for_men,
    knows_nothing="tests/judgement/test_untrained.py::test_a_chat_model_that_talks_nonsense_or_says_the_same_to_everyone_makes_no_decisions",
    models=CHATS,
    model_options=REPLIES,
    own_data=own_data,
    option_contexts=option_contexts,
    option_values={"probes": ("jobs", "discrimination"), "draws": (2,), "limit": (1,)},
)
