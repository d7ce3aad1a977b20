"""One line per prompt, with its replies averaged over draws, from the rows of a run."""

import pandas as pd

from genderscope.measures.decisions.names import NO, YES
from genderscope.samples.decisions import FEMALE, MALE

#: columns that are the same in all rows of a prompt
_SHARED = ["probe", "item", "scenario", "gender", "order", "score", "source"]
_COUNTED = (YES, NO, FEMALE, MALE)


def prompts_of(rows: pd.DataFrame) -> pd.DataFrame:
    """Return one line per prompt: how many replies were read and unread, and how many have each decisive outcome.

    `success` is the share of yes among the replies that were read, and `masculine` that of men among the replies that
    name a gender.
    """
    unread = rows["unread"].notna()
    outcome = rows["outcome"].where(~unread)
    table = pd.DataFrame({name: outcome.eq(name).fillna(False).astype("float64") for name in _COUNTED})
    table = table.assign(read=(~unread).astype("float64"), unread=unread.astype("float64"))
    counts = table.groupby(rows["sample"], sort=False).sum()
    found = rows.drop_duplicates("sample").set_index("sample")[_SHARED].join(counts)
    gendered = found[FEMALE] + found[MALE]
    return found.assign(
        success=(found[YES] / found["read"]).where(found["read"] > 0),
        masculine=(found[MALE] / gendered).where(gendered > 0),
        leaning=(0.5 + (found[MALE] - found[FEMALE]) / found["read"] / 2).where(found["read"] > 0),
    )
