"""Rows are read while other answers are awaited, and come out as if they had been read at the end."""

from typing import Any

import pytest

from genderscope.core.errors import UserError
from genderscope.core.journal_codec import answer_to_json, question_key
from genderscope.core.questions import Choice, ChoiceAnswer, Translation, TranslationAnswer
from genderscope.evaluation import RowBuilder, SampleQuestions
from genderscope.runs import Journal
from genderscope.runs import journal as journal_module

FINGERPRINT = "f"


class Numbers:
    """Asks two questions about every number, and none about multiples of five."""

    controls = ()

    def __init__(self, count):
        self.samples = range(count)
        self.read_so_far = []

    def ask(self, sample):
        return () if sample % 5 == 0 else tuple(Choice(f"{sample} ", f" {k}", ("he", "she")) for k in range(2))

    def read(self, sample, answers):
        self.read_so_far.append(sample)
        for answer in answers:
            yield sample, answer.scores[0], answer.unread


def answer(question):
    return ChoiceAnswer((float(question.before) + float(question.after), 0.0), ((1,), (2, int(question.before) % 2)))


def store(journal, asked):
    journal.write((question_key(FINGERPRINT, each), answer_to_json(answer(each))) for each in asked)


@pytest.fixture
def journal(tmp_path):
    with Journal(tmp_path / "journal") as opened:
        yield opened


def rows_of(journal, measure, portions, meanwhile):
    """Answer the questions in portions; `meanwhile` says whether rows are read after each."""
    asked = SampleQuestions(measure)
    rows = RowBuilder(measure, asked, FINGERPRINT, journal)
    seen = []

    for portion in portions(list(asked.all())):
        store(journal, portion)
        if meanwhile:
            rows.read_available()
        seen.append(len(measure.read_so_far))
    return list(rows.rows()), dict(rows.tokens), seen


def in_tens(asked):
    return [asked[start : start + 10] for start in range(0, len(asked), 10)]


def expected_of(count):
    measure = Numbers(count)
    return [(sample, answer(q).scores[0], None) for sample in measure.samples for q in measure.ask(sample)]


def test_what_is_at_hand_is_read_while_the_rest_is_asked(journal):
    found, tokens, seen = rows_of(journal, Numbers(60), in_tens, meanwhile=True)
    assert found == expected_of(60)
    assert tokens == {"he": {(1,)}, "she": {(2, 0), (2, 1)}}
    assert seen[0] == 7  # 0 to 6: the first ten answers are those to 1, 2, 3, 4, 6
    assert seen[-1] == 60


def test_rows_read_at_the_end_are_the_same(journal):
    found, tokens, seen = rows_of(journal, Numbers(60), in_tens, meanwhile=False)
    assert found == expected_of(60)
    assert tokens == {"he": {(1,)}, "she": {(2, 0), (2, 1)}}
    assert set(seen) == {0}


def test_answers_that_come_in_another_order_give_rows_in_order(journal):
    found, _, seen = rows_of(journal, Numbers(40), lambda asked: in_tens(asked)[::-1], meanwhile=True)
    assert found == expected_of(40)
    assert seen[-2:] == [1, 40]


def test_many_answers_are_read_at_the_end(journal, monkeypatch):
    monkeypatch.setattr(journal_module, "_FEW", 30)  # more are not kept at hand
    found, _, seen = rows_of(journal, Numbers(60), in_tens, meanwhile=True)
    assert found == expected_of(60)
    assert 0 < seen[-1] < 60


def test_many_samples_are_asked_for_anew_and_read_the_same(journal, monkeypatch):
    monkeypatch.setattr(SampleQuestions, "few", 10)
    found, _, seen = rows_of(journal, Numbers(60), in_tens, meanwhile=True)
    assert found == expected_of(60)
    assert seen[-1] == 60


def test_a_plugin_may_write_lists(journal):
    class Lists(Numbers):
        def ask(self, sample):
            return [Choice(f"{sample} ", " 0", ["he", "she"])]  # type: ignore[arg-type]

    found, tokens, _ = rows_of(journal, Lists(4), in_tens, meanwhile=True)
    assert len(found) == 4
    assert tokens == {"he": {(1,)}, "she": {(2, 0), (2, 1)}}


def test_an_answer_that_cannot_be_parsed_is_one_sentence(journal):
    measure: Any = Numbers(20)
    rows = RowBuilder(measure, asked := SampleQuestions(measure), FINGERPRINT, journal)
    journal.write([(question_key(FINGERPRINT, list(asked.all())[9]), b'{"scores": "none"}')])
    store(journal, asked.all())  # what is there stays
    with pytest.raises(UserError, match=r"cannot be parsed .*; use --fresh"):
        list(rows.rows())


def test_what_was_cut_from_translations_is_counted(journal):
    class Translations(Numbers):
        def ask(self, sample):
            return (Translation(f"text {sample}", "en", "sk"),)

        def read(self, sample, answers):
            yield from answers

    measure: Any = Translations(4)
    asked = SampleQuestions(measure)
    rows = RowBuilder(measure, asked, FINGERPRINT, journal)
    noted = [TranslationAnswer("a", note="quotes" if k % 2 else None) for k in range(4)]
    keys = [question_key(FINGERPRINT, question) for question in asked.all()]
    journal.write(zip(keys, map(answer_to_json, noted), strict=True))
    rows.read_available()
    assert list(rows.rows()) == noted
    assert dict(rows.notes) == {"quotes": 2}


def test_answers_that_could_not_be_stored_are_not_at_hand(journal):
    store(journal, [Choice("1 ", " 1", ("he", "she"))])
    keys = [question_key(FINGERPRINT, Choice("1 ", f" {k}", ("he", "she"))) for k in (1, 2)]
    assert journal.in_memory(keys[:1]) is not None
    assert journal.in_memory(keys) is None
    journal._db.execute("PRAGMA query_only = 1")
    with pytest.raises(UserError, match="Cannot write to the journal"):
        journal.write([(keys[1], b"{}")])
    assert journal.in_memory(keys[1:]) is None
    assert journal.known(keys) == {keys[0]}
