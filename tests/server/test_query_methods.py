"""The ladder: what a server offers decides how it is asked, and the run says so."""

import json
import math

import pytest

import genderscope
from genderscope.core.errors import UserError
from genderscope.core.questions import Choice, Completion, TokenLikelihood, Translation
from genderscope.models import Remote, open_model
from genderscope.models.server.capabilities import QueryMethod
from genderscope.models.server.model import ServerModel
from tests.server.language_model import ALL
from tests.support.answers import CHOICE, answers_to
from tests.support.kinds import of_kind


def remote(**options):
    return Remote.model_validate(options)


@pytest.mark.parametrize(
    ("offers", "rung", "through", "likelihoods", "completes"),
    [
        (ALL, "prompt", "completions", True, True),
        (("echo", "logprobs", "completions", "chat"), "prompt", "completions", True, True),
        (("logprobs", "completions", "chat"), "top", "completions", False, True),
        (("completions", "chat"), "sampled", "completions", False, True),
        (("chat", "chat_logprobs"), "top", "chat", False, False),
        (("chat",), "sampled", "chat", False, False),
    ],
)
def test_the_best_rung_is_found(serve, offers, rung, through, likelihoods, completes):
    model = of_kind(open_model(serve(offers=offers).spec), ServerModel)
    assert (model.query_method.name, model.query_method.through) == (rung, through)
    assert (TokenLikelihood in model.answers, Completion in model.answers) == (likelihoods, completes)
    assert {Choice, Translation} <= model.answers


@pytest.mark.long
def test_the_ladder_is_probed_once_and_recorded_and_shown(serve, tmp_path):
    server = serve(offers=("completions", "many"))
    result = genderscope.evaluate("gest", server.spec, data="starter", limit=2, out=tmp_path / "run", samples=3)
    probes = [body for _, _, body in server.requests if body.get("logprobs")]
    assert len(probes) == 3  # the two numbers of next tokens, and the echo
    config = json.loads((tmp_path / "run" / "run.json").read_text())
    assert config["model"]["ladder"]["name"] == "sampled"
    assert config["model"]["samples"] == 3
    assert "|rung:sampled-completions-3|" in result.signature
    assert "frequencies in 3 sampled answers" in result.cautions[0]
    shown = f"Queried at {server.url}/v1; method: sampled answers (completions)."
    assert shown in (tmp_path / "run" / "report.html").read_text()


def test_rungs_and_what_decides_answers_do_not_mix_in_a_journal(serve):
    full, poor = serve(), serve(offers=("completions",))
    model = open_model(full.spec)
    poor.name, poor_spec = "tiny", full.spec
    for other in (
        open_model(poor.spec),
        open_model(poor_spec, remote=remote(prompt="{text} in {target}")),
        open_model(poor_spec, remote=remote(samples=7)),
        open_model(poor_spec, remote=remote(temperature=0.5)),
    ):
        assert other.fingerprint != model.fingerprint
    same = open_model(full.spec, remote=remote(concurrency=1, timeout=5, retries=0, yes=True))
    assert same.fingerprint == model.fingerprint


def test_an_option_outside_the_likeliest_tokens_is_unread(serve):
    [answer] = answers_to(open_model(serve(offers=("logprobs", "completions"), top=5).spec), [CHOICE])
    assert answer.scores is None
    assert answer.unread in {f"'{word}' is not among the 5 likeliest next tokens" for word in CHOICE.options}


@pytest.mark.parametrize("many", [("many",), ()])
def test_sampled_answers_are_counted_and_one_never_drawn_is_unread(serve, many):
    server = serve(offers=("completions", *many))
    model = open_model(server.spec, remote=remote(samples=5))
    [answer] = answers_to(model, [Choice(CHOICE.before, "", ("he", "zebra"))])
    assert answer.scores is None
    assert answer.unread in ("'he' was never sampled in 5 answers", "'zebra' was never sampled in 5 answers")
    assert answer.note.endswith(", 0 of 5")
    asked = [body for _, _, body in server.requests if body.get("n")]
    # A server that draws one at a time is asked for one at a time from then on, each time with another seed.
    assert [body["n"] for body in asked] == ([5] if many else [5, 1, 1, 1, 1])
    assert len({body["seed"] for body in asked}) == len(asked)


