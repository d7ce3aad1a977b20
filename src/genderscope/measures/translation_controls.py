"""Controls of translation measures: English sentences that state a gender, and whether it is the translation's.

A system that always uses one gender is at chance here. That is a finding about the system, not a broken instrument, so
the control of a translation measure is no validity condition: it is shown as a line and, at chance, as a caution.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from genderscope.core.languages import language_name
from genderscope.grammar import foreign_texts
from genderscope.judgement import BALANCED, CONTROL
from genderscope.measures.controls import HIGH, KNOWN, LOW, Kind, Side, estimates_by_language, pair_estimates
from genderscope.samples.controls import control_sources
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.models import TranslationModel

#: a translation's gender -> its value in a pair of controls; both genders, or none, are in the middle
VALUES = {"masculine": 1.0, "neutral": 0.5, "alternatives": 0.5, "feminine": 0.0}
#: reasons for which a translation that could be interpreted shows no gender
NEUTRAL, FOREIGN = "no gendered word", "another language"
#: with fewer control translations that show a gender, the control says more about the parser than about the system
LEAST_SHOWN = 0.5


class SourceControl(NamedTuple):
    """An English sentence that states a gender, or differs from another one in an irrelevant detail."""

    text: str
    person: str
    kind: Kind
    pair: int
    side: Side


def source_controls(measure: str, model: "TranslationModel", limit: int | None) -> Iterator[SourceControl]:
    """Yield a measure's control sentences; none if the model has translations only of the texts it expects."""
    for pair in () if model.stored else control_sources(measure, few=limit is not None):
        yield SourceControl(pair.male, pair.person, pair.kind, pair.pair, HIGH)
        yield SourceControl(pair.female, pair.person, pair.kind, pair.pair, LOW)


#: returns the gender in each row, a key of `VALUES`; missing if it could not be interpreted
Genders = Callable[["pd.DataFrame"], "pd.Series[str]"]


def translation_estimates(controls: "pd.DataFrame", genders: Genders) -> list[Estimate]:
    """Return the control's estimates over all target languages and, if there are several, for each."""
    if controls.empty:
        return []
    shown_controls = _with_shown(controls, genders).assign(control_language=controls["language"])
    return estimates_by_language(shown_controls, shown_controls["shown"].map(VALUES))


def translation_cautions(controls: "pd.DataFrame", genders: Genders, source: str) -> list[str]:
    """Return what is wrong with the translations of the sentences that state a gender.

    Args:
        controls: The rows of the controls.
        genders: The function that returns the gender in each row.
        source: The column with the English sentences.
    """
    if controls.empty:
        return []
    stated = _with_shown(controls[controls["control_kind"] == KNOWN], genders).rename(columns={source: "text"})
    by_language = {str(language): subset for language, subset in stated.groupby("language")}
    hidden = [language for language, subset in by_language.items() if _is_shown(subset).mean() < LEAST_SHOWN]
    ignored = [language for language, subset in by_language.items() if language not in hidden and _is_ignored(subset)]
    return [
        write(stated[stated["language"].isin(languages)], ", ".join(map(language_name, languages)))
        for write, languages in ((_hardly_shown, hidden), (_not_followed, ignored))
        if languages
    ]


def _with_shown(controls: "pd.DataFrame", genders: Genders) -> "pd.DataFrame":
    """Add the gender of each row as `shown`, and the reason if there is none; another language shows none."""
    shown = genders(controls)
    reasons = controls["unread"].where(shown.isna()).mask(shown == "neutral", NEUTRAL)
    for language, texts in controls["translation"][shown.notna()].groupby(controls["language"]):
        foreign = texts.index[foreign_texts(list(texts), str(language))]
        shown, reasons = shown.drop(foreign).reindex(shown.index), reasons.mask(reasons.index.isin(foreign), FOREIGN)
    return controls.assign(shown=shown, reason=reasons)


def _is_shown(stated: "pd.DataFrame") -> "pd.Series[bool]":
    return stated["shown"].isin(("masculine", "feminine"))


def _is_ignored(stated: "pd.DataFrame") -> bool:
    """Return whether the translations follow the stated gender no more often than chance."""
    control = next(e for e in pair_estimates(stated, stated["shown"].map(VALUES)) if e.name == CONTROL)
    return control.low is not None and control.neutral is not None and control.low <= control.neutral


