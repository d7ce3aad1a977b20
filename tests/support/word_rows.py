"""Rows of word-filling measures with known scores."""

import numpy as np
import pandas as pd

COLUMNS = ("ss", "ss_control", "csk", "csk_control", "f", "cs", "cs_control", "lp0", "lp1", "lp_unrelated")


def rows(items=60, copies=1, seed=0, **given):
    generator = np.random.default_rng(seed)
    ss = np.repeat(generator.normal(0.8, 1, items), copies)
    control = ss + generator.normal(-0.3, 0.5, items * copies)
    n = items * copies
    made = {name: np.full(n, np.nan) for name in COLUMNS}
    made |= {"ss": ss, "ss_control": control, "f": ss - control}
    made |= {"csk": generator.normal(0.1, 1, n), "csk_control": generator.normal(0, 1, n)}
    made |= {"cs": generator.normal(0.2, 1, n), "cs_control": generator.normal(0, 1, n)}
    frame = pd.DataFrame(made | given)
    frame["sample"], frame["item"] = range(n), np.repeat(np.arange(items), copies)
    frame["subset"], frame["unread"], frame["language"], frame["target"] = "x", None, "en", None
    for k in range(4):
        frame[f"keyword{k}"] = "word"
    return frame


OWN = "s0,s1,s2,s3\n" + "".join(
    f"The man {verb} <{a}> .,The man {verb} <{b}> .,The woman {verb} <{a}> .,The woman {verb} <{b}> .\n"
    for verb in ("was", "said", "cried", "asked")
    for a, b in (("there", "when"), ("old", "heavy"), ("tired", "wooden"), ("always", "never"))
)
