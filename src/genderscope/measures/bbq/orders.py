"""How much the position of an option matters in BBQ, as in `gest-chat` (see `gest_chat/orders.py`)."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from genderscope.measures.bbq.items import answers
from genderscope.measures.bbq.kinds import KINDS
from genderscope.measures.bbq.parts import METHOD, NOUNS, TEMPLATES, TOO_FEW
from genderscope.measures.gest_chat.orders import NO_NEUTRAL
from genderscope.measures.gest_chat.reading import BY_CHANCE
from genderscope.measures.gest_chat.shares import agreement
from genderscope.statistics.clustered_shares import weighed
from genderscope.statistics.estimate import Estimate, joined


def order_estimates(rows: pd.DataFrame) -> list[Estimate]:
    """Return the share of the first option, the order effect and the consistency; none if orders do not vary."""
    chosen = answers(rows)
    known = chosen.notna().all(axis=1) & rows["order"].notna()
    if not known.any():
        return []
    asked, kinds = rows[known], chosen[known].to_numpy(dtype=np.float64)
    orders = np.array([[KINDS.index(kind) for kind in order.split(",")] for order in asked["order"]])
    places = np.take_along_axis(kinds, orders, axis=1)
    labels = [f"{sample}/{wording}" for sample, wording in zip(asked["sample"], asked["wording"], strict=True)]
    first = asked.assign(value=places[:, 0])
    found = [*_mean("first_option_share", first, 1 / 3)]
    if asked["order"].nunique() > 1:
        each = asked.loc[~pd.Series(labels, index=asked.index).duplicated()]
        found += _mean("order_effect", each.assign(value=agreement(places, labels)), 0.0, BY_CHANCE)
        found += _mean("consistency", each.assign(value=agreement(kinds, labels)), None)
    return found


def _mean(name: str, table: pd.DataFrame, neutral: float | None, chance: float = 0.0) -> Iterator[Estimate]:
    """Yield the mean over questions, averaged over wordings first; none if no question has a value."""
    grouped = table.groupby("sample", sort=False)
    values, shared = grouped["value"].mean(), table.drop_duplicates("sample").set_index("sample")
    share = weighed(values, shared["language"], shared[TEMPLATES])
    if share is None:
        return
    noun, n = NOUNS[TEMPLATES], int(values.notna().sum())
    remark = joined(share.remark if share.ends else TOO_FEW.format(noun), NO_NEUTRAL if neutral is None else None)
    blank = Estimate(name=name, n=n, unread=len(values) - n, neutral=neutral, method=METHOD.format(noun))
    value, *ends = ((each - chance) / (1 - chance) for each in (share.value, *(share.ends or ())))
    yield blank.within(value, ends or None, remark=remark, freedom=share.freedom if ends else None)
