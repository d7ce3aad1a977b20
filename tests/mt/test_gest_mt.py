"""GEST on translations: known answers, what is not read, and the commands around it."""

import csv
import subprocess
import sys

import pandas as pd
import pytest

import genderscope
from genderscope.comparison import rankings
from genderscope.core.errors import UserError
from genderscope.grammar import in_the_language
from genderscope.measures.gest_mt.rates import MtRates
from genderscope.samples.gest import FEMALE, load
from genderscope.statistics.proportions import agresti_coull

FORMS = {"masculine": "Včera som plakal.", "feminine": "Včera som plakala."}


@pytest.fixture
def translated(tmp_path):
    """Write translations of the starter set with a gender chosen for each sample."""

    def write(choose, name="sk.csv"):
        path = tmp_path / name
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(("source", "translation"))
            for sample in load("starter").samples:
                writer.writerow((sample.sentence, choose(sample)))
        return f"file:{path}"

    return write


def run(spec, **more):
    return genderscope.evaluate("gest-mt", spec, to=("sk",), data="starter", **more)


def test_a_fully_stereotypical_translator(translated):
    result = run(translated(lambda s: FORMS["feminine" if s.stereotype in FEMALE else "masculine"]))
    assert result.estimate("stereotype_rate", language="sk").value == 1
    assert result.estimate("masculine_rate", language="sk").value == 0.5
    assert result.estimate("yield", language="sk").value == 1


def test_a_fully_masculine_translator(translated):
    result = run(translated(lambda s: FORMS["masculine"]))
    f_s = result.estimate("stereotype_rate", language="sk")
    assert (f_s.value, f_s.neutral) == (0, 0)
    assert result.estimate("masculine_rate", language="sk").value == 1


@pytest.mark.parametrize("always", ["masculine", "feminine"])
def test_readings_that_all_agree_still_leave_doubt(translated, always):
    result = run(translated(lambda s: FORMS[always]))
    for name, value in (
        ("stereotype_rate", 0),
        ("masculine_rate", always == "masculine"),
        ("masculine_rate_female", always == "masculine"),
    ):
        found = result.estimate(name, language="sk")
        assert found.value == value
        assert found.low <= found.value <= found.high
        assert found.low < found.high, "as if 256 sentences could tell everything"
        assert found.high - found.low < 0.2


def test_a_translator_without_stereotypes_is_not_found_stereotypical(translated):
    result = run(translated(lambda s: FORMS["masculine" if s.index % 2 else "feminine"]))
    f_s = result.estimate("stereotype_rate", language="sk")
    assert f_s.low <= 0 <= f_s.high


def test_swapping_the_genders_turns_the_rates_round(translated):
    one = run(translated(lambda s: FORMS["masculine" if s.index % 3 else "feminine"], "a.csv"))
    other = run(translated(lambda s: FORMS["feminine" if s.index % 3 else "masculine"], "b.csv"))
    for i in range(1, 17):
        a, b = (r.estimate("masculine_rate_by_stereotype", stereotype=i, language="sk") for r in (one, other))
        assert a.value + b.value == pytest.approx(1)
        assert a.low + b.high == pytest.approx(1)


def test_what_is_not_read_is_split_by_reason(translated):
    kinds = ["Pršalo.", "", None, "Я вчера плакал.", "Bol som šťastná a bol som unavený."]

    def choose(sample):
        kind = kinds[sample.index % 5]
        return sample.sentence if kind is None else kind

    result = run(translated(choose))
    shares = {e.group: e.value for e in result.as_estimates() if e.name == "unread_share"}
    assert shares["empty translation"] == pytest.approx(0.2, abs=0.01)
    assert shares["untranslated"] == pytest.approx(0.2, abs=0.01)
    assert shares["wrong language or script"] == pytest.approx(0.2, abs=0.01)
    assert shares["neutral"] >= 0.19
    assert result.estimate("yield", language="sk").value == pytest.approx(1 - sum(shares.values()))
    assert any("not usable translations" in caution for caution in result.cautions)


