"""Every option of a measure has an effect or is refused in one sentence: no run is signed with what it did not do."""

from functools import lru_cache

import pytest

from genderscope.cli.options import field_parameters
from genderscope.core.errors import UserError
from genderscope.measures import MEASURES, PublishedOptions, measure_type, parse_options
from genderscope.models import Remote, open_model
from genderscope.runs import signature
from tests.measure_examples import example_of
from tests.support.tables import write_table


@pytest.fixture(scope="module")
def contexts(tmp_path_factory):
    """Measure -> the kinds of models and the options beside which the others are tried; own data hold a row twice."""
    return {
        name: make(tmp_path_factory.mktemp(name)) for name in MEASURES if (make := example_of(name).option_contexts)
    }


@pytest.fixture(scope="module")
def opened(models, tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    said = {text: told for name in MEASURES for text, told in (example_of(name).option_translations or {}).items()}
    translations = write_table(folder / "said.csv", ("source", "translation"), said.items())
    (folder / "chat.jinja").write_text("{{ messages[0]['content'] }}", encoding="utf-8")
    remote = Remote.model_validate({"chat_template": str(folder / "chat.jinja")})
    return {
        "masked": open_model(str(models("bert", "wordpiece-cased"))),
        "causal": open_model(str(models("gpt2", "bytes"))),
        "translator": open_model(f"file:{translations}"),
        "chat": open_model(str(models("gpt2", "bytes")), remote=remote),
    }


#: options that need a file or a second model; a margin changes what is said of the numbers, not the numbers
UNTRIED = {"data", "pairs", "lexicon", "to", "margin", "prompts", "judge"}
#: for every option a value that is not its default, whatever the measure
VALUES = {
    "limit": 16,
    "seed": 7,
    "as_published": True,
    "keep_duplicates": True,
    "data_version": "1.0",
    "scale": "log",
    "skip_bad": True,
    "templates": "3",
    "multi_token": True,
    "lang": "it",
    "k": 3,
    "number": "all",
    "level": "inclusive",
    "forms": True,
    "whole_words": True,
    "new_tokens": 2,
    "search": "sample",
    "type": 1,
    "split": "dev",
    "bias_types": "age",
    "controls": "none",
}


#: measures with options beyond those that all have, on own data and on released data
WITH_OWN_DATA = [name for name in MEASURES if example_of(name).option_contexts]
WITH_RELEASED_DATA = [name for name in MEASURES if example_of(name).released_contexts]


def made(measure, model, options):
    """Return all that a choice of options can change: what is asked, about which data, and how it is signed."""
    return _made(measure, model, tuple(sorted(options.items())))


@pytest.mark.parametrize("measure", MEASURES)
def test_a_missing_option_is_named_with_its_purpose(measure):
    kind = measure_type(measure)
    for name, field in kind.options_type.model_fields.items():
        if field.is_required():
            with pytest.raises(UserError, match=rf"^Measure '{measure}' needs --{name}: translate into .*\.$"):
                parse_options(kind, {})


@lru_cache(maxsize=8)  # what stands beside an option stands beside the next one too
def _made(measure, model, options):
    kind = measure_type(measure)
    bound = kind(parse_options(kind, dict(options)), model)
    described = {"name": "model", "fingerprint": "0"}
    signed = signature(measure, bound.data(), described, bound.settings(), bound.options.seed)
    return signed, bound.data(), [bound.ask(sample) for sample in bound.samples]


def check(measure, model, context, name, values):
    """Of some values of an option one changes something, or one is refused in a sentence that names the option.

    Return whether one changes something.
    """
    others = {k: v for k, v in context.items() if k != name}
    accepted = []
    for value in values:
        try:
            accepted.append(made(measure, model, others | {name: value}))
        except UserError as refused:
            said = str(refused)
            assert said.count(". ") == 0
            assert f"--{name.replace('_', '-')}" in said or "--as-published" in said or "score" in said, said
    # Of two that differ from each other, one differs from what is made without the option.
    if accepted and all(each == accepted[0] for each in accepted):
        has_effect = accepted[0] != made(measure, model, others)
        assert has_effect or len(accepted) < len(values), f"{measure} {context}: --{name} {values} changes nothing"
        return has_effect
    return bool(accepted)


def walk(measure, where, opened):
    """Check every option in every context; return those that change something in one of them."""
    effective, example = set(), example_of(measure)
    for kind, context in where:
        for name in measure_type(measure).options_type.model_fields:
            if name in example.display_options or name in UNTRIED:
                continue
            values = (example.option_values or {}).get(name, (VALUES.get(name),))
            assert values != (None,), f"option_values in the examples of {measure} lack values to try for --{name}"
            # Without --skip-bad the bad line of these data is refused.
            is_needed = name == "skip_bad" and context.get("data")
            if is_needed or check(measure, opened[kind], context, name, values):
                effective.add(name)
    return effective


@pytest.mark.parametrize("measure", WITH_OWN_DATA)
def test_every_option_beside_own_data_has_an_effect_or_is_refused(measure, contexts, opened):
    effective = walk(measure, contexts[measure], opened)
    if example_of(measure).released_contexts is None:  # no option is refused with all data
        assert effective >= walked(measure)


def walked(measure):
    """Return the options that a walk tries."""
    shown = {parameter.name for parameter in field_parameters(measure_type(measure).options_type, "")}
    return shown - UNTRIED - {*example_of(measure).display_options, *example_of(measure).options_of_released_data}


@pytest.mark.long_but("stereoset", "slovak-gender", "crows", "winobias")
@pytest.mark.parametrize("measure", WITH_RELEASED_DATA)
def test_every_option_beside_released_data_has_an_effect_or_is_refused(measure, contexts, opened, mirror, monkeypatch):
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))
    everywhere = contexts.get(measure, []) + example_of(measure).released_contexts
    assert walk(measure, everywhere, opened) >= walked(measure), "an option that is always refused has no place in help"


