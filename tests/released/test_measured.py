"""Every measure on its own data, in the layout of the released files: what is loaded, left out and found."""

from collections import Counter

import pytest

from genderscope.core.errors import UserError
from genderscope.measures.eurogest.published import select as select_published
from genderscope.measures.eurogest.texts import EuroGestOptions, select_samples
from genderscope.samples import crows, fetch, hurtlex, stereoset, winobias
from genderscope.samples import gender_pairs as pairs
from genderscope.samples import honest as templates
from genderscope.samples.bbq import REPEATED, SAME_GENDER, load_released, unknown_wordings
from genderscope.samples.gate import load_released as released_gate
from genderscope.samples.gest import load
from genderscope.samples.quadruplets import load_slovak as slovak
from genderscope.samples.registry import dataset
from tests.dialogue.planted import SPANISH
from tests.honest.planted import HURTFUL
from tests.support.evaluation import evaluate
from tests.support.miniature import _datasets as datasets
from tests.support.tables import table

pytestmark = pytest.mark.usefixtures("miniature")


@pytest.mark.parametrize("name", datasets())
def test_the_files_are_verified_and_one_that_was_changed_is_refused(miniature, name):
    assert all(good for _, _, good in fetch.verify(dataset(name)))
    file = dataset(name).files[0]
    path = miniature / file.path
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(UserError, match="was not used"):
        fetch.read(file)


@pytest.mark.long
def test_gest_itself_is_the_default(models):
    result = evaluate("gest", str(models("gpt2", "bytes")), limit=32)
    assert result.config["data"]["name"] == "gest-1.1:32"
    assert load(None, "1.0").samples == load("starter").samples
    with pytest.raises(UserError, match=r"Unknown GEST version '2\.0'"):
        load(None, "2.0")


def test_gest_slavic_reads_the_released_pairs_once(models):
    assert len(pairs.load_released("sk").samples) == 48  # two systems have the same pairs
    result = evaluate("gest-slavic", str(models("bert", "wordpiece-cased")), pairs="released", lang="sk", limit=32)
    assert len(result.rows) == 32
    with pytest.raises(UserError, match="Unknown language in the released pairs 'cs'"):
        pairs.load_released("cs")


def test_winobias_leaves_out_what_differs_in_more_than_a_pronoun(models):
    found = winobias.load()
    assert Counter(s.subset for s in found.samples).total() == 32
    assert set(found.left_out.values()) == {1}
    assert {reason.partition(": ")[2] for reason in found.left_out} == {winobias.TWO_PRONOUNS, winobias.NOISE}
    result = evaluate("winobias", str(models("bert", "wordpiece-uncased")), report=True)
    parts = {e.subset for e in result.as_estimates() if e.name == "stereotype_rate"}
    assert parts == {None, "type 1 dev", "type 1 test", "type 2 dev", "type 2 test"}
    assert any("8 pairs in the data were left out" in caution for caution in result.cautions)
    assert "By type and split" in (result.folder / "report.html").read_text(encoding="utf-8")


@pytest.mark.long_but("gender-6-5")
@pytest.mark.parametrize(
    ("name", "published", "ours"),
    [("gender", 6, 5), ("gender-filtered", 3, 3), ("plain", 30, 30), ("race", None, 100), ("profession", None, 100)],
)
def test_stereosets_parts_are_loaded_and_measured(models, name, published, ours):
    found = stereoset.load(name, 0, as_published=False)
    assert len(found.samples) == ours
    if published is not None:
        assert len(stereoset.load(name, 0, as_published=True).samples) == published
    for as_published in (False, True):
        model = str(models("roberta", "bytes-mask"))
        result = evaluate("stereoset", model, set=name, as_published=as_published, limit=20)
        assert len(result.rows)


@pytest.mark.long_but("original*")
@pytest.mark.parametrize(
    ("name", "count", "dropped"),
    [
        ("original", 6, {"its bias type is not one of the nine": 1, "a sentence is empty": 1, "it is a duplicate": 1}),
        ("revised", 6, {"its bias type is not one of the nine": 1, "a sentence is empty": 1, "it is a duplicate": 1}),
        ("negation", 5, {}),
        ("antistereotype", 5, {}),
    ],
)
def test_the_sets_of_crows_are_loaded_and_measured(models, name, count, dropped):
    found = crows.load(name, crows.BIAS_TYPES, as_published=False)
    assert (len(found.samples), found.left_out) == (count, dropped)
    result = evaluate("crows", str(models("bert", "wordpiece-uncased")), set=name)
    assert result.rows["unread"].isna().any()


@pytest.mark.long
def test_the_slovak_set_is_what_nobody_flagged(models):
    found = slovak(as_published=False)
    assert (len(found.samples), found.left_out) == (4, {"the annotators flagged it": 1})
    result = evaluate("slovak-gender", str(models("roberta", "bytes-mask")))
    assert len(result.rows) == 4


def test_honest_reads_templates_and_both_levels_of_the_lexicon(models):
    assert Counter(t.group for t in templates.load("en").samples) == {"female": 30, "male": 30}
    assert Counter(t.group for t in templates.load("en", "queer").samples) == {"queer": 10, "nonqueer": 10}
    with pytest.raises(UserError, match="The queer templates exist in English only, not in 'it'"):
        templates.load("it", "queer")
    conservative, inclusive = (hurtlex.load("en", level) for level in hurtlex.LEVELS)
    assert set(inclusive.entries) - set(conservative.entries) == {("dolt", "dmc")}
    assert {lemma for lemma, _ in conservative.entries} == set(HURTFUL)
    for identities in ("binary", "queer"):
        result = evaluate("honest", str(models("gpt2", "bytes")), identities=identities, new_tokens=1, limit=12)
        assert result.estimate("honest_score", subset="K=1").n == 12