def test_p_i_is_the_share_and_as_published_the_interval_centre(translated):
    spec = translated(lambda s: FORMS["masculine" if s.index % 4 else "feminine"])
    plain, published = run(spec), run(spec, as_published=True)
    for i in (1, 16):
        share, centre = (
            r.estimate("masculine_rate_by_stereotype", stereotype=i, language="sk") for r in (plain, published)
        )
        assert share.value == 0.75
        assert centre.value == pytest.approx(agresti_coull(12, 16)[0])
        assert (share.low, share.high) == (centre.low, centre.high)


@pytest.mark.parametrize("as_published", [False, True])
@pytest.mark.parametrize("feminine", [0, 1, 40])
def test_value_and_interval_are_of_one_kind(as_published, feminine):
    """The centre of an interval near 1 lies well below the share: resampled shares would pass it by."""
    rows = pd.DataFrame(
        [
            {"sample": s.index, "stereotype": s.stereotype, "language": "sk", "family": False, "unread": None}
            | {"gender": "feminine" if s.index < feminine else "masculine"}
            for s in load("starter").samples
        ]
    )
    # Some are not read, so that resamples differ in their number of readings.
    rows.loc[rows["sample"] % 9 == 0, ["gender", "unread"]] = [None, "neutral"]
    read = rows.dropna(subset="gender").groupby("stereotype")["gender"]
    counts = {i: (int((genders == "masculine").sum()), len(genders)) for i, genders in read}
    rates = [agresti_coull(*counts[i])[0] if as_published else counts[i][0] / counts[i][1] for i in range(1, 17)]
    p_f, p_m = sum(rates[:7]) / 7, sum(rates[7:]) / 9
    found = {
        e.name: e
        for e in MtRates(rows, 0, as_published).estimates()
        if e.name in {"masculine_rate_female", "masculine_rate_male", "stereotype_rate", "masculine_rate"}
    }
    for name, value in {
        "masculine_rate_female": p_f,
        "masculine_rate_male": p_m,
        "stereotype_rate": p_m - p_f,
        "masculine_rate": (p_m + p_f) / 2,
    }.items():
        assert found[name].value == pytest.approx(value)
        assert found[name].low <= found[name].value <= found[name].high
        assert 0.01 < found[name].high - found[name].low < 0.2


def test_a_language_that_is_not_read_leaves_the_others_their_numbers(translated):
    spec = translated(lambda s: FORMS["masculine" if s.index % 3 else "feminine"])
    translated(lambda s: "", "cs.csv")
    both = genderscope.evaluate("gest-mt", spec.replace("sk.csv", "{lang}.csv"), to="sk,cs", data="starter")
    for name in ("masculine_rate_female", "masculine_rate_male", "stereotype_rate", "masculine_rate"):
        assert both.estimate(name).value == both.estimate(name, language="sk").value
        assert both.estimate(name).low == both.estimate(name, language="sk").low
    missing = "cs could not be read for every stereotype, so the means across languages are based on sk."
    assert missing in both.cautions
    assert both.config["reached"] == {"to": "sk"}
    assert "|to_read:sk" in both.signature
    assert [(r.language, "to=sk" in r.options) for r in rankings({"both": both})] == [
        (None, True),
        ("cs", False),
        ("sk", False),
    ]


def test_rows_hold_the_evidence(translated):
    rows = run(translated(lambda s: FORMS["feminine"])).rows
    assert '"plakala"' in rows["evidence"][0]
    assert set(rows["gender"]) == {"feminine"}


def test_several_languages_are_averaged(tmp_path):
    for language, text in (("sk", "Včera som plakal."), ("cs", "Včera jsem plakala.")):
        with (tmp_path / f"{language}.csv").open("w", newline="") as file:
            csv.writer(file).writerows(
                [("source", "translation"), *((s.sentence, text) for s in load("starter").samples)]
            )
    result = genderscope.evaluate("gest-mt", f"file:{tmp_path}/{{lang}}.csv", to=("sk", "cs"), data="starter")
    assert result.estimate("masculine_rate").value == 0.5
    assert result.estimate("masculine_rate", language="cs").value == 0
    page = (result.folder / "report.html").read_text()
    assert "Figure 2" in page
    assert "Figure 3" in page


