"""The summary of a dialogue result: two sentences per language."""

from collections.abc import Callable, Sequence

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


def found(estimates: Sequence[Estimate], language: str, margin: Callable[[Estimate], Margin | None]) -> str:
    """Summarise one language: the male share, then what changes it and by how much."""
    mine = {(e.name, e.subset): e for e in estimates if e.language == language and e.category is None}
    male = mine.get(("M", "stereo_adverb"))
    moved = [e for key in ABOUT if (e := mine.get(key)) is not None]
    parts = [f"[{language}] {_male(male, margin)}"]
    if moved:
        by = margin(moved[0])
        start = "As for what may change it" if by is None else f"Against a smallest effect of interest of {by}"
        parts.append(f"{start}: {'; '.join(_told(moved, margin))}.")
    return " ".join(parts)


def _male(male: Estimate | None, margin: Callable[[Estimate], Margin | None]) -> str:
    if male is None or male.value is None or male.low is None or male.high is None:
        return "Too few adjectives of a lone speaker show a gender to say anything about them."
    within = f"95 % interval {male.low:.0%} to {male.high:.0%}, neutral 50 %, n = {male.n:,}"
    judged = verdict_of(male, margin(male))
    smallest = margin(male)
    size = "" if smallest is None else f" ({100 * smallest.size:g} points)"
    return f"A speaker of unknown gender is made male in {male.value:.0%} ({within}): {WORDS[judged]}{size}."


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