def test_mt_geneval_finds_references_right_and_swapped_ones_wrong(miniature, tmp_path):
    folder = miniature / "mt-geneval"

    def told(path):
        return (folder / path).read_text(encoding="utf-8").splitlines()

    his, hers = (told(f"sentences/test/geneval-sentences-{g}-test.en_es.es") for g in ("masculine", "feminine"))
    right, wrong = (
        told(f"context/geneval-context-wikiprofessions-{kind}-test.en_es.es") for kind in ("original", "flipped")
    )
    for outputs, expected in (([*his, *hers, *right], 1), ([*hers, *his, *wrong], 0)):
        (tmp_path / "out.txt").write_text("\n".join(outputs) + "\n", encoding="utf-8")
        for published in (False, True):
            result = evaluate(
                "mt-geneval", f"file:{tmp_path / 'out.txt'}", to="es", as_published=published, out=tmp_path / "run"
            )
            found = {e.subset: e.value for e in result.as_estimates() if e.name == "accuracy" and e.group is None}
            assert found["counterfactual"] == found["contextual"] == expected
            (tmp_path / "run").rename(tmp_path / f"run-{expected}-{published}")


@pytest.mark.long_but("de-2")
@pytest.mark.parametrize(("language", "people"), [("es", 4), ("fr", 2), ("it", 3), ("de", 2), ("pt", 2), ("ru", 2)])
def test_gate_reads_the_references_of_either_gender_in_every_language(language, people, miniature, tmp_path):
    found = released_gate((language,))
    assert sum(len(sentence.people) for sentence in found.samples) == people
    assert sum(found.left_out.values()) == {"es": 1, "fr": 1, "it": 0}.get(language, 1)
    for gender in ("masculine", "feminine"):
        rows = [(s.source, " ".join(getattr(p, gender)[0] for p in s.people) + ".") for s in found.samples]
        path = tmp_path / f"{gender}.csv"
        path.write_text(table(("source", "translation"), *rows), encoding="utf-8")
        result = evaluate("gate", f"file:{path}", to=language, out=tmp_path / gender)
        assert result.rows["reading"].eq(gender).all(), result.rows[["source", "translation", "reading", "unread"]]


def test_the_dialogue_suite_is_the_default(miniature):
    result = evaluate("dialogue", f"file:{miniature}/wmt24/outputs/es/Aya23.txt", to=("es",))
    assert result.config["data"]["name"] == "wmt24-dialogue"
    assert result.estimate("cue_effect", subset="stereo_adverb", language="es").value == pytest.approx(1)
    assert set(result.rows["adjective"]) <= set(SPANISH)


@pytest.mark.long
@pytest.mark.parametrize("published", [None, "2025", "2026"])
def test_eurogest_puts_sentences_into_the_scaffold_of_its_year(models, published):
    options = EuroGestOptions(lang=("fr", "fi"), as_published=published, limit=32)
    samples = (select_published if published else select_samples)(options).samples
    assert {(s.language, s.condition) for s in samples} == {("fr", "gendered"), ("fr", "pronoun"), ("fi", "noun")}
    assert all(s.male != s.female for s in samples)
    said = next(s.female for s in samples if s.condition == "pronoun")
    assert said.startswith("«")
    assert said.endswith(".") == (published is None)
    result = evaluate("eurogest", str(models("gpt2", "bytes")), lang="fr,fi", limit=32, as_published=published)
    assert len(result.rows) == 64


def test_eurogest_leaves_out_what_is_cut_off():
    found = select_samples(EuroGestOptions(lang=("fr", "mt")))
    assert found.cut == 128
    assert {s.language for s in found.samples} == {"fr"}
    assert any("128 sentences are cut off" in caution for caution in found.cautions())
    assert select_published(EuroGestOptions(lang=("fr", "mt"), as_published="2026")).cut == 0


def test_bbq_names_the_stereotyped_person_and_leaves_out_rows_without_one():
    english = load_released("bbq", "en", controls=True)
    assert english.left_out == {SAME_GENDER: 8, REPEATED: 1}
    assert {sample.template for sample in english.samples} == {"1", "2"}, "26 repeats the scenario of 1"
    for language in ("en", "es", "nl", "tr"):
        found = load_released("mbbq", language, controls=True).samples
        assert Counter(sample.control for sample in found) == {False: 16, True: 24}
        for sample in found:
            woman = "biased" if (sample.template != "2") == (sample.polarity == "negative") else "counter"
            assert sample.control or sample.option(woman) in ("Woman", "Mujer", "Vrouw", "Kadın", "Girl")
        truths = Counter(sample.truth for sample in found if not sample.control)
        assert truths == {"unknown": 8, "biased": 4, "counter": 4}


def test_esbbq_has_a_wording_in_place_of_the_placeholder():
    for language in ("es", "ca"):
        found = load_released("esbbq", language, controls=True).samples
        assert {sample.option("unknown") for sample in found} <= set(unknown_wordings()[language])
        assert {sample.value for sample in found} == {"correr"}
        assert Counter(sample.truth for sample in found) == {"unknown": 2, "biased": 2, "counter": 2}


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "ca", "nl"])
def test_bbq_asks_a_base_model_in_every_language(language, models):
    result = evaluate("bbq", str(models("gpt2", "bytes")), lang=language)
    assert set(result.rows["language"]) == {language}
    assert result.rows["unread"].isna().all()
    controls = [e for e in result.as_estimates() if e.name == "control_bias_ambiguous"]
    assert bool(controls) == (language == "nl")
    assert ("states no licence" in " ".join(result.cautions)) == (language == "nl")
