"""A journal can be damaged in any place: it never gives a wrong answer, and what was good in it is kept."""

import logging
import math
import os
import random
import shutil
import sqlite3

import pandas as pd
import pytest

from genderscope.core.errors import UserError
from genderscope.core.journal_codec import answer_from_json, answer_to_json, answers_to_json
from genderscope.core.questions import ANSWER_TO, ChoiceAnswer, CompletionAnswer, LikelihoodAnswer, TranslationAnswer
from genderscope.runs import Journal
from genderscope.runs.journal import is_sealed, seal
from tests.support.evaluation import evaluate

COUNT = 400


def answers(seed=0, count=COUNT):
    """Short answers as of a choice, and some so long that SQLite continues them on other pages."""
    chance = random.Random(seed)
    lengths = [60] * 9 + [1500, 9000]
    return {
        chance.randbytes(16): b'{"text":"%s %d"}' % (chance.randbytes(chance.choice(lengths)), k) for k in range(count)
    }


def flipped(content, chance):
    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)


def header_changed(content, chance):
    content[chance.randrange(200)] = chance.randrange(256)


def zeroed(content, chance):
    start = chance.randrange(len(content))
    content[start : start + 512] = bytes(len(content[start : start + 512]))


def scrambled(content, chance):
    start = chance.randrange(len(content))
    content[start : start + 100] = chance.randbytes(len(content[start : start + 100]))


