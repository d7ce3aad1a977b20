"""What was planted is found: in the right category, for the right gender; and the numbers are those of the paper."""

import json
import re

import numpy as np
import pandas as pd
import pytest

import genderscope
from genderscope.core.questions import CompletionAnswer
from genderscope.measures.honest.measure import Honest, HonestOptions
from genderscope.measures.honest.rates import Shares
from genderscope.models import WordModel, open_model
from tests.honest.planted import HURTFUL, PATTERNS, train, write_data
from tests.reference.honest_original import OriginalHonest
from tests.support.evaluation import evaluate
from tests.support.kinds import of_kind

TEMPLATES = 2 * 6 * len(PATTERNS)


@pytest.fixture(scope="module", params=["masked", "causal"])
def kind(request):
    return request.param


@pytest.fixture(scope="module")
def planted(kind, tmp_path_factory):
    """A model that says "plonk" and "weazle" of women."""
    folder = tmp_path_factory.mktemp("planted")
    return train({"female": ["plonk", "weazle"]}, kind == "masked", folder / "model"), *write_data(folder)


def continued(kind, tokens):
    """A causal model continues a text by so many tokens; a masked one fills a blank and is not asked how far."""
    return {"new_tokens": tokens} if kind == "causal" else {}


@pytest.fixture(scope="module")
def found(planted, kind, tmp_path_factory):
    model, data, lexicon = planted
    out = tmp_path_factory.mktemp("found") / "run"
    return evaluate("honest", model, data=data, lexicon=lexicon, k=2, out=out, report=True, **continued(kind, 1))


@pytest.mark.long_but("masked")
def test_planted_words_are_found_in_their_category_and_gender(found):
    assert found.estimate("honest_score", subset="K=2", group="female").value > 95
    assert found.estimate("honest_score", subset="K=2", group="male").value < 5
    assert 45 < found.estimate("honest_score", subset="K=2").value < 55
    for category in ("an", "pr", "cds"):
        assert found.estimate("share", subset="K=2", category=category, group="female").value == pytest.approx(
            50, abs=5
        )
        difference = found.estimate("difference", subset="K=2", category=category, group="female - male")
        assert difference.low > 0
        assert difference.p < 0.01
    nothing = found.estimate("difference", subset="K=2", category="re", group="female - male")
    assert (nothing.value, nothing.p) == (0, 1)
    assert (
        "percentage points more frequent for female than for male identity terms (difference, 95 % interval"
        in found.summary
    )
    assert "Verdict: an effect beyond the threshold of 1." in found.summary
    assert found.coverage == 1


def test_a_score_is_hurtful_completions_by_templates_times_k(found):
    for k in (1, 2):
        hurtful = sum(bool(c) for categories in found.rows["categories"] for c in list(categories)[:k])
        score = found.estimate("honest_score", subset=f"K={k}")
        assert score.value == pytest.approx(100 * hurtful / (TEMPLATES * k))
        assert score.low <= score.value <= score.high
        assert (score.n, score.unread, score.neutral) == (TEMPLATES, 0, 0)


def test_as_published_is_the_original_arithmetic(planted, kind):
    model, data, lexicon = planted
    more = {"as_published": True, "out": "published", **continued(kind, 2)}
    result = evaluate("honest", model, data=data, lexicon=lexicon, k=3, **more)
    original = OriginalHonest([(word, kind, "conservative") for word, kinds in HURTFUL.items() for kind in kinds])
    lists = [list(completions) for completions in result.rows["completions"]]
    assert (" " in lists[0][0]) is (kind == "causal")  # words of a mask, sentences of a continuation
    assert result.estimate("honest_score", subset="K=3").value == pytest.approx(100 * original.score(lists))
    assert result.estimate("share", subset="K=3", category="cds", group="female").value == 0  # only the first category
    assert result.estimate("share", subset="K=3", category="pr", group="female").value > 0
    assert "|reading:as-published+unidecode-1.3.2|" in result.signature
    assert any("determines how all completions" in caution for caution in result.cautions) is (kind == "causal")


def test_continuations_that_the_original_takes_for_words_are_read_by_sense_beside(planted, kind):
    """One first completion without a space, and the released evaluator finds nothing in any continuation."""
    if kind == "masked":
        pytest.skip("fillers of a mask are words")
    model, data, lexicon = planted
    measure = Honest(
        HonestOptions(data=data, lexicon=lexicon, k=2, as_published=True), of_kind(open_model(model), WordModel)
    )
    hurtful = next(iter(HURTFUL))
    first, *others = measure.samples[:4]
    answers = [CompletionAnswer(("nice", f"very {hurtful} indeed"))] + [
        CompletionAnswer((f"a {hurtful}", "so nice"))
    ] * 3
    rows = pd.DataFrame([r for s, a in zip((first, *others), answers, strict=True) for r in measure.read(s, [a])])
    estimates = measure.estimates(rows)
    assert next(e for e in estimates if e.name == "honest_score" and e.subset == "K=2").value == 0
    told = [caution for caution in measure.cautions(rows, estimates) if "first completion" in caution]
    assert len(told) == 1
    assert "here as single words" in told[0]
    assert ": 0.00 % are hurtful, but 50.00 % of the same completions are hurtful by the default rules" in told[0]


@pytest.mark.long
def test_a_model_without_a_preference_is_not_found_to_differ(kind, tmp_path):
    data, lexicon = write_data(tmp_path)
    both = {"female": ["plonk", "teacher"], "male": ["plonk", "teacher"]}
    model = train(both, kind == "masked", tmp_path / "model")
    result = evaluate("honest", model, data=data, lexicon=lexicon, k=2, **continued(kind, 1))
    difference = result.estimate("difference", subset="K=2", group="female - male")
    assert difference.p > 0.05
    assert not re.search(r"an effect[,.]", result.summary)


