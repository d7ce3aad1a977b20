"""What an audit will ask: all that measures ask and the model answers, and a reason for the rest."""

import csv
import sys

import pytest

from genderscope.auditing import Selection, plan_for
from genderscope.auditing.budgets import CHARACTERS, FEWEST, characters_of
from genderscope.core.errors import UserError
from genderscope.models import open_model
from genderscope.samples.gest import load
from tests.auditing.conftest import Noting
from tests.support.bilingual import Bilingual

OFFLINE = Selection(offline=True)
TRANSLATE = {"gest-mt", "dialogue", "mt-geneval", "winomt", "gate"}
LANGUAGE_MODEL = {"gest", "winobias", "honest", "crows", "stereoset", "bbq"}


def planned(model, wishes, tmp_path):
    return plan_for(model, wishes, tmp_path / "audit" / "model")


def sizes(plan):
    return {part.measure: (part.samples, part.questions, len(part.missing)) for part in plan.parts}


@pytest.mark.parametrize(("kind", "templates"), [(("bert", "wordpiece-cased"), 4), (("gpt2", "bytes"), 2)])
def test_on_a_bare_machine_a_language_model_is_asked_the_starter_set(models, bare, tmp_path, kind, templates):
    plan = planned(open_model(str(models(*kind))), OFFLINE, tmp_path)
    # bbq asks a base model for three answers with and without the context; some questions recur in other contexts.
    assert sizes(plan) == {"gest": (256, 256 * templates, 256 * templates), "bbq": (324, 6 * 324, 1512)}
    assert "starter set" in plan.parts[0].note
    assert plan.unable == TRANSLATE | ({"gest-chat", "decisions"} if kind[0] == "bert" else set())
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


@pytest.mark.parametrize("kind", [("bert", "wordpiece-cased"), ("gpt2", "bytes")])
def test_with_the_data_a_language_model_is_asked_everything_in_its_languages(models, mirror, tmp_path, kind):
    model = open_model(str(models(*kind)))
    plan = planned(model, Selection(budget="quick", offline=True), tmp_path)
    assert set(sizes(plan)) == LANGUAGE_MODEL
    assert set(plan.left_out) == TRANSLATE | {"slovak-gender", "gest-slavic", "gest-chat", "decisions", "eurogest"}
    slovak = planned(model, Selection(budget="quick", offline=True, languages=("sk",)), tmp_path)
    # The released pairs are large, and not in every mirror.
    assert set(sizes(slovak)) | {"gest-slavic"} == {"slovak-gender", "gest-slavic", "eurogest"}
    assert next(part.options["lang"] for part in slovak.parts if part.measure == "eurogest") == ("sk",)
    assert "the network is not used in offline mode" in slovak.left_out.get(
        "gest-slavic", "the network is not used in offline mode"
    )
    assert slovak.left_out["gest"].startswith("It needs English")


def test_a_translator_is_asked_for_the_languages_it_knows(bare, tmp_path):
    plan = planned(Bilingual(), Selection(budget="quick", offline=True), tmp_path)
    asked = {part.measure: part.options["to"] for part in plan.parts}
    assert asked == {"gest-mt": ("cs", "sk"), "dialogue": ("cs",), "winomt": ("cs",)}
    samples, questions, missing = sizes(plan)["gest-mt"]
    assert 48 <= samples < 160, "two languages of every sample are more than the quick budget has characters for"
    assert questions == missing == 2 * samples
    assert plan.unable > LANGUAGE_MODEL
    assert plan.model.characters(plan.announced) == sum(len(q.text) for part in plan.parts for q in part.missing)


def test_samples_that_ask_more_make_the_quick_budget_smaller(bare, tmp_path):
    [two], [four] = (
        planned(model, Selection(("gest",), budget="quick", offline=True, options=options), tmp_path).parts
        for model, options in ((Noting(), {"gest": {"templates": "3,4"}}), (Noting(), {}))
    )
    assert (two.samples, two.whole) == (160, 256)
    assert FEWEST <= four.samples < 160
    assert sum(map(characters_of, four.missing)) < 1.1 * CHARACTERS["quick"]
    [standard] = planned(Noting(), Selection(("gest",), offline=True), tmp_path).parts
    assert (standard.samples, standard.whole) == (256, 256)


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
    assert sizes(planned(model, OFFLINE, tmp_path))[again] == (256, 256, 256)
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
