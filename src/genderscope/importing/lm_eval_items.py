"""Tasks of lm-evaluation-harness without a measure of their own here: CrowS-Pairs, Winogender and discrim-eval.

Our `crows` compares the tokens that two sentences share; the harness compares the likelihoods of whole sentences, which
its logs contain, so that these are imported as item scores.
"""

import math
from collections.abc import Sequence
from itertools import product

from genderscope.importing.lm_eval_log import log_likelihoods
from genderscope.importing.log import ImportedRows, Log, ToolNumber, item_scores, tool_numbers
from genderscope.importing.log_node import Node
from genderscope.measures.item_scores import ItemScoreRow

CROWS_TASKS = tuple(
    f"crows_pairs_{language}{kind}" for language, kind in product(("english", "french"), ("", "_gender"))
)
WINOGENDER_TASKS = (
    "winogender_all",
    "winogender_gotcha",
    *(f"winogender_{kind}{gender}" for kind, gender in product(("", "gotcha_"), ("male", "female", "neutral"))),
)
DISCRIM_TASKS = ("discrim_eval_explicit", "discrim_eval_implicit")
GENDER = "gender"


def import_crows(log: Log) -> ImportedRows:
    """Return how much likelier the first sentence of each pair is; pairs that are not about gender are left out."""
    rows, signed = [], []
    for k, record in enumerate(log.records):
        doc, (more, less) = record.at("doc"), _choices(record, 2)
        signed.append(more - less)
        if doc.at("bias_type").text().startswith(GENDER):
            pair = " / ".join(doc.at(name).text() for name in ("sent_more", "sent_less"))
            side = doc.maybe("stereo_antistereo")
            group = side.name() if side is not None else None
            rows.append(ItemScoreRow(sample=k, item=pair, cluster=pair, group=group, value=more - less, text=pair))
    if not rows:
        raise log.records[0].at("doc", "bias_type").error("is never 'gender'")
    other = len(signed) - len(rows)
    every = f"{other:,} of its pairs are not about gender" if other else "it counts a tie as 0, not as one half"
    numbers = [
        ToolNumber(
            "pct_stereotype",
            log.reported.get("pct_stereotype"),
            sum(value > 0 for value in signed) / len(signed),
            "share_above",
            every,
        ),
        ToolNumber(
            "likelihood_diff",
            log.reported.get("likelihood_diff"),
            math.fsum(map(abs, signed)) / len(signed),
            "mean",
            "it averages absolute differences, which are positive whichever sentence is likelier; ours keep their sign",
        ),
    ]
    options = {
        "meaning": "the log-likelihood of the more stereotypical sentence minus that of the other",
        "scale": "score",
        "neutral": 0.0,
    }
    left_out = {"not about gender": other} if other else None
    return item_scores(log.task, rows, options, numbers, left_out, ["token counts and the tokens that a pair shares"])


def import_winogender(log: Log) -> ImportedRows:
    """Return whether the pronoun of each sentence is resolved correctly, with occupations as clusters."""
    rows = []
    for k, record in enumerate(log.records):
        doc, scores = record.at("doc"), _choices(record, 2)
        label = doc.at("label")
        if label.whole() not in (0, 1):
            raise label.error("is not 0 or 1")
        choice = scores.index(max(scores))
        tie = scores[0] == scores[1]
        rows.append(
            ItemScoreRow(
                sample=k,
                item=doc.at("sentence").text(),
                cluster=doc.at("occupation").text(),
                group=doc.at("gender").one_of("female", "male", "neutral"),
                value=None if tie else float(choice == label.whole()),
                text=doc.at("sentence").text(),
                unread="tie: two answers are equally probable" if tie else None,
            )
        )
    right = [_is_right(record) for record in log.records]
    numbers = tool_numbers(log, "lm-eval", "winogender", {"acc": sum(right) / len(right)})
    options = {"meaning": "the accuracy", "scale": "share", **_contrast(rows)}
    return item_scores(log.task, rows, options, numbers)


def import_discrim(log: Log) -> ImportedRows:
    """Return the log-odds of yes for each person, with decisions as clusters."""
    rows = []
    for k, record in enumerate(log.records):
        doc, scores = record.at("doc"), _choices(record, 4)
        yes, no = (math.exp(scores[i]) + math.exp(scores[i + 1]) for i in (0, 2))
        if not (yes > 0 and no > 0):
            raise record.at("filtered_resps").error("has likelihoods that are too small to compare")
        rows.append(
            ItemScoreRow(
                sample=k,
                item=doc.at("filled_template").text(),
                cluster=doc.at("decision_question_id").name(),
                group=doc.at("gender").text().lower(),
                value=math.log(yes) - math.log(no),
                text=doc.at("filled_template").text(),
            )
        )
    numbers = tool_numbers(log, "lm-eval", "discrim", {})
    options = {"meaning": "the log-odds of yes", "scale": "score", **_contrast(rows)}
    return item_scores(log.task, rows, options, numbers)


def _choices(record: Node, count: int) -> list[float]:
    scores = log_likelihoods(record)
    if len(scores) != count:
        raise record.at("filtered_resps").error(f"has {len(scores)} entries, not {count}")
    return scores


def _is_right(record: Node) -> bool:
    scores = log_likelihoods(record)
    return scores.index(max(scores)) == record.at("doc", "label").whole()


def _contrast(rows: Sequence[ItemScoreRow]) -> dict[str, tuple[str, ...]]:
    """Return the two groups to compare, if the log has both."""
    return {"contrast": ("female", "male")} if {"female", "male"} <= {row.group for row in rows} else {}
