"""What an audit will ask: all that measures ask and the model answers, and a reason for the rest."""

import csv
import re
import shutil
import sys
from dataclasses import dataclass

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from genderscope.auditing import Selection, plan_for
from genderscope.auditing.selection import BUDGETS, EFFORT, FEWEST, affordable_limit, total_effort, widening
from genderscope.cli.app import app
from genderscope.core.errors import UserError
from genderscope.core.questions import TokenLikelihood
from genderscope.measures import MEASURES, measure_type
from genderscope.measures.controls import HIGH, KNOWN, ControlCase
from genderscope.measures.typical_spread import BETWEEN_UNITS
from genderscope.models import Settings, open_model, previewed_model
from genderscope.samples.controls import control_sentences, control_sources
from genderscope.samples.gest import load
from tests.measure_examples import answered_by, example_of
from tests.support.bilingual import Bilingual

OFFLINE = Selection(offline=True)
TRANSLATE = answered_by("file")
#: sentences that gest-mt asks as controls if there is a limit
CONTROLS = 2 * len(control_sources("gest-mt", few=True))
#: sentences that gest asks as controls with each template
SENTENCES = 2 * len(control_sentences("en"))
#: measures of language models in English
LANGUAGE_MODEL = {name for name in answered_by("masked") if "en" in measure_type(name).asks_in}


def planned(model, wishes, tmp_path):
    return plan_for(model, wishes, tmp_path / "audit" / "model")


def sizes(plan):
    return {part.measure: (part.samples, part.questions, len(part.missing)) for part in plan.parts}


@pytest.mark.parametrize(("kind", "templates"), [(("bert", "wordpiece-cased"), 3), (("gpt2", "bytes"), 2)])
def test_on_a_bare_machine_a_language_model_is_asked_the_starter_set(models, bare, tmp_path, kind, templates):
    plan = planned(open_model(str(models(*kind))), OFFLINE, tmp_path)
    # bbq asks a base model for three answers with and without the context; some questions recur in other contexts.
    questions = (256 + SENTENCES) * templates
    expected = {"gest": (256, questions, questions), "bbq": (324, 6 * 324, 1512)}
    assert {name: sizes(plan)[name] for name in expected} == expected
    at_hand = {name for name in MEASURES if measure_type(name).starter or example_of(name).needs_no_download}
    assert set(sizes(plan)) == LANGUAGE_MODEL & at_hand
    assert "starter set" in plan.parts[0].note
    assert plan.unable == TRANSLATE | (set(MEASURES) - answered_by("masked") if kind[0] == "bert" else set())
    assert ("chat template" in plan.left_out["gest-chat"]) == (kind[0] == "gpt2")
    assert plan.left_out["gest-mt"].endswith("which does not translate; 'gest-mt' needs one that does.")
    assert (
        "neither in the mirror nor in the cache, and the network is not used in offline mode"
        in plan.left_out["winobias"]
    )
    assert plan.left_out["slovak-gender"].startswith("It needs Slovak")
    assert not list(tmp_path.glob("audit*")), "a plan writes nothing"


def test_a_budget_takes_fewer_samples_and_is_no_option_where_it_leaves_none_out(models, bare, tmp_path):
    model = open_model(str(models("gpt2", "bytes")))
    budgets = (Selection(budget=name, offline=True) for name in ("quick", "standard"))
    quick, standard = (planned(model, selection, tmp_path).parts[0] for selection in budgets)
    assert (quick.samples, quick.options["limit"]) == (160, 160)
    assert standard.samples == 256
    assert "limit" not in standard.options


@pytest.mark.long
@pytest.mark.parametrize("kind", [("bert", "wordpiece-cased"), ("gpt2", "bytes")])
def test_with_the_data_a_language_model_is_asked_everything_in_its_languages(models, mirror, tmp_path, kind):
    model = open_model(str(models(*kind)))
    plan = planned(model, Selection(budget="quick", offline=True), tmp_path)
    assert set(sizes(plan)) == LANGUAGE_MODEL > {"gest", "winobias", "honest", "crows", "stereoset"}
    assert set(plan.left_out) == set(MEASURES) - LANGUAGE_MODEL
    assert set(plan.left_out) >= {"slovak-gender", "gest-slavic", "gest-chat", "decisions", "eurogest"}
    slovak = planned(model, Selection(budget="quick", offline=True, languages=("sk",)), tmp_path)
    # The released pairs are large, and not in every mirror.
    in_slovak = {name for name in answered_by("masked") if "sk" in measure_type(name).asks_in}
    assert set(sizes(slovak)) | {"gest-slavic"} == in_slovak >= {"slovak-gender", "gest-slavic", "eurogest"}
    assert next(part.options["lang"] for part in slovak.parts if part.measure == "eurogest") == ("sk",)
    assert "the network is not used in offline mode" in slovak.left_out.get(
        "gest-slavic", "the network is not used in offline mode"
    )
    assert slovak.left_out["gest"].startswith("It needs English")


