"""Several workers give what one gives, whatever happens to them; the same statements for processes and for Ray."""

import os
import signal
from collections import Counter
from typing import Any

import pytest

from genderscope.core.errors import UserError
from genderscope.core.journal_codec import question_key
from genderscope.engine import EngineSettings, WorkerLostError, ask, ask_with, clock_of, workers_kept
from genderscope.engine.local_engine import GROWING
from genderscope.engine.process_engine import ProcessWorkers
from genderscope.engine.sharding import IN_HAND, ask_workers
from genderscope.runs import Journal
from tests.engine.planted import PlantedOpening, gone, questions, soon
from tests.support.sizes import SHARD_QUESTIONS, WINDOW


def keys(asked):
    return [question_key("planted", question) for question in asked]


@pytest.fixture
def local(tmp_path):
    """What the local engine answers, question by question."""

    def answers(asked):
        place = tmp_path / "alone"
        place.mkdir()
        with Journal(place / "journal.sqlite") as journal:
            ask(PlantedOpening(place).open(), asked, journal, window=WINDOW)
            return list(journal.read(keys(asked)))

    return answers


def test_the_answers_are_those_of_the_local_engine_and_questions_are_drawn_as_they_are_needed(
    workers_of, journal, tmp_path, local
):
    asked = questions(300, large=[9, 90], unread=[3, 77])
    asked += asked[30:60]  # within a window and across windows, as data repeat themselves
    done: list[int] = []
    drawn: set[str] = set()
    unanswered: list[int] = []

    def drawing():
        for question in asked:
            drawn.add(question.after)
            unanswered.append(len(drawn) - len(journal))
            yield question

    opening = PlantedOpening(tmp_path, company=2)
    described = ask_workers(
        workers_of(opening), opening.open(), drawing(), journal, progress=done.append, window=WINDOW
    )
    assert len(unanswered) == len(asked)
    assert max(unanswered) <= 3 * WINDOW, "one for each of the two workers to plan, and one to come"
    assert list(journal.read(keys(asked))) == local(asked)
    assert sum(done) == len(asked)
    assert described["loaded"]
    assert all((tmp_path / f"{pid}.asked").stat().st_size for pid in opening.workers())


def test_kept_workers_stay_from_one_set_of_questions_to_the_next(journal, tmp_path):
    opening, settings = PlantedOpening(tmp_path), EngineSettings("processes", workers=1)
    asked = questions(60)
    with workers_kept():
        ask_with(settings, opening.open(), asked[:30], journal)
        [worker] = opening.workers()
        ask_with(settings, opening.open(), asked, journal)
        assert opening.workers() == [worker], "the process that has loaded the model"
    assert soon(lambda: gone(worker))
    assert len(opening.asked()) == 60


def test_the_worker_that_is_timed_stays_for_the_run(journal, tmp_path):
    opening, settings = PlantedOpening(tmp_path, seconds=0.02), EngineSettings("processes", workers=2)
    asked = questions(24)
    with workers_kept():
        clock = clock_of(settings, opening.open())
        assert clock.workers == 2
        seconds, answers = clock.answered(clock.plan(asked[:8], 2).batches)
        assert seconds >= 4 * 0.02, "four batches of two questions, by one worker"
        assert len(answers) == 8
        [timed] = opening.workers()
        ask_with(settings, opening.open(), asked, journal)
        assert timed in opening.workers()
    assert len(journal) == 24


def test_a_worker_that_is_lost_while_it_is_timed_is_no_mistake_of_the_user(tmp_path):
    opening = PlantedOpening(tmp_path)
    with workers_kept():
        clock = clock_of(EngineSettings("processes", workers=1), opening.open())
        with pytest.raises(WorkerLostError, match="SIGKILL"):
            clock.answered(clock.plan(questions(4, deadly=[1]), None).batches)


