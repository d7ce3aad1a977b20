"""The measure on files, from standard input, in an audit, and with bad input."""

import pytest

import genderscope
from genderscope.core.errors import UserError
from genderscope.evaluation import sources
from genderscope.grammar.person import person_languages
from genderscope.measures import card_of, measure_type, parse_options
from genderscope.models import FileTranslator
from genderscope.samples.dataset import STARTER
from genderscope.samples.winomt import load_own
from tests.winomt import planted
from tests.winomt.planted import translate, write_sentences


@pytest.fixture
def own(tmp_path):
    return write_sentences(tmp_path / "own.csv")


@pytest.fixture
def lines(own):
    return translate(own, "es", planted.by_stereotype)


def test_the_sources_are_printed_and_their_translations_scored_from_standard_input(cli, own, lines):
    asked = cli("data", "sources", "winomt", "--data", own)
    assert asked.stdout.splitlines() == [s.source for s in load_own(str(own)).samples]
    found = cli("score", "winomt", "--to", "es", "--data", own, piped="\n".join(lines) + "\n")
    assert found.returncode == 0, found.stderr
    assert found.stdout.startswith("f1_gap 0.00 [")
    assert " stereotype_gap 1.00 [" in found.stdout
    assert "accuracy(pro) 1.00" in found.stdout
    assert "read 100.0%" in found.stdout


def test_a_run_on_a_file_stores_one_row_per_sentence_with_the_words_that_decide(own, lines, tmp_path):
    (tmp_path / "out.txt").write_text("\n".join(lines) + "\n")
    result = genderscope.evaluate(
        "winomt", f"file:{tmp_path / 'out.txt'}", to="es", data=str(own), out=tmp_path / "run"
    )
    row = result.rows.iloc[0]
    assert (row["entity"], row["other"], row["pair"]) == ("mechanic", "nurse", "mechanic+nurse")
    assert (row["reading"], row["words"]) == ("masculine", "El mecánico")
    assert (row["other_reading"], row["other_words"]) == ("feminine", "la enfermera")
    assert not result.rows.duplicated(["number", "language"]).any()
    assert (tmp_path / "run" / "report.html").exists()


@pytest.mark.long
def test_lines_of_the_original_files_hold_the_source_too(own, lines):
    both = [f"{source} ||| {line}" for source, line in zip(sources("winomt", data=str(own)), lines, strict=True)]
    plain, joined = (genderscope.score("winomt", each, "es", data=str(own)) for each in (lines, both))
    assert list(joined.rows["translation"]) == lines
    assert list(joined.rows["reading"]) == list(plain.rows["reading"])
    both[0] = f"The cook slept. ||| {lines[0]}"
    assert genderscope.score("winomt", both, "es", data=str(own)).rows["unread"][0] == "translation of another sentence"


def test_a_translation_in_another_script_is_unread(own, lines):
    result = genderscope.score("winomt", ["Механик позвонил медсестре.", *lines[1:]], "es", data=str(own))
    assert result.rows["unread"][0] == "wrong language or script"
    assert result.rows["unread"].notna().sum() == 1


def test_the_pronoun_of_the_translation_may_conflict_with_the_noun(own, lines):
    lines[1] = "El mecánico llamó a la enfermera porque ella necesitaba ayuda."
    row = genderscope.score("winomt", lines, "es", data=str(own)).rows.iloc[1]
    assert (row["gender"], row["reading"], row["pronoun"]) == ("feminine", "masculine", "feminine")


def test_low_and_uneven_yields_are_named(own, lines):
    lines = ["Llovía mucho." if place % 2 and place % 16 != 1 else line for place, line in enumerate(lines)]
    result = genderscope.score("winomt", lines, "es", data=str(own))
    cautions = " ".join(result.cautions)
    assert "Only 56% of the Spanish translations show the person's gender" in cautions
    assert "12% of the feminine cases and 100% of the masculine ones were read" in cautions


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"to": "xx", "data": STARTER}, "Unknown target language 'xx'"),
        ({"to": "spanih", "data": STARTER}, "Did you mean 'es'"),
        ({"to": "es", "data": "startr"}, "cannot be read.* Did you mean 'starter'"),
        ({"to": "es", "data": STARTER, "keep_duplicates": True}, "use it only with --data FILE"),
    ],
)
def test_bad_options_get_one_sentence(tmp_path, options, complaint):
    (tmp_path / "out.txt").write_text("nada\n")
    with pytest.raises(UserError, match=complaint):
        genderscope.evaluate("winomt", f"file:{tmp_path / 'out.txt'}", out=tmp_path / "run", **options)
    assert not (tmp_path / "run").exists()


def test_too_few_lines_are_refused_without_a_run(cli, own, tmp_path):
    found = cli("score", "winomt", "--to", "es", "--data", own, piped="El mecánico.\n")
    assert found.returncode == 2
    assert "has 1 lines, but 288 translations are expected" in found.stderr


def test_released_is_the_default(own):
    kind = measure_type("winomt")
    assert parse_options(kind, {"to": "es", "data": "released"}) == parse_options(kind, {"to": "es"})


def test_an_audit_uses_the_languages_that_the_translator_has(tmp_path):
    for language in ("es", "it", "sk"):
        (tmp_path / f"{language}.txt").write_text("x\n")
    kind = measure_type("winomt")
    assert kind.audited_with(FileTranslator(str(tmp_path / "{lang}.txt")), ()) == {"to": ("es", "it")}
    assert kind.starter == {"data": STARTER}


def test_every_language_of_the_reader_is_offered():
    options = measure_type("winomt").options_type.model_fields["to"].description
    assert all(language in options for language in person_languages())


@pytest.mark.long
def test_a_comparison_of_two_systems_is_paired(own, lines, tmp_path):
    runs = []
    for name, choose in (("one", planted.by_stereotype), ("two", planted.by_pronoun)):
        (tmp_path / f"{name}.txt").write_text("\n".join(translate(own, "es", choose)) + "\n")
        model = f"file:{tmp_path / name}.txt"
        runs.append(genderscope.evaluate("winomt", model, to="es", data=str(own), out=tmp_path / name))
    found = genderscope.compare(*runs)
    (gap,) = [each for each in found.differences if each.of_first.name == "stereotype_gap"]
    assert (gap.of_first.value, gap.of_second.value) == (1, 0)
    assert gap.p < 0.001


@pytest.mark.long
@pytest.mark.parametrize("language", ["es", "it"])
def test_the_card_reports_googles_outputs_as_they_are_scored(mirror, language):
    (line,) = [line for line in card_of("winomt").splitlines() if line.startswith(f"| {language} |")]
    *_, published, default, read, _ = (cell.strip() for cell in line.split("|"))
    for flag, expected in ((True, published), (False, default)):
        path = mirror / f"winomt/translations/google/en-{language}.txt.gz"
        result = genderscope.score("winomt", path, language, as_published=flag)
        found = [result.estimate(name, language=language).value for name in ("accuracy", "f1_gap", "stereotype_gap")]
        assert [f"{100 * value:.1f}" for value in found] == expected.split(", ")
        assert f"{100 * result.coverage:.1f} %" == read