def test_every_measure_is_walked():
    for name in set(MEASURES) - {*WITH_OWN_DATA, *WITH_RELEASED_DATA}:
        beyond = set(measure_type(name).options_type.model_fields) - {*PublishedOptions.model_fields, "to", "data"}
        assert not beyond, f"the examples of {name} need option_contexts, in which {sorted(beyond)} are tried"


@pytest.mark.parametrize(
    ("measure", "kind", "options", "complaint"),
    [
        ("crows", "masked", {"set": "negation", "bias_types": "age"}, "The set 'negation' covers gender only"),
        ("crows", "masked", {"set": "matched", "bias_types": "age"}, "The set 'matched' covers gender only"),
        ("crows", "masked", {"set": "revised", "lang": "nl"}, "The set 'revised' is in English only"),
        ("stereoset", "masked", {"data": "own", "set": "plain"}, "--set chooses among the released sets"),
        ("stereoset", "masked", {"data": "own", "set": "gender"}, "--set chooses among the released sets"),
        ("stereoset", "masked", {"skip_bad": True}, "--skip-bad is for malformed lines in your own file"),
        ("gest", "masked", {"data": "starter", "data_version": "1.1"}, "--data-version applies only to the GEST data"),
        (
            "gest",
            "masked",
            {"data": "starter", "keep_duplicates": True},
            "--keep-duplicates is for duplicate rows in your own",
        ),
        (
            "gest-slavic",
            "masked",
            {"pairs": "released", "keep_duplicates": True},
            "--keep-duplicates is for duplicate rows",
        ),
        (
            "mt-geneval",
            "translator",
            {"to": "es", "set": "counterfactual", "context": "none"},
            "--context is for contextual segments",
        ),
        ("eurogest", "causal", {"keep_duplicates": True}, "--keep-duplicates is for duplicate rows"),
        ("eurogest", "causal", {"as_published": "2025", "pairs": "all"}, "so --pairs all has no effect"),
        ("eurogest", "causal", {"as_published": "2025", "scale": "log"}, "leave out --scale log or --as-published"),
        ("eurogest", "causal", {"data": "own", "pairs": "all"}, "--pairs chooses among EuroGEST's own sentences"),
        ("honest", "masked", {"data": "own", "identities": "binary"}, "--identities chooses among the released"),
        ("honest", "masked", {"new_tokens": 5}, "--new-tokens is for causal models"),
        ("honest", "masked", {"search": "sample"}, "--search is for causal models"),
        ("honest", "causal", {"whole_words": True}, "--whole-words works only with single-token completions"),
    ],
)
def test_what_would_change_nothing_is_refused(contexts, opened, measure, kind, options, complaint):
    given = {k: contexts[measure][0][1]["data"] if v == "own" else v for k, v in options.items()}
    with pytest.raises(UserError, match=complaint):
        made(measure, opened[kind], given)


def test_one_random_token_is_signed_as_such(contexts, opened):
    options = contexts["honest"][0][1] | {"new_tokens": 1}
    assert "|completions:top|" in made("honest", opened["causal"], options)[0]
    assert "|completions:sample-1-tokens|" in made("honest", opened["causal"], options | {"search": "sample"})[0]
