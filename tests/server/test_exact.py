"""What comes through a server equals what the model says here, on every rung that tells log-probabilities."""

import pytest

from genderscope.core.questions import Choice, Completion, TokenLikelihood
from genderscope.measures.gest.templates import SENTENCE_FIRST
from genderscope.models import open_model
from genderscope.models.server.choices import NO_SPACES
from genderscope.models.server.model import ServerModel
from genderscope.models.server.tokens import align
from tests.support.answers import SENTENCES, answers_to, gest_questions
from tests.support.evaluation import evaluate
from tests.support.kinds import of_kind
from tests.support.log_ratios import TOLERANCE, log_ratio

TOKENIZERS = ["bytes", "bytes-bos", "metaspace-bos"]
FORMS = ["prompt_logprobs", "echo"]


@pytest.mark.long_but("bytes-echo", "metaspace-bos-echo")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_choices_equal_local_ones(models, serve, tokenizer, form):
    questions = gest_questions(SENTENCE_FIRST, want_mass=True)
    questions += [Choice(f'"{s}", the ', " said.", ("gynaecologist", "man")) for s in SENTENCES]
    server = serve(tokenizer, offers=[form, "logprobs", "completions"])
    local = answers_to(open_model(str(models("gpt2", tokenizer))), questions)
    through = answers_to(open_model(server.spec), questions)
    assert of_kind(open_model(server.spec), ServerModel).query_method.form == form
    for question, here, there in zip(questions, local, through, strict=True):
        assert there.scores is not None, (question, there.unread)
        assert log_ratio(there) == pytest.approx(log_ratio(here), abs=TOLERANCE)
        assert there.note == here.note
        assert list(map(len, there.tokens)) == list(map(len, here.tokens))
        if here.mass is not None:
            assert there.mass == pytest.approx(here.mass, rel=TOLERANCE)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_likelihoods_equal_local_ones(models, serve, tokenizer, form):
    text = "They asked me about the children, the house and the old boat."
    start = text.index("children")
    questions = [
        TokenLikelihood(text, (), False),
        TokenLikelihood(text, ((start, start + len("children")),), True),
        TokenLikelihood(text, ((0, 4),), False),
        TokenLikelihood(text, ((start + 1, start + 3),), False),
    ]
    server = serve(tokenizer, offers=[form, "logprobs", "completions"])
    local = answers_to(open_model(str(models("gpt2", tokenizer))), questions)
    through = answers_to(open_model(server.spec), questions)
    read = 0
    for here, there in zip(local, through, strict=True):
        assert (there.unread is None) == (here.unread is None)
        if here.log_probabilities is not None:
            assert len(there.ids) == len(here.ids)
            numbers = zip(there.log_probabilities, here.log_probabilities, strict=True)
            assert all(a == b if b is None else a == pytest.approx(b, abs=TOLERANCE) for a, b in numbers)
            read += 1
    assert read >= 2


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_among_the_likeliest_tokens_choices_equal_local_ones(models, serve, tokenizer):
    local_model = open_model(str(models("gpt2", tokenizer)))
    # The tiny model spreads its guesses: it is asked for all tokens, so that both words are among them.
    server = serve(tokenizer, offers=["logprobs", "completions"], top=10**9)
    model = of_kind(open_model(server.spec), ServerModel)
    assert (model.query_method.name, model.query_method.every) == ("top", True)
    questions = [Choice(f'"{s}", ', " said.", ("he", "she")) for s in SENTENCES]
    local = answers_to(local_model, questions)
    read = 0
    for here, there in zip(local, answers_to(model, questions), strict=True):
        if tokenizer == "metaspace-bos":  # its server leaves out the spaces
            assert there.unread == NO_SPACES or "not among" in there.unread
        elif all(len(ids) == 1 for ids in here.tokens):
            assert log_ratio(there) == pytest.approx(log_ratio(here), abs=TOLERANCE)
            read += 1
        else:
            assert "not among" in there.unread
    assert read or tokenizer == "metaspace-bos"


def test_the_likeliest_next_tokens_equal_local_completions(models, serve):
    questions = [Completion(f"{s} And then ", "", 5) for s in SENTENCES]
    local = answers_to(open_model(str(models("gpt2", "bytes"))), questions)
    server = serve("bytes", listed=True, offers=["logprobs", "completions"])
    for here, there in zip(local, answers_to(open_model(server.spec), questions), strict=True):
        assert there.texts == here.texts
        assert there.scores == pytest.approx(here.scores, abs=TOLERANCE)


def test_tokens_that_a_server_writes_alike_are_not_guessed(serve):
    questions = [Completion(f"{s} And then ", "", 20) for s in SENTENCES]  # many are broken characters
    for answer in answers_to(open_model(serve("bytes").spec), questions):
        assert answer.texts is None
        assert "of 20 tokens" in answer.unread


@pytest.mark.parametrize(
    ("text", "pieces", "offsets"),
    [
        ("a cat sat", ["a", " cat", " sat"], [(0, 1), (1, 5), (5, 9)]),
        ("a cat sat", ["<s>", "a", " cat", " sat"], [(0, 0), (0, 1), (1, 5), (5, 9)]),
        ("a cat sat", [None, " cat", " sat"], [(0, 1), (1, 5), (5, 9)]),
        ("a cat sat", [None, "a", "cat", "sat"], [(0, 0), (0, 1), (1, 5), (5, 9)]),
        ("a cat sat", ["▁a", "▁cat", "▁sat"], [(0, 1), (1, 5), (5, 9)]),
        ("a cat sat", ["Ġa", "Ġcat", "Ġsat"], [(0, 1), (1, 5), (5, 9)]),
        ("a 😀 sat", ["a", " ", "\ufffd", "\ufffd", " sat"], [(0, 1), (1, 2), (2, 3), (2, 3), (3, 7)]),
        ("I 😀 sat", ["I", "", " 😀", " sat"], [(0, 1), (1, 1), (1, 3), (3, 7)]),
    ],
)
def test_pieces_are_matched_with_the_text_from_both_ends(text, pieces, offsets):
    assert align(text, pieces) == offsets


@pytest.mark.long
def test_eurogest_on_a_server_gives_what_the_model_itself_gives(models, serve, tmp_path):
    file = tmp_path / "pairs.csv"
    pairs = [f"it,Oggi {k} sono stanco qui,Oggi {k} sono stanca qui,{k}\n" for k in range(1, 5)]
    file.write_text("language,male,female,stereotype\n" + "".join(pairs), encoding="utf-8")
    server = serve("bytes", offers=["prompt_logprobs", "logprobs", "completions"])
    there = evaluate("eurogest", server.spec, data=str(file)).rows["log_ratio"]
    here = evaluate("eurogest", str(models("gpt2", "bytes")), data=str(file)).rows["log_ratio"]
    assert there.notna().all()
    assert (there - here).abs().max() < TOLERANCE