def test_a_translator_is_asked_for_the_languages_it_knows(bare, tmp_path):
    plan = planned(Bilingual(), Selection(budget="quick", offline=True), tmp_path)
    asked = {part.measure: part.options["to"] for part in plan.parts}
    assert asked == {name: languages for name in MEASURES if (languages := example_of(name).audited_in)}
    samples, questions, missing = sizes(plan)["gest-mt"]
    assert 48 <= samples < 160, "two languages of every sample are more than the quick budget has characters for"
    assert questions == missing == 2 * (samples + CONTROLS)
    assert plan.unable > LANGUAGE_MODEL
    assert plan.model.characters(plan.announced) == sum(len(q.text) for part in plan.parts for q in part.missing)


class Asking:
    """A measure with so many samples, each of which asks for so many tokens."""

    controls = ()

    def __init__(self, samples, tokens):
        self.samples, self.tokens = range(samples), tokens

    def ask(self, sample):
        return (TokenLikelihood("word" * self.tokens, (), False),)


def asking(samples, tokens):
    return Asking(samples, tokens)


@pytest.mark.parametrize(("samples", "tokens", "limit"), [(160, 100, 160), (160, 1000, 64), (640, 1000, 16)])
def test_samples_that_cause_more_work_make_the_quick_budget_smaller(samples, tokens, limit):
    assert affordable_limit("quick", asking(samples, tokens)) == pytest.approx(limit, rel=0.25)
    assert affordable_limit("standard", asking(samples, tokens)) == BUDGETS["standard"]


def test_the_quick_budget_never_has_fewer_samples_than_a_result_needs():
    assert affordable_limit("quick", asking(160, 100_000)) == FEWEST
    assert affordable_limit("quick", asking(640, 100_000)) == FEWEST // 4, "a limit counts the samples of each probe"


def test_the_quick_budget_limits_the_work(bare, tmp_path):
    [part] = planned(Bilingual(), Selection(("gest-mt",), budget="quick", offline=True), tmp_path).parts
    assert 0.5 * EFFORT["quick"] < total_effort(part.missing).tokens < 1.1 * EFFORT["quick"]


def test_controls_are_part_of_the_work_that_the_quick_budget_allows():
    with_controls = asking(160, 1000)
    with_controls.controls = [ControlCase(sample, KNOWN, sample, HIGH) for sample in range(32)]
    most, fewer = (affordable_limit("quick", each) for each in (asking(160, 1000), with_controls))
    assert fewer == pytest.approx(most - 32, abs=1)


UNITS = {"occupation": BETWEEN_UNITS}


@dataclass
class Sentence:
    occupation: int


def test_intervals_widen_less_if_all_units_remain():
    many, few = ([Sentence(k % 40) for k in range(count)] for count in (1520, 160))
    assert widening(few, many, {}) == pytest.approx((1520 / 160) ** 0.5)
    assert widening(few, many, UNITS) == pytest.approx(1.44, abs=0.05), "as measured in winobias"
    assert widening(many[:10], many, UNITS) > widening(many[:40], many, UNITS) > 2
    assert widening(many, many, UNITS) == 1


OPTION = re.compile(r"--option (?P<measure>[\w-]+)\.(?P<name>\w+)=(?P<value>[\w,.-]*\w)")


@pytest.mark.long_but("causal")
@pytest.mark.parametrize("kind", ["local", "causal", "masked", "file"])
def test_the_advice_about_a_measure_that_is_left_out_can_be_pasted(models, mirror, tmp_path, kind):
    opened = {
        "local": lambda: chatting(models, tmp_path),
        "causal": lambda: open_model(str(models("gpt2", "bytes"))),
        "masked": lambda: open_model(str(models("bert", "wordpiece-cased"))),
        "file": lambda: open_model(f"file:{tmp_path}/one.csv"),
    }[kind]
    (tmp_path / "one.csv").write_text("source,translation\nI was tired.,Bol som.\n")
    flags = {flag for parameter in commands()["audit"].params for flag in parameter.opts}
    left_out = planned(opened(), OFFLINE, tmp_path).left_out
    advised = 0
    for measure, reason in left_out.items():
        assert set(re.findall(r"--[a-z-]+", reason)) <= flags, reason
        for option in OPTION.finditer(reason):
            assert option["measure"] == measure
            options = {measure: {option["name"]: option["value"]}}
            Selection((measure,), options=options).check()
            again = planned(opened(), Selection((measure,), offline=True, options=options), tmp_path)
            advised += [part.measure for part in again.parts] == [measure]
        if lang := re.search(r"e.g. --lang (\S+)\.$", reason):
            known = tuple(lang[1].split(","))
            again = planned(opened(), Selection((measure,), offline=True, languages=known), tmp_path)
            assert "It needs" not in again.left_out.get(measure, "")
    assert advised or kind != "local"


