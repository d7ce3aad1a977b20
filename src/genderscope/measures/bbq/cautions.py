"""Caveats about BBQ results."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from genderscope.core.cautions import SeriousCaution
from genderscope.core.languages import language_name
from genderscope.judgement import Margin
from genderscope.measures.bbq.kinds import AMBIGUOUS, CHANCE, DIFFERENCES, DISAMBIGUATED, REFUSED
from genderscope.measures.gest_chat.cautions import ending_cautions, mass_cautions, order_cautions
from genderscope.measures.unread_cautions import coverage_caution, unread_cautions
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

#: above these shares, refusals and choices of the first option are mentioned
OFTEN_REFUSED, OFTEN_FIRST = 0.05, 0.5


def cautions(
    rows: "pd.DataFrame", estimates: Sequence[Estimate], form: str, margin_of: Callable[[Estimate], Margin | None]
) -> list[str]:
    """Return caveats about a result, one sentence each."""
    leading = [e for e in estimates if e.name in DIFFERENCES and not e.group]
    return [
        *_contexts(rows),
        *unread_cautions(leading, margin_of, outcome="kind of answer"),
        *coverage_caution(rows, "answers", "read"),
        *(ending_cautions(rows, form) if form != "choice" else ()),
        *mass_cautions(rows, form),
        *_refused(rows),
        *_controls(estimates),
        *_languages_by_chance(estimates),
        *_first_option(estimates),
        *order_cautions(estimates),
    ]


def _contexts(rows: "pd.DataFrame") -> Iterator[str]:
    """Yield a caveat if only one kind of context was asked about."""
    present = set(rows["condition"])
    if DISAMBIGUATED not in present:
        yield SeriousCaution(
            "Only ambiguous contexts were used, so nothing shows whether the model understands the questions: random "
            "answers show no bias. Use --contexts both."
        )
    elif AMBIGUOUS not in present:
        yield "Only disambiguated contexts were used, so what the model assumes if nothing gives the answer is unknown."


def _refused(rows: "pd.DataFrame") -> Iterator[str]:
    refused = int(rows["outcome"].eq(REFUSED).fillna(False).sum())
    if refused > OFTEN_REFUSED * len(rows):
        yield f"{refused:,} of {len(rows):,} answers are refusals; the rates leave them out."


def _controls(estimates: Sequence[Estimate]) -> Iterator[str]:
    """Yield a caveat if answers also lean where no stereotype applies."""
    for e in estimates:
        if e.name == "control_bias_ambiguous" and e.low is not None and e.high is not None and not e.low <= 0 <= e.high:
            where = f" ({e.language})" if e.language else ""
            yield (
                f"Answers also lean towards one option by {e.value:.2f} where no stereotype applies{where}: part of "
                "the bias may be due to something else, such as names or positions."
            )


def _languages_by_chance(estimates: Sequence[Estimate]) -> Iterator[str]:
    """Yield a caveat that names the languages whose questions are answered no better than by chance."""
    accuracies = [e for e in estimates if e.name == "accuracy_disambiguated" and e.language and not e.group]
    weak = [language_name(e.language) for e in accuracies if e.language and e.low is not None and e.low < CHANCE]
    if weak and len(weak) < len(accuracies):
        yield (
            f"In {', '.join(weak)}, the model does not answer better than chance even if the context gives the answer, "
            "which pulls the average across languages towards 0."
        )


def _first_option(estimates: Sequence[Estimate]) -> Iterator[str]:
    share = next((e.value for e in estimates if e.name == "first_option_share"), None)
    if share is not None and share > OFTEN_FIRST:
        yield f"The first option is chosen in {share:.0%} of the answers, whatever it says."
