"""What a result of the dialogue measure says in words: one sentence over all languages, then one on each."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeGuard

from genderscope.languages import LANGUAGES
from genderscope.measures.effects import Margin
from genderscope.measures.findings import WORDS, Verdict, shown, verdict_of, written
from genderscope.statistics.estimate import Estimate

#: difference -> what it is about, in the order of the summary
ABOUT = {
    ("delta_M", "stereo_adverb"): "adverbs",
    ("delta_M", "stereo_character_ambiguous"): "occupations",
    ("delta_M", "structure_ambiguous"): "the other speaker's gender",
    ("delta", "stereo_character_determined"): "accuracy with or against the stereotype",
    ("delta", "structure_determined"): "accuracy beside the same or the opposite gender",
}
ORDER: tuple[Verdict, ...] = ("large", "some", "small", "open", "none")


def found(estimates: Sequence[Estimate], languages: Sequence[str], margin: Callable[[Estimate], Margin | None]) -> str:
    """Say in one sentence how often speakers are made male, then for each language what that and its causes show."""
    every = [
        {(e.name, e.subset): e for e in estimates if e.language == language and e.category is None}
        for language in languages
    ]
    told = [
        f"{male.value:.0%}{' of cases' if k == 0 else ''} in {_name(language)} ({_within(male)})"
        for k, (language, mine) in enumerate(zip(languages, every, strict=True))
        if _known(male := mine.get(("M", "stereo_adverb")))
    ]
    if not told:
        return "Too few adjectives of a lone speaker show a gender to tell anything of them."
    first = f"A speaker of unknown gender is made male in {_and(told)}; 50 % would be neutral."
    return " ".join(
        [first, *(_judged(language, mine, margin) for language, mine in zip(languages, every, strict=True))]
    )


def _judged(
    language: str, mine: Mapping[tuple[str, str | None], Estimate], margin: Callable[[Estimate], Margin | None]
) -> str:
    """Hold the male share of a language and what moves it against their margins."""
    male = mine.get(("M", "stereo_adverb"))
    parts = ["too few of a lone speaker's adjectives show a gender"]
    if _known(male):
        by = margin(male)
        size = "" if by is None else f" ({100 * by.size:g} points)"
        parts = [f"{WORDS[verdict_of(male, by)]}{size} in the male share"]
    if moved := [e for key in ABOUT if (e := mine.get(key)) is not None]:
        by = margin(moved[0])
        start = "of what may move it, " if by is None else f"against a smallest effect of interest of {by}, "
        parts.append(f"{start}{'; '.join(_told(moved, margin))}")
    return f"{_name(language)}: {'; '.join(parts)}."


def _known(male: Estimate | None) -> TypeGuard[Estimate]:
    return male is not None and male.value is not None and male.low is not None


def _within(male: Estimate) -> str:
    return f"95 % interval {male.low:.0%} to {male.high:.0%}, n = {male.n:,}"


def _name(language: str) -> str:
    return LANGUAGES[language].name if language in LANGUAGES else language


def _and(parts: Sequence[str]) -> str:
    return " and ".join(part for part in (", ".join(parts[:-1]), parts[-1]) if part)


def _told(moved: Sequence[Estimate], margin: Callable[[Estimate], Margin | None]) -> list[str]:
    """One part for each verdict, with the differences it applies to."""
    by_verdict: dict[Verdict, list[Estimate]] = {}
    for e in moved:
        by_verdict.setdefault(verdict_of(e, margin(e)), []).append(e)
    said = []
    for verdict in ORDER:
        named = [f"{ABOUT[e.name, str(e.subset)]}{_size(e)}" for e in by_verdict.get(verdict, [])]
        if named:
            said.append(f"{WORDS[verdict]} for {', for '.join(named)}")
    return said


def _size(e: Estimate) -> str:
    if e.value is None or e.low is None or e.high is None:
        return ""
    return f" ({shown(e)}, {written(e.low, 2)} to {written(e.high, 2)})"
