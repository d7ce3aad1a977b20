"""What to run instead if a result cannot be judged: a command for the same model that may give an answer."""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from genderscope.core.errors import UserError, option_name
from genderscope.core.questions import Question, Reply, ReplyStart, StructuredReply, TokenLikelihood
from genderscope.judgement import CONTROL, FailedCondition, Judgement
from genderscope.measures.base import AnyMeasure, Options
from genderscope.measures.controls import RESPONDS
from genderscope.measures.parsing import parse_options
from genderscope.measures.recorded_abilities import LOCAL, model_of
from genderscope.measures.registry import measure_type
from genderscope.measures.run_judgements import judge_result
from genderscope.models import KnownModel, Remote
from genderscope.runs import CALL, recorded_model, recorded_options
from genderscope.samples.fetch import locate
from genderscope.samples.registry import dataset

if TYPE_CHECKING:
    from genderscope.runs import Result

#: measure -> what it asks, in the order in which they are suggested; each rests on another ability than its neighbours
ALTERNATIVES = {
    "winobias": "he or she in sentences about jobs",
    "gest": "who says a sentence",
    "crows": "which of two sentences is likelier",
    "stereoset": "which word fits a sentence",
    "eurogest": "who says a sentence, in this language",
    "gest-slavic": "forms for women and men, in this language",
    "decisions": "decisions about women and men",
    "gest-chat": "who would say a sentence",
    "bbq": "questions about two people",
    "winomt": "people whose gender the sentence reveals",
    "gest-mt": "the gender of the speaker",
    "gate": "people of unknown gender",
    "mt-geneval": "people whose gender the text reveals",
    "dialogue": "adjectives in dialogues",
}
#: measure without a starter set -> dataset that it needs
DATASETS = {
    "winobias": "winobias",
    "crows": "wordfill",
    "stereoset": "stereoset",
    "eurogest": "eurogest",
    "gest-slavic": "gest-translations",
    "mt-geneval": "mt-geneval",
}
#: form of a measure -> kind of question that the model must answer
FORMS: dict[str, type[Question]] = {
    "choice": TokenLikelihood,
    "letter": ReplyStart,
    "ask": Reply,
    "write": Reply,
    "structured": StructuredReply,
}
#: options for loading a model; other options of the model are kept only for measures that ask the same questions
LOADING = ("device", "dtype", "allow_pickle")
#: measures whose source sentences depend on the target language
SOURCES_BY_LANGUAGE = ("gate", "mt-geneval")
FILE = "file of translations"
ENGLISH = "en"


@dataclass(frozen=True)
class NextStep:
    """A command that may give an answer, and an instruction that says what it does."""

    words: str
    command: str

    def __str__(self) -> str:
        return f"{self.words}: {self.command}"


def next_steps(result: "Result") -> list[NextStep]:
    """Return what to run instead, for the leading estimates that cannot be judged."""
    steps = (next_step(result, judgement) for _, judgement in judge_result(result))
    return list(dict.fromkeys(step for step in steps if step is not None))


def next_step(result: "Result", judgement: Judgement) -> NextStep | None:
    """Return what to run instead of a result that cannot be judged.

    None if it can be judged, or if nothing is known about its model and it was not stored.
    """
    failure = judgement.main_failure
    return None if failure is None else step_after(result, failure, judgement.estimate.language)


def explain_unusable(result: "Result", failure: FailedCondition) -> str:
    """Return why a run cannot be used, and what to run instead."""
    step = step_after(result, failure)
    return f"{failure.finding}. {step or 'Check the outputs, then repeat the run'}"