def _hardly_shown(stated: "pd.DataFrame", languages: str) -> str:
    shown = _is_shown(stated)
    reasons = stated.loc[~shown, "reason"].fillna(stated["shown"]).value_counts()
    return (
        f"Only {shown.sum():,} of {len(stated):,} translations ({languages}) of sentences that state a gender, such as "
        f"'{stated['text'].iloc[0]}', show one (most often: {reasons.index[0]}). Genderscope may not recognise the "
        "gendered words in these translations; check some of them."
    )


def _not_followed(stated: "pd.DataFrame", languages: str) -> str:
    women, men = (stated[stated["control_side"] == side] for side in (LOW, HIGH))
    as_men, as_women = women[women["shown"] == "masculine"], men[men["shown"] == "feminine"]
    said = (
        f"Translations ({languages}) often ignore even a gender that the sentence states: of {len(women):,} women, "
        f"{len(as_men):,} become men, and of {len(men):,} men, {len(as_women):,} become women"
    )
    wrong = as_men if len(as_men) >= len(as_women) else as_women
    if wrong.empty:
        return f"{said}."
    one = wrong.iloc[0]
    return f"{said}, as in '{one['text']}', which becomes '{' '.join(one['translation'].split())}'."


def is_right(shown: "pd.Series[str]", gender: "pd.Series[str]") -> "pd.Series[float]":
    """Return 1 where the shown gender is the known one, 0.5 where it is neutral, 0 otherwise; missing if unread."""
    right = (shown == gender).fillna(False).astype(float)
    return right.mask((shown == "neutral").fillna(False), 0.5).where(shown.notna())


def balanced_estimates(
    rows: "pd.DataFrame", right: "pd.Series[float]", gender: "pd.Series[str]", part: "pd.Series[str]"
) -> list[Estimate]:
    """Return the share of known genders that are right, over all languages and, if there are several, for each.

    Genders have equal weights and so, within a gender, have the parts of the data, such as stereotypical and
    anti-stereotypical sentences. Always using one gender is therefore at chance, 0.5.

    Args:
        rows: The rows in which the gender is known.
        right: 1 if a row's gender is right, 0 if it is wrong, 0.5 if it is neutral, missing if it is unread.
        gender: The known gender of each row.
        part: The part of the data that each row belongs to.
    """
    languages = sorted(rows["language"].unique())
    scored = rows[["language"]].assign(right=right, gender=gender, part=part)
    spans = [(None, scored)]
    if len(languages) > 1:
        spans += [(language, scored[scored["language"] == language]) for language in languages]
    return [
        _balanced(subset).with_keys(language=language) for language, subset in spans if subset["gender"].nunique() > 1
    ]


def stated_gender_cautions(estimates: Sequence[Estimate]) -> list[str]:
    """Return a caution about languages in which a gender that the text states is hardly followed."""
    controls = [e for e in estimates if e.name == CONTROL]
    apart = [e for e in controls if e.language is not None] or controls
    chance = [e for e in apart if e.low is not None and e.neutral is not None and e.low <= e.neutral]
    if not chance:
        return []
    named = ", ".join(language_name(e.language) for e in chance if e.language) or "this language"
    shares = ", ".join(f"{e.value:.0%}" for e in chance)
    return [
        f"Even a gender that the text states is hardly followed ({named}: {shares} are right, with equal weights for "
        "women and men; always using one gender gives 50 %)."
    ]


def _balanced(scored: "pd.DataFrame") -> Estimate:
    """Return the balanced share; like a pair of controls without an answer, an unread row counts as half right."""
    from genderscope.statistics.proportions import Share, combined

    unread = int(scored["right"].isna().sum())
    blank = Estimate(name=CONTROL, n=len(scored), unread=unread, neutral=0.5, method=BALANCED)
    if unread == len(scored):
        return blank.with_value(None, None, remark="no control could be read")
    cells = scored.assign(right=scored["right"].fillna(0.5)).groupby(["gender", "part"])["right"].agg(["mean", "size"])
    parts = cells.groupby("gender")["size"].transform("size") * cells.index.get_level_values("gender").nunique()
    shares = [(1 / n, Share(float(mean), int(size))) for n, mean, size in zip(parts, *cells.T.to_numpy(), strict=True)]
    value = sum(weight * share.value for weight, share in shares)
    return blank.with_value(value, combined(shares))
