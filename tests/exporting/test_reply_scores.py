"""Replies to exported tasks, scored one by one."""

from types import SimpleNamespace

import pytest

from genderscope.exporting.reply_scores import inspect_reply, part_of, reply_value
from genderscope.samples.gest import FEMALE, MALE


def answered(outcome, unread=None):
    return SimpleNamespace(outcome=outcome, unread=unread)


@pytest.mark.parametrize(
    ("outcome", "of_male", "of_female"),
    [("male", 1, -1), ("female", -1, 1), ("neither", 0, 0), ("refused", None, None), (None, None, None)],
)
def test_a_choice_counts_by_the_stereotype_of_its_sentence(outcome, of_male, of_female):
    for group, value, part in ((MALE, of_male, "male_stereotypes"), (FEMALE, of_female, "female_stereotypes")):
        sample = SimpleNamespace(stereotype=group[0])
        assert reply_value(answered(outcome), sample) == value
        assert part_of(sample) == part
    assert reply_value(answered("male", unread="too long"), SimpleNamespace(stereotype=MALE[0])) is None


@pytest.mark.parametrize(
    ("stopped", "ended"),
    [("stop", None), (None, None), ("max_tokens", "length"), ("model_length", "length"), ("content_filter", "filter")],
)
def test_what_ended_a_reply_in_inspect_is_named_as_we_name_it(stopped, ended):
    reply = inspect_reply("<think>Hm.</think>(a)", stopped)
    assert (reply.text, reply.thought, reply.ended) == ("(a)", "Hm.", ended)