def step_after(result: "Result", failure: FailedCondition, language: str | None = None) -> NextStep | None:
    """Return what to run after a failure, for an estimate in this language."""
    model, spec = model_of(result), recorded_model(result.config)
    if spec is None and model.kind == FILE:  # a file in a comparison
        spec = f"file:{result.config['model'].get('path', model.name)}"
    if spec is None and not str(result.config.get("command")).startswith(CALL):  # an imported log
        return next(_other_values(result), None)
    language = language or _language(result)
    if failure.condition.is_about_model and (model.kind not in LOCAL or language == ENGLISH):
        return _working_model(model)
    retries = _retries(result, spec, failure, model)
    others = _other_measures(result, spec, failure, model, language)
    return next(chain(retries, others, _other_values(result)), None)


def _working_model(model: KnownModel) -> NextStep:
    if model.kind in LOCAL:
        return NextStep("Check its weights and tokenizer, and compare with a model that works", "genderscope demo")
    return NextStep("Look at its outputs, and compare with a translator that works", "genderscope demo --mt")


def _retries(result: "Result", spec: str | None, failure: FailedCondition, model: KnownModel) -> Iterator[NextStep]:
    """Yield runs of the same measure with other options or more samples."""
    kind, condition = measure_type(result.measure), failure.condition
    own = _chosen_options(result, kind)
    more_helps = condition.needs_samples and (condition.name != RESPONDS.name or _asks_more_controls(result, own))
    kept = {name: value for name, value in own.items() if name != "limit" or not more_helps}
    for retry in condition.retries:
        options = {name: value for name, value in (kept | dict(retry.options)).items() if value is not None}
        if _changes(result, kind, retry.options) and _is_possible(kind, options, model):
            yield NextStep(retry.words, _command(result, kind, spec, options))
    if kept != own:
        yield NextStep("Use all samples", _command(result, kind, spec, kept))


def _asks_more_controls(result: "Result", options: Mapping[str, Any]) -> bool:
    """Return whether a run on all samples would ask more controls, and those asked so far are promising.

    Starter sets and own data are small, and small sets have few controls.
    """
    control = next((e for e in result.as_estimates() if e.name == CONTROL), None)
    is_promising = control is not None and (control.value or 0.0) > (control.neutral or 0.0)
    return is_promising and options.get("data") is None and options.get("controls") is None


def _other_measures(
    result: "Result", spec: str | None, failure: FailedCondition, model: KnownModel, language: str
) -> Iterator[NextStep]:
    """Yield runs of other measures on the same model, first in the same language, then in English."""
    own = measure_type(result.measure)
    is_trial = bool(own.starter) and own.starter.items() <= _chosen_options(result, own).items()
    names = [name for name in ALTERNATIVES if name != result.measure]
    if is_trial:  # measures without a starter set may need a download
        names.sort(key=lambda name: not (measure_type(name).starter or _is_at_hand(name)))
    for spoken in dict.fromkeys((ENGLISH,) if failure.condition.is_about_model else (language, ENGLISH)):
        for name in names:
            kind = measure_type(name)
            options = _needed_options(kind, model, spoken)
            if options is None:
                continue
            options |= dict(kind.starter) if is_trial else {}
            if not _is_possible(kind, options, model):
                continue
            if model.kind == FILE:
                yield _sources(name, kind, options)
            else:
                words = f"Try {name} ({ALTERNATIVES[name]})"
                yield NextStep(words, _command(result, kind, spec, options))


def _other_values(result: "Result") -> Iterator[NextStep]:
    """Yield the command for all values of a run, which include descriptions of its outputs."""
    if result.folder is not None:
        command = shlex.join(["genderscope", "show", str(result.folder), "--full"])
        yield NextStep("No other measure is known to fit, but the run's other values may help", command)


def _sources(name: str, kind: type[AnyMeasure], options: Mapping[str, Any]) -> NextStep:
    """Return the command for the sentences of another measure, which a file has no translations of."""
    asked = {key: value for key, value in options.items() if key != "to" or name in SOURCES_BY_LANGUAGE}
    words = f"Have the sentences of {name} translated ({ALTERNATIVES[name]})"
    return NextStep(words, shlex.join(["genderscope", "data", "sources", kind.id, *_as_words(asked)]))


