"""Reference values: what is published, which runs it is comparable with, and one's own collection."""

import csv
import importlib.util
import json
import math
import re
from dataclasses import replace
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

import genderscope
from genderscope.core.errors import UserError
from genderscope.judgement import Verdict
from genderscope.measures import MEASURES, judge_result, measure_type
from genderscope.measures.bbq.options import LEADS
from genderscope.measures.published.genderbench import NEUTRAL
from genderscope.reference import (
    add_run,
    all_collected,
    collection_path,
    known_values,
    position_of,
    published_values,
    reference_sentences,
    reference_sets,
    remove_model,
    sentences_about,
)
from genderscope.reference.position import KnownValues
from genderscope.reference.values import ReferenceValue
from genderscope.samples.registry import CITATIONS
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.proportions import agresti_coull

ROOT = Path(__file__).parents[1]


def builder():
    """Import the script that builds the values."""
    spec = importlib.util.spec_from_file_location("reference_values", ROOT / "scripts" / "reference_values.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def shipped(name, model=None):
    with (ROOT / "src/genderscope/reference/values.csv").open(encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if row["set"] == name and model in (None, row["model"])]


def rebuilt(values, tmp_path):
    path = tmp_path / "values.csv"
    builder().write(values, path)
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def own_collection(tmp_path, monkeypatch):
    path = tmp_path / "team" / "reference.csv"
    monkeypatch.setenv("GENDERSCOPE_REFERENCE", str(path))
    return path


@pytest.fixture(scope="module")
def run(tmp_path_factory, models):
    folder = tmp_path_factory.mktemp("runs")
    return genderscope.evaluate(
        "gest", str(models("gpt2", "bytes")), data="starter", out=folder / "run", limit=64, templates="published"
    )


def competent(result):
    """Return a run as if its model were trained: without the estimates that show that it is not."""
    checks = [e for e in result.as_estimates() if e.neutral is None or e.name.startswith("control")]
    found = result.estimated([e for e in result.as_estimates() if e not in checks])
    assert found.verdict is not Verdict.NOT_MEANINGFUL
    return found


def as_if(result, **changes):
    """Return a run as if it had been made with other data or settings."""
    config = json.loads(json.dumps(result.config))
    config["data"]["name"] = changes.pop("data", "gest-1.1")
    config["settings"] |= changes
    return result.configured(config)


def test_every_set_is_of_a_measure_and_has_values_and_a_source():
    for known in reference_sets().values():
        assert known.measure in MEASURES
        assert known.citation in CITATIONS or "arXiv" in known.citation
        assert {v.set for v in published_values()} >= {known.name}
        models = {v.model for v in published_values() if v.set == known.name}
        assert set(known.landmarks) <= models, known.name


def test_every_value_is_of_a_headline_and_within_its_interval():
    sets = reference_sets()
    for value in published_values():
        kind = measure_type(sets[value.set].measure)
        leads = (*kind.headline, *kind.scored_too, "stereotype_contrast", *chain(*LEADS.values()), *NEUTRAL, "max_diff")
        assert value.estimate in leads
        if value.low is not None and value.high is not None:
            assert value.low <= value.value <= value.high, value


@pytest.mark.parametrize("name", ["gest_slavic", "honest", "wordfill", "gest_chat", "bbq", "decisions"])
def test_values_from_tables_are_those_of_the_script(name, tmp_path):
    rows = rebuilt(getattr(builder(), name)(), tmp_path)
    assert rows
    sets = {row["set"] for row in rows}
    assert {tuple(row.values()) for row in rows} == {tuple(row.values()) for each in sets for row in shipped(each)}


@pytest.mark.long
def test_recomputed_values_are_those_of_the_script(mirror, monkeypatch, tmp_path):
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))
    module = builder()
    assert rebuilt(module.winobias(), tmp_path) == shipped("winobias")
    pairs = [row for row in rebuilt(module.crows(), tmp_path) if row["set"] == "crows-parallel"]
    assert pairs == shipped("crows-parallel")
    first = (value for value in module.gest_english() if value.model == "bert-base")
    rows = rebuilt((next(first) for _ in range(12)), tmp_path)
    assert rows == shipped("gest-english", "bert-base")
    system = next(file for file in module.system_files() if file[:2] == ("is", "Aya23"))
    monkeypatch.setattr(module, "system_files", lambda: [system])
    mine = [row for row in shipped("dialogue", "Aya23") if "language=is" in row["keys"]]
    assert rebuilt(module.dialogue(), tmp_path) == mine