def test_a_run_is_resumed_and_shown_again(planted, found, kind):
    model, data, lexicon = planted
    more = {"out": found.folder, **continued(kind, 1)}
    again = evaluate("honest", model, data=data, lexicon=lexicon, k=2, **more)
    pd.testing.assert_frame_equal(again.estimates, found.estimates)
    loaded = genderscope.load_run(found.folder)
    assert loaded.estimate("difference", subset="K=2", category="an", group="female - male").p < 0.01
    assert "k:2|lexicon:lexicon.tsv-conservative@" in loaded.signature


def test_hurtful_words_are_folded_behind_a_warning_on_the_page_and_nowhere_else(found):
    page = (found.folder / "report.html").read_text()
    assert page.count("<summary>Content warning: hurtful words.") == 3
    outside = "".join(part.partition("</details>")[2] or part for part in page.split('<details class="card warning">'))
    shown = json.loads((found.folder / "result.json").read_text())
    for word in HURTFUL:
        assert word not in outside
        assert word not in json.dumps(shown)
    assert "plonk" in page


def rows(hits):
    """Rows of one completion each: {(group, term, pattern): categories}."""
    return pd.DataFrame(
        [{"group": g, "term": t, "pattern": p, "categories": [c], "unread": None} for (g, t, p), c in hits.items()]
    )


def test_swapping_the_genders_flips_the_difference_and_order_changes_nothing():
    draw = np.random.default_rng(1)
    hits = {
        (g, f"{g} {t}", f"x {p}"): "an" if draw.random() < (0.6 if g == "female" else 0.3) else ""
        for g in ("female", "male")
        for t in range(8)
        for p in range(6)
    }
    swap = {"female": "male", "male": "female"}
    frame = rows(hits)
    here = Shares(frame, [1], ["an"]).estimates()
    there = Shares(frame.assign(group=frame["group"].map(swap)), [1], ["an"]).estimates()
    differences = [next(e for e in found if e.name == "difference") for found in (here, there)]
    assert differences[0].value == -differences[1].value
    assert Shares(frame.sample(frac=1, random_state=0), [1], ["an"]).estimates() == here


def test_unread_templates_are_counted_and_not_taken_for_harmless():
    frame = rows({("female", f"t{t}", f"p{p}"): "an" for t in range(4) for p in range(3)})
    frame.loc[0, "unread"] = "too long"
    score = Shares(frame, [1], ["an"]).estimates()[0]
    assert (score.value, score.n, score.unread) == (100, 11, 1)
    nothing = Shares(frame.assign(unread="too long"), [1], ["an"]).estimates()[0]
    assert (nothing.value, nothing.n, nothing.unread) == (None, 0, 12)


def test_a_share_of_zero_has_an_upper_end():
    frame = rows({("female", f"t{t}", f"p{p}"): "" for t in range(10) for p in range(10)})
    score = Shares(frame, [1], ["an"]).estimates()[0]
    assert (score.value, score.low) == (0, 0)
    assert 3 < score.high < 7  # none of 100, of ten terms and ten patterns
    one = frame.assign(categories=[["an"], *frame["categories"][1:]])
    beside = Shares(one, [1], ["an"]).estimates()[0]
    assert score.high < beside.high < 2 * score.high, "one of a hundred must not be surer than none of a hundred"


@pytest.mark.long
def test_p_values_are_uniform_enough_where_nothing_differs():
    draw = np.random.default_rng(0)
    below = 0
    for _ in range(150):
        chance = 0.2 + 0.2 * draw.random((2, 8, 1)) + 0.1 * draw.random(8)
        hit = draw.random((2, 8, 8)) < chance
        cells = {
            (group, f"t{t}", f"p{p}"): "an" if hit[g, t, p] else ""
            for g, group in enumerate(("female", "male"))
            for t in range(8)
            for p in range(8)
        }
        overall, *_ = Shares(rows(cells), [1], ["an"]).differences()
        below += overall.p < 0.05
        assert (overall.p < 0.05) == (not overall.low <= 0 <= overall.high)
    assert below <= 16  # 5 % of 150 is 7.5


def test_intervals_of_categories_hold_together_and_agree_with_their_p():
    generator = np.random.default_rng(5)
    kinds = ["an", "asf", "pr", ""]
    hits = {
        (group, f"{group}{t}", f"p{p}"): str(
            generator.choice(kinds, p=[0.3, 0.1, 0.1, 0.5] if group == "female" else None)
        )
        for group in ("female", "male")
        for t in range(12)
        for p in range(12)
    }
    found = Shares(rows(hits), [1], ["an", "asf", "pr"]).differences()
    _, *categories = found
    assert len(categories) == 3
    for each in found:
        assert (each.p < 0.05) == (not each.low <= 0 <= each.high)
    assert all("Bonferroni-corrected for 3 categories" in each.method for each in categories)


def test_an_unread_template_counts_for_its_own_group_only():
    frame = rows({(g, f"{g} {t}", f"x {p}"): "" for g in ("female", "male") for t in range(4) for p in range(4)})
    frame.loc[frame["group"] == "male", "unread"] = [*["no token"] * 3, *[None] * 13]
    scores = {e.group: e for e in Shares(frame, [1], []).estimates() if e.name == "honest_score"}
    assert {group: (e.n, e.unread) for group, e in scores.items()} == {
        None: (29, 3),
        "female": (16, 0),
        "male": (13, 3),
    }
