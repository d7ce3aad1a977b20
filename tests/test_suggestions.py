"""Names of languages, stereotypes and built-in data are accepted where codes are, and misspelt ones suggested."""

import pytest

from genderscope.auditing.selection import Selection
from genderscope.comparison.conditions import chosen, parse
from genderscope.core.errors import UserError
from genderscope.core.languages import language_code, suggested_language
from genderscope.core.network import available_offline
from genderscope.grammar import UnknownLanguage, speaker_gender
from genderscope.measures import measure_type, parse_options, with_starter_set
from genderscope.samples.gest import STEREOTYPES, stereotype_of
from genderscope.statistics.estimate import Estimate


def test_english_names_of_languages_are_codes():
    assert [language_code(name) for name in ("Slovak", "slovene", " Czech", "sk", "all", "Klingon")] == [
        *("sk", "sl", "cs", "sk", "all", "Klingon")
    ]
    assert parse_options(measure_type("gest-mt"), {"to": "Slovak, cs"}).model_dump()["to"] == ("sk", "cs")
    assert parse_options(measure_type("gest-mt"), {"to": ["Slovak"]}).model_dump()["to"] == ("sk",)
    assert parse_options(measure_type("gest-chat"), {"lang": "English"}).model_dump()["data_version"] is not None
    assert Selection(languages=("English", "sk")).languages == ("en", "sk")


def test_misspelt_languages_are_suggested():
    assert suggested_language("slovack", ["sk", "cs"]) == " Did you mean 'sk' (Slovak)?"
    assert suggested_language("SK", ["sk", "cs"]) == " Did you mean 'sk'?"
    assert suggested_language("Polish", ["sk", "cs"]) == ""
    with pytest.raises(UnknownLanguage, match=r"Did you mean 'sk' \(Slovak\)\?"):
        speaker_gender("", "Slovak")


@pytest.mark.parametrize(
    "command",
    [
        ("data", "sources", "mt-geneval", "--to", "spanih"),
        ("score", "dialogue", "x.txt", "--to", "spanih", "--data", "starter"),
        ("read", "speaker", "--lang", "spanih"),
        ("read", "adjectives", "x", "--suite", "y", "--lang", "spanih"),
        ("audit", "--model", "smollm2", "--lang", "spanih"),
    ],
)
def test_every_command_suggests_a_language(cli, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.txt").write_text("Hola.\n")
    told = cli(*command, piped="")
    assert told.returncode == 2
    assert told.stderr.rstrip().endswith("Did you mean 'es' (Spanish)?")


def test_commands_accept_the_name_of_a_language(cli):
    pytest.importorskip("simplemma")
    assert cli("read", "speaker", "--lang", "Slovak", piped="Bola som tam.\n").stdout.startswith("feminine\tread")


@pytest.mark.parametrize("measure", with_starter_set())
def test_a_misspelt_starter_set_is_suggested(measure):
    to = {"to": "es"} if "to" in measure_type(measure).options_type.model_fields else {}
    with pytest.raises(UserError, match=r"'startr' cannot be read: .* Did you mean 'starter'\?"):
        parse_options(measure_type(measure), {"data": "startr", **to})


def test_a_file_called_almost_like_the_starter_set_is_used(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "startr").write_text("sentence,stereotype\nI cried.,emotional\n")
    assert parse_options(measure_type("gest"), {"data": "startr"}).model_dump()["data"] == "startr"


def test_names_of_stereotypes_are_numbers():
    assert [stereotype_of(name, "x") for name in STEREOTYPES.values()] == list(STEREOTYPES)
    assert stereotype_of(" Self-Confident ", "x") == 9
    with pytest.raises(UserError, match=r"line 2: the stereotype is 'emotionl'; .* Did you mean 'emotional'\?"):
        stereotype_of("emotionl", "line 2")


def test_gates_accept_names_of_stereotypes_and_suggest_them():
    rate = Estimate(name="rate", value=0.5, n=10, unread=0, neutral=0.5, method="none")
    rates = [rate.with_keys(stereotype=i) for i in STEREOTYPES]
    for key in ("stereotype=strong", "strong", "stereotype=16", "16"):
        assert [e.stereotype for e in chosen(parse(f"rate[{key}] > 0.5"), rates)] == [16]
    for key, meant in (("stereotype=emotionl", "stereotype=emotional"), ("emotionl", "emotional")):
        with pytest.raises(UserError, match=rf"Did you mean '{meant}'\?"):
            chosen(parse(f"rate[{key}] > 0.5"), rates)


def test_a_failed_download_ends_with_what_runs_offline(tmp_path, monkeypatch):
    monkeypatch.setenv("GENDERSCOPE_CACHE", str(tmp_path))
    starter = "--data starter (with bbq, decisions, dialogue, gate, gest, gest-chat, gest-mt, winomt)"
    data = f"available offline: {starter} and your own data (--data FILE)"
    assert available_offline("data") == data
    assert available_offline("model").startswith("available offline: 'genderscope score gest-mt --data starter'")
    (tmp_path / "models" / "smollm2").mkdir(parents=True)
    assert available_offline("data") == f"{data} and 'genderscope demo'"
    assert available_offline("model") == "available offline: 'genderscope demo'"