def test_a_killed_worker_costs_its_shards_only(workers_of, journal, tmp_path, local):
    asked = questions(150)
    opening = PlantedOpening(tmp_path, seconds=0.03, company=2)
    killed: list[int] = []
    done: list[int] = []

    def kill_one(count):
        done.append(count)
        if not killed and sum(done) > 30:
            killed.append(opening.workers()[0])
            os.kill(killed[0], signal.SIGKILL)

    ask_workers(workers_of(opening), opening.open(), asked, journal, progress=kill_one, window=WINDOW)
    assert killed
    assert sum(done) == len(asked)
    assert list(journal.read(keys(asked))) == local(asked)
    often = Counter(opening.asked())
    assert set(often) == {question.after for question in asked}
    assert sum(often.values()) - len(asked) <= IN_HAND * SHARD_QUESTIONS
    assert max(often.values()) <= 2


def test_a_shard_that_kills_every_worker_ends_the_run_and_the_rest_is_kept(journal, tmp_path):
    # On Ray, a driver of its own says so: see test_dead_workers_put_nothing_among_the_results.
    opening: Any = PlantedOpening(tmp_path)
    asked = questions(40, deadly=[30])
    with pytest.raises(
        UserError, match=r"4 workers were lost while working on the same 4 questions.*same command resumes"
    ):
        ask_workers(ProcessWorkers(opening, 2, []), opening.open(), asked, journal, window=WINDOW)
    assert len(journal) > 20
    assert len(journal.known(keys(asked[30:31]))) == 0


@pytest.mark.parametrize(
    ("kind", "error", "said"),
    [
        ("mistaken", UserError, "^This one sentence is for the user.$"),
        ("faulty", RuntimeError, "ZeroDivisionError: a fault of the program"),
    ],
)
def test_what_goes_wrong_in_a_worker_is_said_as_if_it_were_here(workers_of, journal, tmp_path, kind, error, said):
    opening = PlantedOpening(tmp_path)
    with pytest.raises(error, match=said):
        ask_workers(workers_of(opening, 1), opening.open(), questions(40, **{kind: [5]}), journal)


def test_a_worker_with_another_model_is_refused(workers_of, journal, tmp_path):
    here, there = PlantedOpening(tmp_path), PlantedOpening(tmp_path, fingerprint="other")
    with pytest.raises(UserError, match=r"'planted' is not the same model on .* as here \(other and planted\)"):
        ask_workers(workers_of(there, 1), here.open(), questions(4), journal)
    assert len(journal) == 0


def test_a_run_goes_on_where_another_engine_stopped(workers_of, journal, tmp_path, local):
    asked = questions(100)
    opening = PlantedOpening(tmp_path)

    def stop(_):
        if len(journal) >= 30:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask(opening.open(), asked, journal, progress=stop, window=WINDOW)
    begun = len(journal)
    with pytest.raises(KeyboardInterrupt):
        ask_workers(workers_of(opening), opening.open(), asked, journal, window=WINDOW, progress=_after(60, journal))
    assert begun < len(journal) < 100
    assert soon(lambda: all(gone(pid) for pid in opening.workers() if pid != os.getpid()))
    ask(opening.open(), asked, journal, window=WINDOW)
    assert list(journal.read(keys(asked))) == local(asked)


def _after(count, journal):
    def stop(_):
        if len(journal) >= count:
            raise KeyboardInterrupt

    return stop


def test_windows_are_as_large_as_on_the_device_of_the_workers(workers_of, journal, tmp_path):
    asked = questions(GROWING[0] + GROWING[1] // 2)
    driver, worker = PlantedOpening(tmp_path), PlantedOpening(tmp_path, overlaps=True)
    ask_workers(workers_of(worker), driver.open(), asked, journal, batch_size=300)
    with Journal(tmp_path / "alone.sqlite") as alone:
        ask(worker.open(), asked, alone, batch_size=300)
        assert list(journal.read(keys(asked))) == list(alone.read(keys(asked)))


def test_nothing_is_started_where_everything_is_known(workers_of, journal, tmp_path):
    asked = questions(20)
    ask(PlantedOpening(tmp_path).open(), asked, journal)
    (tmp_path / f"{os.getpid()}.asked").unlink()
    unable = PlantedOpening(tmp_path / "no such folder")
    done: list[int] = []
    described = ask_workers(workers_of(unable), unable.open(), asked, journal, progress=done.append)
    assert sum(done) == 20
    assert not described["loaded"]
