"""Rows of the user's own data that repeat another are one observation: counted once, told, and kept on demand only."""

import csv
import importlib.resources
import io

import pytest

from genderscope.samples import gender_pairs as pairs
from genderscope.samples import gest, honest
from genderscope.samples.dialogue import load as load_dialogue
from genderscope.samples.dialogue import starter
from genderscope.samples.quadruplets import load_own as own
from tests.honest.planted import write_data
from tests.support.evaluation import evaluate


def table(columns, rows, delimiter=","):
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows([columns, *rows])
    return text.getvalue()


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The starter set once, and ten times over."""
    folder = tmp_path_factory.mktemp("own")
    rows = [(sample.sentence, sample.stereotype) for sample in gest.load("starter").samples]
    (folder / "once.csv").write_text(table(("sentence", "stereotype"), rows), encoding="utf-8")
    (folder / "tenfold.csv").write_text(table(("sentence", "stereotype"), rows * 10), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def runs(models, files):
    model = str(models("gpt2", "bytes"))
    return {
        name: evaluate("gest", model, data=str(files / file), out=files / name, keep_duplicates=keep)
        for name, file, keep in (
            ("once", "once.csv", False),
            ("tenfold", "tenfold.csv", False),
            ("kept", "tenfold.csv", True),
        )
    }


@pytest.mark.long
def test_the_same_sentences_ten_times_say_no_more_than_once(runs):
    once, tenfold = (runs[name].as_estimates() for name in ("once", "tenfold"))
    assert [(e.name, e.value, e.low, e.high, e.n) for e in tenfold] == [
        (e.name, e.value, e.low, e.high, e.n) for e in once
    ]
    assert runs["once"].config["data"].get("duplicates") is None
    assert runs["tenfold"].config["data"]["duplicates"] == 9 * 256
    told = "2,304 rows of 'tenfold.csv' repeat the text and labels of another row; duplicates count once (--keep"
    assert any(caution.startswith(told) for caution in runs["tenfold"].cautions)
    assert not any("repeat the text" in caution for caution in runs["once"].cautions)


def test_they_can_be_kept_and_the_signature_says_so(runs):
    once, kept = (runs[name].estimate("stereotype_rate") for name in ("once", "kept"))
    assert kept.n == 10 * once.n
    assert (kept.low, kept.high) == pytest.approx((once.low, once.high))
    assert "|duplicates:kept|" in runs["kept"].signature
    assert "duplicates" not in runs["tenfold"].signature
    assert any("the intervals treat a sentence as one unit" in caution for caution in runs["kept"].cautions)


def test_a_line_for_every_row_of_the_data_still_fits_it(files, tmp_path):
    """Translations may be plain lines in the order of the data, with what stands again."""
    (tmp_path / "sk.txt").write_text("Včera som plakal.\n" * 2560, encoding="utf-8")
    result = evaluate("gest-mt", f"file:{tmp_path}/sk.txt", to="sk", data=str(files / "tenfold.csv"))
    assert result.estimate("masculine_rate", language="sk").n == 256
    assert result.config["data"]["duplicates"] == 9 * 256


def test_released_data_keeps_its_rows(mirror, monkeypatch):
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))
    found = gest.load(None, "1.0")
    assert (len(found.samples), found.duplicates) == (3565, 0)
    assert len({(s.sentence, s.stereotype) for s in found.samples}) < 3565


def test_every_loader_of_own_data_counts_what_stands_again(tmp_path):
    (tmp_path / "gest.csv").write_text("sentence,stereotype\nI cried.,1\nI cried.,6\nI cried.,1\n", encoding="utf-8")
    found = gest.load(str(tmp_path / "gest.csv"))
    assert [(s.index, s.stereotype) for s in found.samples] == [(0, 1), (1, 6)]
    assert (found.duplicates, len(gest.load(str(tmp_path / "gest.csv"), keep_duplicates=True).samples)) == (1, 3)

    rows = [("bol", "bola", 1), ("bol", "bola", 2), ("bol", "bola", 1)]
    (tmp_path / "pairs.csv").write_text(table(("male", "female", "stereotype"), rows), encoding="utf-8")
    file = str(tmp_path / "pairs.csv")
    loaded = [pairs.load(file), pairs.load(file, keep_duplicates=True), pairs.load(file, as_published=True)]
    assert [(len(each.samples), each.duplicates) for each in loaded] == [(2, 1), (3, 1), (1, 2)]

    quadruplet = [f"The {who} was <{what}>." for who in ("man", "woman") for what in ("old", "late")]
    (tmp_path / "own.csv").write_text(table(("s0", "s1", "s2", "s3"), [quadruplet] * 3), encoding="utf-8")
    owned = [own(str(tmp_path / "own.csv"), False, keep) for keep in (False, True)]
    assert [(len(each.samples), each.duplicates) for each in owned] == [(1, 2), (3, 2)]

    data, _ = write_data(tmp_path)
    once = honest.load("en", data=data)
    header, *lines = (tmp_path / "templates.tsv").read_text(encoding="utf-8").splitlines()
    (tmp_path / "twice.tsv").write_text("\n".join([header, *lines, *lines]), encoding="utf-8")
    twice, kept = (honest.load("en", data=str(tmp_path / "twice.tsv"), keep_duplicates=keep) for keep in (False, True))
    assert twice.samples == once.samples
    assert (twice.duplicates, len(kept.samples)) == (len(lines), 2 * len(lines))


def test_a_passage_of_dialogue_is_one_passage_however_often_it_stands(tmp_path):
    passages = [source.text for source in starter().samples[:5]]
    folder = importlib.resources.files("genderscope.samples") / "starters" / "dialogue"
    for file in folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "suite.csv").write_text(table(("source",), [(text,) for text in passages * 3]), encoding="utf-8")
    suite = load_dialogue(str(tmp_path / "suite.csv"))
    assert [source.text for source in suite.samples] == passages
    assert "Of the file's 15 rows, 10 repeat an instance" in suite.differences.said
