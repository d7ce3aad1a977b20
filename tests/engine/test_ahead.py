"""A device that works by itself gets its next questions while it does."""

import numpy as np
import pytest

from genderscope.engine import ask
from genderscope.engine.local import GROWING, WINDOW, windows
from genderscope.models import open_model
from genderscope.models.hf.language_model import LanguageModel
from genderscope.models.hf.passes.segments import packed, segment_width, with_room
from genderscope.models.hf.passes.texts import Texts
from genderscope.questions import Choice, Message, Reply
from genderscope.runs import Journal
from genderscope.written import answer_from_json, question_key


def questions(count):
    return [Choice(f"I was there {k} times, ", f" said {k % 5}.", ("he", "she"), k % 90 == 0) for k in range(count)]


def answers(model, asked, path, monkeypatch, overlaps):
    monkeypatch.setattr(LanguageModel, "overlaps", overlaps)
    done = []
    with Journal(path) as journal:
        ask(model, asked, journal, progress=done.append)
        assert sum(done) == len(asked)
        texts = journal.read(question_key(model.fingerprint, question) for question in asked)
        return [answer_from_json(Choice, text) for text in texts]


def test_questions_prepared_ahead_get_the_same_answers(models, tmp_path, monkeypatch):
    asked = questions(GROWING[0] + 300)
    asked += asked[:50]  # asked again in the next window: the first answer counts
    model = open_model(str(models("bert", "wordpiece-cased")))
    begun = []
    begin = model.encoded.begin
    monkeypatch.setattr(model.encoded, "begin", lambda some: (begun.append(len(some)), begin(some)))
    alone = answers(model, asked, tmp_path / "alone", monkeypatch, False)
    assert begun == []
    ahead = answers(model, asked, tmp_path / "ahead", monkeypatch, True)
    assert begun == [350]
    for one, other in zip(alone, ahead, strict=True):
        assert one.tokens == other.tokens
        assert one.scores == pytest.approx(other.scores, abs=1e-5)
        assert one.log_normaliser == pytest.approx(other.log_normaliser, abs=1e-5)


def test_questions_that_were_not_announced_are_encoded_when_they_come(models):
    model = open_model(str(models("bert", "wordpiece-cased")))
    expected = [each.ids for each in model.encoded.of(questions(4))]
    model.encoded.begin(questions(9))
    assert [each.ids for each in model.encoded.of(questions(4))] == expected
    model.encoded.begin(questions(4))
    assert [each.ids for each in model.encoded.of(questions(4))] == expected


def test_windows_grow_and_meet_those_of_other_devices():
    drawn = [len(window) for window in windows(range(2 * WINDOW + 7), GROWING)]
    assert tuple(drawn) == (*GROWING, *GROWING, 7)


def test_texts_in_segments_do_not_overlap():
    lengths = np.random.default_rng(3).integers(1, 60, 500)
    width = segment_width(int(lengths.max()))
    rows, firsts = packed(lengths, width)
    places = [(row, first + k) for row, first, size in zip(rows, firsts, lengths, strict=True) for k in range(size)]
    assert len(set(places)) == len(places) == lengths.sum()
    assert max(place for _, place in places) < width
    assert rows.max() + 1 <= 1.1 * lengths.sum() / width


def test_a_trial_leaves_room_for_longer_texts_to_come():
    texts = Texts.of([[2, 7, 3], [2, 5, 6, 7, 8, 3]])
    roomy = with_room(texts, 512)
    assert roomy.lengths.tolist() == [3, 6, 8]
    assert roomy[np.array([2])].ids.tolist() == [2, 5, 6, 7, 8, 5, 6, 3]
    assert with_room(texts, 6) is texts, "the model reads no more than 6 tokens"


def test_a_key_depends_on_its_question_alone_not_on_what_was_asked_before():
    whole, exact = (Reply((Message("user", "Hi"),), temperature=each) for each in (1, 1.0))
    before = question_key("model", whole)
    question_key("model", exact)
    assert whole == exact
    assert question_key("model", whole) == before != question_key("model", exact)
    question_key("model", Choice("He ", " is", ["tall", "short"]))  # a plugin may write a list
