"""One picture per translator: its verdicts across measures, by person and by whether the source reveals the gender."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from genderscope.comparison import group_by_system
from genderscope.core.languages import language_name
from genderscope.judgement import SHORT, Judgement, Verdict, short_verdict
from genderscope.measures import judge_estimate
from genderscope.reference import known_values
from genderscope.report.html.interval_pictures import Block, Lane, interval_pictures
from genderscope.report.views.plain_view import known_measure, number
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate
from genderscope.util.safe_text import in_line

#: number of languages whose pictures are open; the others are collapsed
OPEN = 3
KNOWN, UNKNOWN = "gender known", "gender unknown"
#: heading -> measure, estimate and subset -> row
ROWS: dict[str, dict[tuple[str, str, str | None], str]] = {
    f"First person, {UNKNOWN}": {
        ("gest-mt", "masculine_rate", None): "masculine rate (gest-mt)",
        ("gest-mt", "stereotype_rate", None): "stereotypes (gest-mt)",
        ("dialogue", "masculine_rate", "stereo_adverb"): "masculine rate (dialogue)",
        ("dialogue", "cue_effect", "stereo_adverb"): "stereotypes (dialogue)",
    },
    f"First person, {KNOWN}": {
        ("dialogue", "accuracy_difference", "stereo_character_determined"): "stereotypes (dialogue)",
    },
    f"First and second person, {UNKNOWN}": {
        ("dialogue", "cue_effect", "stereo_character_ambiguous"): "stereotypes (dialogue)",
    },
    f"Third person, {UNKNOWN}": {
        ("gate", "masculine_rate", None): "masculine rate (gate)",
    },
    f"Third person, {KNOWN}": {
        ("mt-geneval", "error", "counterfactual"): "error, pairs (mt-geneval)",
        ("mt-geneval", "error", "contextual"): "error, context (mt-geneval)",
        ("mt-geneval", "gap", "counterfactual"): "gap, pairs (mt-geneval)",
        ("mt-geneval", "gap", "contextual"): "gap, context (mt-geneval)",
        ("winomt", "error", None): "error (winomt)",
        ("winomt", "f1_gap", None): "gap (winomt)",
        ("winomt", "stereotype_gap", None): "stereotypes (winomt)",
    },
}
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
    measures = {measure for rows in ROWS.values() for measure, _, _ in rows}
    translator_runs = [result for result in results if result.measure in measures and known_measure(result.measure)]
    systems = group_by_system(translator_runs).items()
    by_system = {label: _languages(runs) for label, runs in systems if len({run.measure for run in runs}) > 1}
    return {label: languages for label, languages in by_system.items() if languages}


def _languages(runs: Sequence[Result]) -> dict[str, list[Block]]:
    """Return the blocks of each language, with the most measured language first."""
    by_language: dict[str, dict[str, list[Lane]]] = {}
    for heading, rows in ROWS.items():
        for (measure, name, subset), label in rows.items():
            for result in (run for run in runs if run.measure == measure):
                for judgement in _judgements(result, name, subset):
                    e = judgement.estimate
                    lanes = by_language.setdefault(str(e.language), {}).setdefault(heading, [])
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
