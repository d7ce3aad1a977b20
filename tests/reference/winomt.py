"""The rates of WinoMT, written from their definitions: plain loops over rows, no influence functions.

A row is a dictionary; `reading` is None if the sentence was not read.
"""


def f1(rows, gender):
    matched = sum(row["gender"] == gender == row["reading"] for row in rows)
    precision = matched / sum(row["reading"] == gender for row in rows) if matched else 0.0
    recall = matched / sum(row["gender"] == gender for row in rows)
    return 2 * precision * recall / (precision + recall) if matched else 0.0


def accuracy(rows):
    return sum(row["gender"] == row["reading"] for row in rows) / len(rows)


def rates(rows, as_published):
    """Return the rates of one language."""
    counted = rows if as_published else [row for row in rows if row["reading"] is not None]
    twins: dict[str, dict[str, dict[str, str | None]]] = {}
    for row in rows:
        if row["stereotype"]:
            twins.setdefault(row["twin"], {})[row["stereotype"]] = row
    pro, anti = [], []
    for twin in twins.values():
        if as_published or all(row["reading"] is not None for row in twin.values()):
            pro += [twin["pro"]] if "pro" in twin else []
            anti += [twin["anti"]] if "anti" in twin else []
    men, women = ([row for row in counted if row["gender"] == gender] for gender in ("masculine", "feminine"))
    others = [row["other_reading"] for row in rows if row["other_reading"] in ("masculine", "feminine")]
    shown = [row for row in counted if {row["reading"], row["pronoun"]} <= {"masculine", "feminine"}]
    return {
        "accuracy": accuracy(counted),
        "error": 1 - accuracy(counted),
        "f1_gap": f1(counted, "masculine") - f1(counted, "feminine"),
        "stereotype_gap": accuracy(pro) - accuracy(anti),
        "masculine_default": sum(row["reading"] == "masculine" for row in women) / len(women)
        - sum(row["reading"] == "feminine" for row in men) / len(men),
        "other_masculine_rate": others.count("masculine") / len(others),
        "pronoun_conflict": sum(row["reading"] != row["pronoun"] for row in shown) / len(shown),
        "yield": sum(row["reading"] is not None for row in rows) / len(rows),
    }


def dyadic_variance(moved, pairs):
    """Return the sum over all products of influences of sentences that share a person."""
    total = sum(
        one * two
        for one, pair in zip(moved, pairs, strict=True)
        for two, other in zip(moved, pairs, strict=True)
        if set(pair) & set(other)
    )
    return max(0.0, total)
