"""Criteria: what a measure declares to be good, in words, so that two systems can be compared by it.

A criterion is a weighted sum of mean outcomes. Where a text reveals a gender, it is good to be right about women, to be
right about men, and to be equally right about both. Where a text reveals none, it is good to treat women and men
evenly, not to follow stereotypes, and to use wording without a gender.

A gap cannot be large if a system is always masculine or always wrong. A criterion therefore says how much room the
outcomes leave for it; if there is too little, it does not take part in a comparison.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from genderscope.judgement.conditions import format_share

#: column -> mean outcome of one run
Means = Mapping[str, float]

#: differences of at least this many people in 100 matter
FIVE_OF_100 = 0.05
#: share of the largest possible size below which a gap or a stereotype says nothing
LEAST_ROOM = 0.2


def describe_room(people: str, cause: str, room: float | None) -> str:
    """Say that nearly everybody gets the same gender, which leaves hardly any room for an effect of the cause."""
    share, most = (format_share(1 - size / 2) for size in (room or 0.0, LEAST_ROOM))
    return f"{share} of the {people} get the same gender, whatever the {cause} (at most {most} are allowed)"


#: different words explain smaller differences in how often a known gender is shown
OTHER_WORDS = 0.2
#: share of outcomes without a gender from which wrong genders are counted apart from right ones
SOME_NEUTRAL = 0.05


class Aim(StrEnum):
    """The direction in which a criterion improves."""

    MORE = "more"
    LESS = "less"
    #: nearer to 0
    EVEN = "even"


@dataclass(frozen=True)
class Room:
    """How large a criterion could be, as a share of its largest possible size, and why it could not be larger."""

    size: Callable[[Means], float | None]
    #: clause about a run whose room is too small; `{}` is the run, `{column}` a mean outcome in people of 100
    because: str


@dataclass(frozen=True)
class Criterion:
    """One criterion: a weighted sum of mean outcomes, and the words for it."""

    name: str
    #: what is counted, as the heading of a row: "women translated as women"
    words: str
    #: what the better run does: "translates more women as women"
    ahead: str
    aim: Aim
    #: column of outcomes -> weight of its mean
    terms: Mapping[str, float]
    threshold: float = FIVE_OF_100
    #: how values are shown in people: (word, column) pairs; empty for the value itself
    shown: tuple[tuple[str, str], ...] = ()
    room: Room | None = None
    #: rows in which both runs have this outcome say nothing about a difference and are left out
    unless_both: str | None = None
    #: criterion by which the run that is ahead here must not be significantly worse, however little
    unless_worse: str | None = None
    #: outcome that at least one run must have in `SOME_NEUTRAL` of the rows for the criterion to take part
    if_any: str | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns of outcomes that the criterion uses."""
        return tuple(dict.fromkeys((*self.terms, *(column for _, column in self.shown))))


def _of_gap(means: Means) -> float | None:
    """Return the room for a gap between women and men: none if everybody is wrong, full from one half right."""
    sides = [means[name] for name in ("right_women", "right_men") if name in means]
    return min(1.0, sum(sides)) if len(sides) == 2 else None


def _of_stereotypical_accuracy(means: Means) -> float | None:
    """Return the room for a gap between stereotypes: that of the gender which is right less often."""
    sides = [means[name] for name in ("right_women", "right_men") if name in means]
    return min(1.0, 2 * min(sides)) if len(sides) == 2 else None


def _of_stereotypes(means: Means) -> float | None:
    """Return how strongly genders could follow stereotypes: 2 min(m, 1 - m) for a share m of men among both genders."""
    men, women = means.get("labelled_men"), means.get("labelled_women")
    if men is None or women is None or men + women < SOME_NEUTRAL:  # without genders, no stereotypes: that is a merit
        return None
    return 2 * min(men, women) / (men + women)


USABLE = Criterion(
    "usable",
    "usable translations",
    "leaves fewer texts untranslated",
    Aim.MORE,
    {"usable": 1.0},
)


QUESTIONS_ANSWERED = Criterion(
    "usable",
    "questions answered",
    "answers more questions",
    Aim.MORE,
    {"usable": 1.0},
)


def known_gender(people: str = "translated", verb: str = "translates") -> tuple[Criterion, ...]:
    """Return the criteria for people whose gender the text reveals."""
    return (
        Criterion(
            "women_right",
            f"women {people} as women",
            f"{verb} more women as women",
            Aim.MORE,
            {"right_women": 1.0},
        ),
        Criterion("men_right", f"men {people} as men", f"{verb} more men as men", Aim.MORE, {"right_men": 1.0}),
        Criterion(
            "gender_gap",
            "gap between women and men",
            "treats women and men more alike",
            Aim.EVEN,
            {"right_men": 1.0, "right_women": -1.0},
            shown=(("women", "right_women"), ("men", "right_men")),
            room=Room(
                _of_gap,
                "{} is right about {right_women} of 100 women and {right_men} of 100 men, so the gap cannot be large",
            ),
        ),
        Criterion(
            "stereotype_gap",
            "loss against the stereotype",
            "depends less on stereotypes",
            Aim.EVEN,
            {"right_pro": 1.0, "right_anti": -1.0},
            shown=(("with", "right_pro"), ("against it", "right_anti")),
            room=Room(
                _of_stereotypical_accuracy,
                "{} is right about {right_women} of 100 women and {right_men} of 100 men, so stereotypes could "
                "hardly show",
            ),
        ),
        Criterion(
            "wrong_gender",
            "people given the wrong gender",
            "gives fewer people the wrong gender",
            Aim.LESS,
            {"wrong": 1.0},
            unless_worse="gender_shown",
            if_any="gender_avoided",
        ),
        Criterion(
            "gender_shown",
            "known gender shown",
            "shows the gender of more people",
            Aim.MORE,
            {"gender_shown": 1.0},
            threshold=OTHER_WORDS,
            if_any="gender_avoided",
        ),
    )


def open_gender(
    people: str = "people",
    neutral: str = "no gender, or both offered",
    ahead: str = "avoids a gender, or offers both, more often",
) -> tuple[Criterion, ...]:
    """Return the criteria for people whose gender the text does not reveal."""
    return (
        Criterion(
            "neutral",
            neutral,
            ahead,
            Aim.MORE,
            {"neutral": 1.0},
        ),
        Criterion(
            "balance",
            "balance of men and women",
            "is more even between women and men",
            Aim.EVEN,
            {"lean": 1.0},
            threshold=2 * FIVE_OF_100,
            shown=(("men", "masculine"), ("women", "feminine")),
            unless_both="neutral",
        ),
        Criterion(
            "stereotypes",
            "genders that fit or contradict stereotypes",
            "follows stereotypes less",
            Aim.EVEN,
            {"follows": 1.0, "opposes": -1.0},
            shown=(("fit", "follows"), ("contradict", "opposes")),
            unless_both="neutral",
            room=Room(
                _of_stereotypes,
                f"{{}} makes {{labelled_men}} of 100 {people} men and {{labelled_women}} women, so stereotypes could "
                "hardly show",
            ),
        ),
    )