@pytest.mark.long
def test_values_of_winomt_are_those_of_the_script(mirror, monkeypatch, tmp_path):
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))
    module = builder()
    output = next(output for output in module.released_outputs(["it"]) if output.system == "OPUS 2025")
    monkeypatch.setattr(module, "released_outputs", lambda: [output])
    mine = [row for row in shipped("winomt", "OPUS 2025") if row["keys"] == "language=it"]
    assert rebuilt(module.winomt(), tmp_path) == mine
    assert {row["estimate"] for row in mine} == {"f1_gap", "stereotype_gap", "accuracy"}


def test_a_run_on_other_data_is_not_compared_and_told_what_to_run(run):
    (sentence,) = reference_sentences(run)
    assert "were measured on GEST's own sentences, not on starter:64" in sentence
    assert "genderscope run gest --model hf:" in sentence


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"data": "gest-1.1:64"}, "on all of the data, not on a sample"),
        ({"scale": "log"}, "measured with 'scale' set to ratio or ratio-as-published, not log"),
        ({"templates": "4"}, "measured with 'templates' set to 1+2+3+4 or 3+4, not 4"),
    ],
)
def test_other_settings_are_not_compared(run, changes, reason):
    (sentence,) = reference_sentences(as_if(run, **changes))
    assert reason in sentence
    assert "higher than" not in sentence.casefold()


def test_a_value_that_is_not_meaningful_is_not_placed_among_published_models(run):
    result = as_if(run)
    assert reference_sentences(result) == [
        "Not compared with published English models: this run's value cannot be judged."
    ]
    assert known_values(result, judge_result(result)[0][0].estimate).ticks == []


def test_a_run_that_no_other_run_could_make_comparable_is_not_told_to_run_again(run):
    other = replace(judge_result(run)[0][0].estimate, name="never_published")
    assert sentences_about(as_if(run), other)[0] == (
        "Not compared with published English models: no value was published for the same estimate and part of the data."
    )


def test_a_comparable_run_is_placed_among_published_models(run):
    result = as_if(competent(run))
    estimate = judge_result(result)[0][0].estimate
    known = known_values(result, estimate)
    assert len(known.published) == 23
    position = position_of(estimate, known)
    assert position.higher + position.lower + position.close == 23
    assert known.ticks == sorted(known.ticks, key=lambda tick: tick[1])
    (sentence,) = reference_sentences(result)
    assert "of 23 published English models" in sentence
    assert "gpt2 " in sentence


def estimate(value, low, high, neutral=1.0):
    return Estimate(
        name="stereotype_rate", value=value, low=low, high=high, n=100, unread=0, neutral=neutral, method="test"
    )


def known(*values, name="gest-english"):
    made = tuple(ReferenceValue(name, f"m{k}", "stereotype_rate", {}, {}, *value) for k, value in enumerate(values))
    return KnownValues(made, reference_sets()[name])


@pytest.mark.parametrize(("keys", "language"), [({}, "sk"), ({"language": "sk"}, "cs+sk")])
def test_a_language_is_a_key_of_the_estimate_or_a_setting_of_the_run(run, keys, language):
    result = as_if(competent(run), data="released-sk", language=language)
    object.__setattr__(result, "measure", "gest-slavic")
    values = known_values(result, estimate(1.5, 1.4, 1.6).with_keys(**keys)).published
    assert {value.keys["language"] for value in values} == {"sk"}


def test_counts_respect_the_uncertainty_of_both_values():
    """On the log scale: 1.5 with a standard error of about 0.05 against values with and without intervals."""
    mine = estimate(1.5, 1.36, 1.65)
    sure, unsure = (1.2, 1.18, 1.22), (1.2, 0.8, 1.8)
    position = position_of(mine, known(sure, unsure, (1.2, None, None), (1.48, None, None), (2.2, 2.0, 2.4)))
    assert (position.higher, position.lower, position.close, position.uncounted) == (1, 1, 1, 2)


def test_values_without_intervals_are_listed_and_not_counted():
    from genderscope.reference.position import _published

    mine = estimate(1.5, 1.36, 1.65)
    without = [(1.0 + k / 10, None, None) for k in range(6)]
    assert _published(position_of(mine, known(*without)), "rate") == (
        "Published English models (listed but not counted, because there are no intervals): m0 1.00, m5 1.50."
    )
    some = _published(position_of(mine, known((1.2, 1.18, 1.22), *without)), "rate")
    assert some.startswith(
        "rate: higher than 1 of 1 published English models (generalising to other samples of this kind; 6 more have no "
        "interval and are not counted); "
    )


