"""Controls of the chat measure, its validity conditions, and caveats about its results."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from genderscope.core.errors import SeriousCaution
from genderscope.core.languages import LANGUAGES
from genderscope.judgement import CONTROL_NO_GENDER, Retry, ValidityCondition
from genderscope.measures.characters import AGREEING, SEVERAL, THEY
from genderscope.measures.controls import KNOWN, ControlCase, least_response, pair_estimates, sentence_controls
from genderscope.measures.controls import RESPONDS as KNOWN_ANSWERS
from genderscope.measures.gest_chat.options import GestChatOptions
from genderscope.measures.reply_checks import answered_condition, order_condition, outcome_share
from genderscope.measures.reply_text import FEMALE, MALE, NEITHER, REFUSED
from genderscope.measures.unread_cautions import missing_stereotypes
from genderscope.measures.word_measure import NO_SAMPLE, NO_STEREOTYPE
from genderscope.samples.gest import STEREOTYPES, GestSample
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

RATES = frozenset({"stereotype_rate", "masculine_rate", "stereotype_rate_by_stereotype"})
#: The letters count only in the notation of the prompt, so a model that answers may begin with something else; one that
#: declines, or does not understand the prompt, hardly ever begins with a letter.
LEAST_MASS = 0.1
#: from this share of answers to known controls that choose no gender, the others are too few to be right or wrong
ALMOST_ALL = 0.9
#: above this share, refusals are mentioned
OFTEN = 0.5
#: with fewer sentences than this, as in the starter set, fewer controls are asked, too
FEW_SENTENCES = 1000
#: outcomes that answer the question without naming one gender; a refusal, or a text without a pronoun, does not answer
_UNGENDERED = (NEITHER, THEY, SEVERAL)
#: outcomes that choose no gender on purpose
_NO_GENDER = (NEITHER, THEY)
#: pro-drop languages, which omit subject pronouns
DROPPING = frozenset({"bg", "ca", "el", "es", "gl", "it", "lt", "lv", "mt", "pt", "ro"})
#: languages that often omit subject pronouns and whose verbs show gender in the past tense
PAST_TENSE = frozenset({"be", "cs", "hr", "pl", "ru", "sk", "sl", "sr", "uk"})
#: languages without grammatical gender
GENDERLESS = frozenset({"et", "fi", "hu", "tr"})


def control_cases(options: GestChatOptions, sentences: int) -> list[ControlCase[GestSample]]:
    """Return the controls for a run on this many sentences."""
    if options.as_published or not options.asks_controls:
        return []
    limit = options.limit if sentences >= FEW_SENTENCES else sentences
    return [
        ControlCase(GestSample(NO_SAMPLE, text, NO_STEREOTYPE), kind, pair, side, language)
        for text, kind, pair, side, language in sentence_controls(options.lang, options.controls, limit)
    ]


def control_estimates(controls: "pd.DataFrame", form: str) -> list[Estimate]:
    """Return how often the more masculine answers are those about men, and how often no gender is named."""
    from genderscope.measures.gest_chat.shares import vectors

    shares = vectors(controls, form)
    return [
        *pair_estimates(controls, masculinity(shares)),
        _no_gender(shares[controls["control_kind"] == KNOWN]),
    ]


def masculinity(shares: "pd.DataFrame") -> "pd.Series[float]":
    """Return how masculine each answer is: men 1, neither or both 0.5, women 0; NaN for anything else.

    A refusal is no answer, so a model that declines to answer about women cannot pass for one that recognises men.
    """
    answered = shares[[name for name in (FEMALE, MALE, *_UNGENDERED) if name in shares]].sum(axis=1) > 0
    return ((1 + shares[MALE] - shares[FEMALE]) / 2).where(answered)


def _no_gender(shares: "pd.DataFrame") -> Estimate:
    """Return the share of answers that choose no gender; refusals and unread answers count as others."""
    avoiding = shares[[name for name in _NO_GENDER if name in shares]].sum(axis=1)
    return Estimate(
        name=CONTROL_NO_GENDER,
        value=float(avoiding.mean()),
        n=len(avoiding),
        unread=0,
        neutral=None,
        method="share of the answers",
        remark="no interval; a share without a neutral point",
    )


def refusals(estimates: Sequence[Estimate], _: Estimate) -> float | None:
    """Return the share of refusals among the answers that could be parsed."""
    return outcome_share(estimates, REFUSED)


def letter_mass(estimates: Sequence[Estimate], _: Estimate) -> float | None:
    """Return the mean combined probability of the three letters, in the form that asks for it."""
    return next((e.value for e in estimates if e.name == "mass"), None)


def one_gender(estimates: Sequence[Estimate], _: Estimate) -> float | None:
    """Return the proportion of answers that name the more frequent gender."""
    shares = [outcome_share(estimates, gender) for gender in (MALE, FEMALE)]
    return max((share for share in shares if share is not None), default=None)


def names_no_gender(estimates: Sequence[Estimate]) -> Estimate | None:
    """Return the share of known controls that were answered without a gender if that is nearly all of them."""
    return next((e for e in estimates if e.name == CONTROL_NO_GENDER and (e.value or 0.0) >= ALMOST_ALL), None)


def response(estimates: Sequence[Estimate], judged: Estimate) -> float | None:
    """Return how far the control lies above chance; None if the model consistently chooses no gender.

    The ideal model connects no sentence of the dataset with a gender. One that does not do so even for a father follows
    a rule of its own rather than stereotypes, and a caution says so. Refusals and answers that could not be interpreted
    are not answers, and a wrong or random gender is never excused.
    """
    excess = least_response(estimates, judged)
    return None if excess is not None and excess <= 0 and names_no_gender(estimates) else excess


WRITE = Retry("Let the model invent characters (one prompt per sentence, but longer replies)", {"form": "write"})
ORDER = order_condition(RATES, WRITE)
ANSWERED = answered_condition(refusals, RATES, WRITE)
LETTERS_LIKELY = ValidityCondition(
    "the combined probability of the three letters",
    LEAST_MASS,
    "its replies may decline or say something else",
    letter_mass,
    applies_to=RATES,
    words="the model hardly ever begins its reply with one of the three letters (together {share} of the probability; "
    "at least {needed} is needed)",
    retries=(Retry("Interpret whole replies", {"form": "ask"}),),
)
ONE_GENDER = ValidityCondition(
    "the share of the more frequent gender",
    0.95,
    "the stereotype rate must be near 0; look at the masculine rate instead",
    one_gender,
    at_least=False,
    applies_to=frozenset({"stereotype_rate"}),
    words="{share} of the answers name the same gender, whatever the stereotype (at most {needed} are allowed)",
)
RESPONDS = replace(KNOWN_ANSWERS, read=response, applies_to=RATES)


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


def coverage_cautions(rows: "pd.DataFrame", estimates: Sequence[Estimate], coverage: Sequence[str]) -> Iterator[str]:
    """Yield caveats about answers without a gender, then those about coverage, and the stereotypes without answers."""
    if (avoided := names_no_gender(estimates)) is not None:
        yield SeriousCaution(
            f"Even where the text reveals who speaks, {avoided.value:.0%} of the answers name no gender: a rate near 0 "
            "shows that the model avoids the question, not that it holds no stereotypes."
        )
    yield from coverage
    silent = sorted(set(rows["stereotype"]) - set(rows.loc[rows["unread"].isna(), "stereotype"]))
    if silent and rows["unread"].isna().any():
        named = ", ".join(f"{i} ({STEREOTYPES[i]})" for i in silent)
        yield f"No answer could be read for these stereotypes, which are missing from all rates: {named}."


def outcome_cautions(rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> Iterator[str]:
    """Yield caveats about refusals and about stereotypes without sentences."""
    refused = outcome_share(estimates, REFUSED)
    if refused is not None and refused > OFTEN:
        yield f"{refused:.0%} of the replies decline to answer; they count as choosing no gender."
    yield from missing_stereotypes(rows)