def _needed_options(kind: type[AnyMeasure], model: KnownModel, language: str) -> dict[str, Any] | None:
    """Return the options that a measure needs for a model; None if the model cannot answer its questions."""
    try:
        if model.unanswerable(kind.needs(model)):
            return None
        return kind.audited_with(model, (language,))
    except UserError:
        return None


def _is_possible(kind: type[AnyMeasure], options: Mapping[str, Any], model: KnownModel) -> bool:
    """Return whether the options are valid and the model can be asked in their form."""
    try:
        parse_options(kind, {name: value for name, value in options.items() if name != "data"})
        needed = FORMS.get(str(options.get("form")))
        return needed is None or not model.unanswerable(frozenset({needed}))
    except UserError:
        return False


def _chosen_options(result: "Result", kind: type[AnyMeasure]) -> dict[str, Any]:
    """Return the options of a run that differ from the defaults."""
    configuration, usual = result.config["configuration"], _defaults(result, kind)
    return {
        name: value
        for name in kind.options_type.model_fields
        if (value := configuration.get(name)) is not None and value is not False and value != usual.get(name)
    }


def _changes(result: "Result", kind: type[AnyMeasure], options: Mapping[str, str | None]) -> bool:
    """Return whether a run with these options differs from the result's."""
    configuration, usual = result.config["configuration"], _defaults(result, kind)
    now = configuration | result.config.get("settings", {})
    return any(
        (configuration.get(name) or None) != (usual.get(name) or None) if value is None else now.get(name) != value
        for name, value in options.items()
        if name in kind.options_type.model_fields
    )


def _defaults(result: "Result", kind: type[AnyMeasure]) -> dict[str, Any]:
    """Return the default values of a measure's optional options, with lists as in a recorded configuration."""
    fields, configuration = kind.options_type.model_fields, result.config["configuration"]
    required = {name: configuration[name] for name, field in fields.items() if field.is_required()}
    required |= {"data": configuration["data"]} if "data" in fields and "data" in configuration else {}
    try:
        options: Options = kind.options_type(**required)
    except (UserError, ValidationError):  # a measure whose options depend on each other
        return {}
    defaults = {name: list(v) if isinstance(v, tuple) else v for name, v in options.model_dump().items()}
    return {name: value for name, value in defaults.items() if name not in required}


def _language(result: "Result") -> str:
    """Return the language of a run's texts, English if it has several."""
    given = result.config["configuration"].get("lang") or measure_type(result.measure).asks_in
    listed = [given] if isinstance(given, str) else list(given)
    return str(listed[0]) if len(listed) == 1 else ENGLISH


def _is_at_hand(measure: str) -> bool:
    try:
        return any(locate(file) is not None for file in dataset(DATASETS[measure]).files)
    except UserError:  # the mirror is not a folder
        return False


def _command(result: "Result", kind: type[AnyMeasure], spec: str | None, options: Mapping[str, Any]) -> str:
    """Return the command that runs a measure on a run's model, with the options that the run opened its model with.

    A model that the caller made in Python has no model string, so that the command is a call.
    """
    if spec is None:
        given = (f"{name}={value!r}" for name, value in options.items())
        return f"{CALL}{', '.join([repr(kind.id), 'model', *given])})"
    alike = kind.asks & measure_type(result.measure).asks
    kept = {option_name(name) for name in (*LOADING, *(Remote.model_fields if alike else ()))}
    opened = [
        word
        for name, value in recorded_options(result.config).items()
        if name in kept
        for word in (name, *([] if value is None else [value]))
    ]
    return shlex.join(["genderscope", "run", kind.id, "--model", spec, *opened, *_as_words(options)])


def _as_words(options: Mapping[str, Any]) -> Iterator[str]:
    for name, value in options.items():
        yield option_name(name)
        if value is not True:
            yield ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
