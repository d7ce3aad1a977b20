"""Comparability of runs: same data, options and version; only the model may differ."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count, product
from string import ascii_uppercase
from typing import Any

from genderscope.core.errors import UserError, option_name
from genderscope.runs import CHAT_OPTIONS, HASHED, Result, Run, chat_options_of, loaded, recorded_configuration

#: What may differ between two runs: the model, the batch size, a judge and controls, which no rate uses, and the number
#: of replies per prompt, of which only those that both have are compared ...
ASKED = frozenset({"model", "fingerprint", "batch_size", "judge", "draws", "controls"})
#: ... and file paths, since checksums are compared instead.
FILES = frozenset({"data", "data_sha256", "pairs", "lexicon", "prompts"})
#: The reasoning effort is given in the model's own terms, so different models may need different ones.
MODEL_TERMS = frozenset({"reasoning_effort"})


def required_settings(result: Result) -> dict[str, Any]:
    """Return the settings that must match between two runs, in the order in which mismatches are reported."""
    configuration: Mapping[str, Any] = recorded_configuration(result.config)
    data: Mapping[str, Any] = result.config["data"]
    settings: Mapping[str, Any] = result.config.get("settings", {})
    # A file of prompts is compared by its content.
    prompts = settings.get("prompts") or settings.get("wordings") or configuration.get("prompts")
    options = sorted(set(configuration) - ASKED - FILES - set(CHAT_OPTIONS) - {"measure"})
    chat = {name: value for name, value in chat_options_of(result.config).items() if name not in MODEL_TERMS}
    return {
        "measure": result.measure,
        "data": data["sha256"],
        "lexicon": data.get("lexicon", {}).get("sha256"),
        **{name: as_set(configuration[name]) for name in options},
        **({} if prompts is None else {"prompts": prompts}),
        **{name: value for name, value in chat.items() if value is not None},
        "version": result.config["versions"]["genderscope"],
    }


def asked_with(result: Result) -> dict[str, Any]:
    """Return the prompt settings that depend on the model, such as the templates.

    If some templates could not be scored, for example, only those that the estimates are based on are returned.
    """
    both = {**result.config.get("settings", {}), **result.config.get("reached", {})}
    return {key: value for key, value in both.items() if key not in ASKED}


def comparable_runs(runs: Sequence[Run], allow_versions: bool, names: Sequence[str] = ()) -> dict[str, Result]:
    """Return the runs by name (default: A, B, C …); raise unless there are two or more, all comparable with the first.

    Needs neither the rows nor pandas.
    """
    if len(runs) < 2:
        raise UserError("A comparison needs at least two runs; use 'genderscope gate' to check a single run.")
    results = dict(zip(names or _labels(), loaded(runs), strict=False))
    first, *later = results
    for name in later:
        refuse_incomparable(results[first], results[name], (first, name), allow_versions)
    return results


def _labels() -> Iterator[str]:
    """Yield spreadsheet-style labels: A, B … Z, AA, AB …"""
    for length in count(1):
        yield from map("".join, product(ascii_uppercase, repeat=length))


def refuse_incomparable(
    first: Result, second: Result, names: tuple[str, str], allow_versions: bool, verb: str = "compared"
) -> None:
    """Raise a UserError for the first difference that makes a comparison meaningless."""
    wanted, other_settings = required_settings(first), required_settings(second)
    for key in [*wanted, *(key for key in other_settings if key not in wanted)]:
        one, other = wanted.get(key), other_settings.get(key)
        if one == other or (key == "version" and allow_versions):
            continue
        raise UserError(f"{names[0]} and {names[1]} cannot be {verb}: {_told(key, first, second, names)}")


def cautions(first: Result, second: Result, names: tuple[str, str]) -> list[str]:
    """Return cautions about settings that differ between two comparable runs and may affect their comparison."""
    explains, only = "this may explain a difference", "only questions that both answered are compared"
    made = [{"dtype": r.config["model"].get("dtype") or r.config["model"].get("compute")} for r in (first, second)]
    versions = [{"genderscope": r.config["versions"]["genderscope"]} for r in (first, second)]
    efforts = [{"reasoning effort": chat_options_of(r.config).get("reasoning_effort")} for r in (first, second)]
    if efforts[0] != efforts[1]:  # a model may have no such setting
        efforts = [{key: value or "unset" for key, value in effort.items()} for effort in efforts]
    asked = [{k: v for k, v in asked_with(r).items() if k != "effort"} for r in (first, second)]
    draws = [{"draws per prompt": r.config["configuration"].get("draws") or 1} for r in (first, second)]
    sentences = []
    if first.config["configuration"].get("as_published"):
        sentences.append(
            "The runs are computed as published: their estimates and differences are on the paper's scale (see the "
            "measure's card)."
        )
    for how, (one, other), end in (
        ("were computed in", made, explains),
        ("were made with", versions, explains),
        ("were run with", efforts, explains),
        ("were run with", asked, only),
        ("were run with", draws, "only the draws that both have are compared"),
    ):
        for key in sorted(set(one) & set(other)):
            if one[key] == other[key] or None in (one[key], other[key]):
                continue
            if key == "to":
                sentences.append(
                    f"Rates could be computed for {one[key]} in {names[0]} and for {other[key]} in {names[1]}; {end}."
                )
            else:
                shared = [part for part in str(one[key]).split("+") if part in str(other[key]).split("+")]
                these = f" ({', '.join(shared)})" if key == "templates" and shared else ""
                sentences.append(
                    f"{names[0]} and {names[1]} {how} {key} {one[key]} and {other[key]}, respectively; {end}{these}."
                )
    return sentences


def _told(key: str, first: Result, second: Result, names: tuple[str, str]) -> str:
    one, other = required_settings(first).get(key), required_settings(second).get(key)
    a, b = names
    if key == "measure":
        return f"{a} is a run of '{one}' and {b} is a run of '{other}'; give runs of the same measure."
    if key in {"data", "lexicon"}:
        called = [r.config["data"] if key == "data" else r.config["data"].get("lexicon", {}) for r in (first, second)]
        told = [f"{dataset.get('name', 'none')} (checksum {str(dataset.get('sha256'))[:8]})" for dataset in called]
        return f"their {key} differs: {told[0]} in {a} and {told[1]} in {b}; repeat one run with the other's {key}."
    if key == "version":
        return (
            f"{a} was made with genderscope {one} and {b} with {other}; repeat one of the runs, or allow different "
            "versions with --allow-versions."
        )
    if key in HASHED:
        return f"their {key} prompts differ; repeat one run with the other's {option_name(key)}."
    settings = f"{_shown(one)} in {a} and {_shown(other)} in {b}"
    return f"option {option_name(key)} is {settings}; repeat one run with the other's value."


def as_set(value: Any) -> Any:
    """Sort lists and tuples, since every measure treats them as sets."""
    return sorted(value) if isinstance(value, list | tuple) else value


def _shown(value: Any) -> str:
    if value is None:
        return "not set"
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


#: language options, which may differ between runs, since each language is analysed and plotted separately
LANGUAGES = frozenset({"to"})


def chart_settings(result: Result) -> dict[str, Any]:
    """Return the settings that runs must share to be plotted on one axis: data, options, prompt settings, version.

    Seeds and the smallest effect of interest may differ, since they do not affect the scale. Languages may differ too,
    since each is plotted separately.
    """
    settings = required_settings(result)
    version = settings.pop("version")
    shared = {key: value for key, value in settings.items() if key not in LANGUAGES | {"measure", "margin", "seed"}}
    asked = {key: as_set(value) for key, value in asked_with(result).items() if key not in LANGUAGES | FILES}
    return {**shared, **asked, "version": version}


def describe_setting(key: str, result: Result) -> str:
    """Describe a run's value of one setting in `chart_settings`."""
    value = chart_settings(result).get(key)
    if key in {"data", "lexicon"}:
        data = result.config["data"] if key == "data" else result.config["data"].get("lexicon", {})
        name, checksum = data.get("name"), str(data.get("sha256"))[:8]
        return f"{key} {name} ({checksum})" if name else f"no {key}"
    if key == "version":
        return f"genderscope {value}"
    return f"{key.replace('_', ' ')} {_shown(value)}"