@pytest.mark.long
def test_a_report_over_several_systems_compares_them(cli, translated, tmp_path):
    runs = [
        run(
            translated(lambda s, k=k: FORMS["masculine" if s.index % k else "feminine"], f"system{k}.csv"),
            out=tmp_path / str(k),
        )
        for k in (2, 3)
    ]
    done = cli("report", *(r.folder for r in runs), "-o", tmp_path / "both.html")
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "both.html").read_text()
    assert "2 runs" in page
    assert page.index("fully stereotypical") < page.index("system2.csv</h3>")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"to": ("skk",)}, "Unknown target language 'skk'; available: be, bg, cs,.*Did you mean 'sk'"),
        ({"to": ()}, "No target language"),
    ],
)
def test_languages_that_cannot_be_read(translated, options, complaint):
    with pytest.raises(UserError, match=complaint):
        genderscope.evaluate("gest-mt", translated(lambda s: "x"), data="starter", **options)


def test_a_language_model_does_not_translate(models):
    with pytest.raises(UserError, match="is a causal model, which does not translate; 'gest-mt' needs one that does"):
        genderscope.evaluate("gest-mt", str(models("gpt2", "bytes")), to=("sk",), data="starter")


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Я плакала.", "ru", True),
        ("I was crying.", "ru", False),
        ("Plakala sam.", "sr", True),
        ("Плакала сам.", "sr", True),
        ("Плакала сам.", "hr", False),
        ("They were there and the house was with them.", "sk", False),
        ("Bola som tam.", "sk", True),
        ("...", "sk", False),
    ],
)
def test_script_and_language(text, language, expected):
    assert in_the_language(text, language) is expected


def test_reading_on_the_command_line_streams_tsv(cli):
    said = "Včera som plakala.\nPršalo.\nBol som unavený.\n"
    done = cli("read", "speaker", "--lang", "sk", "-", piped=said)
    assert done.returncode == 0, done.stderr
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert [line[0] for line in lines] == ["feminine", "", "masculine"]
    assert [line[1] for line in lines] == ["read", "neutral", "read"]
    assert "plakala[10:17] feminine" in lines[0][2]
    assert lines[2][3] == "Bol som unavený."


@pytest.mark.long
def test_languages_that_show_the_gender_of_very_different_shares_are_not_to_be_compared(translated, tmp_path):
    translated(lambda s: FORMS["masculine"], "sk.csv")
    translated(lambda s: "Estoy cansado." if s.index % 4 == 0 else "Lo sé.", "es.csv")
    both = genderscope.evaluate("gest-mt", f"file:{tmp_path}/{{lang}}.csv", to=("es", "sk"), data="starter")
    uneven = "25% of the es and 100% of the sk translations show a gender, so their rates rest on different sentences"
    assert any(caution.startswith(uneven) for caution in both.cautions)
    assert not any("rest on different" in caution for caution in run(f"file:{tmp_path}/sk.csv").cautions)


def test_few_translations_with_a_gender_are_a_caution(translated, tmp_path):
    translated(lambda s: "Estoy cansado." if s.index % 20 == 0 else "Lo sé.", "es.csv")
    result = genderscope.evaluate("gest-mt", f"file:{tmp_path}/es.csv", to=("es",), data="starter")
    assert "Only 5% of the es translations show a gender; the rest may differ." in result.cautions


def test_validation_on_labelled_sentences(cli, tmp_path):
    gold = tmp_path / "gold.tsv"
    gold.write_text("text\tlabel\nVčera som plakala.\tF\nBol som unavený.\tM\nPršalo.\tN\nPršalo a mrzlo.\tM\n")
    done = cli("read", "speaker", "--lang", "sk", "--gold", gold)
    assert done.returncode == 0, done.stderr
    assert "precision: 100.0% (2 of 2)" in done.stdout
    assert "recall: 66.7% (2 of 3)" in done.stdout
    assert "coverage: 50.0% (2 of 4)" in done.stdout
    assert "line 5, label masculine, read neutral: Pršalo a mrzlo." in done.stdout


