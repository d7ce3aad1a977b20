"""A result that cannot be judged names a command that fits the model and may give an answer."""

import html
import json
import shlex
from dataclasses import replace

import pytest

import genderscope
from genderscope.judgement import Judgement, ValidityCondition, Verdict
from genderscope.judgement.conditions import FailedCondition
from genderscope.measures import MEASURES, measure_type, next_step, next_steps, parse_options
from genderscope.measures.alternatives import ALTERNATIVES
from genderscope.measures.competence import BETTER_THAN_CHANCE, VARIED_OUTPUTS
from genderscope.measures.controls import RESPONDS, known_answers
from genderscope.measures.gest.conditions import PROBABILITY_MASS
from genderscope.measures.gest_chat.checks import LETTERS_LIKELY, ORDER
from genderscope.measures.reply_checks import CHAT_COVERAGE
from genderscope.runs import Result, recorded_model
from genderscope.statistics.estimate import Estimate
from tests.measure_examples.gest_mt import translated

CAUSAL, MASKED = {"name": "gpt2", "kind": "causal"}, {"name": "bert", "kind": "masked"}
SERVER = {"name": "server:http://localhost:1/v1#m", "kind": "server"}
VENDOR = {"name": "anthropic:m", "kind": "chat"}
MARIAN, STORED = {"name": "marian:en-pt", "kind": "Marian"}, {"name": "a.csv", "kind": "file of translations"}
#: model -> measures that models of its kind are asked
ASKED = {
    "causal": (CAUSAL, ("gest", "winobias", "crows", "stereoset", "honest", "eurogest", "gest-slavic", "bbq")),
    "chat, local": (CAUSAL, ("gest-chat", "decisions")),
    "masked": (MASKED, ("gest", "winobias", "crows", "stereoset", "honest", "eurogest", "slovak-gender", "bbq")),
    "server": (SERVER, ("gest-chat", "decisions", "bbq")),
    "vendor": (VENDOR, ("gest-chat", "decisions", "bbq")),
    "translator": (MARIAN, ("gest-mt", "winomt", "gate", "mt-geneval", "dialogue")),
    "file": (STORED, ("gest-mt", "winomt", "gate", "mt-geneval", "dialogue")),
}


def run_of(measure, model, command=None, settings=None, **options):
    """Return a result of a measure without any rows, as its run would record it."""
    kind = measure_type(measure)
    if "to" in kind.options_type.model_fields:
        options.setdefault("to", "es" if measure == "dialogue" else "pt")
    if measure == "gest-slavic":
        options = {"lang": "sk", "pairs": "released"} | options
    chosen = parse_options(kind, options).model_dump()
    form = {"bbq": "ask" if model in (SERVER, VENDOR) else "choice"}.get(measure, chosen.get("form"))
    config = {
        "command": command or f"genderscope run {measure} --model {shlex.quote(model['name'])} --device cpu",
        "model": model,
        "data": {"name": str(options.get("data", "released"))},
        "configuration": {name: list(v) if isinstance(v, tuple) else v for name, v in chosen.items()},
        "settings": settings or ({} if form is None else {"form": form}),
    }
    return Result.stored([], lambda: None, None, measure=measure, config=config, folder=None, signature="")


def failed(condition: ValidityCondition, **keys):
    lead = Estimate(name="rate", value=0.0, n=1, unread=0, neutral=0.0, method="", keys=keys)
    none = Verdict.NOT_MEANINGFUL
    return Judgement(lead, None, none, none, none, none, (FailedCondition(condition, 0.0, "it fails"),))


def words_of(step):
    """Return the measure and options that a command names, after checking that the measure accepts them."""
    command = shlex.split(step.command)
    if command[:3] == ["genderscope", "data", "sources"]:
        measure, given = command[3], command[4:]
    else:
        assert command[:2] == ["genderscope", "run"], step
        measure, given = command[2], command[3:]
    names, values = [name.removeprefix("--").replace("-", "_") for name in given[::2]], given[1::2]
    options = dict(zip(names, values, strict=True))
    options.pop("model", None)
    options.pop("device", None)
    kind = measure_type(measure)
    required = {"to": "pt"} if command[1] == "data" else {}
    parse_options(kind, required | options)
    return measure, options


CASES = [(kind, measure, None) for kind, (_, asked) in ASKED.items() for measure in asked]


@pytest.mark.parametrize(
    ("kind", "measure", "data"),
    [*CASES, *((kind, measure, "starter") for kind, measure, _ in CASES if measure_type(measure).starter)],
)
def test_every_measure_has_an_alternative_that_the_model_supports(kind, measure, data):
    model, _ = ASKED[kind]
    result = run_of(measure, model, **({} if data is None else {"data": data}))
    step = next_step(result, failed(replace(RESPONDS, retries=())))
    assert step is not None
    other, _ = words_of(step)
    assert other != measure
    others = {m for name in (kind, "causal" if "local" in kind else kind) for m in ASKED[name][1]}
    assert other in others, "the suggestion must be a measure for models of this kind"
    assert kind == "file" or shlex.quote(model["name"]) in step.command


def test_alternatives_are_measures():
    assert set(ALTERNATIVES) <= set(MEASURES)


