"""Whatever the architecture, the default settings give what the model says of each text alone.

Walks every family that transformers registers as a masked or a causal language model.
"""

import copy
import csv
import random
from pathlib import Path
from typing import Any

import pytest
import torch

from genderscope.core.errors import UserError
from genderscope.core.questions import Choice, Completion, TokenLikelihood
from genderscope.models import open_model
from tests import families
from tests.support.tolerance import PER_TOKEN
from tests.tiny import TOKENIZERS

WORDS = ("I", "was", "there", "when", "it", "all", "began", "and", "they", "asked", "me", "the", "old", "boat", "lake")
#: families that are not walked, with the reason: those that cannot be built, and those that are refused
EXCEPTIONS = {
    (row["kind"], row["family"]): row for row in csv.DictReader((Path(__file__).parent / "families.csv").open())
}
WALKED = [(kind, family) for kind, registry in families.REGISTRIES.items() for family in registry]


def text(words, seed):
    return " ".join(["I was", *random.Random(seed).choices(WORDS, k=words)])


#: short texts, texts around the window and beyond it; together longer than a row, in every order
TEXTS = [text(words, seed) for seed, words in enumerate((40, 1, 2, 3, 3, 5, 7, 8, 9, 10, 16, 17, 60, 2, 12))]
CHOICES = [Choice(f"{t} the ", " said.", ("man", "he")) for t in TEXTS]
#: what stands before their last word is also what stands before a choice, so a causal model reads it alone only once
SCORED = [f"{t} the he" for t in TEXTS]
ENCODED: dict[Any, Any] = {}


@pytest.fixture(scope="module")
def tokenizers():
    return {"masked": TOKENIZERS["bytes-mask"](), "causal": TOKENIZERS["bytes-bos"]()}


class Alone:
    """The model as its authors run it: one text, nothing filled up, everything computed."""

    def __init__(self, kind, model, tokenizer, looks_ahead=False):
        self.model = model.eval()
        self.tokenizer = tokenizer
        self.masked = kind == "masked"
        self.looks_ahead = looks_ahead
        self.read = {}

    def table(self, ids):
        """Return the log-probabilities behind every token of a text; many questions share one."""
        if tuple(ids) not in self.read:
            self.read[tuple(ids)] = self._table(ids)
        return self.read[tuple(ids)]

    def _table(self, ids):
        # BigBird remembers what it was asked before, so a fresh copy reads every text.
        model = copy.deepcopy(self.model) if self.model.config.model_type == "big_bird" else self.model
        with torch.no_grad():
            return model(input_ids=torch.tensor([ids])).logits[0].double().log_softmax(-1)

    def ids(self, written):
        return self.encoded(written)["input_ids"]

    def encoded(self, written):
        """Every family of a kind has the same tokenizer, so a text is cut into tokens once."""
        if (self.masked, written) not in ENCODED:
            ENCODED[self.masked, written] = self.tokenizer(written, return_offsets_mapping=True)
        return ENCODED[self.masked, written]

    def choice(self, question, option):
        encoded = self.encoded(question.before + option + question.after)
        ids, begin, end = encoded["input_ids"], len(question.before), len(question.before) + len(option)
        begin = begin if self.masked else len(question.before.rstrip())
        word = [k for k, (a, b) in enumerate(encoded["offset_mapping"]) if a < end and b > begin and a < b]
        if self.masked:
            table = self.table([self.tokenizer.mask_token_id if k in word else token for k, token in enumerate(ids)])
            return sum(float(table[k, ids[k]]) for k in word) / len(word)
        table = self.table(ids[: word[-1]])
        return sum(float(table[k - 1, ids[k]]) for k in word)

    def likelihood(self, written, place):
        ids = self.ids(written)
        if self.masked:
            masked = [self.tokenizer.mask_token_id if k == place else token for k, token in enumerate(ids)]
            return float(self.table(masked)[place, ids[place]])
        return float(self.table(ids[:-1])[place - 1, ids[place]])  # the last token is not there to be looked at

    def completion(self, question, tokens):
        if self.masked:
            ids = self.ids(question.before + self.tokenizer.mask_token + question.after)
            return float(self.table(ids)[ids.index(self.tokenizer.mask_token_id), tokens[0]])
        before = self.ids(question.before.rstrip())
        if self.looks_ahead:
            return sum(float(self.table([*before, *tokens[:k]])[-1, token]) for k, token in enumerate(tokens))
        table = self.table([*before, *tokens[:-1]])  # what follows a token changes nothing before it
        return sum(float(table[len(before) - 1 + k, token]) for k, token in enumerate(tokens))


