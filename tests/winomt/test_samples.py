"""The released sentences, one's own, and the starter set."""

from collections import Counter

import pytest

from genderscope.core.errors import UserError
from genderscope.grammar.person import person_languages, read_person
from genderscope.grammar.person.person_file import read_person_file
from genderscope.samples.dataset import STARTER
from genderscope.samples.winomt import find_other, load_own, load_released

HEADER = "source,entity,gender"
GOOD = "The nurse saw the cook because she was hungry.,nurse,feminine"


def write(folder, text, name="own.csv"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def test_the_released_sentences_have_two_people_and_their_twins(mirror):
    sentences = load_released().samples
    assert Counter(s.gender for s in sentences) == {"masculine": 1826, "feminine": 1822, "neutral": 240}
    assert Counter(s.stereotype for s in sentences) == {"pro": 1584, "anti": 1584, "": 720}
    assert all(s.other and s.other != s.entity for s in sentences)
    twins = Counter(s.twin for s in sentences)
    assert twins.pop("") == 4, "two lines of the aligned files do not match"
    assert Counter(twins.values()) == {2: 1582, 3: 240}
    assert len({s.source for s in sentences}) == 3888
    assert len({s.item for s in sentences}) == 3882, "six sentences occur twice"
    assert [s.number for s in sentences] == list(range(3888))


def test_the_released_sentences_of_a_miniature(miniature):
    found = load_released()
    assert found.name == "winomt"
    first, *_, last = found.samples
    assert (first.entity, first.other, first.gender, first.stereotype) == ("nurse", "cook", "masculine", "anti")
    assert (last.entity, last.other, last.gender, last.stereotype) == ("someone", "guard", "neutral", "")
    assert first.pair == "cook+nurse"
    assert sorted(Counter(sentence.twin for sentence in found.samples).values()) == [2, 2, 3, 3]
    assert len({s.source for s in found.samples}) == len(found.samples), "repeated sources are told apart"


def test_the_first_other_person_is_the_other_one():
    people = ("construction worker", "nurse", "patient", "worker")
    assert find_other("The nurse was patient with the worker.", "worker", people) == "nurse"
    assert find_other("The construction worker met the nurse.", "nurse", people) == "construction worker"
    assert find_other("The nurse met a workers' council.", "nurse", people) == ""


def test_ones_own_sentences_need_three_columns_and_find_the_other_person(tmp_path):
    text = f"{HEADER}\n{GOOD}\nThe cook left.,The Cook,masculine\nSomeone called the nurse.,nurse,neutral\n"
    found = load_own(write(tmp_path, "\ufeff" + text)).samples
    assert [(s.entity, s.other, s.pair) for s in found] == [
        ("nurse", "cook", "cook+nurse"),
        ("cook", "", "cook"),
        ("nurse", "someone", "nurse+someone"),
    ]
    assert {s.stereotype for s in found} == {""}
    tabs = text.replace(",", "\t")
    assert load_own(write(tmp_path, tabs, "own.tsv")).samples == found


def test_duplicates_count_once_unless_they_are_kept(tmp_path):
    path = write(tmp_path, f"{HEADER}\n{GOOD}\n{GOOD}\nThe cook left.,cook,masculine\n")
    once, kept = load_own(path), load_own(path, keep_duplicates=True)
    assert (len(once.samples), once.duplicates, len(once.in_file_order)) == (2, 1, 3)
    assert (len(kept.samples), kept.duplicates) == (3, 1)
    assert len(set(kept.in_file_order)) == 3, "a file may translate each occurrence differently"


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("source,entity\nThe nurse left.,nurse\n", "has no column gender .*it needs source,entity,gender"),
        (f"{HEADER}\n", "has no sentences below its header"),
        (f"{HEADER}\n,nurse,feminine\n", "line 2: 'source' is empty"),
        (f"{HEADER}\nThe nurse left.,,feminine\n", "line 2: 'entity' is empty"),
        (
            f"{HEADER}\n{GOOD}\nThe nurse left.,nurse,woman\n",
            "line 3: the gender is 'woman'; it must be masculine, fem",
        ),
        (f"{HEADER}\nThe nurse left.,cook,feminine\n", "line 2: the source does not contain the entity 'cook'"),
        (f"{HEADER},other\nThe nurse left.,nurse,feminine,cook\n", "does not contain the other 'cook'"),
        (f"{HEADER},stereotype\nThe nurse left.,nurse,feminine,yes\n", "the stereotype is 'yes'; it must be pro, anti"),
        (b"source,entity,gender\nThe n\xffrse left.,nurse,feminine\n", "line 2: the text is not UTF-8"),
    ],
)
def test_a_bad_file_gets_one_sentence_with_the_line(tmp_path, content, complaint):
    with pytest.raises(UserError, match=complaint):
        load_own(write(tmp_path, content))


@pytest.mark.parametrize("limit", [1, 7, 60])
def test_a_limit_keeps_twins_together(limit):
    found = load_own(STARTER).limited(limit)
    assert len(found.samples) == limit
    assert found.name == f"starter:{limit}"
    assert [s.number for s in found.samples] == sorted(s.number for s in found.samples)
    whole = Counter(s.twin for s in load_own(STARTER).samples)
    kept = Counter(s.twin for s in found.samples)
    assert sum(kept[twin] != whole[twin] for twin in kept) <= 1


def test_the_starter_set_is_balanced():
    sentences = load_own(STARTER).samples
    assert len(sentences) >= 120
    genders = Counter(s.gender for s in sentences)
    assert genders["masculine"] == genders["feminine"]
    assert genders["neutral"] >= 20
    assert Counter(s.stereotype for s in sentences) == {"pro": 66, "anti": 66, "": genders["neutral"]}
    first = [s.source.lower().index(s.entity) < s.source.lower().index(s.other) for s in sentences]
    assert 0.4 < sum(first) / len(sentences) < 0.6
    pro = Counter(s.gender for s in sentences if s.stereotype == "pro")
    assert abs(pro["masculine"] - pro["feminine"]) <= 6
    assert len({s.pair for s in sentences}) >= 30


def test_the_people_of_the_starter_set_are_known_in_every_language():
    for language in person_languages():
        known = read_person_file(language).people
        assert {name for s in load_own(STARTER).samples for name in (s.entity, s.other)} <= set(known)
    assert read_person("The nurse left.", "nurse", "La enfermera se fue.", "es").gender == "feminine"
