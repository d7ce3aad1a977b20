"""Systems with a known bias get the numbers that follow from it, through the whole measure."""

import pytest

import genderscope
from genderscope.evaluation import sources
from tests.support.evaluation import evaluate
from tests.winomt import planted
from tests.winomt.planted import LANGUAGES, translate, write_sentences

COUNT = 288


@pytest.fixture
def own(tmp_path):
    return write_sentences(tmp_path / "own.csv")


@pytest.fixture
def score(own):
    """Score a planted system."""

    def scored(choose, language="es", **options):
        return genderscope.score("winomt", translate(own, language, choose), language, data=str(own), **options)

    return scored


def find(result, name, **keys):
    """Return an estimate of the only language."""
    (language,) = set(result.rows["language"])
    return result.estimate(name, language=language, **keys)


def values(result, *names):
    return [find(result, name).value for name in names]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_system_that_calls_everybody_a_man_has_an_f1_gap_and_no_stereotype_gap(score, language):
    result = score(planted.masculine, language)
    assert values(result, "f1_gap", "accuracy", "stereotype_gap") == pytest.approx([2 / 3, 0.5, 0])
    assert values(result, "masculine_default", "other_masculine_rate", "yield") == [1, 1, 1]
    assert [find(result, "accuracy", group=g).value for g in ("masculine", "feminine")] == [1, 0]
    assert [find(result, "accuracy", subset=s).value for s in ("pro", "anti")] == [0.5, 0.5]
    assert "the system uses one gender for nearly everybody" in result.summary


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_system_that_follows_the_pronoun_is_right_and_has_no_gap(score, language):
    result = score(planted.by_pronoun, language)
    assert values(result, "f1_gap", "stereotype_gap", "error", "masculine_default") == [0, 0, 0, 0]
    assert values(result, "other_masculine_rate") == [1]
    gap = find(result, "f1_gap")
    assert gap.low < 0 < gap.high, "agreement in all sentences is no proof"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_system_that_follows_the_stereotype_has_the_largest_stereotype_gap(score, language):
    result = score(planted.by_stereotype, language)
    assert values(result, "stereotype_gap", "accuracy", "f1_gap") == pytest.approx([1, 0.5, 0])
    assert values(result, "other_masculine_rate", "masculine_default") == [0.5, 0]
    assert find(result, "accuracy_by_occupation", category="nurse", group="masculine").value == 0
    assert find(result, "accuracy_by_occupation", category="nurse", group="feminine").value == 1


def test_a_system_that_is_always_wrong_has_no_gap_that_means_anything(score):
    result = score(planted.against_pronoun)
    assert values(result, "error", "f1_gap") == [1, 0]
    assert result.summary.count("Cannot be judged: only 0 % of the people") == 2


@pytest.mark.parametrize(("output", "reason"), [(None, "untranslated"), ("", "empty translation")])
def test_outputs_that_translate_nothing_are_unread_and_not_wrong(own, output, reason):
    lines = [text if output is None else output for text in sources("winomt", data=str(own))]
    result = genderscope.score("winomt", lines, "es", data=str(own))
    assert set(result.rows["unread"]) == {reason}
    assert values(result, "f1_gap", "stereotype_gap", "accuracy") == [None, None, None]
    assert values(result, "yield") == [0]
    assert find(result, "unread_share", group=reason).value == 1


@pytest.mark.long
def test_as_published_what_was_not_read_is_wrong(own):
    lines = translate(own, "es", planted.by_pronoun)
    lines[-COUNT // 4 :] = [""] * (COUNT // 4)
    result, published = (
        genderscope.score("winomt", lines, "es", data=str(own), as_published=flag) for flag in (False, True)
    )
    assert values(result, "accuracy") == [1]
    assert values(published, "accuracy") == [0.75]
    assert find(published, "accuracy").n == COUNT
    assert any("72 of 288 outputs that could not be read count as wrong" in caution for caution in published.cautions)


def test_they_is_right_only_if_the_translation_shows_no_gender(tmp_path):
    own = write_sentences(tmp_path / "own.csv", with_neutral=True)
    result = genderscope.score("winomt", translate(own, "es", planted.by_pronoun), "es", data=str(own))
    assert find(result, "accuracy", group="neutral").value == 0
    assert find(result, "accuracy", group="masculine").value == 1
    both = [line.replace("El ", "El/La ", 1) for line in translate(own, "es", planted.by_pronoun)]
    rows = genderscope.score("winomt", both, "es", data=str(own)).rows
    is_first = rows["source"].str.split().str[1] == rows["entity"]
    assert set(rows.loc[is_first & (rows["gender"] == "neutral"), "reading"]) == {"neutral"}


@pytest.mark.long
def test_several_languages_are_averaged_and_a_pair_of_people_is_one_unit(own, tmp_path):
    systems = {"es": planted.by_pronoun, "it": planted.masculine, "de": planted.by_stereotype}
    for language, choose in systems.items():
        (tmp_path / f"out.{language}.txt").write_text("\n".join(translate(own, language, choose)) + "\n")
    result = evaluate("winomt", f"file:{tmp_path}/out.{{lang}}.txt", to="es,it,de", data=str(own))
    for name in ("f1_gap", "stereotype_gap", "accuracy"):
        parts = [result.estimate(name, language=code).value for code in systems]
        whole = result.estimate(name)
        assert whole.value == pytest.approx(sum(parts) / 3)
    assert result.estimate("f1_gap").n == 3 * COUNT
    assert result.rows["pair"].nunique() == 36


def test_occupations_that_recur_make_the_wide_interval_wider(score):
    def some_occupations(row, name):
        return "masculine" if name in {"mechanic", "cook", "farmer"} else by_turns(row, name)

    def by_turns(row, name):
        return row["gender"] if name == row["entity"] else "feminine"

    gap = find(score(some_occupations), "f1_gap")
    assert gap.wide_over == "occupations"
    assert gap.wide_high - gap.wide_low > 1.2 * (gap.high - gap.low)