@pytest.mark.parametrize(
    ("result", "condition", "command"),
    [
        (run_of("gest-chat", CAUSAL), ORDER, "genderscope run gest-chat --model gpt2 --device cpu --form write"),
        (
            run_of("gest-chat", CAUSAL, form="letter"),
            LETTERS_LIKELY,
            "… gest-chat --model gpt2 --device cpu --form ask",
        ),
        (run_of("gest-chat", CAUSAL), CHAT_COVERAGE, "… gest-chat --model gpt2 --device cpu --form letter"),
        (run_of("gest-chat", VENDOR), CHAT_COVERAGE, "… gest-chat --model anthropic:m --device cpu --form structured"),
        (run_of("gest-chat", VENDOR, form="write"), ORDER, "… decisions --model anthropic:m --device cpu"),
        (
            run_of("gest", CAUSAL, templates="published", limit=32),
            replace(PROBABILITY_MASS, needs_samples=True),
            "… gest --model gpt2 --device cpu",
        ),
        (run_of("gest", CAUSAL), PROBABILITY_MASS, "… winobias --model gpt2 --device cpu"),
        (run_of("winobias", CAUSAL, limit=9), RESPONDS, "… gest --model gpt2 --device cpu"),
        (run_of("winobias", CAUSAL), RESPONDS, "… gest --model gpt2 --device cpu"),
        (run_of("winobias", CAUSAL, limit=9), BETTER_THAN_CHANCE, "genderscope demo"),
        (run_of("eurogest", CAUSAL, lang="sk"), BETTER_THAN_CHANCE, "… winobias --model gpt2 --device cpu"),
        (run_of("eurogest", CAUSAL, lang="nl"), RESPONDS, "… crows --model gpt2 --device cpu --lang nl"),
        (run_of("gest-mt", MARIAN), VARIED_OUTPUTS, "genderscope demo --mt"),
        (
            run_of("gest-mt", MARIAN, data="starter"),
            RESPONDS,
            "… winomt --model marian:en-pt --device cpu --to pt --data starter",
        ),
        (run_of("gest-mt", STORED, data="starter"), RESPONDS, "genderscope data sources winomt --data starter"),
    ],
)
def test_a_failure_leads_to_a_command(result, condition, command):
    step = next_step(result, failed(condition))
    assert step is not None
    assert step.command == command.replace("…", "genderscope run")


@pytest.mark.parametrize(
    ("asked", "right", "options", "is_again"),
    [
        ("winobias", 9, {}, True),
        ("winobias", 6, {}, False),
        ("gest", 9, {"data": "starter"}, False),
        ("gest", 9, {"controls": "own.csv"}, False),
    ],
)
def test_more_samples_are_suggested_only_if_more_controls_come_with_them(asked, right, options, is_again):
    """Nine of twelve may be a model that responds; six are chance, and small or own sets have no more controls."""
    result = run_of(asked, CAUSAL, limit=9, **options).estimated([known_answers(right, 12, 0.5)])
    step = next_step(result, failed(replace(RESPONDS, retries=())))
    assert step is not None
    assert (words_of(step)[0] == asked) == is_again


def test_a_run_without_a_model_string_has_no_alternative():
    result = run_of("gest", CAUSAL, command="genderscope import log.json")
    assert next_step(result, failed(RESPONDS)) is None


def test_a_model_made_in_python_is_asked_again_in_python():
    result = run_of(
        "gest-chat", SERVER | {"kind": "mine"}, command="genderscope.evaluate('gest-chat', model=<mine>, …)"
    )
    step = next_step(result, failed(ORDER))
    assert step is not None
    assert step.command == "genderscope.evaluate('gest-chat', model, form='write')"


@pytest.mark.parametrize(
    ("command", "model"),
    [
        ("genderscope run gest -m hf:x --limit 3", "hf:x"),
        ("genderscope run gest --model='my model'", "my model"),
        ("genderscope demo", "gpt2"),
        ("genderscope.evaluate('gest', model='hf:/a/b', …)", "hf:/a/b"),
        ("genderscope.evaluate('gest', model=<mine>, …)", None),
        ("genderscope import log.json", None),
    ],
)
def test_the_model_string_is_found_in_the_recorded_command(command, model):
    assert recorded_model({"command": command, "model": CAUSAL}) == model


@pytest.mark.long
@pytest.mark.parametrize("condition", [RESPONDS, PROBABILITY_MASS], ids=["another measure", "other options"])
def test_the_command_works_with_a_real_model(condition, tmp_path, models, cli):
    templates = ("published",) if condition is PROBABILITY_MASS else None
    folder = str(models("gpt2", "bytes"))
    result = genderscope.evaluate(
        "gest", folder, data="starter", templates=templates, limit=16, controls="none", out=tmp_path / "run"
    )
    step = next_step(result, failed(replace(condition, needs_samples=False)))
    assert step is not None
    words = shlex.split(step.command)[1:]
    assert folder in step.command
    limit = [] if "--limit" in words else ["--limit", "8"]
    done = cli(*words, *limit, "--out", str(tmp_path / "other"), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["measure"] == words[1]


def test_the_first_screen_the_page_and_json_say_the_same(tmp_path, cli):
    result = translated(tmp_path, lambda i: 1.0, ("sk",), out=tmp_path / "men", report=True)
    (step,) = next_steps(result)
    shown = " ".join(cli("show", str(result.folder)).stdout.split())
    assert "Cannot be judged: 100 % of the speakers get the same gender, whatever the stereotype" in shown
    assert str(step) in shown
    assert {entry["next"] for entry in json.loads(result.to_json())["judgements"] if entry["reasons"]} == {step.command}
    page = (result.folder / "report.html").read_text(encoding="utf-8")
    assert f"<code>{html.escape(step.command)}</code>" in page
    assert cli(*shlex.split(step.command)[1:]).returncode == 0
