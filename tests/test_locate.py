"""Words are found where they stand in the sentence, whatever the tokenizer."""

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import ByT5Tokenizer, PreTrainedTokenizerFast

from genderscope.core.errors import UserError
from genderscope.core.questions import Choice
from genderscope.measures.gest import TEMPLATES
from genderscope.models.hf.blanks import one_token_each
from genderscope.models.hf.checkpoints import encode, require_fast
from genderscope.models.hf.token_spans import Located, locate
from tests.tiny import TOKENIZERS


def located(tokenizer, question):
    """Locate a question the careful way; where there is a quick one, it finds the same."""
    encoded = encode(tokenizer, [question.before + option + question.after for option in question.options])
    found = locate(question, encoded, tokenizer.unk_token_id)
    chosen, quick = one_token_each([question], encoded, tokenizer.unk_token_id, 512, sees_after=False)
    if len(chosen):
        ids, place, options = quick.texts.ids.tolist(), int(quick.places[0]), quick.options[0].tolist()
        before, after = tuple(ids[:place]), tuple(ids[place + 1 :])
        assert found == Located(before, tuple((token,) for token in options), after)
    return found


def test_a_byte_level_tokenizer_fills_the_blank_with_the_token_that_carries_the_space():
    tokenizer = TOKENIZERS["bytes"]()
    found = located(tokenizer, TEMPLATES[3].ask("I was there.", False))
    assert [tokenizer.decode(option) for option in found.options] == [" he", " she"]
    assert [len(option) for option in found.options] == [1, 1]
    bare = tokenizer("he", add_special_tokens=False)["input_ids"]
    assert list(found.options[0]) != bare


@pytest.mark.parametrize("family", sorted(TOKENIZERS))
@pytest.mark.parametrize("number", sorted(TEMPLATES))
def test_before_option_after_are_the_whole_sentence(family, number):
    tokenizer = TOKENIZERS[family]()
    question = TEMPLATES[number].ask("When they asked, I was there.", False)
    found = located(tokenizer, question)
    assert isinstance(found, Located)
    for option, word in zip(found.options, question.options, strict=True):
        whole = tokenizer(question.before + word + question.after)["input_ids"]
        assert list(found.before + option + found.after) == whole
        assert tokenizer.decode(list(option)).strip().casefold() == word.casefold()


def tokenizer_of(vocabulary, unknown="[UNK]"):
    made = Tokenizer(models.WordLevel({word: k for k, word in enumerate([unknown, *vocabulary])}, unk_token=unknown))
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return PreTrainedTokenizerFast(tokenizer_object=made, unk_token=unknown)


def test_a_word_that_shares_a_token_with_its_neighbour_is_unread():
    found = located(tokenizer_of(["I", "he,", "she,", "said"]), Choice("I ", ", said", ("he", "she")))
    assert found == "the word 'he' shares a token with its neighbour"


def test_a_word_unknown_to_the_tokenizer_is_unread():
    found = located(tokenizer_of(["I", "he", "said"]), Choice("I ", " said", ("he", "she")))
    assert found == "the word 'she' is unknown to the tokenizer"


@pytest.mark.parametrize("before", ["", "I ", "I"])
@pytest.mark.parametrize("family", sorted(TOKENIZERS))
def test_an_empty_option_is_unread(family, before):
    found = located(TOKENIZERS[family](), Choice(before, " said.", ("he", "")))
    assert "''" in found
    assert located(TOKENIZERS[family](), Choice(before, " said.", ("", "he"))) == found


def test_options_that_look_the_same_to_the_tokenizer_are_unread():
    tokenizer = TOKENIZERS["wordpiece-uncased"]()
    found = located(tokenizer, Choice("The ", " said.", ("man", "Man")))
    assert found == "two options have the same tokens"


def test_a_slow_tokenizer_gets_one_clear_sentence():
    with pytest.raises(UserError, match=r"'bytes' .ByT5Tokenizer. is slow .* use a model with a fast tokenizer"):
        require_fast(ByT5Tokenizer(), "bytes")