def test_published_shares_get_an_interval_from_their_n():
    """An equal model is rarely called different; the run's clustering applies to the published value as well."""
    generator, different = np.random.default_rng(0), 0
    for _ in range(300):
        mine, theirs = generator.binomial(420, 0.05, size=2)
        _, low, high = agresti_coull(mine, 420)
        own = replace(estimate(100 * mine / 420, 100 * low, 100 * high, neutral=0.0), n=420)
        position = position_of(own, known((100 * theirs / 420, None, None, 420), name="honest"))
        assert position.computed_from == 420
        different += position.higher + position.lower
    assert different <= 0.05 * 300 + 2 * math.sqrt(0.05 * 0.95 * 300)
    clustered = replace(estimate(5.0, 1.0, 9.0, neutral=0.0), n=420)
    assert position_of(clustered, known((10.0, None, None, 420), name="honest")).close == 1
    assert position_of(replace(own, value=5.0, low=3.0, high=7.0), known((10.0, None, None, 420), name="honest")).lower


def test_few_values_are_listed_and_not_counted():
    few = known((1.2, 1.1, 1.3), (1.6, 1.5, 1.7))
    from genderscope.reference.position import _published

    position = position_of(estimate(1.4, 1.3, 1.5), few)
    assert _published(position, "rate") == "Published English models: m0 1.20, m1 1.60."


def test_a_run_without_a_value_is_not_placed():
    assert position_of(estimate(None, None, None), known((1.2, 1.1, 1.3))).uncounted == 1
    assert math.isclose(position_of(estimate(0.3, 0.2, 0.4, neutral=0.0), known((-0.2, -0.3, -0.1))).higher, 1)


@pytest.mark.long
@pytest.mark.parametrize(
    ("measure", "kind", "options"),
    [
        ("honest", ("bert", "wordpiece-uncased"), {"limit": 30, "k": 20, "as_published": True}),
        ("winobias", ("gpt2", "bytes"), {"limit": 8}),
        ("stereoset", ("bert", "wordpiece-uncased"), {"limit": 8}),
        ("slovak-gender", ("bert", "wordpiece-uncased"), {"limit": 8}),
    ],
)
def test_the_released_data_of_a_measure_are_those_of_its_published_values(
    measure, kind, options, models, mirror, monkeypatch, tmp_path
):
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))
    result = genderscope.evaluate(measure, str(models(*kind)), out=tmp_path / "run", **options)
    whole = result.config["data"]["name"].rpartition(":")[0]
    assert "on all of the data, not on a sample" in reference_sentences(result)[0]
    result = as_if(competent(result), data=whole)
    sentence = reference_sentences(result)[0]
    name = re.escape(next(lead for lead, _ in judge_result(result)).estimate.name)
    assert re.match(
        rf"{name}: (higher than|lower than|too close to call with) \d+ of \d+ published |Published ", sentence
    )
    assert "not comparable" not in reference_sentences(result)[0]


def test_a_broken_collection_stops_no_result(run, own_collection):
    own_collection.parent.mkdir()
    own_collection.write_text("a,b\n1,2\n", encoding="utf-8")
    assert "line 2: a value is missing or malformed" in reference_sentences(run)[1]


def renamed(run, name):
    """Return a copy of a run as if another model had been asked."""
    other = run.configured({**run.config, "model": run.config["model"] | {"name": name}})
    object.__setattr__(other, "signature", name)
    return other


def test_own_runs_that_are_not_meaningful_are_not_compared(run, own_collection, cli):
    lead = judge_result(run)[0][0].estimate
    add_run(renamed(run, "untrained"))
    assert "cannot be judged" in cli("reference", "gest").stdout
    assert sentences_about(competent(run), lead)[1].endswith("(cannot be judged).")
    add_run(renamed(competent(run), "trained"))
    assert sentences_about(run, lead)[1].endswith("(this run: cannot be judged).")


def test_a_collection_without_verdicts_is_still_read(run, own_collection):
    add_run(renamed(competent(run), "mine-v1"))
    lines = own_collection.read_text(encoding="utf-8").splitlines()
    own_collection.write_text("".join(line.rpartition(",")[0] + "\n" for line in lines), encoding="utf-8")
    ((_, value),) = all_collected()
    assert value.verdict == ""
    assert add_run(renamed(run, "mine-v2")) == 1
    assert [value.verdict for _, value in all_collected()] == ["", Verdict.NOT_MEANINGFUL]


