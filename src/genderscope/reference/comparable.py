"""Selection of the known values that a run's estimate may be compared with, or the reason why there are none."""

import shlex
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from genderscope.judgement import VALUE_FAILS
from genderscope.measures import judge_estimate, measure_type
from genderscope.reference.values import ReferenceSet, ReferenceValue, published_values, reference_sets
from genderscope.runs import Result, recorded_model
from genderscope.statistics.estimate import Estimate

WITH_PAPERS_PROMPTS = " with the paper's prompts"
#: a reason that a run with other data or settings would not remove
NOT_COVERED = "no value was published for the same estimate and part of the data"


@dataclass(frozen=True)
class KnownValues:
    """The published values that an estimate may be compared with; if there are none, `reason` says why."""

    published: tuple[ReferenceValue, ...]
    #: the set that the values belong to
    set: ReferenceSet | None = None
    reason: str = ""
    #: whether another run of the same model, with the set's data and settings, could be compared
    has_remedy: bool = False
    #: whether they belong to another form of the estimate, so that they must not share an axis with its value
    is_other_form: bool = False

    @property
    def ticks(self) -> list[tuple[str, float]]:
        """Names and values of the published models, in ascending order; empty if they belong to another form."""
        if self.is_other_form:
            return []
        return sorted(((v.model, v.value) for v in self.published), key=lambda tick: tick[1])


def published_form(result: Result, estimate: Estimate) -> tuple[Result, Estimate]:
    """Return the form of an estimate in which values were published, and the run with the settings of that form."""
    found = measure_type(result.measure).published_form(estimate, result.as_estimates())
    if found is None:
        return result, estimate
    form, settings = found
    return result.configured({**result.config, "settings": {**result.config.get("settings", {}), **settings}}), form


def known_values(result: Result, estimate: Estimate) -> KnownValues:
    """Return the published values that an estimate may be compared with, in the form of `published_form`."""
    name, own = estimate.name, estimate
    result, estimate = published_form(result, estimate)
    is_other = estimate is not own
    sets = [each for each in reference_sets().values() if each.measure == result.measure]
    if not sets:
        return KnownValues((), None, f"Genderscope has no published values for {result.measure}")
    reason, has_remedy = "", False
    for each in sets:
        why, is_fixable = _data_differ(result, each), True
        if not why:
            mine = [v for v in published_values() if v.set == each.name and v.estimate == name]
            mine = [v for v in mine if v.keys == _keys(result, estimate)]
            same = tuple(v for v in mine if not _differing(result, v))
            if same and not judge_estimate(result, estimate).is_meaningful:
                return KnownValues((), each, VALUE_FAILS + WITH_PAPERS_PROMPTS * is_other)
            if same:
                return KnownValues(same, each, is_other_form=is_other)
            why, is_fixable = _settings_differ(result, mine) if mine else NOT_COVERED, bool(mine)
        if not reason:
            reason, has_remedy = why, is_fixable
    return KnownValues((), sets[0], reason, has_remedy)


def _keys(result: Result, estimate: Estimate) -> dict[str, str]:
    """Return an estimate's keys as text, with the language of a run in a single language."""
    keys = {key: str(value) for key, value in estimate.keys.items()}
    language = _setting(result, "language")
    return keys if "language" in keys or not language else {**keys, "language": language}


def comparable_run(result: Result, known: ReferenceSet) -> str:
    """Return the command that runs the same model in a way that is comparable with a set."""
    language = str(_setting(result, "to") or _setting(result, "lang") or "LANGUAGE").split("+")[0]
    model = recorded_model(result.config)
    return known.comparable_run.replace("MODEL", shlex.quote(model) if model else "MODEL").replace("LANGUAGE", language)


def _data_differ(result: Result, known: ReferenceSet) -> str:
    name = str(result.config["data"]["name"])
    whole, _, limit = name.partition(":")
    if not any(fnmatchcase(whole, pattern) for pattern in known.data):
        return f"they were measured on {known.data_words}, not on {name}"
    return "they were measured on all of the data, not on a sample" if limit else ""


def _settings_differ(result: Result, values: list[ReferenceValue]) -> str:
    """Describe the first setting in which the run differs from the most similar published values."""
    fewest = min(len(_differing(result, value)) for value in values)
    nearest = [value for value in values if len(_differing(result, value)) == fewest]
    key = _differing(result, nearest[0])[0]
    theirs = " or ".join(dict.fromkeys(value.settings[key] or "the default" for value in nearest))
    return f"they were measured with '{key}' set to {theirs}, not {_setting(result, key) or 'the default'}"


def _differing(result: Result, value: ReferenceValue) -> list[str]:
    return [key for key, theirs in value.settings.items() if theirs != _setting(result, key)]


def _setting(result: Result, key: str) -> str:
    """Return a run's setting as text; "" if it is not set."""
    settings: dict[str, Any] = result.config.get("settings", {})
    found = settings.get(key, result.config["configuration"].get(key))
    if isinstance(found, list | tuple):
        return "+".join(map(str, found))
    return "" if found is None else str(found)