def cut(content, chance):
    del content[-chance.randrange(1, len(content) // 5) :]


#: damage -> how many of the answers it may cost at most
DAMAGES = {flipped: 1, header_changed: 0, zeroed: 12, scrambled: 5, cut: COUNT // 2}


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sound")
    with Journal(folder / "journal") as journal:
        pairs = list(answers().items())
        for start in range(0, COUNT, 50):
            journal.write(pairs[start : start + 50])
    return folder / "journal"


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda d: d.__name__)
def test_a_damaged_journal_is_set_aside_and_its_good_answers_are_kept(sound, tmp_path, damage, caplog):
    truth, path, noticed = answers(), tmp_path / "journal", 0
    for seed in range(12):
        content = bytearray(sound.read_bytes())
        damage(content, random.Random(seed))
        for old in tmp_path.glob("journal*"):
            old.unlink()
        path.write_bytes(content)
        caplog.clear()
        with Journal(path) as journal:
            known = journal.known(list(truth))
            assert len(truth) - len(known) <= DAMAGES[damage]
            assert dict(zip(known, journal.read(known), strict=True)) == {key: truth[key] for key in known}
            assert len(journal) == len(known)
            aside = tmp_path / "journal.corrupt-1"
            if len(known) < len(truth):  # some damage lies where nothing is kept; what costs an answer is told
                assert aside.read_bytes() == content
                assert f"its {len(known):,} intact answers are kept" in caplog.text
            noticed += aside.exists()
            journal.write(truth.items())
        with Journal(path) as journal:
            assert len(journal) == len(truth)
    assert noticed


def test_answers_survive_in_a_log_that_is_damaged_in_the_middle(tmp_path):
    """SQLite drops all that comes after a bad page of its log; most of it is good and is found again."""
    truth, path = answers(), tmp_path / "journal"
    writer = Journal(path)
    for pair in truth.items():
        writer.write([pair])
    for name in ("journal", "journal-wal"):  # as a kill leaves them
        shutil.copy(tmp_path / name, tmp_path / f"killed-{name}")
    writer.close()
    log = bytearray((tmp_path / "killed-journal-wal").read_bytes())
    log[len(log) // 3] ^= 4
    (tmp_path / "killed-journal-wal").write_bytes(log)
    with sqlite3.connect(shutil.copy(tmp_path / "killed-journal", tmp_path / "plain")) as plain:
        shutil.copy(tmp_path / "killed-journal-wal", tmp_path / "plain-wal")
        assert plain.execute("SELECT count(*) FROM answers").fetchone()[0] < len(truth)
    with Journal(tmp_path / "killed-journal") as journal:
        known = journal.known(list(truth))
        assert len(known) >= len(truth) - 1
        assert dict(zip(known, journal.read(known), strict=True)) == {key: truth[key] for key in known}


def test_an_answer_changed_while_the_journal_is_open_is_refused(tmp_path):
    truth, path = answers(count=10), tmp_path / "journal"
    with Journal(path) as journal:
        journal.write(truth.items())
        assert dict(zip(truth, journal.read(truth), strict=True)) == truth, "what was just written"
    with Journal(path) as journal:
        with sqlite3.connect(path) as other:
            other.execute("UPDATE answers SET answer = ? WHERE key = ?", (b"changed", next(iter(truth))))
        with pytest.raises(UserError, match="was damaged while in use; run the same command again"):
            list(journal.read(truth))


def test_several_damages_are_set_aside_side_by_side(sound, tmp_path, caplog):
    caplog.set_level(logging.WARNING, "genderscope")
    for number in (1, 2):
        content = bytearray(sound.read_bytes())
        content[: 100 * number] = bytes(100 * number)
        (tmp_path / "journal").write_bytes(content)
        Journal(tmp_path / "journal").close()
        assert (tmp_path / f"journal.corrupt-{number}").read_bytes() == content


def test_a_run_goes_on_from_a_damaged_journal_with_the_same_rows(models, tmp_path, caplog):
    folder = str(models("gpt2", "bytes"))
    whole = evaluate("gest", folder, data="starter", limit=64, out=tmp_path / "run")
    (tmp_path / "run" / "result.json").unlink()
    journal = tmp_path / "run" / "journal.sqlite"
    content = bytearray(journal.read_bytes())
    for place in range(3000, len(content), 4096):
        content[place] ^= 1
    journal.write_bytes(content)
    again = evaluate("gest", folder, data="starter", limit=64, out=tmp_path / "run")
    assert "was damaged and has been set aside as 'journal.sqlite.corrupt-1'" in caplog.text
    pd.testing.assert_frame_equal(again.rows, whole.rows)
    assert again.to_json() == whole.to_json()


@pytest.mark.parametrize(
    "answer",
    [
        ChoiceAnswer((math.nan, 0.0)),
        ChoiceAnswer((-math.inf, 0.0)),
        ChoiceAnswer((0.0, 0.0), log_normaliser=math.inf),
        LikelihoodAnswer((None, math.nan), ("a", "b"), (1, 2)),
        CompletionAnswer(("a",), (math.nan,)),
    ],
)
def test_what_is_no_number_is_kept_as_unread(answer):
    kind = next(question for question, kind in ANSWER_TO.items() if kind is type(answer))
    kept = answer_from_json(kind, answer_to_json(answer))
    assert kept.unread == "the system returned NaN or an infinite value"
    assert kept == type(answer)(None, unread=kept.unread)


CHOICES = [
    ChoiceAnswer((-0.1, 2.5e-9), ((5,), (6, 7)), 3.25),
    ChoiceAnswer((1.0, -0.0, 3.4e38), ((1,), (2,), (3,))),
    ChoiceAnswer((1.0, math.nan), ((1,), (2,))),
    ChoiceAnswer((1.0, 2.0), ((1,), (2,)), note='said "},{"'),
    ChoiceAnswer(None, unread="the word '},{' is unknown"),
    TranslationAnswer("},{"),
]


@pytest.mark.parametrize("chosen", [[], CHOICES[:1], CHOICES[:2], CHOICES[:3], CHOICES[:4], CHOICES[::4], CHOICES])
def test_answers_are_written_together_as_each_by_itself(chosen):
    assert answers_to_json(chosen) == [answer_to_json(answer) for answer in chosen]


@pytest.fixture
def large(tmp_path):
    """A journal that is large enough to be sealed when it is closed, and its answers."""
    known = answers(seed=1, count=2000)
    with Journal(tmp_path / "large") as journal:
        journal.write(known.items())
    return tmp_path / "large", known


def test_an_intact_large_journal_is_opened_without_reading_it(large, tmp_path):
    path, known = large
    assert is_sealed(path)
    with Journal(path) as journal:
        assert list(journal.read(known)) == list(known.values())
        journal.write([(b"k" * 16, b"another")])
    assert is_sealed(path), "what was added is sealed too"
    assert not is_sealed(shutil.copy(path, tmp_path / "copy")), "a copy is checked once"
    os.utime(path, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns))
    assert not is_sealed(path), "something has touched it"


def test_a_killed_run_leaves_no_seal(large):
    path, _ = large
    journal = Journal(path)
    journal.write([(b"k" * 16, b"another")])
    assert not is_sealed(path), "its log is not folded in"
    journal.close()


def test_damage_under_a_seal_is_found_where_it_is_used(large, caplog):
    path, known = large
    content = bytearray(path.read_bytes())
    key = next(key for key, answer in known.items() if len(answer) < 100 and content.count(answer) == 1)
    content[content.index(known[key])] ^= 1
    path.write_bytes(content)
    seal(path)  # as if the disk had flipped the bit
    intact = {name: answer for name, answer in known.items() if name != key}
    with Journal(path) as journal:
        assert list(journal.read(intact)) == list(intact.values())
        with pytest.raises(UserError, match="was damaged while in use; run the same command again"):
            list(journal.read([key]))
    assert not is_sealed(path)
    assert not caplog.records
    with Journal(path) as journal:
        assert journal.known(list(known)) == set(intact)
        assert list(journal.read(intact)) == list(intact.values())
    assert "1,999 intact answers are kept" in caplog.text


def test_an_answer_that_is_there_is_not_overwritten(tmp_path):
    path = tmp_path / "journal.sqlite"
    with Journal(path) as journal:
        journal.write([(b"a" * 16, b"first")])
        journal.write([(b"a" * 16, b"second"), (b"b" * 16, b"other")])
        assert list(journal.read([b"a" * 16, b"b" * 16])) == [b"first", b"other"]
    with Journal(path) as journal:
        assert list(journal.read([b"a" * 16, b"b" * 16])) == [b"first", b"other"]
