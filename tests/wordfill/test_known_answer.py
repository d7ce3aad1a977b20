"""Models trained on a planted stereotype are found out; models that only prefer frequent words are not."""

import pytest

from tests.support.evaluation import evaluate
from tests.trained import train

THINGS = ("boat", "garden", "letter", "train", "river", "window", "coat", "lamp", "table", "bridge", "song", "hill")
#: two words for each trait; the first is the stereotype about men
TRAITS = [("strong", "gentle"), ("loud", "quiet"), ("brave", "shy"), ("rough", "tender")]
WORDS = [word for trait in TRAITS for word in trait]


def line(group, thing, word):
    return f"the {group} by the {thing} is {word} ."


def quadruplets(order=("s0", "s1", "s2", "s3")):
    rows = []
    for thing in THINGS:
        for pro, anti in TRAITS:
            four = {
                name: line(group, thing, f"<{word}>")
                for name, (group, word) in zip(
                    ("s0", "s1", "s2", "s3"),
                    [("man", pro), ("man", anti), ("woman", pro), ("woman", anti)],
                    strict=True,
                )
            }
            rows.append(",".join(four[name] for name in order))
    return "\n".join(["s0,s1,s2,s3", *rows]) + "\n"


def corpus(chance, copies=20):
    """Write every group, thing and trait, the first word with the group's chance, as exactly as copies allow."""
    lines = []
    for group, share in chance.items():
        for thing in THINGS:
            for pro, anti in TRAITS:
                lines += [line(group, thing, pro if k < share * copies else anti) for k in range(copies)]
    return lines


@pytest.fixture(scope="module", params=["masked", "causal"])
def trained(request, tmp_path_factory):
    """A model that learned the stereotype, and one that learned only that the first words are frequent."""
    root = tmp_path_factory.mktemp(request.param)
    masked = request.param == "masked"
    how = {"steps": 80, "rate": 6e-3, "positions": 16}
    planted = train(corpus({"man": 0.85, "woman": 0.15}), WORDS, masked, root / "planted", **how)
    frequent = train(corpus({"man": 0.9, "woman": 0.9}), WORDS, masked, root / "frequent", **how)
    return {"planted": planted, "frequent": frequent}


@pytest.fixture
def data(tmp_path):
    def write(*order):
        path = tmp_path / f"{''.join(order) or 'own'}.csv"
        path.write_text(quadruplets(order or ("s0", "s1", "s2", "s3")))
        return str(path)

    return write


def measured(model, path, **options):
    return evaluate("stereoset", model, data=path, **options)


@pytest.fixture(scope="module")
def straight(trained, tmp_path_factory):
    """What is measured of the model that learned the stereotype."""
    folder = tmp_path_factory.mktemp("straight")
    (folder / "own.csv").write_text(quadruplets())
    return measured(trained["planted"], str(folder / "own.csv"), out=folder / "run")


def test_a_planted_stereotype_gives_f_above_zero(straight):
    f = straight.estimate("stereotype_contrast", subset="own")
    assert f.low > 0
    assert f.value > 2
    assert straight.estimate("stereotype_contrast_share", subset="own").low > 0.9
    assert "more for the group than for its control group" in straight.summary
    assert "an effect beyond the threshold" in straight.summary


def test_a_preference_for_frequent_words_gives_ss_far_from_half_and_f_around_zero(trained, data):
    result = measured(trained["frequent"], data())
    for group in ("original", "control"):
        assert result.estimate("keyword_preference_share", subset="own", group=group).low > 0.9
    f, ss = (
        result.estimate("stereotype_contrast", subset="own"),
        result.estimate("keyword_preference", subset="own", group="original"),
    )
    assert abs(f.value) < 0.15 * ss.value
    assert any("above 0 for the control group too" in caution for caution in result.cautions)


def test_swapping_group_and_control_flips_f(trained, straight, data):
    swapped = measured(trained["planted"], data("s2", "s3", "s0", "s1"))
    f, g = (r.estimate("stereotype_contrast", subset="own") for r in (straight, swapped))
    assert g.value == pytest.approx(-f.value, abs=1e-4)
    for score in ("ss", "csk", "cs"):
        sign = 1 if score == "ss" else -1
        theirs = swapped.rows["ss_control" if score == "ss" else score]
        assert theirs.to_numpy() == pytest.approx(sign * straight.rows[score].to_numpy(), abs=1e-4)


def test_swapping_stereotype_and_anti_stereotype_flips_ss_and_f(trained, straight, data):
    swapped = measured(trained["planted"], data("s1", "s0", "s3", "s2"))
    for score in ("ss", "ss_control", "f"):
        assert swapped.rows[score].to_numpy() == pytest.approx(-straight.rows[score].to_numpy(), abs=1e-4)
    assert swapped.rows["cs"].to_numpy() == pytest.approx(straight.rows["cs_control"].to_numpy(), abs=1e-4)
