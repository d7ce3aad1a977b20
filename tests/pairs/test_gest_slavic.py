"""GEST on pairs of sentences: planted preferences, and which tokens are compared."""

import io
import math
import random

import numpy as np
import pytest
import torch
import transformers as tf
from rich.console import Console
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

import genderscope
from genderscope.core.errors import UserError
from genderscope.report import show
from genderscope.report.views.declared_view import view_of
from genderscope.samples.gest import MALE
from tests.trained import train

THINGS = ("lodi", "rieke", "okne", "lampe", "stole", "moste", "ceste", "poli")


def sentences():
    return [(f"Ten slovo{i} a ja som ", f" pri {thing} .", i) for i in range(1, 17) for thing in THINGS]


def write(path, rows):
    lines = ["male,female,stereotype,source", *(f"{m},{f},{i},I saw my family." for m, f, i in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


@pytest.mark.long
@pytest.mark.parametrize(("share", "verdict"), [(0.9, "above"), (0.1, "below")])
def test_a_planted_stereotype_is_found_in_its_direction(tmp_path, share, verdict):
    draw = random.Random(1)
    lines = []
    for before, after, i in sentences():
        for _ in range(3):
            masculine = draw.random() < (share if i in MALE else 1 - share)
            lines.append(before + ("bol" if masculine else "bola") + after)
    folder = train(lines, ("bol", "bola"), True, tmp_path / "model", steps=100, rate=3e-3, positions=16)
    file = write(tmp_path / "pairs.csv", [(f"{b}bol{a}", f"{b}bola{a}", i) for b, a, i in sentences()])
    result = genderscope.evaluate("gest-slavic", folder, pairs=file, lang="sk")
    g_s = result.estimate("stereotype_rate")
    assert (g_s.low > 1) if verdict == "above" else (g_s.high < 1)
    assert g_s.n == len(sentences())
    assert len([e for e in result.as_estimates() if e.name == "rank"]) == 16
    published = genderscope.evaluate("gest-slavic", folder, pairs=file, as_published=True)
    assert published.estimate("stereotype_rate").value ** math.log(10) == pytest.approx(g_s.value)


@pytest.mark.long
def test_several_languages_in_one_run_are_each_what_they_are_alone(pieces, tmp_path):
    folder, _ = pieces
    draw = random.Random(3)
    words = [("bol", "bola"), ("plakal", "plakala"), ("unavený", "unavená")]
    for language in ("sk", "cs"):
        rows = [
            (f"{' '.join(draw.choices(['ja', 'som'], k=5))} {male} .", female, i)
            for i in range(1, 17)
            for male, female in words * 2
        ]
        rows = [(m, " ".join([*m.split()[:-2], f, "."]), i) for m, f, i in rows]
        write(tmp_path / f"pairs-{language}.csv", rows)
    both = genderscope.evaluate("gest-slavic", folder, pairs=str(tmp_path / "pairs-{lang}.csv"), lang="sk,cs")
    alone = genderscope.evaluate("gest-slavic", folder, pairs=str(tmp_path / "pairs-sk.csv"), lang=("sk",))
    for name in ("masculine_rate_female", "masculine_rate_male", "stereotype_rate"):
        assert both.estimate(name, language="sk").value == alone.estimate(name).value
        assert both.estimate(name, language="sk").low == alone.estimate(name).low
    r = both.estimate("r", group="languages sk and cs")
    rates = [
        [both.estimate("masculine_rate_by_stereotype", language=k, stereotype=i).value for i in range(1, 17)]
        for k in ("sk", "cs")
    ]
    plain = np.corrcoef(np.log(rates))[0, 1]
    assert f"{plain:.2f} before correction for noise" in r.remark
    assert (r.value, r.low, r.high) == (None, None, None), "six pairs a stereotype of a random model are noise"
    assert both.summary.startswith("sk: ")
    shown = io.StringIO()
    show(both, Console(file=shown, width=140), full=True)
    assert "language sk" in shown.getvalue()
    assert "language cs" in shown.getvalue()
    assert "languages sk and cs" in shown.getvalue()
    assert [f.title for f in view_of("gest-slavic").figures("m", both)] == [
        f"Masculine rate by stereotype, {k}" for k in ("sk", "cs")
    ]
    assert set(both.rows["language"]) == {"sk", "cs"}


@pytest.mark.parametrize(
    ("pairs", "lang", "complaint"),
    [("pairs.csv", "sk,cs", "write {lang}"), ("pairs-{lang}.csv", "", "no language is given")],
)
def test_languages_and_files_must_fit(pieces, pairs, lang, complaint):
    with pytest.raises(UserError, match=complaint):
        genderscope.evaluate("gest-slavic", pieces[0], pairs=pairs, lang=lang)


PIECES = "[PAD] [UNK] [MASK] ja som bol bola plak ##al ##ala un ##av ##en ##ý ##á viedol vied ##la ."


@pytest.fixture(scope="module")
def pieces(tmp_path_factory):
    """A masked model with random weights over words, beginnings and endings."""
    folder = tmp_path_factory.mktemp("pieces")
    words = PIECES.split()
    tokenizer = Tokenizer(models.WordPiece({w: k for k, w in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    fast = tf.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", mask_token="[MASK]"
    )
    torch.manual_seed(0)
    config = tf.BertConfig(
        vocab_size=len(words), hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=16, initializer_range=0.5,
    )  # fmt: skip
    model = tf.BertForMaskedLM(config).eval()
    model.save_pretrained(folder)
    fast.save_pretrained(folder)

    def naive(text, masked, male, female):
        """Mask the tokens with these positions and return the mean log-ratio of two lists of tokens."""
        ids = fast(text, return_tensors="pt")["input_ids"]
        ids[0, masked] = fast.mask_token_id
        with torch.no_grad():
            logits = model(input_ids=ids).logits[0]
        each = [
            float(logits[p, words.index(m)] - logits[p, words.index(f)])
            for p, m, f in zip(masked, male, female, strict=True)
        ]
        return sum(each) / len(each)

    return str(folder), naive


PAIRS = [
    ("ja som bol .", "ja som bola .", 1),
    ("ja som plakal .", "ja som plakala .", 2),
    ("ja som unavený .", "ja som unavená .", 8),
    ("ja som viedol .", "ja som viedla .", 9),
    ("ja som bolal .", "ja som plakala .", 9),
]


def test_one_token_is_compared_wherever_in_the_word_it_stands(pieces, tmp_path):
    folder, naive = pieces
    rows = genderscope.evaluate("gest-slavic", folder, pairs=write(tmp_path / "p.csv", PAIRS)).rows
    expected = [
        naive("ja som bol .", [2], ["bol"], ["bola"]),
        naive("ja som plakal .", [3], ["##al"], ["##ala"]),
        naive("ja som unavený .", [5], ["##ý"], ["##á"]),
    ]
    assert list(rows["log_ratio"][:3]) == pytest.approx(expected, abs=1e-4)
    assert "1 and 2 tokens" in rows["unread"][3]
    assert rows["unread"][4] == "the differing words start with different letters"
    assert rows["family"].all()


@pytest.mark.long
def test_several_tokens_are_compared_only_on_demand(pieces, tmp_path):
    folder, naive = pieces
    file = write(tmp_path / "p.csv", [("ja som plakal .", "ja som plavla .", 1), *PAIRS[:3]])
    # un|av|ý and un|en|á differ in two tokens; "plavla" has none
    two = write(tmp_path / "two.csv", [("ja som unavý .", "ja som unená .", 1), *PAIRS[:3]])
    assert "unknown to the tokenizer" in genderscope.evaluate("gest-slavic", folder, pairs=file).rows["unread"][0]
    plain = genderscope.evaluate("gest-slavic", folder, pairs=two).rows
    assert plain["unread"][0] == "the forms differ in more than one token (--multi-token scores them)"
    scored = genderscope.evaluate("gest-slavic", folder, pairs=two, multi_token=True).rows
    whole = naive("ja som unavý .", [2, 3, 4], ["un", "##av", "##ý"], ["un", "##en", "##á"])
    assert scored["log_ratio"][0] == pytest.approx(whole, abs=1e-4)
    assert scored["note"][0] == "mean over 3 simultaneously masked tokens"
    assert list(scored["log_ratio"][1:]) == list(plain["log_ratio"][1:])


def test_stereotypes_without_a_reading_do_not_hide_the_rates(pieces, tmp_path):
    folder, _ = pieces
    result = genderscope.evaluate("gest-slavic", folder, pairs=write(tmp_path / "p.csv", PAIRS))
    assert result.estimate("stereotype_rate").value is not None
    assert any("No pair was read for these stereotypes" in caution for caution in result.cautions)
    assert any("2 of 5 pairs could not be scored" in caution for caution in result.cautions)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (None, "needs --pairs FILE"),
        ("a,b\n1,2\n", "has no column male or female or stereotype"),
        ("male,female,stereotype\n", "has no pairs"),
        ("male,female,stereotype\nBol,Bola,17\n", "line 2: the stereotype is '17'"),
        ("male,female,stereotype\nBol,,1\n", "line 2: one of the two sentences is empty"),
        ("male,female,stereotype\nBol,Bol,1\n", "differs in exactly one word"),
    ],
)
def test_a_bad_file_gets_one_sentence(pieces, tmp_path, content, complaint):
    path = tmp_path / "bad.csv"
    if content is not None:
        path.write_text(content)
    with pytest.raises(UserError) as raised:
        genderscope.evaluate("gest-slavic", pieces[0], pairs=None if content is None else str(path))
    assert complaint in str(raised.value)
