"""BBQ, EsBBQ and MBBQ in miniature: their layouts, with questions of our own and the irregular rows that they have."""

import json
from itertools import product
from typing import Any

from tests.support.tables import lines, table

#: language -> woman, man, girl, boy, the unknown answer, and the sentences of a context
WORDS = {
    "en": ("woman", "man", "girl", "boy", "Not known", "A {} and a {} ran.", " The {} won and the {} lost."),
    "es": ("mujer", "hombre", "chica", "chico", "No se sabe", "Corrieron {} y {}.", " Ganó {} y perdió {}."),
    "nl": ("vrouw", "man", "meisje", "jongen", "Onbekend", "Een {} en een {} renden.", " De {} won en de {} verloor."),
    "tr": ("kadın", "adam", "kız", "erkek çocuk", "Belirsiz", "{} ve {} koştu.", " {} kazandı, {} kaybetti."),
}
COLUMNS = (
    *("instance_id", "template_id", "question_polarity", "context_condition", "relevant_social_value"),
    *("stereotyped_groups", "answer_info.ans0", "answer_info.ans1", "answer_info.ans2"),
    *("context", "question", "ans0", "ans1", "ans2", "label"),
)
PEOPLE = ("['mujer', 'f']", "['hombre', 'm']", "['unknown', 'unknown']")


def bbq():
    return {"bbq/Gender_identity.jsonl": _jsonl("en", templates=("1", "26", "2", "13"))}


def mbbq():
    return {
        f"mbbq/Gender_identity_{control}{language}.jsonl": _jsonl(language, ("1", "2", "13"), bool(control))
        for language in WORDS
        for control in ("", "control_")
    }


def esbbq():
    return {f"esbbq/Gender.{language}.csv": _csv() for language in ("es", "ca")}


def _jsonl(language, templates, control=False):
    """Write each template with both orders of mention, truths and polarities; template 13 is about two males."""
    woman, man, girl, boy, unknown, met, told = WORDS[language]
    rows: list[dict[str, Any]] = []
    for template in templates:
        women = template != "2"  # the group that the template is about
        people = (boy, man) if template == "13" else (girl, boy) if template == "26" else (woman, man)
        if control:
            people = ("Ana", "Eva")
        labels = ["F", "M"] if control else ["chico", "chico"] if people == ("chica", "chico") else list(people)
        for turn, polarity, is_told in product((0, 1), ("neg", "nonneg"), (False, True)):
            one, other = people if turn == 0 else people[::-1]
            loser = 1 - turn  # position of the person who lost, among `people`
            right = (loser if polarity == "neg" else 1 - loser) if is_told else 2
            answers = [*((name.capitalize(), label) for name, label in zip(people, labels, strict=True))]
            answers.append((unknown, "unknown"))
            rows.append(
                {
                    "example_id": len(rows),
                    "question_index": template,
                    "question_polarity": polarity,
                    "context_condition": "disambig" if is_told else "ambig",
                    "answer_info": {f"ans{k}": [text, label] for k, (text, label) in enumerate(answers)},
                    "additional_metadata": {"stereotyped_groups": ["F" if women else "M"]},
                    "context": met.format(one, other) + (told.format(one, other) if is_told else "") + f" ({template})",
                    "question": f"{polarity}?",
                    **{f"ans{k}": text for k, (text, _) in enumerate(answers)},
                    "label": right,
                }
            )
    repeated = [] if control else [{**rows[0], "example_id": len(rows)}]
    return lines(json.dumps(row, ensure_ascii=False) for row in [*rows, *repeated])


def _csv():
    rows = [
        (k, 1 + k // 4, polarity, condition, "correr", "['f']", *PEOPLE,
         f"Corrieron {k}.", "¿Quién?", "La mujer", "El hombre", "unknown", label)
        for k, (polarity, (condition, label)) in enumerate(
            product(("neg", "nonneg"), (("ambig", 2), ("disambig", 0), ("disambig", 1)))
        )
    ]  # fmt: skip
    return table(COLUMNS, *rows)
