"""Rankings over a folder of runs: by distance from the neutral point, never two incomparable runs in one table."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from genderscope.comparison.comparable import FILES, asked_with, demands, options_of
from genderscope.comparison.comparing import leading
from genderscope.comparison.difference import differences, distance, label
from genderscope.comparison.pairing import pair
from genderscope.errors import UserError
from genderscope.measures import MEASURES, measure_type
from genderscope.runs.folder import load_run
from genderscope.runs.result import Result
from genderscope.runs.stored import DamagedRunError, reading
from genderscope.statistics.crossed import holm
from genderscope.statistics.estimate import Estimate


@dataclass(frozen=True)
class Found:
    """What lies in a folder: finished runs by their path below it, and what else there is, with the reason."""

    runs: dict[str, Result]
    others: dict[str, str]


@dataclass(frozen=True)
class Entry:
    """One run in a ranking. `tied` says that it cannot be told from the first in how far it is from neutral."""

    path: str
    result: Result
    rank: int | None
    tied: bool
    #: the headline estimates that the ranking shows, by column
    estimates: Mapping[str, Estimate]

    @property
    def model(self) -> str:
        """The name of the model."""
        return str(self.result.config["model"]["name"])


@dataclass(frozen=True)
class Ranking:
    """Comparable runs in the order of their distance from the neutral point of the leading estimate."""

    measure: str
    language: str | None
    data: str
    #: options that are not the default, and what else tells this ranking from others of the measure
    options: str
    columns: tuple[str, ...]
    entries: tuple[Entry, ...]

    @property
    def lead(self) -> str:
        """The column that the runs are ranked by."""
        return self.columns[0]


def find_runs(folder: Path) -> Found:
    """Look for runs in a folder and below; what is no finished run is named, not fatal."""
    if not folder.is_dir():
        raise UserError(f"There is no folder '{folder}'; give the one that holds the runs.")
    runs: dict[str, Result] = {}
    others: dict[str, str] = {}
    for path in _candidates(folder):
        name = path.relative_to(folder).as_posix()
        if not (path / "run.json").exists():
            others[name] = "holds no run"
        elif not (path / "result.json").exists():
            others[name] = "is not finished"
        else:
            try:
                with reading(path):
                    runs[name] = _known(load_run(path))
            except DamagedRunError as damage:
                others[name] = f"cannot be read ({damage.path.name} is damaged: 'genderscope show' says how to mend it)"
            except UserError as error:
                others[name] = f"cannot be read ({error})"
    return Found(runs, others)


def rankings(runs: Mapping[str, Result]) -> list[Ranking]:
    """Rank runs by measure and language, and apart where data, options or versions make them incomparable."""
    groups: dict[tuple[str, str, str], list[tuple[str, Result]]] = {}
    for path in sorted(runs):
        for language in _languages(runs[path]):
            key = runs[path].measure, language or "", json.dumps(_rules(runs[path], language), sort_keys=True)
            groups.setdefault(key, []).append((path, runs[path]))
    place = {name: k for k, name in enumerate(MEASURES)}
    order = sorted(groups, key=lambda key: (place.get(key[0], len(place)), key))
    return [_ranking(groups[key], key[1] or None) for key in order]


def _candidates(folder: Path) -> Iterator[Path]:
    """Yield folders with a run, and those at the end of the tree that have none; in a fixed order."""
    for place, below, _ in os.walk(folder):
        below.sort()
        below[:] = [name for name in below if not name.startswith(".")]
        path = Path(place)
        if (path / "run.json").exists():
            below.clear()
            yield path
        elif not below and path != folder:
            yield path


def _known(result: Result) -> Result:
    """Refuse a run of a measure that is not known here, or without what a comparison needs."""
    kind = measure_type(result.measure)
    demands(result)
    options_of(result)
    if lacking := [column for column in kind.row_key if column not in result.rows]:
        raise UserError(f"its rows lack {', '.join(lacking)}")
    return result


def _headline(result: Result) -> list[Estimate]:
    names = measure_type(result.measure).headline
    return [e for e in result.as_estimates() if e.name in names and e.template is None]


def _languages(result: Result) -> list[str | None]:
    return list(dict.fromkeys(e.language for e in _headline(result)))


def _rules(result: Result, language: str | None) -> dict[str, Any]:
    """All that must be equal for two runs to stand in one ranking; what one language says needs no other language."""
    rules = demands(result)
    partly = result.config.get("reached", {}) if language is None else {}
    rules["asked"] = {k: v for k, v in asked_with(result).items() if k not in {"to", "lexicon"} or k in partly}
    if language is not None:
        rules.pop("to", None)
    return rules


def _ranking(runs: Sequence[tuple[str, Result]], language: str | None) -> Ranking:
    kind = measure_type(runs[0][1].measure)
    shown = {path: _columns(result, language) for path, result in runs}
    columns = list(dict.fromkeys(column for each in shown.values() for column in each))
    lead = _lead(shown, kind.headline)
    columns = [lead, *(column for column in columns if column != lead)]
    order = sorted(runs, key=lambda run: (_far(shown[run[0]].get(lead)), str(run[1].config["model"]["name"]), run[0]))
    tied = _tied([result for _, result in order], language, lead)
    far = [_far(shown[path].get(lead)) for path, _ in order]
    entries = [
        Entry(path, result, None if f == float("inf") else far.index(f) + 1, t, shown[path])
        for (path, result), f, t in zip(order, far, tied, strict=True)
    ]
    data = min(str(result.config["data"]["name"]) for _, result in runs)
    return Ranking(kind.id, language, data, _options(runs[0][1], language), tuple(columns), tuple(entries))


def _columns(result: Result, language: str | None) -> dict[str, Estimate]:
    """The headline estimates of a language, each over the most that it spans."""
    mine = [e for e in _headline(result) if e.language == language and e.group != "control"]
    fewest = {e.name: min(k.spans for k in mine if k.name == e.name) for e in mine}
    return {label(replace(e, language=None)): e for e in mine if e.spans == fewest[e.name]}


def _lead(shown: Mapping[str, Mapping[str, Estimate]], headline: Sequence[str]) -> str:
    every = [replace(e, language=None) for each in shown.values() for e in each.values()]
    return label(leading(every, headline))


def _far(estimate: Estimate | None) -> float:
    far = None if estimate is None else distance(estimate)
    return float("inf") if far is None else abs(far)


def _tied(results: Sequence[Result], language: str | None, lead: str) -> list[bool]:
    """Tell which runs cannot be told from the first, by the paired test on what both answered."""
    first, *others = (_of_language(result, language) for result in results)
    tested = [_p_nearer(first, other, lead) for other in others]
    known = [k for k, p in enumerate(tested) if p is not None]
    corrected = dict(zip(known, holm([p for p in tested if p is not None]), strict=True))
    return [False, *(corrected.get(k, 1.0) >= 0.05 for k in range(len(others)))]


def _of_language(result: Result, language: str | None) -> Result:
    if language is None or "language" not in measure_type(result.measure).row_key:
        return result
    return replace(result, rows=result.rows[result.rows["language"] == language])


def _p_nearer(first: Result, other: Result, lead: str) -> float | None:
    options = options_of(first)
    if not measure_type(first.measure).row_key:
        return None  # a measure that does not say how its rows are paired
    try:
        paired = pair(first, other, options)
    except UserError:
        return None  # nothing that both answered
    found = differences(measure_type(first.measure), paired, options, ("first", "other"))
    return next((d.p_nearer for d in found if label(replace(d.of_second, language=None)) == lead), None)


def _options(result: Result, language: str | None) -> str:
    """Write the options that are not the default, what the model was asked with, and checksum and version."""
    rules = _rules(result, language)
    kind = measure_type(result.measure).options_type
    fields = kind.model_fields
    own = [k for k in fields if k in rules and k not in FILES]
    # What is left open may depend on other options, so the defaults are those of a run that leaves everything open.
    required = {k: result.config["configuration"].get(k) for k, field in fields.items() if field.is_required()}
    defaults = kind(**required).model_dump()
    chosen = [f"{k}={_text(rules[k])}" for k in own if k in required or rules[k] != _plain(defaults.get(k))]
    # An option that was left to the measure says nothing; what the measure made of it does.
    partly = result.config.get("reached", {})
    asked = [
        f"{k}={v}" for k, v in sorted(rules["asked"].items()) if k not in fields or rules.get(k) is None or k in partly
    ]
    return ", ".join([f"checksum {rules['data'][:8]}", *chosen, *asked, f"genderscope {rules['version']}"])


def _plain(value: Any) -> Any:
    return sorted(value) if isinstance(value, tuple) else value


def _text(value: Any) -> str:
    return "+".join(map(str, value)) if isinstance(value, list) else str(value)
