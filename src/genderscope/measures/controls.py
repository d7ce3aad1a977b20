"""Controls with a known answer: does the instrument respond on this very model?

A control is a sample like any other, asked with the same prompts in the same run, but its answer follows from its text
("I am a proud father of two."). Its rows are stored apart and enter no estimate of bias. Controls come in pairs that
differ in what the measure asks about (*known*) or in a detail that has nothing to do with it (*nothing to know*). An
instrument that responds puts the known pairs in the right order, and the others in no order.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from genderscope.judgement import (
    CONTROL,
    CONTROL_AUC,
    NOTHING_TO_KNOW,
    ValidityCondition,
    describe_control,
    estimate_like,
)
from genderscope.samples.controls import (
    FormControl,
    PronounControl,
    control_forms,
    control_sentences,
    own_controls,
    pronoun_controls,
)
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

Kind = Literal["known", "nothing"]
Side = Literal["high", "low"]
KNOWN: Kind = "known"
NOTHING: Kind = "nothing"
HIGH: Side = "high"
LOW: Side = "low"
#: for values that are higher the more masculine an answer is
SIDES: dict[str, Side] = {"male": HIGH, "female": LOW}
#: kind, pair, side and language of a case
Place = tuple[Kind, int, Side, str]
#: columns of a control row that come before those of the measure's own rows
COLUMNS = ("control_kind", "control_pair", "control_side", "control_language")

SampleT = TypeVar("SampleT")


@dataclass(frozen=True, slots=True)
class ControlCase(Generic[SampleT]):
    """A sample with a known answer; `side` tells whether its value should be the higher or the lower one of its pair.

    For values that are higher the more masculine an answer is, the version about a man is the high one.
    """

    sample: SampleT
    kind: Kind
    pair: int
    side: Side
    language: str = "en"

    @property
    def columns(self) -> dict[str, str | int]:
        """The values of `COLUMNS` for this case."""
        return dict(zip(COLUMNS, (self.kind, self.pair, self.side, self.language), strict=True))


def sentence_controls(language: str, own: str | None, limit: int | None) -> Iterator[tuple[str, Kind, int, Side, str]]:
    """Yield the text, kind, pair, side and language of each control sentence in a language.

    Args:
        language: The language of the built-in controls.
        own: The user's own file; None for the built-in controls.
        limit: The user's limit on samples; if there is one, fewer controls are asked.
    """
    pairs = control_sentences(language, few=limit is not None) if own is None else own_controls(own, language)
    for pair in pairs:
        yield pair.male, pair.kind, pair.pair, HIGH, pair.language
        yield pair.female, pair.kind, pair.pair, LOW, pair.language


def form_controls(language: str, limit: int | None) -> Iterator[tuple[FormControl, Place]]:
    """Yield each sentence with a masculine and a feminine form in a language; fewer if samples are limited."""
    for form in control_forms(language, few=limit is not None):
        yield form, (form.kind, form.pair, SIDES[form.side], form.language)


def pronouns_in_context(name: str, language: str, samples: int | None) -> Iterator[tuple[PronounControl, Place]]:
    """Yield each sentence with a pronoun from the file called `name` (see `pronoun_controls`)."""
    for control in pronoun_controls(name, language, samples):
        yield control, (control.kind, control.pair, SIDES[control.side], control.language)


def scorable(controls: "pd.DataFrame", values: "pd.Series[float]") -> "pd.DataFrame":
    """Return the pairs of forms that the tokenizer can compare, or all of a language's pairs if it can compare none.

    Pairs of samples that it cannot compare enter no estimate either, and the coverage tells how many they are.
    """
    by_pair = [controls[name] for name in ("control_language", "control_kind", "control_pair")]
    whole = values.notna().groupby(by_pair).transform("all")
    some = whole.groupby(controls["control_language"]).transform("any")
    return controls[whole | ~some]


def control_frame(cases: Sequence[ControlCase[Any]], rows: Sequence[Sequence[Any]]) -> "pd.DataFrame":
    """Return the table of control rows: for each case, the rows that the measure read from its answers."""
    from dataclasses import asdict, is_dataclass

    import pandas as pd

    lines = [
        case.columns | (asdict(row) if is_dataclass(row) and not isinstance(row, type) else dict(row))
        for case, own in zip(cases, rows, strict=True)
        for row in own
    ]
    return pd.DataFrame(lines, columns=None if lines else list(COLUMNS))


def pair_estimates(controls: "pd.DataFrame", values: "pd.Series[float]", **keys: str | int | None) -> list[Estimate]:
    """Return the estimates of the controls.

    Args:
        controls: The control rows.
        values: The value of each row, such as how masculine the answer is; NaN where nothing could be read. The rows of
            one version of a pair, such as those of several prompts, are averaged.
        keys: Keys of the estimates.
    """
    from genderscope.statistics.discrimination import area_under_curve

    estimates = []
    for kind, name in ((KNOWN, CONTROL), (NOTHING, NOTHING_TO_KNOW)):
        pairs = list(_pairs(controls, values, kind))
        if not pairs:
            continue
        read = [(high, low) for high, low in pairs if math.isfinite(high) and math.isfinite(low)]
        estimates.append(_in_order(name, read, len(pairs) - len(read)).with_keys(**keys))
        if kind == KNOWN and read:
            value, bounds = area_under_curve([high for high, _ in read], [low for _, low in read])
            blank = Estimate(
                name=CONTROL_AUC, n=len(read), unread=len(pairs) - len(read), neutral=0.5, method="Newcombe"
            )
            estimates.append(blank.with_value(value, bounds).with_keys(**keys))
    return estimates


def estimates_by_language(controls: "pd.DataFrame", values: "pd.Series[float]") -> list[Estimate]:
    """Return the estimates over all languages and, if there are several, for each language."""
    languages = sorted(set(controls["control_language"]))
    estimates = pair_estimates(controls, values)
    for language in languages if len(languages) > 1 else ():
        in_language = controls["control_language"] == language
        estimates += pair_estimates(controls[in_language], values[in_language], language=language)
    return estimates


def known_answers(right: float, asked: int, chance: float, **keys: str | int | None) -> Estimate:
    """Return the share of known answers that are right, for a measure whose own samples serve as controls."""
    from genderscope.statistics.proportions import plain_interval

    bounds = plain_interval(right, asked) if asked else None
    blank = Estimate(name=CONTROL, n=asked, unread=0, neutral=chance, method="Agresti-Coull")
    return blank.with_value(right / asked if asked else None, bounds).with_keys(**keys)


def _pairs(controls: "pd.DataFrame", values: "pd.Series[float]", kind: str) -> Iterator[tuple[float, float]]:
    """Yield the two versions' means for each pair of one kind."""
    of_kind = controls["control_kind"] == kind
    by = [controls.loc[of_kind, name] for name in ("control_language", "control_pair", "control_side")]
    means = values[of_kind].groupby(by).mean().unstack("control_side")
    for side in (HIGH, LOW):
        if side not in means:
            means[side] = math.nan
    yield from zip(means[HIGH].astype(float), means[LOW].astype(float), strict=True)


