"""A template that a model's tokenizer cannot read takes no other number with it, and is never passed over silently."""

import shutil

import pytest

import genderscope
from genderscope.comparison import differently_asked, rankings
from tests.support.evaluation import evaluate


@pytest.fixture(scope="module")
def runs(models, tmp_path_factory):
    """One model that knows "She" as a token, and one that writes it in three: template 1 cannot be asked of it."""
    whole = models("bert", "wordpiece-cased")
    partly = tmp_path_factory.mktemp("partly") / "bert"
    shutil.copytree(whole, partly)
    described = (partly / "tokenizer.json").read_text(encoding="utf-8")
    (partly / "tokenizer.json").write_text(described.replace('"She"', '"Xhx"'), encoding="utf-8")
    return {
        name: evaluate("gest", str(model), data="starter", limit=64, templates="published", out=partly.parent / name)
        for name, model in (("whole", whole), ("partly", partly))
    }


def test_the_numbers_are_over_the_templates_that_were_read(runs):
    g_s = runs["partly"].estimate("stereotype_rate")
    assert g_s.value is not None
    assert g_s.n == 64
    by_template = [runs["partly"].estimate("stereotype_rate", template=t).value for t in (2, 3, 4)]
    assert g_s.value == pytest.approx((by_template[0] * by_template[1] * by_template[2]) ** (1 / 3))
    assert runs["partly"].estimate("stereotype_rate", template=1).value is None


def test_everything_says_which_template_is_missing(runs, cli):
    result = runs["partly"]
    missing = "Template 1 could not be read, so the numbers across templates are based on templates 2, 3 and 4"
    assert "too few" not in result.summary
    assert any(caution.startswith(missing) for caution in result.cautions)
    assert any(c.startswith(f"{missing}; most often because: the options have 1 and 3 tokens") for c in result.cautions)
    assert "|templates_read:2+3+4" in result.signature
    assert result.config["reached"] == {"templates": "2+3+4"}
    assert runs["whole"].config["reached"] == {}
    assert genderscope.load_run(result.folder).signature == result.signature
    assert missing in " ".join(cli("show", result.folder).stdout.split())


def test_a_correlation_over_models_says_that_their_templates_differ(runs):
    names = [str(run.config["model"]["name"]) for run in runs.values()]
    told = "The models' estimates of 'gest' are based on different templates: 1+2+3+4, 2+3+4."
    assert list(differently_asked(list(runs.values()), names)) == [told]
    assert list(differently_asked([runs["whole"]] * 2, names)) == []


def test_such_a_model_is_not_silently_compared_with_one_that_read_all(runs):
    ranked = rankings(runs)
    assert [len(ranking.entries) for ranking in ranked] == [1, 1]
    assert sum("templates=2+3+4" in ranking.options for ranking in ranked) == 1
    comparison = genderscope.compare(runs["whole"], runs["partly"])
    assert len(comparison.pairs["B"].first) == 3 * 64
    assert any("templates 1+2+3+4 and 2+3+4" in caution for caution in comparison.cautions)