def commands():
    group = get_command(app)
    assert isinstance(group, TyperGroup)
    return group.commands


def chatting(models, tmp_path):
    """Open a causal model with a chat template."""
    folder = tmp_path / "chatting"
    if not folder.exists():
        shutil.copytree(models("gpt2", "bytes"), folder)
        (folder / "chat_template.jinja").write_text("{% for m in messages %}{{ m.content }}\n{% endfor %}")
    return open_model(str(folder))


@pytest.mark.long
@pytest.mark.parametrize("kind", [("bert", "wordpiece-cased"), ("gpt2", "bytes"), "chatting"])
def test_a_preview_plans_what_the_opened_model_is_asked(models, mirror, tmp_path, kind):
    model = chatting(models, tmp_path) if kind == "chatting" else open_model(str(models(*kind)))
    quick = Selection(budget="quick", offline=True)
    seen = previewed_model(model.opening.spec, model.opening.settings)
    preview, opened = planned(seen, quick, tmp_path), planned(model, quick, tmp_path)
    assert sizes(preview) == sizes(opened)
    assert preview.left_out == opened.left_out
    assert preview.unable == opened.unable
    assert seen.parameter_count() == pytest.approx(model.parameter_count(), rel=0.05)


def test_a_translation_model_has_no_preview(tmp_path):
    (tmp_path / "config.json").write_text('{"architectures": ["MarianMTModel"], "is_encoder_decoder": true}')
    assert previewed_model(str(tmp_path), Settings()) is None


def test_files_of_translations_are_read_whole_in_the_languages_that_are_there(bare, tmp_path):
    with (tmp_path / "sk.csv").open("w", newline="", encoding="utf-8") as file:
        sentences = (sample.sentence for sample in load("starter").samples)
        csv.writer(file).writerows([("source", "translation"), *((each, "Bol som.") for each in sentences)])
    model = open_model(f"file:{tmp_path}/{{lang}}.csv")
    plan = planned(model, Selection(budget="quick", offline=True), tmp_path)
    assert {part.measure: (part.options["to"], part.samples) for part in plan.parts} == {"gest-mt": (("sk",), 256)}
    assert "into any of" in plan.left_out["dialogue"]
    alone = open_model(f"file:{tmp_path}/sk.csv")
    assert "does not specify a language" in planned(alone, OFFLINE, tmp_path).left_out["gest-mt"]
    told = Selection(offline=True, options={"gest-mt": {"to": "sk"}})
    assert [part.measure for part in planned(alone, told, tmp_path).parts] == ["gest-mt"]


def test_a_measure_of_a_plugin_is_in_the_plan_and_a_broken_one_says_why(models, bare, again, tmp_path):
    model = open_model(str(models("gpt2", "bytes")))
    assert sizes(planned(model, OFFLINE, tmp_path))[again] == (256, 256 + SENTENCES, 256 + SENTENCES)
    (tmp_path / "again" / "again_measure.py").write_text("raise RuntimeError('not today')\n")
    sys.modules.pop("again_measure")
    assert "not today" in planned(model, OFFLINE, tmp_path).left_out[again]


@pytest.mark.parametrize(
    ("wishes", "sentence"),
    [
        (Selection(measures=("gset",)), "Unknown measure 'gset'; available: .* Did you mean 'gest'?"),
        (Selection(budget="quik"), "Unknown budget 'quik'; available: full, quick, standard. Did you mean 'quick'?"),
        (Selection(without=("gets",)), "Unknown measure 'gets'"),
        (Selection(languages=("xx",)), "Unknown language 'xx'"),
        (Selection(options={"gest": {"templats": "3"}}), "has no option 'templats'; .* Did you mean 'templates'?"),
        (Selection(options={"gest": {"scale": "cubic"}}), "Option --scale is 'cubic': input should be 'ratio'"),
    ],
)
def test_what_cannot_be_meant_is_one_sentence(wishes, sentence):
    with pytest.raises(UserError, match=sentence):
        wishes.check()
