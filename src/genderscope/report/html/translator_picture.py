"""One picture per translator: its verdicts across measures, by person and by whether the source reveals the gender."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, get_args

from genderscope.comparison import group_by_system
from genderscope.core.languages import language_name
from genderscope.judgement import SHORT, Judgement, Verdict, short_verdict
from genderscope.measures import MEASURES, judge_estimate
from genderscope.reference import known_values
from genderscope.report.html.interval_pictures import Block, Lane, interval_pictures
from genderscope.report.views.declaration import PictureSpec, declaration_of
from genderscope.report.views.plain_view import known_measure, number
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate
from genderscope.util.safe_text import in_line

#: number of languages whose pictures are open; the others are collapsed
OPEN = 3
#: headings in their order
HEADINGS: tuple[str, ...] = get_args(PictureSpec.model_fields["about"].annotation)
ABOUT = (
    "Each row shows one estimate as its distance from neutral, from −1 to 1, the largest possible distance; the number "
    "is the estimate itself. Right of the dashed line: wrong genders (error), more men than women (masculine rate), "
    "men translated better (gap) and translations that follow stereotypes. Dot: value; bar: 95 % interval; thin bar: "
    "the wider interval behind the verdict; grey marks: published systems. "
    f"Rows with the verdict '{SHORT[Verdict.NOT_MEANINGFUL]}' are left out."
)


def translator_section(results: Sequence[Result]) -> dict[str, Any]:
    """Return the content of the section with one picture per translator and language, for translators.html.j2."""
    systems = [
        (in_line(label), [(language_name(code), interval_pictures(blocks)) for code, blocks in languages.items()])
        for label, languages in translator_blocks(results).items()
    ]
    return {"systems": systems, "about": ABOUT, "most_open": OPEN}


def translator_blocks(results: Sequence[Result]) -> dict[str, dict[str, list[Block]]]:
    """Return the blocks of each translator that was measured in more than one way, by its label and language."""
    pictured = [result for result in results if known_measure(result.measure) and picture_of(result.measure)]
    systems = group_by_system(pictured).items()
    by_system = {label: _languages(runs) for label, runs in systems if len({run.measure for run in runs}) > 1}
    return {label: languages for label, languages in by_system.items() if languages}


def picture_of(measure: str) -> tuple[PictureSpec, ...]:
    """Return the rows that a measure declares for the picture."""
    declared = declaration_of(measure)
    return () if declared is None else declared.picture


def _rows(measures: Collection[str]) -> Iterator[tuple[str, PictureSpec]]:
    """Yield the rows of measures, each with its measure, by heading and in the order of the registry."""
    order = sorted(measures, key=lambda name: (list(MEASURES).index(name) if name in MEASURES else len(MEASURES), name))
    rows = [(measure, row) for measure in order for row in picture_of(measure)]
    return iter(sorted(rows, key=lambda row: HEADINGS.index(row[1].about)))


def _languages(runs: Sequence[Result]) -> dict[str, list[Block]]:
    """Return the blocks of each language, with the most measured language first."""
    by_language: dict[str, dict[str, list[Lane]]] = {}
    for measure, row in _rows({run.measure for run in runs}):
        label = f"{row.label} ({measure})"
        for result in (run for run in runs if run.measure == measure):
            for judgement in _judgements(result, row.estimate, row.subset):
                e = judgement.estimate
                lanes = by_language.setdefault(str(e.language), {}).setdefault(row.about, [])
                again = sum(lane.label.startswith(label) for lane in lanes)
                lanes.append(_lane(f"{label}, run {again + 1}" if again else label, judgement, result))
    most = sorted(by_language, key=lambda code: (-sum(map(len, by_language[code].values())), language_name(code)))
    return {
        code: [Block(heading, 0.0, None, lanes, reach=1.0) for heading, lanes in by_language[code].items()]
        for code in most
    }


def _judgements(result: Result, name: str, subset: str | None) -> Iterator[Judgement]:
    """Yield the meaningful judgements of an estimate for each language."""
    wanted = {"language", "subset"} if subset else {"language"}
    for e in result.as_estimates():
        if (e.name, e.subset, set(e.keys)) == (name, subset, wanted) and e.value is not None:
            judgement = judge_estimate(result, e)
            if judgement.is_meaningful:
                yield judgement


def _lane(label: str, judgement: Judgement, result: Result) -> Lane:
    e = judgement.estimate
    ticks = [
        (f"{model} {number(value)}", _distance(value, judgement)) for model, value in known_values(result, e).ticks
    ]
    return Lane(label, e, short_verdict(judgement), result, _scaled(judgement), ticks)


def _scaled(judgement: Judgement) -> Estimate:
    """Return an estimate as its distance from neutral, in units of the largest possible distance."""
    e = judgement.estimate
    numbers = {name: getattr(e, name) for name in ("value", "low", "high", "wide_low", "wide_high")}
    scaled: dict[str, Any] = {name: None if end is None else _distance(end, judgement) for name, end in numbers.items()}
    return replace(e, neutral=0.0, **scaled)


def _distance(value: float, judgement: Judgement) -> float:
    most = judgement.margin.most if judgement.margin else None
    return (value - (judgement.estimate.neutral or 0.0)) / (most or 1.0)