def test_frequencies_of_a_chat_that_says_he_twice_as_often(serve):
    replies = iter(["He.", "she", "**he**", "perhaps he", "Zorro", "he"] * 2)
    server = serve(offers=("chat",), chat=lambda text: "yes" if "Say yes" in text else next(replies))
    [answer] = answers_to(open_model(server.spec, remote=remote(samples=6, concurrency=1)), [CHOICE])
    assert math.exp(answer.scores[0] - answer.scores[1]) == pytest.approx(3)
    assert answer.mass == pytest.approx(4 / 6)
    assert answer.note == "drawn 3 of 6, 1 of 6"


def test_a_chat_with_log_probabilities_adds_the_spellings_of_a_word(serve):
    said = {"content": "he", "top": {"he": math.log(0.3), " He": math.log(0.1), "she": math.log(0.2), "x": -9.0}}
    server = serve(offers=("chat", "chat_logprobs"), chat=lambda _: said)
    [answer] = answers_to(open_model(server.spec), [CHOICE])
    assert answer.mass == pytest.approx(0.6)
    assert answer.scores[0] - answer.scores[1] == pytest.approx(math.log(2))


def test_random_continuations_follow_the_seed(serve):
    server = serve()

    def drawn(seed):
        question = Completion("The woman should work as a ", "", 4, 3, "sample", seed)
        return answers_to(open_model(server.spec), [question])[0]

    assert drawn(1) == drawn(1)
    assert drawn(1).texts != drawn(2).texts
    assert len(drawn(1).texts) == len(drawn(1).scores) == 4


@pytest.mark.parametrize(
    ("question", "complaint"),
    [
        (Completion("a ", "", 5, 3), "does not support beam search; use --search sample, or --new-tokens 1"),
        (Completion("a ", "", 50), "K is 50, but .* returns only 20 next tokens; lower -k or use --search sample"),
        (Completion("a ", "", 5, whole_words=True), "omit --whole-words"),
    ],
)
def test_what_a_server_cannot_do_is_said_before_it_is_asked(serve, question, complaint):
    with pytest.raises(UserError, match=complaint):
        answers_to(open_model(serve().spec), [question])


def test_a_text_too_long_for_the_server_is_unread_and_the_others_are_not(serve):
    long = Choice("I was there. " * 60, "", ("he", "she"))
    for offers in (ALL, ("logprobs", "completions"), ("completions",)):
        first, second = answers_to(open_model(serve(offers=offers).spec), [long, CHOICE])
        assert first.unread == "longer than the server's model accepts"
        assert second.unread != first.unread


def test_measures_of_likelihoods_need_prompt_log_probabilities(serve, tmp_path):
    server = serve(offers=("logprobs", "completions"))
    with pytest.raises(UserError, match="is a server model, which does not return token likelihoods"):
        genderscope.evaluate("crows", server.spec, out=tmp_path / "run")


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("server:http://localhost:1/v1", "Name a model on the server"),
        ("server:localhost:8000#m", "a server as server:http://localhost:8000/v1#MODEL"),
        ("server:http://me:secret@localhost/v1#m", "contains a password or a query"),
        ("server:http://localhost/v1?key=secret#m", "contains a password or a query"),
    ],
)
def test_a_server_is_named_by_url_and_model_without_secrets(spec, complaint):
    with pytest.raises(UserError, match=complaint) as caught:
        open_model(spec)
    assert "secret" not in str(caught.value)


def test_a_server_that_is_not_there_is_said_at_once(serve):
    with pytest.raises(UserError, match=r"No server responds at http://127.0.0.1:9/v1 .* is it running"):
        open_model("server:http://127.0.0.1:9#m").load()
    with pytest.raises(UserError, match=r"has no model 'tinny'; it has: tiny. Did you mean 'tiny'\?"):
        open_model(serve().spec.replace("#tiny", "#tinny")).load()


def test_a_server_that_returns_the_whole_vocabulary_is_not_said_to_return_only_a_part():
    model = open_model("server:http://127.0.0.1:9/v1#tiny")
    model.__dict__["query_method"] = QueryMethod("top", "completions", "openai", 49152)
    [caution] = model.cautions()
    assert caution == (
        "The server returns probabilities of the next token only, so questions with multi-token words count as unread."
    )
    model.__dict__["query_method"] = QueryMethod("top", "completions", "openai", 20)
    assert "only the 20 most likely next tokens" in model.cautions()[0]
