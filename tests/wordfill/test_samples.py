"""The sets have the sizes that the paper and its released files have, and what is dropped is counted."""

import json
import re
from collections import Counter

import pytest

from genderscope.core.errors import UserError
from genderscope.samples import crows, fetch, stereoset
from genderscope.samples.quadruplets import load_own as own
from genderscope.samples.quadruplets import load_slovak as slovak
from genderscope.samples.quadruplets import one_word_apart
from genderscope.samples.registry import DataFile, dataset
from genderscope.samples.term_controls import TermControls as Controls
from genderscope.samples.term_controls import _article, _plurals, terms


@pytest.fixture(autouse=True)
def with_mirror(request, monkeypatch):
    if "mirror" in request.fixturenames:
        monkeypatch.setenv("GENDERSCOPE_MIRROR", str(request.getfixturevalue("mirror")))


@pytest.mark.parametrize(
    ("subset", "all_of_them", "distinct"), [("gender", 255, 254), ("race", 962, 959), ("profession", 809, 808)]
)
def test_stereoset_has_the_papers_sizes(mirror, subset, all_of_them, distinct):
    content = json.loads(fetch.read(dataset("stereoset").file("wordfill/stereoset_dev.json")))
    pairs = list(stereoset._pairs(content["data"]["intrasentence"], subset, Counter()))
    assert len(pairs) == all_of_them
    assert len({pair[:2] for pair in pairs}) == distinct


@pytest.mark.parametrize(
    ("name", "published", "ours", "dropped"),
    [
        ("gender", 251, 250, {"it is a duplicate": 1}),
        ("gender-filtered", 147, 147, {}),
        (
            "race",
            9620,
            9580,
            {"it is a duplicate": 3, "no listed group term occurs in both sentences as a whole word": 1},
        ),
        (
            "profession",
            8090,
            8080,
            {"it is a duplicate": 1, "the sentences do not differ in exactly one word": 1},
        ),
    ],
)
def test_quadruplets_have_the_papers_sizes(mirror, name, published, ours, dropped):
    assert len(stereoset.load(name, 0, as_published=True).samples) == published
    made = stereoset.load(name, 0, as_published=False)
    assert len(made.samples) == ours
    assert made.left_out == dropped


def test_the_plain_set_keeps_all_but_two_of_2106(mirror):
    made = stereoset.load("plain", 0, as_published=False)
    assert len(made.samples) == 2104
    assert made.left_out == {"the sentences do not differ in exactly one word": 2}
    assert Counter(s.subset for s in made.samples) == {"race": 962, "profession": 809, "gender": 255, "religion": 78}


@pytest.mark.parametrize(("name", "equal"), [("race", 119), ("profession", 83)])
def test_controls_equal_to_the_original_are_published_and_not_ours(mirror, name, equal):
    def same(made):
        return sum(q.s0.text.lower() == q.s2.text.lower() for q in made.samples)

    assert same(stereoset.load(name, 0, as_published=True)) == equal
    assert same(stereoset.load(name, 0, as_published=False)) == 0


@pytest.mark.parametrize("name", ["race", "profession"])
def test_our_controls_are_ten_different_ones_with_their_keyword_and_article_in_place(mirror, name):
    made = stereoset.load(name, 0, as_published=False)
    assert set(Counter(q.item for q in made.samples).values()) == {10}
    assert len({(q.s2, q.s3) for q in made.samples if q.item < 50}) == 500
    assert made.mended["an article was adapted to the new term"] > 100
    for q in made.samples:
        assert q.s2.word == q.s0.word
        assert q.s3.word == q.s1.word


def test_a_control_agrees_with_its_article_and_begins_as_the_sentence_did():
    s0, s1 = one_word_apart("A nurse is a kind person.", "A nurse is a cruel person.")
    made = list(Controls("profession", 0, as_published=False).of(s0, s1, "nurse"))
    assert len(made) == 10
    for s2, s3 in made:
        article, word = s2.text.split()[:2]
        assert article.lower() == _article(word)
        assert article[0] == "A"
        assert (s2.word, s3.word) == ("kind", "cruel")


def test_controls_depend_on_the_seed_only(mirror):
    first, again, other = (stereoset.load("race", seed, as_published=False).samples for seed in (0, 0, 1))
    assert first == again
    assert first != other


def test_articles_and_plurals():
    assert [_article(w) for w in ("Ethiopian", "European", "Ukrainian", "umpire", "nurse", "Iraqi")] == [
        "an",
        "a",
        "a",
        "an",
        "a",
        "an",
    ]
    assert _plurals(["Russian", "Chinese", "Irish", "midwife", "secretary", "policeman", "coach"]) == [
        "Russians",
        "midwives",
        "secretaries",
        "policemen",
        "coaches",
    ]
    assert len(terms("country")) == 71
    assert len(terms("profession")) == len(set(terms("profession")))


