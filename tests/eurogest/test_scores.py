"""EuroGEST's scores against a naive reference, and what they must obey whatever the model."""

import math
import random
from typing import Any

import pytest

from genderscope.core.errors import UserError
from genderscope.models import open_model
from genderscope.models.hf import smollm2
from genderscope.samples.gest import MALE
from tests.reference.eurogest import NaiveEuroGest, share
from tests.support.evaluation import evaluate
from tests.support.tolerance import of_sum
from tests.trained import train

#: a word in the middle, at the end, one form the beginning of the other, the first word, two scripts
PAIRS = [
    ("fr", "Je suis content de tout", "Je suis contente de tout", 1),
    ("fr", "Je suis fatigué", "Je suis fatiguée", 2),
    ("it", "Stanco ero già ieri", "Stanca ero già ieri", 3),
    ("it", "Oggi sono arrivato presto, molto presto!", "Oggi sono arrivata presto, molto presto!", 8),
    ("el", "Είμαι κουρασμένος σήμερα", "Είμαι κουρασμένη σήμερα", 9),
    ("es", "Soy un artista", "Soy una artista", 10),
    ("lv", "Es tagad esmu gatavs.", "Es tagad esmu gatava.", 16),
]


def own(path, rows):
    lines = ["language,male,female,stereotype", *(f'{k},"{m}","{f}",{i}' for k, m, f, i in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def scored(model, **options):
    """Return the rows of a run by language and texts."""
    rows = evaluate("eurogest", model, **options).rows
    assert len(rows)
    return rows


@pytest.fixture(scope="module")
def straight(tmp_path_factory):
    """The rows of a model for the pairs above, by the way of scoring; each is measured once."""
    root = tmp_path_factory.mktemp("straight")
    kept: dict[Any, Any] = {}
    file = own(root / "pairs.csv", PAIRS)

    def rows(folder, published):
        if (folder, published) not in kept:
            out = root / f"run-{len(kept)}"
            kept[folder, published] = scored(str(folder), data=file, as_published=published, out=out)
        return kept[folder, published]

    return rows


CAUSAL = [("gpt2", "bytes"), ("llama", "metaspace-bos"), ("gpt-neox", "bytes-bos")]


@pytest.mark.long
@pytest.mark.parametrize(("architecture", "tokenizer"), CAUSAL)
def test_every_scoring_equals_its_reference_on_tiny_models(models, straight, architecture, tokenizer):
    folder = models(architecture, tokenizer)
    naive = NaiveEuroGest(folder)
    ways = {None: naive.defined, "2025": naive.year_2025, "2026": naive.year_2026}
    for published, reference in ways.items():
        for row in straight(folder, published).itertuples():
            wanted = reference(row.sentence, row.female)
            if wanted is None:
                assert "from their first token on" in row.unread
            else:
                found = row.log_ratio if published is None else share(row.log_ratio, 0.0)
                near = of_sum(naive.tokens(row.sentence, row.female))
                assert found == pytest.approx(wanted, abs=near), (published, row.sentence)


@pytest.mark.long
def test_the_released_sentences_equal_the_reference_on_smollm2(fetched, mirror, monkeypatch):
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))
    monkeypatch.setenv("GENDERSCOPE_CACHE", str(fetched))
    naive = NaiveEuroGest(smollm2.folder())
    ways = {None: naive.defined, "2025": naive.year_2025, "2026": naive.year_2026}
    model = open_model("smollm2")
    for published, reference in ways.items():
        rows = scored(model, lang="fr,sk,fi", limit=2, as_published=published)
        assert set(rows["condition"]) == {"gendered", "pronoun", "noun"}
        for row in rows.itertuples():
            wanted = reference(row.sentence, row.female)
            found = row.log_ratio if published is None else share(row.log_ratio, 0.0)
            if wanted is not None:
                near = of_sum(naive.tokens(row.sentence, row.female))
                assert found == pytest.approx(wanted, abs=near), (published, row.sentence)


def test_swapping_the_forms_turns_every_score_round(models, straight, tmp_path):
    folder = models("gpt2", "bytes")
    swapped = own(tmp_path / "swapped.csv", [(k, f, m, i) for k, m, f, i in PAIRS])
    for published in (None, "2025", "2026"):
        one = straight(folder, published)["log_ratio"]
        other = scored(str(folder), data=swapped, as_published=published)["log_ratio"]
        assert (one.isna() == other.isna()).all()
        assert (one + other).abs().max() < 1e-5


def test_a_form_that_is_the_beginning_of_the_other_has_no_advantage(models, straight):
    """Both texts end in a full stop, so that neither is a part of the other."""
    rows = straight(models("gpt2", "bytes"), None)
    row = rows[rows["sentence"].str.contains("fatigué")].iloc[0]
    assert (row["sentence"], row["female"]) == ("Je suis fatigué.", "Je suis fatiguée.")


THINGS = ("casa", "nave", "luna", "lampa", "strada", "ponte", "campo", "torre")
FORMS = {
    "it": ("stanco", "stanca", "Io dico parola{} di {} e sono"),
    "lt": ("pavargęs", "pavargusi", "Aš sakau žodis{} {} ir esu"),
}