def answers_to(model, questions):
    plan = model.plan(questions, None)
    found = dict(plan.immediate)
    for batch in plan.batches:
        found.update(zip(batch.indices, model.answer(batch), strict=True))
    return [found[k] for k in range(len(questions))]


def check_choices(model, alone):
    answers = answers_to(model, CHOICES)
    assert all(answer.unread is None for answer in answers)
    apart = []
    for question, answer in zip(CHOICES, answers, strict=True):
        one, other = (alone.choice(question, option) for option in question.options)
        assert answer.scores[0] - answer.scores[1] == pytest.approx(one - other, abs=PER_TOKEN), len(question.before)
        apart.append(one - other)
    assert max(apart) - min(apart) > 100 * PER_TOKEN, "the model says the same of every text: nothing was tested"


def check_likelihoods(model, alone):
    questions = [TokenLikelihood(t, (), False) for t in SCORED]
    for question, answer in zip(questions, answers_to(model, questions), strict=True):
        places = range(1, 1 + len(answer.log_probabilities))  # behind the beginning-of-text token
        for place in {places[0], places[len(places) // 2], places[-1]}:
            found = answer.log_probabilities[place - 1]
            assert found == pytest.approx(alone.likelihood(question.text, place), abs=PER_TOKEN), len(question.text)


def check_completions(model, alone, new_tokens):
    questions = [Completion(f"{t} the ", " said.", 2, new_tokens=new_tokens) for t in TEXTS[::3]]
    for question, answer in zip(questions, answers_to(model, questions), strict=True):
        for tokens, score in zip(answer.tokens, answer.scores, strict=True):
            assert score == pytest.approx(alone.completion(question, tokens), abs=PER_TOKEN), len(question.before)


@pytest.mark.long_but(
    "masked-bert",
    "masked-xlm-roberta",
    "causal-gpt2",
    "causal-gpt_neox",
    "causal-llama",
    "causal-mistral",
    "causal-bloom",
    "causal-opt",
    "causal-gemma",
)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("kind", "family"), WALKED)
def test_the_default_settings_give_what_the_model_says_of_each_text_alone(kind, family, tokenizers, tmp_path):
    tokenizer = tokenizers[kind]
    exception = EXCEPTIONS.get((kind, family))
    if exception and exception["what"] == "not built":
        with pytest.raises(Exception, match=r"."):
            families.build(kind, family, tokenizer, tmp_path)
        pytest.skip(f"cannot be built: {exception['why']}")
    built = families.build(kind, family, tokenizer, tmp_path)
    if exception and exception["what"] == "refused":
        with pytest.raises(UserError, match=exception["why"]):
            answers_to(open_model(str(tmp_path)), CHOICES)
        return
    model = open_model(str(tmp_path))
    if exception and exception["what"] == "translator":
        assert model.kind == "sequence-to-sequence"
        return
    assert model.kind == kind
    looks_ahead = bool(exception) and exception["what"] == "looks ahead"
    alone = Alone(kind, built, tokenizer, looks_ahead)
    check_choices(model, alone)
    if looks_ahead:
        with pytest.raises(UserError, match="predictions depend on later words"):
            check_likelihoods(model, alone)
    else:
        check_likelihoods(model, alone)
    check_completions(model, alone, 1)
    if kind == "causal":
        check_completions(model, alone, 3)


def test_every_exception_is_a_family_that_is_registered():
    assert set(EXCEPTIONS) <= set(WALKED)


@pytest.mark.filterwarnings("ignore")
def test_a_way_that_was_exact_for_texts_alone_is_tried_again_where_texts_share_a_pass(tokenizers, tmp_path):
    # X-MOD chooses its adapters by the row of a batch, so its logits cannot be cut out of several rows.
    built = families.build("masked", "xmod", tokenizers["masked"], tmp_path)
    model, alone = open_model(str(tmp_path)), Alone("masked", built, tokenizers["masked"])
    longest = max(CHOICES, key=lambda question: len(question.before))
    (answer,) = answers_to(model, [longest])
    one, other = (alone.choice(longest, option) for option in longest.options)
    assert answer.scores[0] - answer.scores[1] == pytest.approx(one - other, abs=PER_TOKEN)
    check_likelihoods(model, alone)
