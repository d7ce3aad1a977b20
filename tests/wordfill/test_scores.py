"""What is computed from rows made by hand, and what a run asks and keeps."""

import json
import math

import numpy as np
import pytest

from genderscope.core.errors import UserError
from genderscope.measures.wordfill.scores import Scores, units_of
from genderscope.statistics.cluster_bootstrap import ClusterBootstrap
from genderscope.statistics.proportions import agresti_coull
from tests.support.evaluation import evaluate
from tests.support.word_rows import OWN, rows
from tests.wordfill.reference import NaiveLikelihood


def found(frame, name, group=None, category=None, **options):
    settings = {"seed": 0, "as_published": False} | options
    estimates = Scores(frame, "x", **settings).estimates()
    return next(e for e in estimates if (e.name, e.group, e.category) == (name, group, category))


def test_means_and_shares_are_plain_arithmetic():
    frame = rows()
    assert found(frame, "stereotype_contrast").value == pytest.approx(frame["f"].mean())
    assert found(frame, "stereotype_contrast_share").value == pytest.approx((frame["f"] > 0).mean())
    assert found(frame, "keyword_preference", "control").value == pytest.approx(frame["ss_control"].mean())
    assert found(frame, "score_correlation", category="ss").value == pytest.approx(
        np.corrcoef(frame["ss"], frame["ss_control"])[0, 1]
    )
    assert found(frame, "sentence_preference_contrast").value == pytest.approx(
        (frame["cs"] - frame["cs_control"]).mean()
    )


def test_false_positives_are_the_samples_that_ss_calls_stereotypical_and_f_does_not():
    frame = rows()
    ss, f = frame["ss"] > 0, frame["f"] > 0
    assert found(frame, "false_positive_rate").value == pytest.approx((~f[ss]).mean())
    assert found(frame, "false_negative_rate").value == pytest.approx(f[~ss].mean())
    agreement = found(frame, "agreement", category="f-ss")
    assert agreement.value == pytest.approx((ss == f).mean())
    # how the paper's tables fit together
    share = ss.mean()
    fpr, fnr = found(frame, "false_positive_rate").value, found(frame, "false_negative_rate").value
    assert (1 - fpr) * share + (1 - fnr) * (1 - share) == pytest.approx(agreement.value)


@pytest.mark.parametrize("as_published", [False, True])
def test_a_tie_with_the_control_group_is_no_false_positive_and_a_tie_of_keywords_no_false_negative(as_published):
    """The notebook behind the tables counts `ss > 0 and control > ss`, and `ss < 0 and control < ss`."""
    frame = rows(items=8, ss=[1.0, 1, 1, 1, -1, -1, 0, 0], ss_control=[1.0, 2, 0, 0, -2, 0, -1, 1])
    frame["f"] = frame["ss"] - frame["ss_control"]
    assert found(frame, "false_positive_rate", as_published=as_published).value == 1 / 4
    assert found(frame, "false_positive_rate", as_published=as_published).n == 4
    assert found(frame, "false_negative_rate", as_published=as_published).value == 1 / 2
    assert found(frame, "false_negative_rate", as_published=as_published).n == 2


def test_the_published_scale_is_log10_and_the_published_share_a_centre():
    frame = rows()
    defined, published = (found(frame, "stereotype_contrast", as_published=p) for p in (False, True))
    assert published.value == pytest.approx(defined.value / math.log(10))
    assert published.method == "bootstrap, normal"
    successes = int((frame["f"] > 0).sum())
    assert found(frame, "stereotype_contrast_share", as_published=True).value == pytest.approx(
        agresti_coull(successes, len(frame)).centre
    )


def test_agresti_coull_has_its_textbook_values():
    assert agresti_coull(0, 10) == pytest.approx((0.13877, 0.0, 0.32094), abs=1e-4)
    centre, low, high = agresti_coull(50, 100)
    assert centre == 0.5
    assert (low, high) == pytest.approx((0.40383, 0.59617), abs=1e-4)


