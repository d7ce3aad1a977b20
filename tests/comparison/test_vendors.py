"""Files of translations from two vendors, compared in one command."""

import csv
import json
from pathlib import Path

import pytest

import genderscope
from genderscope.cli.compare import _names
from genderscope.comparison import differing_readings
from genderscope.samples.gest import MALE, STEREOTYPES

pytest.importorskip("simplemma", reason="the dictionaries are an extra: pip install 'genderscope[grammar]'")

ADJECTIVES = ("cansad", "preocupad", "ocupad", "sentad")
SPANISH = "Estaba {}{} en el día {}."
#: vendor -> whether the speaker of a stereotype's sentence is a man
CHOICES = {"vendor-a": lambda i, k: i in MALE, "vendor-b": lambda i, k: (i + k) % 2 == 0}
#: number of sentences in which the vendors choose different genders, in two languages
DIFFERENT = 2 * sum(len({choice(i, k) for choice in CHOICES.values()}) == 2 for i in STEREOTYPES for k in range(3))


def write(path, header, rows):
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])


def sentences():
    """Return three sentences for each stereotype."""
    return [(f"I was there on day {i * 10 + k}.", i) for i in STEREOTYPES for k in range(3)]


def spanish(i, k, masculine):
    return SPANISH.format(ADJECTIVES[k % len(ADJECTIVES)], "o" if masculine else "a", i * 10 + k)


def slovak(i, k, masculine):
    return f"V deň {i * 10 + k} som tam {'bol' if masculine else 'bola'}."


@pytest.fixture
def vendors():
    """Vendor-a follows stereotypes, and vendor-b makes every second speaker a man, in Spanish and Slovak."""
    write("my.csv", ("sentence", "stereotype"), sentences())
    for name, masculine in CHOICES.items():
        for language, text in (("es", spanish), ("sk", slovak)):
            rows = [(s, text(i, n % 3, masculine(i, n % 3))) for n, (s, i) in enumerate(sentences())]
            write(f"{name}.{language}.csv", ("source", "translation"), rows)
    return ("vendor-a.{lang}.csv", "vendor-b.{lang}.csv", "--measure", "gest-mt", "--to", "es,sk", "--data", "my.csv")


@pytest.mark.long
def test_files_are_measured_and_compared_like_their_runs(cli, vendors):
    done = cli("compare", *vendors, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert [run["label"] for run in found["runs"]] == ["vendor-a", "vendor-b"]
    folders = sorted(map(str, Path("runs").iterdir()))
    assert sorted(run["folder"] for run in found["runs"]) == folders
    for file in vendors[:2]:
        made = cli("run", "gest-mt", "--model", f"file:{file}", "--to", "es,sk", "--data", "my.csv")
        assert made.returncode == 0, made.stderr
    assert sorted(map(str, Path("runs").iterdir())) == folders  # the same runs, reused
    by_hand = json.loads(cli("compare", *(run["folder"] for run in found["runs"]), "--json").stdout)
    assert "--fresh" not in cli("show", found["runs"][0]["folder"]).stdout  # an option that compare does not have
    numbers = [
        [(d["estimate"], d["value"], d["low"], d["p"]) for d in each["differences"]] for each in (found, by_hand)
    ]
    assert numbers[0] == numbers[1]


def test_the_answer_names_the_vendors_and_the_better_one(cli, vendors):
    done = cli("compare", *vendors, "--full", "--html", "vendors.html")
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines() if line.startswith("stereotypes ")]
    assert [(row[1], row[-1]) for row in rows] == [(scope, "vendor-b") for scope in ("all", "es", "sk")]
    assert "vendor-b is less stereotypical than vendor-a, also for other stereotypes: " in done.stdout
    page = Path("vendors.html").read_text(encoding="utf-8")
    for text in (done.stdout, page):
        assert f"10 of {DIFFERENT} sentences with different readings" in text
        assert "vendor-a." not in text.replace("vendor-a.{lang}.csv", "").replace("vendor-a.-lang-.csv", "").replace(
            "vendor-a.\n", ""
        )
    assert page.index("vendor-b is better in all 2 languages") < page.index("<table") < page.index("<details")


def test_differing_sentences_cover_stereotypes_and_languages(cli, vendors):
    folders = [run["folder"] for run in json.loads(cli("compare", *vendors, "--json").stdout)["runs"]]
    shown, total = differing_readings(genderscope.compare(*folders), "B")
    assert total == DIFFERENT
    assert len(shown) == 10
    assert len({each.stereotype for each in shown}) == 10
    assert {each.stereotype in MALE for each in shown} == {True, False}
    assert {each.language for each in shown} == {"es", "sk"}
    assert all(set(each.readings) == {"masculine", "feminine"} for each in shown)
    assert all(each.translations[0] != each.translations[1] for each in shown)


