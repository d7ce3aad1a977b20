"""A device that works by itself gets its next questions while it does."""

from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

from genderscope.core.errors import UserError
from genderscope.core.journal_codec import answer_from_json, question_key
from genderscope.core.questions import Choice, Message, Reply, Translation
from genderscope.engine import ask
from genderscope.engine.local_engine import GROWING, WINDOW, Window, answers_to, windows
from genderscope.evaluation import evaluate
from genderscope.models import Batch, Plan, open_model
from genderscope.models.hf.choice import ChoiceAnswerer
from genderscope.models.hf.language_model import LanguageModel
from genderscope.models.hf.model_classes import CausalModel
from genderscope.models.hf.passes.base import TokenizedTexts
from genderscope.models.hf.passes.layouts import packed, packed_width, with_room
from genderscope.runs import Journal
from tests.support.kinds import of_kind


def questions(count):
    return [Choice(f"I was there {k} times, ", f" said {k % 5}.", ("he", "she"), k % 90 == 0) for k in range(count)]


def answers(model, asked, path, monkeypatch, overlaps):
    monkeypatch.setattr(LanguageModel, "overlaps", overlaps)
    done: list[int] = []
    with Journal(path) as journal:
        ask(model, asked, journal, progress=done.append)
        assert sum(done) == len(asked)
        texts = journal.read(question_key(model.fingerprint, question) for question in asked)
        return [answer_from_json(Choice, text) for text in texts]


def test_questions_prepared_ahead_get_the_same_answers(models, tmp_path, monkeypatch):
    asked = questions(GROWING[0] + 300)
    asked += asked[:50]  # asked again in the next window: the first answer counts
    model = of_kind(open_model(str(models("bert", "wordpiece-cased"))), LanguageModel)
    begun = []
    begin = model.blank_locator.start_encoding
    monkeypatch.setattr(model.blank_locator, "start_encoding", lambda some: (begun.append(len(some)), begin(some)))
    alone = answers(model, asked, tmp_path / "alone", monkeypatch, False)
    assert begun == []
    found = answers(model, asked, tmp_path / "ahead", monkeypatch, True)
    assert begun == [GROWING[0], 350]
    for one, other in zip(alone, found, strict=True):
        assert one.tokens == other.tokens
        assert one.scores == pytest.approx(other.scores, abs=1e-5)
        assert one.log_normaliser == pytest.approx(other.log_normaliser, abs=1e-5)


@pytest.mark.parametrize("family", ["bert", "llama"])
def test_one_pass_gives_the_options_of_all_and_the_normalisers_of_some(family, models, monkeypatch):
    asked = questions(300)
    wanted = {k for k, question in enumerate(asked) if question.want_mass}
    model = of_kind(open_model(str(models(family, "wordpiece-cased"))), LanguageModel)
    together = model.plan(asked, None).batches
    assert all(batch.strategy.both for batch in together)
    assert any(0 < batch.items.masses.sum() < len(batch.items) for batch in together)
    monkeypatch.setattr(model.exactness, "keeps", set())  # as if what was kept of a pass had given other numbers
    apart = model.plan(asked, None).batches
    assert not any(batch.strategy.both for batch in apart)
    assert {batch.items.masses.mean() for batch in apart} == {0, 1}
    monkeypatch.setattr(ChoiceAnswerer, "full_positions", 2)  # so many vocabulary rows at a time
    found, expected = (
        {k: each for batch in batches for k, each in zip(batch.indices, model.answer(batch), strict=True)}
        for batches in (together, apart)
    )
    for k in range(len(asked)):
        assert found[k].scores == pytest.approx(expected[k].scores, abs=1e-5)
        assert found[k].log_normaliser == pytest.approx(expected[k].log_normaliser, abs=1e-5)
        assert (found[k].log_normaliser is None) == (k not in wanted)


def test_a_device_has_its_next_batches_before_the_first_is_read():
    begun = []

    class Device:
        independent, overlaps = False, True

        def begin(self, batch):
            begun.append(batch.items)
            return lambda: [batch.items]

    device: Any = Device()
    read: Any = answers_to(device, [Batch((k,), k) for k in range(6)])
    assert [(answer, len(begun)) for _, [answer] in read] == [(0, 4), (1, 5), (2, 6), (3, 6), (4, 6), (5, 6)]


