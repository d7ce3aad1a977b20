"""Every help page: panels, plain types, one-line sentences, options that have an effect, and examples that parse."""

import re
import shlex
from importlib.resources import files
from typing import Any

import typer

from genderscope.cli.app import PANELS, app
from genderscope.cli.commands import examples_of
from genderscope.measures import MEASURES, examples_for
from genderscope.models import Remote
from tests.measure_examples import CHOICES, REPLIES, TRANSLATIONS, example_of
from tests.support.tables import every

ROOT = typer.main.get_command(app)


def walk(command=ROOT, path="genderscope", parent=None):
    """Yield every command with its context; groups come before their commands."""
    context = command.context_class(command, info_name=path.rpartition(" ")[2], parent=parent)
    yield path, command, context
    for name in getattr(command, "list_commands", lambda _: ())(context):
        yield from walk(command.get_command(context, name), f"{path} {name}", context)


COMMANDS = {path.partition(" ")[2]: (command, context) for path, command, context in walk()}


def parameters(name):
    command, context = COMMANDS[name]
    return {parameter.name: parameter for parameter in command.get_params(context)}


def page(name, monkeypatch, capsys):
    monkeypatch.setattr("typer.rich_utils.MAX_WIDTH", 300)
    command, context = COMMANDS[name]
    text = command.get_help(context)
    return (text or "") + capsys.readouterr().out


def test_every_command_is_in_one_panel():
    listed = [name for names in PANELS.values() for name in names]
    assert sorted(listed) == sorted(name for name in COMMANDS if name and " " not in name)
    assert list(PANELS) == ["Measure", "Inspect", "Compare", "Work with texts", "Set up"]


@every("name", COMMANDS)
def test_help_is_one_sentence_in_the_imperative(name):
    sentence = COMMANDS[name][0].help
    if name.startswith("run "):  # the title of a measure
        return
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert len(sentence) <= 110
    first = sentence.split()[0]
    assert first[0].isupper()
    assert not re.fullmatch(r"\w+(s|ed|ing)", first) or first in {"Pass"}, first


@every("name", COMMANDS)
def test_every_parameter_is_explained(name):
    for parameter in parameters(name).values():
        assert parameter.help, parameter.name
        assert parameter.help.endswith("."), parameter.help
        assert not re.search(r"\banew\b|\bbeside\b|\bso many\b|\btold?\b|may be given", parameter.help), parameter.help


@every("name", COMMANDS)
def test_flags_have_no_type_and_no_useless_opposite(name, monkeypatch, capsys):
    shown = page(name, monkeypatch, capsys)
    assert "<bool>" not in shown
    assert "--no-" not in shown or name == "pairs build"
    assert "[default: no-" not in shown


def test_markup_in_help_is_shown_as_it_is(monkeypatch, capsys):
    assert "stereotype_rate[sk].high" in page("gate", monkeypatch, capsys)


# Options only where they have an effect.

EVERY_MODEL = {"device", "dtype", "batch_size", "allow_pickle", "rehash"}
EVERY_RUN = EVERY_MODEL | {"engine", "workers", "address", "gpus_per_worker", "fresh"}
EVERY_SERVER = {"concurrency", "timeout", "retries", "price_in", "price_out", "max_requests", "max_cost", "key_env"}
EVERY_SERVER |= {"allow_http", "require_model"}
#: command -> the options of models that change what it asks or how it is charged
EFFECTIVE = {
    **{f"run {name}": example_of(name).model_options for name in MEASURES},
    "audit": CHOICES | TRANSLATIONS | REPLIES,
    "translate": TRANSLATIONS,
    "pairs build": TRANSLATIONS,
}


def test_every_command_that_opens_a_model_is_known():
    opening = {name for name in COMMANDS if "device" in parameters(name)}
    assert opening == set(EFFECTIVE)
    assert {f"run {name}" for name in MEASURES} <= opening


@every("name", EFFECTIVE)
def test_options_of_models_appear_only_where_they_have_an_effect(name):
    about_models = {*EVERY_RUN, "beams", *Remote.model_fields}
    writes_runs = name.startswith("run ") or name == "audit"
    expected = (EVERY_RUN if writes_runs else EVERY_MODEL) | EVERY_SERVER | EFFECTIVE[name]
    assert about_models & set(parameters(name)) == expected


@every("name", [name for name in COMMANDS if name not in EFFECTIVE])
def test_other_commands_have_no_options_of_models(name):
    allowed = {"rehash", "fresh"} if name == "demo" else {"samples"} if name == "power" else set()
    if name in {"gate", "compare"}:
        allowed = {"require_model"}  # checked in the run's record
    if name.startswith("export ") and name.endswith((" bbq", " gest-chat")):
        allowed = {"temperature", "top_p", "max_tokens"}  # written into the task
    assert {*EVERY_RUN, "beams", *Remote.model_fields} & set(parameters(name)) <= allowed


# Examples.


@every("name", [name for name in COMMANDS if name])
def test_every_page_ends_with_examples(name, monkeypatch, capsys):
    examples = examples_of(name)
    lines = [line.strip() for line in page(name, monkeypatch, capsys).splitlines() if line.strip()]
    assert examples
    assert lines[-len(examples) - 1 :] == ["Examples:", *examples]


EXAMPLES = files("genderscope.cli").joinpath("examples.txt").read_text(encoding="utf-8").splitlines()
EXAMPLES += [line for name in MEASURES for line in examples_for(name)]


@every("example", EXAMPLES)
def test_examples_parse(example):
    words = shlex.split(example)
    words = words[: next((k for k, word in enumerate(words) if word in {"<", ">"}), None)]
    assert words.pop(0) == "genderscope"
    command: Any = ROOT
    context = None
    while True:
        context = command.make_context(command.name or "genderscope", list(words), parent=context)
        if not hasattr(command, "list_commands"):
            break
        rest = [*context._protected_args, *context.args]
        _, command, words = command.resolve_command(context, rest)