def test_ten_copies_of_a_sample_do_not_make_its_interval_narrower():
    once, ten = rows(copies=1), rows(copies=10)
    widths = [e.high - e.low for e in (found(frame, "keyword_preference", "original") for frame in (once, ten))]
    assert widths[1] == pytest.approx(widths[0], rel=0.25)
    share = found(ten, "keyword_preference_share", "original")
    assert share.method == "Agresti-Coull, items as units"
    naive = found(ten, "keyword_preference", "original", as_published=True)
    assert naive.high - naive.low < widths[1] * math.log10(math.e) / 2


def test_the_order_of_the_rows_changes_nothing():
    frame = rows()
    shuffled = frame.sample(frac=1, random_state=1)
    for name in ("stereotype_contrast", "stereotype_contrast_share", "false_positive_rate"):
        assert found(frame, name).value == pytest.approx(found(shuffled, name).value)


def test_unread_rows_are_counted_and_not_taken_for_zero():
    frame = rows()
    frame.loc[:9, "unread"] = "a reason"
    estimate = found(frame, "stereotype_contrast")
    assert (estimate.n, estimate.unread) == (50, 10)
    assert estimate.value == pytest.approx(frame["f"][10:].mean())


def test_lms_and_icat_are_means_over_terms():
    frame = rows(items=4, f=np.nan, ss_control=np.nan, csk=np.nan, csk_control=np.nan, cs=np.nan, cs_control=np.nan)
    frame["target"] = ["a", "a", "a", "b"]
    frame["lp0"], frame["lp1"], frame["lp_unrelated"] = [3.0, 3, 3, 1], [2.0, 2, 2, 2], [1.0, 1, 2.5, 3]
    # a: ss 100, lms (2 + 2 + 1) / 6; b: ss 0, lms 0
    assert found(frame, "language_modelling_score").value == pytest.approx(100 * (5 / 6) / 2)
    assert found(frame, "icat_score").value == pytest.approx(100 * (5 / 6) / 2)
    ss = found(frame, "stereotype_score")
    assert (ss.value, ss.neutral) == (pytest.approx(50), 50)


def test_one_resampling_feeds_all_and_a_correlation_is_numpys():
    generator = np.random.default_rng(0)
    x = generator.normal(5, 1, 200)
    y = x + generator.normal(0, 1, 200)
    value, replicates = ClusterBootstrap(np.arange(200), [0]).correlation(x, y)
    assert value == pytest.approx(np.corrcoef(x, y)[0, 1])
    assert replicates.mean() == pytest.approx(value, abs=0.02)