def test_a_run_folder_may_replace_a_file(cli, vendors):
    first, second, *options = vendors
    assert cli("run", "gest-mt", "--model", f"file:{first}", *options[2:], "--out", "runs/last").returncode == 0
    done = cli("compare", "runs/last", second, *options)
    assert done.returncode == 0, done.stderr
    assert "vendor-b is better in all 2 languages, also for other stereotypes." in done.stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("vendor-a.es.csv", "vendor-b.es.csv"), "is a file of translations; add the measure and the languages"),
        (("vendor-a.{lang}.csv", "runs/x"), "'vendor-a.{lang}.csv' is a file of translations; add the measure"),
        (("runs", "runs", "--to", "es"), "Option --to is for files of translations"),
        (("vendor-a.es.csv", "vendor-b.es.csv", "--measure", "gest", "--to", "es"), "does not score translations"),
        (("vendor-a.es.csv", "missing.csv", "--measure", "gest-mt", "--to", "es", "--data", "my.csv"), "missing.csv"),
        (("vendor-a.es.csv", "vendor-a.es.csv", "--measure", "gest-mt", "--to", "es"), "is given twice"),
        (("vendor-a.es.csv", "nowhere", "--measure", "gest-mt", "--to", "es"), "There is no run in 'nowhere'"),
    ],
)
def test_mistakes_get_one_sentence(cli, vendors, arguments, complaint):
    done = cli("compare", *arguments)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("files", "names"),
    [
        (("out/vendor-a.es.csv", "b.tmx.gz"), ["vendor-a.es", "b"]),
        (("vendor-a.{lang}.csv", "file:vendor-b_{lang}.tsv"), ["vendor-a", "vendor-b"]),
        (("one/{lang}.csv", "two/{lang}.csv"), ["one", "two"]),
        (("one/{lang}/gest.csv", "two/{lang}/gest.csv"), ["one/gest", "two/gest"]),
        (("system-1.5", "system-1.6"), ["system-1.5", "system-1.6"]),
    ],
)
def test_vendors_are_named_after_their_files(files, names):
    assert _names(files) == names


def few_readings():
    """Write translations of which only those of three stereotypes show a gender."""
    write("my.csv", ("sentence", "stereotype"), sentences())
    rows = [
        (s, spanish(i, n % 3, i != 1 or n % 3) if i in (1, 9, 13) else f"Ayer hubo una reunión en el día {n}.")
        for n, (s, i) in enumerate(sentences())
    ]
    write("few.csv", ("source", "translation"), rows)


def test_too_few_readings_give_a_pooled_count_and_the_reason(cli):
    few_readings()
    done = cli("score", "gest-mt", "few.csv", "--to", "es", "--data", "my.csv")
    assert done.returncode == 0, done.stderr
    assert "stereotype_rate – – n=9 (no Spanish translation of 13 of 16 stereotypes shows a gender)" in done.stdout
    assert "masculine_rate_pooled 0.89 [0.52, 1.00] n=9 (pooled over stereotypes: 8 of 9 readings" in done.stdout
    assert "2 of 3 in female-stereotyped and 6 of 6 in male-stereotyped sentences)" in done.stdout
    done = cli("run", "gest-mt", "--model", "file:few.csv", "--to", "es", "--data", "my.csv", "--json")
    estimates = json.loads(done.stdout)["estimates"]
    assert next(e for e in estimates if e["name"] == "masculine_rate_pooled")["value"] == pytest.approx(8 / 9)


def test_a_pooled_rate_appears_only_where_rates_are_missing(cli, vendors):
    done = cli("run", "gest-mt", "--model", "file:vendor-a.es.csv", "--to", "es", "--data", "my.csv", "--json")
    assert "masculine_rate_pooled" not in done.stdout


def test_a_language_with_few_readings_is_compared_on_pooled_counts(cli, vendors):
    few_readings()
    Path("few.csv").rename("vendor-b.es.csv")
    done = cli("compare", *vendors, "--json")
    assert done.returncode == 0, done.stderr
    found = {(d["estimate"], d.get("language")): d for d in json.loads(done.stdout)["differences"]}
    pooled = found["masculine_rate_pooled", "es"]
    assert (pooled["n"], pooled["of_second"]["value"]) == (9, pytest.approx(8 / 9))
    assert pooled["of_first"]["value"] == pytest.approx(6 / 9)
    assert pooled["value"] == pytest.approx(2 / 9)
    assert found["stereotype_rate", "es"]["value"] is None
    assert "no Spanish translation of" in found["stereotype_rate", "es"]["verdict"]
    printed = cli("compare", *vendors, "--full").stdout
    # A mean across languages that rests on one of them would repeat its rows.
    assert not any(language is None for _, language in found)
    assert "Spanish: " in printed
    assert "vendor-b, masculine_rate_pooled[es]: pooled over stereotypes: 8 of 9 readings are masculine" in " ".join(
        printed.split()
    )


def test_a_language_is_compared_in_the_same_way_alone_and_among_others(cli, vendors):
    few_readings()
    Path("few.csv").rename("vendor-b.es.csv")
    among = json.loads(cli("compare", *vendors, "--json").stdout)["differences"]
    files = [name.replace("{lang}", "es") for name in vendors[:2]]
    options = ("--measure", "gest-mt", "--to", "es", "--data", "my.csv")
    alone = json.loads(cli("compare", *files, *options, "--json").stdout)["differences"]
    spanish = [(d["estimate"], d["value"], d["p"], d["n"]) for d in among if d.get("language") == "es"]
    assert spanish == [(d["estimate"], d["value"], d["p"], d["n"]) for d in alone]
    assert [value for _, value, _, _ in spanish[:2]] == [None, None]
    printed = " ".join(cli("compare", *files, *options, "--full").stdout.split())
    assert "shows a gender in both runs." in printed