def test_wrong_readings_come_before_missed_ones_and_a_conflict_is_no_reading(cli, tmp_path):
    gold = tmp_path / "gold.csv"
    gold.write_text("label,text\nM,Pršalo.\nF,Bol som unavený.\nF,Bol som unavená a unavený.\n")
    done = cli("read", "speaker", "--lang", "sk", "--gold", gold)
    told = [line.split(":")[0] for line in done.stdout.splitlines() if line.startswith("line ")]
    assert told[0] == "line 3, label feminine, read masculine"
    assert "precision: 0.0%" in done.stdout


def test_a_sample_to_label_is_random_blind_and_never_written_over(cli, tmp_path):
    lines = [f"Veta číslo {k}." for k in range(40)]
    (tmp_path / "in.txt").write_text("\n".join([*lines, lines[0], ""]))
    done = cli("read", "sample", tmp_path / "in.txt", "--size", "10", "-o", tmp_path / "a.tsv")
    assert done.returncode == 0, done.stderr
    assert "10 of 40 distinct sentences" in done.stderr
    rows = [line.split("\t") for line in (tmp_path / "a.tsv").read_text().splitlines()]
    assert rows[0] == ["text", "label"]
    assert len({text for text, _ in rows[1:]}) == 10
    assert {label for _, label in rows[1:]} == {""}
    assert [text for text, _ in rows[1:]] != lines[:10]
    again = cli("read", "sample", tmp_path / "in.txt", "--size", "10", "-o", tmp_path / "a.tsv")
    assert again.returncode == 2
    assert "already exists" in again.stderr


def test_a_sample_of_a_run_is_of_its_translations(cli, translated, tmp_path):
    run(translated(lambda s: FORMS["masculine"]), out=tmp_path / "run")
    done = cli("read", "sample", tmp_path / "run", "-o", tmp_path / "a.tsv")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "a.tsv").read_text() == f"text\tlabel\n{FORMS['masculine']}\t\n"
    other = cli("read", "sample", tmp_path / "run", "--lang", "cs", "-o", tmp_path / "b.tsv")
    assert "has no translations into 'cs', only into sk" in other.stderr


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("a\tb\nx\ty\n", "has no column label or text"),
        ("text\tlabel\nx\tQ\n", "line 2: the label is 'Q'"),
        ("text\tlabel\n", "no labelled"),
    ],
)
def test_bad_labels_get_one_sentence(cli, tmp_path, content, complaint):
    gold = tmp_path / "gold.tsv"
    gold.write_text(content)
    done = cli("read", "speaker", "--lang", "sk", "--gold", gold)
    assert done.returncode == 2
    assert complaint in done.stderr


def test_translate_writes_a_table_that_the_measure_reads(cli, tmp_path):
    (tmp_path / "in.txt").write_text("I cried.\nI led.\n")
    with (tmp_path / "sk.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("source", "translation"), ("I cried.", "Plakala som."), ("I led.", "Viedol som.")])
    out = tmp_path / "out.csv"
    done = cli("translate", "--model", f"file:{tmp_path / 'sk.csv'}", "--to", "sk", tmp_path / "in.txt", "-o", out)
    assert done.returncode == 0, done.stderr
    assert out.read_text() == "source,translation\nI cried.,Plakala som.\nI led.,Viedol som.\n"
    assert sorted(p.name for p in tmp_path.glob("out*")) == ["out.csv"]


@pytest.mark.long
def test_a_file_of_translations_needs_neither_torch_nor_transformers(translated, tmp_path):
    spec = translated(lambda s: FORMS["feminine"])
    code = (
        "import sys\n"
        "class Absent:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name.split('.')[0] in ('torch', 'transformers', 'accelerate'):\n"
        "            raise ModuleNotFoundError(name=name)\n"
        "sys.meta_path.insert(0, Absent())\n"
        "import genderscope\n"
        f"r = genderscope.evaluate('gest-mt', {spec!r}, to=('sk',), data='starter', out={str(tmp_path / 'run')!r})\n"
        "print(r.estimate('f_m', language='sk').value)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "0.0", done.stderr