@pytest.mark.parametrize(
    ("name", "everything", "gender"),
    [("original", 1508, 262), ("revised", 1457, 250), ("negation", 66, 66), ("antistereotype", 65, 65)],
)
def test_crows_has_the_papers_sizes(mirror, name, everything, gender):
    assert len(crows.load(name, crows.BIAS_TYPES, as_published=True).samples) == everything
    assert len(crows.load(name, ("gender",), as_published=True).samples) == gender


def test_a_control_pair_of_crows_is_the_same_change_of_another_sentence(mirror):
    sample = next(s for s in crows.load("negation", ("gender",), False).samples if s.s0.text.startswith("Women don't"))
    assert [s.text.split()[0] for s in sample.sentences.values()] == ["Women", "Women", "Men", "Men"]
    assert "don't" not in sample.s1.text + sample.s3.text


def test_the_slovak_set_is_what_nobody_flagged(mirror):
    made = slovak(as_published=False)
    assert len(made.samples) == 142
    assert made.left_out == {"the annotators flagged it": 81}


@pytest.mark.parametrize("name", ["wordfill", "stereoset"])
def test_the_mirror_verifies(mirror, name):
    assert all(good for _, _, good in fetch.verify(dataset(name)))


def test_a_content_with_the_pinned_git_blob_is_as_good_as_one_with_the_checksum(tmp_path, monkeypatch):
    (tmp_path / "file.txt").write_bytes(b"hello\n")
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(tmp_path))
    blob = "ce013625030ba8dba906f756967f9e9ca394464a"  # what `git hash-object` gives
    assert fetch.read(DataFile("file.txt", "http://127.0.0.1:9/", "0" * 64, 6, blob)) == b"hello\n"
    with pytest.raises(UserError, match="was not used"):
        fetch.read(DataFile("file.txt", "http://127.0.0.1:9/", "0" * 64, 6, "1" * 40))


def test_the_word_that_differs_is_the_keyword_without_its_full_stop():
    first, second = one_word_apart("Our rusty kettle is loud.", "Our rusty kettle is quiet.")
    assert (first.word, second.word) == ("loud", "quiet")
    assert first.marked == "Our rusty kettle is <loud>."


HEADER = "s0,s1,s2,s3\n"
GOOD = "Men are <strong>.,Men are <weak>.,Women are <strong>.,Women are <weak>.\n"
BAD = [
    ("Men are strong.,Men are <weak>.,Women are <strong>.,Women are <weak>.", "s0 has no keyword in <brackets>"),
    ("<Men> are <strong>.,Men are <weak>.,Women are <strong>.,Women are <weak>.", "s0 has 2 keywords in <brackets>"),
    ("Men are <strong.,Men are <weak>.,Women are <strong>.,Women are <weak>.", "s0 has an unmatched bracket"),
    (
        "Men are <>.,Men are <weak>.,Women are <strong>.,Women are <weak>.",
        "the <brackets> in sentence s0 are empty",
    ),
    ("Men are <strong>.,Men are <weak>.,Women are <strong>.", "the row has three sentences instead of four"),
    ("Men are <strong>.,Men are <weak>.,  ,Women are <weak>.", "sentence s2 is empty"),
    ("Men are <strong>.,Men were <weak>.,Women are <strong>.,Women are <weak>.", "s0 and s1 differ in more than their"),
    ("Men are <strong>.,Men are <strong>.,Women are <strong>.,Women are <weak>.", "s0 and s1 have the same keyword"),
]


@pytest.mark.parametrize(("line", "complaint"), BAD)
def test_a_bad_line_gets_one_sentence_with_its_number(tmp_path, line, complaint):
    path = tmp_path / "own.csv"
    path.write_text(HEADER + GOOD + line + "\n")
    with pytest.raises(UserError, match=f"line 3: .*{re.escape(complaint)}.*--skip-bad") as caught:
        own(str(path), skip_bad=False)
    assert "\n" not in str(caught.value)


def test_bad_lines_can_be_left_out_and_are_counted(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text(HEADER + GOOD + "".join(line + "\n" for line, _ in BAD))
    made = own(str(path), skip_bad=True)
    assert len(made.samples) == 1
    assert sum(made.left_out.values()) == len(BAD)
    assert [s.word for s in made.samples[0].sentences.values()] == ["strong", "weak", "strong", "weak"]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("a,b\n", r"has no column s0 or s1 or s2 or s3 \(its columns: a, b\)"),
        (HEADER, "has no usable quadruplets"),
        (HEADER.encode() + b"Men \xff", "line 2: the text is not UTF-8"),
    ],
)
def test_a_file_without_quadruplets_is_refused(tmp_path, content, complaint):
    path = tmp_path / "own.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(UserError, match=complaint):
        own(str(path), skip_bad=True)


def test_a_file_that_is_not_there_is_said_so():
    with pytest.raises(UserError, match=r"'nowhere\.csv' cannot be read"):
        own("nowhere.csv", skip_bad=False)