@pytest.mark.long
@pytest.mark.parametrize("masked", [False, True], ids=["causal", "masked"])
def test_a_planted_stereotype_is_found_in_two_languages_in_their_directions(tmp_path, masked):
    """Italian is stereotypical, Lithuanian the other way round."""
    draw = random.Random(2)
    lines, pairs = [], []
    for language, (male, female, frame) in FORMS.items():
        for i in range(1, 17):
            for thing in THINGS:
                before = frame.format(i, thing)
                likely = (i in MALE) == (language == "it")
                lines += [
                    f"{before} {male if draw.random() < (0.9 if likely else 0.1) else female} ." for _ in range(3)
                ]
                pairs.append((language, f"{before} {male} .", f"{before} {female} .", i))
    words = [word for male, female, _ in FORMS.values() for word in (male, female)]
    folder = train(lines, words, masked, tmp_path / "model", steps=80, rate=3e-3)
    result = evaluate("eurogest", folder, data=own(tmp_path / "pairs.csv", pairs))
    assert result.estimate("stereotype_rate", language="it").low > 1
    assert result.estimate("stereotype_rate", language="lt").high < 1
    assert result.estimate("stereotype_rate", language="it").n == len(pairs) / 2
    over = result.estimate("stereotype_rate")
    both = [math.log(result.estimate("stereotype_rate", language=k).value) for k in FORMS]
    assert math.log(over.value) == pytest.approx(sum(both) / 2)
    assert over.wide_low <= over.low
    assert result.summary.startswith("Across 2 languages: ")
    published = (
        None if masked else evaluate("eurogest", folder, data=own(tmp_path / "p.csv", pairs), as_published="2025")
    )
    if published is not None:
        assert published.estimate("stereotype_rate", language="it").low > 1
        assert published.estimate("stereotype_rate", language="lt").high < 1


@pytest.mark.long
def test_pairs_of_slavic_languages_give_what_gest_slavic_gives(models, tmp_path):
    model = str(models("bert", "wordpiece-cased"))
    rows = [("sk", f"I {k} was the", f"I {k} was there", number) for number, k in enumerate("hatsdn", 1)]
    theirs = tmp_path / "slavic.csv"
    theirs.write_text("male,female,stereotype\n" + "".join(f"{m}.,{f}.,{i}\n" for _, m, f, i in rows))
    ours = scored(model, data=own(tmp_path / "pairs.csv", rows))
    slavic = evaluate("gest-slavic", model, pairs=str(theirs)).rows
    assert slavic["log_ratio"].notna().all()
    assert ours["log_ratio"].tolist() == slavic["log_ratio"].tolist()


@pytest.mark.long
def test_masked_models_are_asked_for_the_words_of_a_scaffold(models, mirror, monkeypatch):
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))
    model = str(models("roberta", "bytes-mask"))
    rows = scored(model, lang="en,de,fi", limit=6, condition="noun")
    assert rows["log_ratio"].notna().sum() + rows["unread"].notna().sum() == len(rows)
    assert (
        rows.loc[rows["unread"].notna(), "unread"]
        .str.contains("tokens, and a masked model cannot compare different lengths")
        .all()
    )
    with pytest.raises(UserError, match=r"published for causal models, but .* leave out --as-published"):
        scored(model, lang="en", as_published="2026")


def test_a_script_that_the_tokenizer_cannot_write_is_unread_and_said(tmp_path):
    folder = train(["I am here ."], ("here",), False, tmp_path / "model", steps=1, more=("casa .",))
    rows = [("el", f"Είμαι {k} κουρασμένος", f"Είμαι {k} κουρασμένη", k) for k in range(1, 17)]
    result = evaluate("eurogest", folder, data=own(tmp_path / "pairs.csv", rows))
    assert result.rows["unread"].str.contains("unknown to the tokenizer").all()
    assert result.estimate("stereotype_rate").value is None
    assert any("In el most samples could not be scored" in caution for caution in result.cautions)


def test_stereotypes_with_few_sentences_are_dropped_as_published_in_2026(models, tmp_path):
    """Ten sentences keep a stereotype, nine do not, and then the language has no rate over stereotypes."""
    rows = [
        (language, f"Je dis {i} et {k} content", f"Je dis {i} et {k} contente", i)
        for language, fewest in (("fr", 10), ("it", 9))
        for i in range(1, 17)
        for k in range(fewest if i == 5 else 10)
    ]
    file = own(tmp_path / "pairs.csv", rows)
    result = evaluate("eurogest", str(models("gpt2", "bytes")), data=file, as_published="2026")
    means = [share(group["log_ratio"].iloc[0], 0) for _, group in result.rows.groupby("stereotype")]
    assert len(means) == 16
    shares = 1 / (
        1 + (-result.rows.loc[result.rows["language"] == "fr"].set_index("stereotype")["log_ratio"]).map(math.exp)
    )
    q = shares.groupby("stereotype").mean()
    g_s = result.estimate("stereotype_rate", language="fr")
    assert g_s.value == pytest.approx(q.loc[8:].mean() / q.loc[:7].mean())
    assert g_s.low < g_s.value < g_s.high
    skipped = result.estimate("stereotype_rate", language="it")
    assert skipped.value is None
    assert "fewer than ten sentences for stereotype 5" in skipped.remark
    assert {
        e.stereotype for e in result.as_estimates() if e.name == "masculine_rate_by_stereotype" and e.language == "it"
    } == set(range(1, 17)) - {5}
    kept = evaluate("eurogest", str(models("gpt2", "bytes")), data=file, as_published="2025")
    assert kept.estimate("stereotype_rate", language="it").value is not None
