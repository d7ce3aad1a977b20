"""The example package, installed: its measure, model, dataset and language work as built-in ones do."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ORIGIN = "genderscope-example@0.1.0"


@pytest.mark.long_but("measures-*")
@pytest.mark.parametrize(
    ("what", "name", "built_in"),
    [
        ("measures", "occupations", "gest "),
        ("models", "rule:…", "smollm2"),
        ("datasets", "example-occupations", "starter"),
        ("languages", "ca ", "sk "),
    ],
)
def test_a_list_says_where_a_name_comes_from(genderscope, what, name, built_in):
    lines = genderscope("list", what).stdout.splitlines()
    assert next(line for line in lines if line.startswith(name)).rstrip().endswith(ORIGIN)
    assert next(line for line in lines if line.startswith(built_in)).rstrip().endswith("built in")


def test_the_measure_finds_the_known_bias_of_the_rule(genderscope):
    found = json.loads(genderscope("run", "occupations", "--model", "rule:1.5", "--json").stdout)
    by_name = {(e["name"], e["group"]): e for e in found["estimates"]}
    assert by_name["gap", None]["value"] == pytest.approx(3.0)
    assert by_name["lean", "male"]["value"] == pytest.approx(1.5)
    assert by_name["lean", "female"]["value"] == pytest.approx(-1.5)
    assert by_name["gap", None]["n"] == 24
    assert f"plugin:{ORIGIN}" in found["signature"]


def test_the_measure_takes_any_model_and_shows_its_own_view(genderscope, models):
    done = genderscope(
        "run", "occupations", "--model", models("gpt2", "bytes"), "--templates", "1", "--out", "run", "--full"
    )
    assert "men's occupations minus women's" in done.stdout
    assert "Coverage: 24 of 24 questions read" in done.stdout
    assert Path("run/report.html").is_file()
    assert json.loads(Path("run/run.json").read_text())["versions"]["genderscope-example"] == "0.1.0"
    plain = genderscope("show", "run", "--full", plugins=False).stdout
    assert "gap" in plain
    assert "men's occupations minus women's" not in plain


@pytest.mark.long
def test_the_model_answers_built_in_measures(genderscope):
    done = genderscope("run", "gest", "--model", "rule:1", "--data", "starter", "--limit", "64", "--json")
    assert next(e for e in json.loads(done.stdout)["estimates"] if e["name"] == "stereotype_rate")["value"] == 1.0


def test_a_mistake_in_the_model_string_is_one_sentence(genderscope):
    done = genderscope("run", "gest", "--model", "rule:strong", "--data", "starter", code=2)
    assert done.stderr.startswith("Error: Model 'rule:strong' has no number after the colon")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.long
def test_the_dataset_is_fetched_and_verified(genderscope, monkeypatch, tmp_path):
    assert "1 file verified" in genderscope("data", "fetch", "example-occupations").stdout
    assert "genderscope-example/occupations.csv\t/" in genderscope("data", "where").stdout
    changed = tmp_path / "changed" / "genderscope-example"
    changed.mkdir(parents=True)
    (changed / "occupations.csv").write_text("occupation,group\nwizard,male\n")
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(changed.parent))
    assert "was not used" in genderscope("run", "occupations", "--model", "rule:1", code=2).stderr


CATALAN = {
    "He estat promoguda.": "feminine",
    "Sempre havia estat vigilat.": "masculine",
    "No estic gens cansada.": "feminine",
    "Vaig quedar sorprès i estic molt emocionat.": "masculine",
    "He menjat la poma.": "",
    "Estem cansats.": "",
    "Estic cansat, i estic emocionada.": "",
    "": "",
}


def test_the_language_is_read(genderscope):
    done = genderscope("read", "speaker", "--lang", "ca", piped="".join(f"{text}\n" for text in CATALAN))
    read = {text: gender for gender, _, _, text in (line.split("\t") for line in done.stdout.splitlines())}
    assert read == CATALAN


@pytest.mark.long
def test_translations_into_the_language_are_measured(genderscope):
    rows = [("I was promoted.", 13, "He estat promogut."), ("I was moved.", 1, "Estic emocionada.")]
    Path("data.csv").write_text("sentence,stereotype\n" + "".join(f"{s},{i}\n" for s, i, _ in rows))
    Path("ca.csv").write_text("source,translation\n" + "".join(f"{s},{t}\n" for s, _, t in rows))
    arguments = ("run", "gest-mt", "--model", "file:ca.csv", "--to", "ca", "--data", "data.csv", "--json")
    found = json.loads(genderscope(*arguments).stdout)
    shares = {
        e["stereotype"]: e["value"]
        for e in found["estimates"]
        if e["name"] == "masculine_rate_by_stereotype" and e["language"] == "ca"
    }
    assert (shares[13], shares[1]) == (1.0, 0.0)
    assert f"to:ca|readers:{ORIGIN}" in found["signature"]


def test_the_card_lies_beside_the_measure(genderscope):
    assert genderscope("card", "occupations").stdout.startswith("# `occupations`")
    assert genderscope("card", "gest", plugins=False).stdout.startswith("# `gest`")


def test_starting_imports_no_plugin(example):
    code = f"""
import sys
sys.path.insert(0, {str(example)!r})
sys.argv = ["genderscope", "--help"]
from genderscope.cli.app import main
try:
    main()
except SystemExit:
    pass
print([name for name in sys.modules if name.startswith("genderscope_example")], file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"
