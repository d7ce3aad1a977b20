"""The measure gate on systems whose habit is known, on outputs that are no translations, and on bad input."""

import pytest

import genderscope
from genderscope.core.errors import UserError
from genderscope.samples.gate import load_own
from tests.gate import planted
from tests.support.evaluation import evaluate

LANGUAGES = ("es", "de")
SHARES = ("masculine", "feminine", "neutral", "alternatives")


@pytest.fixture
def own(tmp_path):
    return planted.own_file(tmp_path)


def shares(result, language):
    return [result.estimate(f"{name}_share", language=language).value for name in SHARES]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("choose", "expected", "how"),
    [
        (planted.masculine, [1, 0, 0, 0], None),
        (planted.feminine, [0, 1, 0, 0], None),
        (planted.both, [0, 0, 1, 0], "both forms"),
        (planted.inline, [0, 0, 0, 1], "offered"),
    ],
)
def test_a_habit_is_found(own, language, choose, expected, how):
    found = genderscope.score("gate", planted.outputs(language, choose), to=language, data=own)
    assert shares(found, language) == expected
    assert found.estimate("yield", language=language).value == 1
    assert set(found.rows["how"].dropna()) == ({how} if how else set())
    rate = found.estimate("masculine_rate", language=language, group=None)
    assert rate.value == (expected[0] if sum(expected[:2]) else None)
    assert (rate.n, rate.unread) == (sum(expected[:2]) * len(found.rows), 0)


def test_always_both_is_no_finding_about_men_or_women(own):
    found = genderscope.score("gate", planted.outputs("es", planted.both), to="es", data=own)
    rate = found.estimate("masculine_rate", language="es")
    assert rate.value is None
    assert rate.remark == "no masculine or feminine person was read"


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_people_of_a_sentence_are_not_confused(own, language):
    found = genderscope.score("gate", planted.outputs(language, planted.stereotyped), to=language, data=own)
    women = found.rows["entity"].isin(["nurse", "teacher"])
    assert (found.rows.loc[women, "reading"] == "feminine").all()
    assert (found.rows.loc[~women, "reading"] == "masculine").all()
    by_role = found.estimate("masculine_rate_by_role", language=language, group="subject")
    mine = found.rows[found.rows["role"] == "subject"]
    assert by_role.value == pytest.approx((mine["reading"] == "masculine").mean())


def test_two_whole_translations_are_alternatives_too(own):
    his, hers = (planted.outputs("es", choose) for choose in (planted.masculine, planted.feminine))
    for separator in ("\t", " ||| "):
        lines = [f"{m}{separator}{f}" for m, f in zip(his, hers, strict=True)]
        assert shares(genderscope.score("gate", lines, to="es", data=own), "es") == [0, 0, 0, 1]


def test_copies_and_empty_outputs_are_unread(own):
    sources = [source for source, _ in planted.sentences()]
    copied = genderscope.score("gate", sources, to="es", data=own)
    assert set(copied.rows["unread"]) == {"untranslated"}
    empty = genderscope.score("gate", [""] * len(sources), to="es", data=own)
    assert empty.rows["unread"].notna().all()
    for found in (copied, empty):
        assert found.estimate("masculine_rate", language="es").value is None
        assert found.estimate("yield", language="es").value == 0


def test_over_languages_rates_are_means_and_a_sentence_is_one_unit(own, tmp_path):
    for language, choose in (("es", planted.masculine), ("de", planted.feminine)):
        lines = planted.outputs(language, choose)
        (tmp_path / f"{language}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    run = evaluate("gate", f"file:{tmp_path}/{{lang}}.txt", to="es,de", data=own, out=tmp_path / "run")
    whole = run.estimate("masculine_rate", language=None, group=None)
    assert whole.value == 0.5
    assert whole.low == pytest.approx(0.5, abs=0.2)
    assert run.rows.groupby("item")["language"].nunique().eq(2).all()


def test_the_starter_set_covers_roles_kinds_and_numbers_of_people():
    found = load_own("starter", ("es",))
    assert len(found.samples) >= 80
    people = [person for sentence in found.samples for person in sentence.people]
    assert {person.role for person in people} == {"subject", "object", "possessor", "other"}
    assert {person.kind for person in people} == {"profession", "family", "other"}
    assert {len(sentence.people) for sentence in found.samples} == {1, 2, 3}
    assert {person.plural for person in people} == {True, False}
    assert len({sentence.source for sentence in found.samples}) == len(found.samples)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("source,person\nA,b\n", r"has no column entity .*it needs source,entity"),
        ("source,entity\nThe nurse sang.,\n", r"line 2: the entity is empty"),
        ("source,entity\nThe nurse sang.,doctor\n", r"line 2: the sentence does not contain 'doctor'"),
        ("source,entity,role\nThe nurse sang.,nurse,topic\n", r"line 2: the role is 'topic'; it must be subject"),
        ("source,entity,masculine,feminine\nThe nurse sang.,nurse,a b,c\n", r"must have the same number of words"),
        ("source,entity,language\nThe nurse sang.,nurse,fr\n", r"has no sentences for 'es'"),
        ("source,entity\n", r"has no sentences for 'es' below its header"),
        (
            "source,entity,language\nThe nurse sang.,nurse,spansh\n",
            r"line 2: unknown language .spansh.*Did you mean .es.",
        ),
    ],
)
def test_a_bad_file_gets_one_sentence(tmp_path, content, message):
    path = tmp_path / "bad.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UserError, match=message):
        genderscope.score("gate", ["x"], to="es", data=str(path))


def test_the_same_person_counts_once_and_languages_may_be_written_in_capitals(tmp_path):
    data = tmp_path / "own.csv"
    rows = (
        "The nurse slept.,nurse,",
        "The nurse slept.,Nurse,",
        "The cook sang.,cook,ES",
        "The cook ran.,cook,Spanish",
    )
    data.write_text("\n".join(("source,entity,language", *rows)), encoding="utf-8")
    loaded = load_own(str(data), ("es", "fr", "de"))
    assert loaded.duplicates == 1
    spanish = [sentence for sentence in loaded.samples if sentence.language == "es"]
    assert [[person.entity for person in sentence.people] for sentence in spanish] == [["nurse"], ["cook"], ["cook"]]


def test_reference_words_need_a_language(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text(
        "source,entity,masculine,feminine\nThe drummer sang.,drummer,baterista,baterista\n", encoding="utf-8"
    )
    with pytest.raises(UserError, match="words of one language; name it in a column language"):
        load_own(str(path), ("es", "it"))


def test_a_language_without_released_sentences_points_to_other_data():
    with pytest.raises(UserError, match=r"GATE has no sentences for 'nl', only for es, .*use --data starter"):
        genderscope.score("gate", ["x"], to="nl")
    with pytest.raises(UserError, match="Unknown target language 'ja'"):
        genderscope.score("gate", ["x"], to="ja", data="starter")


def test_standard_input_is_scored_and_sources_are_listed(cli, own):
    listed = cli("data", "sources", "gate", "--to", "es", "--data", own).stdout.splitlines()
    assert listed == [source for source, _ in planted.sentences()]
    text = "".join(f"{line}\n" for line in planted.outputs("es", planted.feminine))
    found = cli("score", "gate", "--to", "es", "--data", own, piped=text)
    assert found.stdout.startswith("masculine_rate 0.00")
    assert "alternatives_share 0.00" in found.stdout