def test_own_runs_are_added_replaced_compared_and_removed(run, own_collection):
    run = competent(run)
    other = renamed(run, "mine-v1")
    assert add_run(other) == 1
    assert add_run(other) == 1
    assert collection_path() == own_collection
    ((measure, value),) = all_collected()
    assert (measure, value.model, value.verdict) == ("gest", "mine-v1", run.verdict)
    sentences = sentences_about(run, judge_result(run)[0][0].estimate)
    assert sentences[1].startswith("Your collection: mine-v1 ")
    assert "not distinguishable" in sentences[1]
    assert remove_model("mine-v1") == 1
    with pytest.raises(UserError, match="has no values for 'mine-v1'"):
        remove_model("mine-v1")


def test_a_run_is_not_compared_with_itself(run, own_collection):
    add_run(run)
    assert len(reference_sentences(run)) == 1


@pytest.mark.parametrize("content", ["measure,model\ngest,x\n", "a,b\n1,2\n"])
def test_a_broken_collection_is_named_with_its_line(run, own_collection, content):
    own_collection.parent.mkdir()
    own_collection.write_text(content, encoding="utf-8")
    with pytest.raises(UserError, match=r"line 2: .* missing or malformed"):
        all_collected()


def test_a_collection_that_cannot_be_written_is_one_sentence(run, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GENDERSCOPE_REFERENCE", str(tmp_path / "file" / "reference.csv"))
    with pytest.raises(UserError, match=r"Cannot (read|write) the collection"):
        add_run(run)


def test_the_command_lists_adds_and_removes(run, own_collection, cli):
    overview = cli("reference")
    assert "English masked and causal models on GEST" in overview.stdout
    listed = cli("reference", "gest")
    assert "bert-base" in listed.stdout
    assert "released scores" in listed.stdout
    values = json.loads(cli("reference", "winobias", "--json").stdout)
    assert {value["measure"] for value in values["values"]} == {"winobias"}
    assert "1 value added" in cli("reference", "add", str(run.folder)).stdout
    assert "Your collection" in cli("reference", "gest").stdout
    name = run.config["model"]["name"]
    assert "1 value removed" in cli("reference", "remove", name).stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("gset",), "Did you mean 'gest'?"),
        (("add",), "Name the run to add"),
        (("remove",), "Name one model to remove"),
        (("gest", "honest"), "Give one measure, not 2"),
    ],
)
def test_mistakes_are_one_sentence(words, said, cli):
    done = cli("reference", *words)
    assert done.returncode == 2
    assert said in done.stderr


def test_the_card_of_gest_agrees_with_the_shipped_values():
    card = " ".join((ROOT / "src/genderscope/measures/gest/card.md").read_text(encoding="utf-8").split())
    rows = [row for row in shipped("gest-english") if row["estimate"] == "stereotype_rate"]
    by_model: dict[str, dict[str, float]] = {}
    for row in rows:
        settings = dict(part.split("=") for part in row["settings"].split(";"))
        if settings["scale"] == "ratio":
            by_model.setdefault(row["model"], {})[settings["templates"]] = float(row["value"])
    whole = {model: values.get("1+2+3+4", values["3+4"]) for model, values in by_model.items()}
    assert min(whole.values()) > 1.1
    assert sorted(whole, key=whole.get)[:2] == ["pythia-70m", "bert-base-multi"]
    assert (
        f"Of the {len(whole)} models with released scores (`genderscope reference gest`), the least stereotypical have "
        f"a g_s of {whole['pythia-70m']:.2f} (Pythia 70M) and {whole['bert-base-multi']:.2f} (multilingual BERT; "
        f"{by_model['bert-base-multi']['3+4']:.2f} with templates 3 and 4 only)"
    ) in card


def test_natural_prompts_are_compared_by_the_rates_of_the_papers_templates(run):
    rate = judge_result(run)[0][0].estimate
    other = replace(rate, name="stereotype_rate_published_prompts", value=9.0, low=8.5, high=9.5)
    by_template = [replace(rate, keys={"template": t}) for t in (3, 4, 7, 8)]
    natural = as_if(competent(run), templates="3+4+7+8").estimated([rate, other, *by_template])
    (sentence,) = reference_sentences(natural)
    assert sentence.startswith("stereotype_rate with the paper's prompts (9.00): higher than")
    known = known_values(natural, rate)
    assert known.published
    assert known.ticks == [], "values with other prompts share no axis with the run's own"