def _in_order(name: str, pairs: Sequence[tuple[float, float]], unread: int) -> Estimate:
    """Return the share of pairs in the right order; equal values, as of a model that ignores the text, count half.

    A pair without an answer counts as half right too, so that missing answers cannot hide that nothing is known.
    """
    from genderscope.statistics.proportions import plain_interval

    blank = Estimate(name=name, n=len(pairs) + unread, unread=unread, neutral=0.5, method="Agresti-Coull")
    if not pairs:
        return blank.with_value(None, None, remark="no control could be read")
    right = sum(1.0 if high > low else 0.5 if high == low else 0.0 for high, low in pairs) + unread / 2
    asked = len(pairs) + unread
    return blank.with_value(right / asked, plain_interval(right, asked))


def control_of(judged: Estimate, estimates: Sequence[Estimate]) -> Estimate | None:
    """Return the control of the judged language or template or, if there is none, the one over all of them."""
    of_language = next((e for e in estimates if e.name == CONTROL and e.keys == {"language": judged.language}), None)
    return (
        estimate_like(judged, estimates, CONTROL)
        or of_language
        or next((e for e in estimates if e.name == CONTROL), None)
    )


def least_response(estimates: Sequence[Estimate], judged: Estimate) -> float | None:
    """Return how far the lower end of the control's interval lies above chance; None if there is no control."""
    control = control_of(judged, estimates)
    if control is None or control.neutral is None:
        return None
    return -control.neutral if control.low is None else control.low - control.neutral


def describe_response(estimates: Sequence[Estimate], judged: Estimate) -> str:
    """Return how often the control of the judged estimate was right, and whether that is too near chance to tell."""
    control = control_of(judged, estimates)
    told = "" if control is None else f" ({describe_control(control, in_brackets=True)})"
    if control is not None and (control.value or 0.0) > (control.neutral or 0.0):
        return f"too few texts whose answer is known were right to tell whether the model responds to them{told}"
    return f"the model does not respond to texts whose answer is known{told}"


RESPONDS = ValidityCondition(
    "the lower end of the control's interval above chance",
    0.0,
    "its other answers say nothing either",
    least_response,
    words=describe_response,
    needs_samples=True,
)
