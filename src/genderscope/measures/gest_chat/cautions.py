"""Caveats about chat-model results."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from genderscope.core.cautions import SeriousCaution, most_frequent
from genderscope.core.languages import LANGUAGES
from genderscope.measures.gest_chat.conditions import names_no_gender, order_excess
from genderscope.measures.gest_chat.draws import has_draws
from genderscope.measures.gest_chat.evidence import AGREEING
from genderscope.measures.gest_chat.reading import REFUSED
from genderscope.measures.unread_cautions import coverage_caution, missing_stereotypes
from genderscope.samples.gest import STEREOTYPES
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

#: below this combined probability of the three letters, the model mostly answers with something else
LOW_MASS = 0.5
OFTEN = 0.5
CUT_OFF = 0.05


#: pro-drop languages, which omit subject pronouns
DROPPING = frozenset({"bg", "ca", "el", "es", "gl", "it", "lt", "lv", "mt", "pt", "ro"})
#: languages that often omit subject pronouns and whose verbs show gender in the past tense
PAST_TENSE = frozenset({"be", "cs", "hr", "pl", "ru", "sk", "sl", "sr", "uk"})
#: languages without grammatical gender
GENDERLESS = frozenset({"et", "fi", "hu", "tr"})


def language_cautions(rows: "pd.DataFrame", form: str, language: str) -> Iterator[str]:
    """Yield caveats about parsing characters' genders in languages other than English."""
    if form != "write":
        return
    if language in DROPPING:
        yield (
            f"{LANGUAGES[language].name} often omits pronouns, and 'born' is the only participle or adjective taken "
            "into account, so characters without a pronoun are frequent and not a sign of neutral writing."
        )
    elif language in PAST_TENSE:
        yield (
            f"{LANGUAGES[language].name} often omits pronouns, and only frequent past forms, such as 'was born' and "
            "'grew up', are taken into account, so characters without a pronoun are not a sign of neutral writing."
        )
    elif language in GENDERLESS:
        yield (
            f"{LANGUAGES[language].name} has no gendered pronouns: only nouns and titles, such as 'woman', reveal a "
            "character's gender, so characters without one are frequent and not a sign of neutral writing."
        )
    if agreeing := int((rows["rule"] == AGREEING).sum()):
        yield (
            f"In {agreeing:,} of {len(rows):,} texts, all pronouns agree with a generic noun, such as the word for "
            "'person', and reveal no gender; these texts count as 'no pronoun'."
        )


def cautions(rows: "pd.DataFrame", estimates: Sequence[Estimate], form: str) -> list[str]:
    """Return caveats about a result, one sentence each."""
    # The verdict says that the order matters, so the caution with the numbers comes last.
    return [
        *_no_gender(estimates),
        *_unread(rows),
        *ending_cautions(rows, form),
        *mass_cautions(rows, form),
        *_draws(rows),
        *_others(rows, estimates),
        *order_cautions(estimates),
    ]


def _no_gender(estimates: Sequence[Estimate]) -> Iterator[str]:
    if (found := names_no_gender(estimates)) is not None:
        yield SeriousCaution(
            f"Even where the text reveals who speaks, {found.value:.0%} of the answers name no gender: a rate near 0 "
            "shows that the model avoids the question, not that it holds no stereotypes."
        )


def _unread(rows: "pd.DataFrame") -> Iterator[str]:
    yield from coverage_caution(rows, "answers", "read")
    silent = sorted(set(rows["stereotype"]) - set(rows.loc[rows["unread"].isna(), "stereotype"]))
    if silent and rows["unread"].isna().any():
        named = ", ".join(f"{i} ({STEREOTYPES[i]})" for i in silent)
        yield f"No answer could be read for these stereotypes, which are missing from all rates: {named}."


def ending_cautions(rows: "pd.DataFrame", form: str) -> Iterator[str]:
    """Yield caveats about replies that were cut off, filtered, preceded by reasoning or given by another model."""
    ends = rows["ended"].value_counts()
    cut = int(ends.get("length", 0))
    if form != "letter" and cut > CUT_OFF * len(rows):
        yield f"{cut:,} of {len(rows):,} replies were cut off at the maximum length; raise --max-tokens if needed."
    if blocked := int(ends.get("filter", 0)):
        yield f"A content filter stopped {blocked:,} of {len(rows):,} replies; they count as refused."
    if thought := int(rows["thought"].notna().sum()):
        yield f"{thought:,} replies came with reasoning, which is stored separately and was not read."
    names = rows["served_by"].dropna().value_counts()
    yield from _served_by({str(name): int(count) for name, count in names.items()}, len(rows))


def _served_by(names: Mapping[Any, int], replies: int) -> Iterator[str]:
    if len(names) == 1:
        name, count = next(iter(names.items()))
        yield SeriousCaution(
            f"The server says that {count:,} of {replies:,} replies came from '{name}', not from the requested model."
        )
    elif names:
        listed = most_frequent(names, "'{}' ({:,})")
        yield SeriousCaution(
            f"The server says that {sum(names.values()):,} of {replies:,} replies came from {len(names):,} models, "
            f"none of which is the requested one: {listed}."
        )


def order_cautions(estimates: Sequence[Estimate]) -> Iterator[str]:
    """Yield a caveat if the position of an option matters more than its content."""
    found = {e.name: e.value for e in estimates if e.name in {"order_effect", "consistency"}}
    if (order_excess(estimates) or 0) > 0:
        yield (
            "The position of an option matters more than its content; the rates say little about this model's views "
            f"(order effect {found['order_effect']:.2f}, consistency {found['consistency']:.2f})."
        )


def mass_cautions(rows: "pd.DataFrame", form: str) -> Iterator[str]:
    """Yield a caveat if the letters are improbable at the beginning of a reply."""
    known = rows["mass"].dropna()
    if form == "letter" and len(known) and known.mean() < LOW_MASS:
        yield (
            f"The three letters have a combined probability of only {known.mean():.2g} at the beginning of a "
            "reply: the model usually begins with something else, so --form ask is more informative."
        )


def _draws(rows: "pd.DataFrame") -> Iterator[str]:
    if has_draws(rows) and rows.groupby(["sample", "wording", "order"], dropna=False)["reply"].nunique().max() < 2:
        yield (
            f"All {rows['draw'].max() + 1} draws of every prompt have the same reply: the model is certain of each, or "
            "the server repeats its first reply, so --draws adds nothing."
        )


def _others(rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> Iterator[str]:
    refused = next((e.value for e in estimates if e.name == "share" and e.category == REFUSED and not e.group), None)
    if refused is not None and refused > OFTEN:
        yield f"{refused:.0%} of the replies decline to answer; they count as choosing no gender."
    yield from missing_stereotypes(rows)