@pytest.fixture
def own(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text(OWN)
    return str(path)


def naive_scores(folder, sample, masked):
    """Equations 1 to 3 and cs, one token at a time, for sentences that differ in man and woman only."""
    from genderscope.core.questions import TokenLikelihood

    naive = NaiveLikelihood(folder, masked)
    lp, whole = [], []
    for marked in sample:
        begin, end = marked.index("<"), marked.index(">") - 1
        text = marked.replace("<", "").replace(">", "")
        found = naive.of(TokenLikelihood(text, ((begin, end),), True))
        lp.append(sum(found) / (len(found) if masked else 1))
        whole.append(
            (naive.tokenizer(text, add_special_tokens=False)["input_ids"], naive.of(TokenLikelihood(text, (), False)))
        )

    def cs(a, b):
        (ids_a, lp_a), (ids_b, lp_b) = whole[a], whole[b]
        head = next(k for k in range(len(ids_a)) if ids_a[k] != ids_b[k])
        tail = next(k for k in range(len(ids_a)) if ids_a[-1 - k] != ids_b[-1 - k])
        pairs = [
            *zip(lp_a[:head], lp_b[:head], strict=True),
            *zip(lp_a[len(lp_a) - tail :], lp_b[len(lp_b) - tail :], strict=True),
        ]
        return sum(x - y for x, y in pairs if x is not None)

    return {
        "ss": lp[0] - lp[1],
        "ss_control": lp[2] - lp[3],
        "csk": lp[0] - lp[2],
        "csk_control": lp[1] - lp[3],
        "f": lp[0] - lp[1] - lp[2] + lp[3],
        "cs": cs(0, 2),
        "cs_control": cs(1, 3),
    }


@pytest.mark.parametrize(("architecture", "tokenizer"), [("bert", "wordpiece-uncased"), ("gpt2", "bytes")])
def test_a_run_gives_the_naive_scores_and_keeps_every_token(models, own, architecture, tokenizer):
    folder = models(architecture, tokenizer)
    result = evaluate("stereoset", str(folder), data=own)
    read = result.rows[result.rows["unread"].isna()]
    assert len(read) >= 8
    for row in read.iloc[::5].to_dict("records"):
        expected = naive_scores(folder, [row[f"s{k}"] for k in range(4)], architecture == "bert")
        for name, value in expected.items():
            assert row[name] == pytest.approx(value, abs=1e-3), name
        detail = json.loads(row["tokens"])
        assert set(detail) == {"s0", "s1", "s2", "s3", "cs", "cs_control"}
        told = [a - b for _, a, _, b in detail["cs"] if a is not None]
        assert sum(told) == pytest.approx(row["cs"], abs=1e-9)


def test_a_keyword_that_a_causal_model_meets_too_early_is_unread(models, tmp_path):
    path = tmp_path / "early.csv"
    path.write_text("s0,s1,s2,s3\nThe <old> man .,The <tired> man .,The <old> woman .,The <tired> woman .\n")
    for architecture, tokenizer, readable in (("gpt2", "bytes", False), ("bert", "wordpiece-uncased", True)):
        result = evaluate("stereoset", str(models(architecture, tokenizer)), data=str(path))
        assert result.rows["unread"].isna().all() == readable
    assert (
        "which a causal model then cannot see"
        in evaluate("stereoset", str(models("gpt2", "bytes")), data=str(path)).rows["unread"].iloc[0]
    )


def test_unequal_token_counts_are_dropped_and_counted(models, tmp_path):
    path = tmp_path / "unequal.csv"
    path.write_text("s0,s1,s2,s3\nThe man is <old>.,The man is <there>.,The man was <oar>.,The man was <there>.\n")
    result = evaluate("stereoset", str(models("bert", "wordpiece-uncased")), data=str(path))
    assert result.rows["unread"].tolist() == [
        "the keywords have different numbers of tokens for the group and its control group"
    ]
    assert result.summary.startswith("There is no estimate to report")


@pytest.mark.parametrize(
    ("measure", "options", "complaint"),
    [
        ("stereoset", {"scores": ("sss",)}, "Unknown score .* 'sss'.*Did you mean 'ss'"),
        ("stereoset", {"scores": ()}, "The list of scores is empty"),
        ("stereoset", {"set": "genders"}, "Option --set is 'genders'"),
        ("crows", {"bias_types": ("gendr",)}, "Unknown bias type 'gendr'.*Did you mean 'gender'"),
        ("crows", {"data": "x.csv"}, "Measure 'crows' has no option 'data'"),
    ],
)
def test_a_mistaken_option_is_one_sentence(models, own, measure, options, complaint):
    given = {"data": own} if measure == "stereoset" else {}
    with pytest.raises(UserError, match=complaint):
        evaluate(measure, str(models("bert", "wordpiece-uncased")), **given | options)


@pytest.mark.long
def test_the_original_of_ten_controls_is_asked_once(models, mirror, monkeypatch, tmp_path):
    import sqlite3

    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))
    model = str(models("bert", "wordpiece-uncased"))
    result = evaluate(
        "stereoset", model, set="race", scores=("ss", "f"), limit=400, controls="none", out=tmp_path / "run"
    )
    asked = {s for name in ("s0", "s1", "s2", "s3") for s in result.rows[name]}
    with sqlite3.connect(tmp_path / "run" / "journal.sqlite") as journal:
        assert journal.execute("SELECT count(*) FROM answers").fetchone() == (len(asked),)
    assert len(result.rows) == 400
    assert len(asked) <= 2 * 400 + 2 * 40


def test_the_units_are_target_terms_and_items_where_a_term_is_unknown():
    frame = rows(items=4)
    frame["target"] = ["nurse", "nurse", None, None]
    assert len(np.unique(units_of(frame))) == 3