def test_used_encodings_are_freed_only_while_there_is_nothing_else_to_do(models):
    model = of_kind(open_model(str(models("bert", "wordpiece-cased"))), LanguageModel)
    model.blank_locator.start_encoding(questions(200))
    model.blank_locator.locate(questions(200))
    [used] = model.blank_locator._used
    model.blank_locator.free_until(lambda: True)
    assert len(used) == 400
    model.blank_locator.free_until(lambda: False)
    assert not used
    assert not model.blank_locator._used


def test_an_answer_that_cannot_be_written_aside_ends_the_run(models, tmp_path, monkeypatch):
    monkeypatch.setattr(LanguageModel, "overlaps", True)
    model = of_kind(open_model(str(models("bert", "wordpiece-cased"))), LanguageModel)
    with Journal(tmp_path / "journal") as journal:
        journal._db.execute("PRAGMA query_only = 1")
        with pytest.raises(UserError, match="Cannot write to the journal"):
            ask(model, questions(10), journal)


def test_questions_that_were_not_announced_are_encoded_when_they_come(models):
    model = of_kind(open_model(str(models("bert", "wordpiece-cased"))), LanguageModel)
    expected = model.blank_locator.locate(questions(4))
    model.blank_locator.start_encoding(questions(9))
    same(model.blank_locator.locate(questions(4)), expected)


def test_windows_grow_and_meet_those_of_other_devices():
    drawn = [len(window) for window in windows(cast(Any, range(2 * WINDOW + 7)), GROWING)]
    assert tuple(drawn) == (*GROWING, *GROWING, 7)


def test_texts_in_segments_do_not_overlap():
    lengths = np.random.default_rng(3).integers(1, 60, 500)
    width = packed_width(int(lengths.max()))
    rows, firsts = packed(lengths, width)
    places = [(row, first + k) for row, first, size in zip(rows, firsts, lengths, strict=True) for k in range(size)]
    assert len(set(places)) == len(places) == lengths.sum()
    assert max(place for _, place in places) < width
    assert rows.max() + 1 <= 1.1 * lengths.sum() / width


def test_a_trial_leaves_room_for_longer_texts_to_come():
    texts = TokenizedTexts.of([[2, 7, 3], [2, 5, 6, 7, 8, 3]])
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
    rendered = [question_key("model", replace(whole, prompt=text)) for text in ("<user>Hi", "<user>Hi<2030>")]
    assert len({before, *rendered}) == 3, "a template renders the same messages in several ways"
    assert question_key("other", whole) != before
    question_key("model", Choice("He ", " is", ["tall", "short"]))  # type: ignore[arg-type]  # a plugin may write a list


def same(found, expected):
    assert found.others == expected.others
    for (here, blanks), (there, others) in zip(found.single_token, expected.single_token, strict=True):
        assert np.array_equal(here, there)
        assert np.array_equal(blanks.texts.ids, others.texts.ids)
        assert np.array_equal(blanks.texts.lengths, others.texts.lengths)
        for name in ("places", "options", "masses"):
            assert np.array_equal(getattr(blanks, name), getattr(others, name))


def test_a_causal_model_is_examined_when_it_is_loaded_and_not_again(models, monkeypatch):
    model = of_kind(open_model(str(models("llama", "bytes"))), CausalModel)
    looked = []
    examine = type(model)._require_next_token_logits
    monkeypatch.setattr(type(model), "_require_next_token_logits", lambda self: (looked.append(self), examine(self)))
    for _ in range(3):
        model.plan(questions(3), None)
    assert looked == [model]


@pytest.mark.long
def test_a_model_that_was_opened_for_a_run_is_let_go(models, tmp_path, monkeypatch):
    seen = []
    unload = LanguageModel.unload
    monkeypatch.setattr(LanguageModel, "unload", lambda self: (seen.append(self.model is not None), unload(self)))
    evaluate("gest", str(models("bert", "wordpiece-cased")), data="starter", limit=8, out=tmp_path / "opened")
    assert seen == [True]
    model = of_kind(open_model(str(models("bert", "wordpiece-cased"))), LanguageModel)
    evaluate("gest", model, data="starter", limit=9, out=tmp_path / "given")
    assert seen == [True]
    assert model.model is not None


def test_a_batch_is_asked_again_only_if_an_answer_is_missing():
    questions = (Translation("one", "en", "sk"), Translation("two", "en", "sk"))
    answered, missing = (Batch.of([(k, question)], Translation) for k, question in enumerate(questions))
    window = Window(questions, [b"1", b"2"], {b"1"})
    assert window.unanswered(Plan((), (answered, missing))) == [missing]
