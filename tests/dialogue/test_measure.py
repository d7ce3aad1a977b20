"""The dialogue measure end to end: planted biases are found, real systems run, mistakes get one sentence."""

import gzip
import os
import shutil
import sys
from functools import cache
from pathlib import Path
from typing import Any, cast

import pandas as pd
import pytest

pytest.importorskip("simplemma", reason="the dictionaries are an extra: pip install 'genderscope[grammar]'")
pytest.importorskip("statsmodels", reason="regressions are an extra: pip install 'genderscope[dialogue]'")

from genderscope.cli.app import main
from genderscope.core.errors import UserError
from genderscope.measures.dialogue.tables import gendered
from genderscope.runs import Result
from genderscope.samples.dialogue import starter_vocabulary
from tests.dialogue.planted import (
    Planted,
    Rule,
    always_masculine,
    always_right,
    follows_the_stereotype,
    opposite_of_the_other,
)
from tests.support.evaluation import evaluate


class CommandLine:
    """Calls the command line in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch = monkeypatch
        self.capsys = capsys

    def __call__(self, *arguments: object) -> tuple[object, str, str]:
        self.monkeypatch.setattr(sys, "argv", ["genderscope", *map(str, arguments)])
        with pytest.raises(SystemExit) as left:
            main()
        return left.value.code, *self.capsys.readouterr()


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


@cache
def measured(rule: Rule, **options: Any) -> Result:
    return evaluate("dialogue", Planted(starter_vocabulary(), rule), to=("es",), data="starter", **options)


def value(result: Result, name: str, subset: str) -> float | None:
    return result.estimate(name, subset=subset, language="es").value


@pytest.mark.long
def test_a_translator_that_knows_only_men_is_found_out() -> None:
    result = measured(always_masculine)
    assert result.coverage == 1
    for name, subset in (
        ("masculine_rate", "stereo_adverb"),
        ("masculine_rate_female_cue", "stereo_adverb"),
        ("masculine_rate_female_cue", "stereo_character_ambiguous"),
        ("masculine_rate_male_cue", "structure_ambiguous"),
    ):
        assert value(result, name, subset) == 1
    assert value(result, "feminine_rate", "stereo_adverb") == 0
    # Right for every man, wrong for every woman, and both weigh the same.
    for name, subset in (
        ("accuracy_pro", "stereo_character_determined"),
        ("accuracy_anti", "stereo_character_determined"),
        ("acc_one", "structure_determined"),
        ("acc_same", "structure_determined"),
        ("acc_opposite", "structure_determined"),
    ):
        assert value(result, name, subset) == pytest.approx(0.5)
    share = result.estimate("M", subset="stereo_adverb", language="es")
    assert share.low is not None
    assert 0.9 < share.low < 1, "an interval of width 0 would claim too much"
    assert any("the outcome never varies" in caution for caution in result.cautions)


def test_a_translator_that_follows_stereotypes_is_found_out() -> None:
    result = measured(follows_the_stereotype)
    for subset in ("stereo_adverb", "stereo_character_ambiguous"):
        assert value(result, "masculine_rate_male_cue", subset) == 1
        assert value(result, "masculine_rate_female_cue", subset) == 0
        assert value(result, "cue_effect", subset) == 1
    assert value(result, "accuracy_difference", "stereo_character_determined") == 1
    assert value(result, "masculine_rate_no_cue", "stereo_adverb") == 1
    separated = [e for e in result.as_estimates() if e.name == "log_odds" and e.category == "Character Stereo(F)"]
    assert separated[0].value is None
    assert "separation" in separated[0].method


@pytest.mark.long
def test_a_translator_that_is_right_where_it_can_be() -> None:
    result = measured(always_right)
    for name in ("acc_one", "acc_same", "acc_opposite"):
        assert value(result, name, "structure_determined") == 1
    assert value(result, "accuracy_difference", "structure_determined") == 0
    assert value(result, "cue_effect", "structure_ambiguous") == 0


@pytest.mark.long
def test_a_translator_that_sees_couples_everywhere() -> None:
    result = measured(opposite_of_the_other, as_published=True)
    assert value(result, "cue_effect", "structure_ambiguous") == -1
    assert value(result, "acc_same", "structure_determined") == 0
    assert value(result, "acc_opposite", "structure_determined") == 1
    assert "scale:as-published" in result.signature


def test_nouns_show_a_gender_but_are_not_in_the_papers_tables() -> None:
    rows = pd.DataFrame(
        {"gender": ["masculine", "feminine", "neutral"], "plural": [False] * 3, "noun": [True, False, False]}
    )
    assert list(gendered(rows, as_published=False)) == [True, True, False]
    assert list(gendered(rows, as_published=True)) == [False, True, False]
    assert list(gendered(rows.drop(columns="noun"), as_published=True)) == [True, True, False], "an older run"


def test_rows_hold_what_was_read_and_where() -> None:
    rows = measured(follows_the_stereotype, limit=200).rows
    read = rows[rows["word"].notna()]
    assert len(read) > 200
    for row in cast(Any, read).itertuples():
        assert row.translation[int(row.start) : int(row.end)] == row.word
    neutral = rows[rows["gender"] == "neutral"]
    assert set(neutral["strategy"]) == {"common form"}
    assert rows["unread"].isna().all()


def test_neutral_renderings_are_counted_by_condition() -> None:
    result = measured(always_masculine)
    shares = [e for e in result.as_estimates() if e.name == "neutral" and e.subset == "stereo_adverb"]
    assert {e.group for e in shares} == {"M", "F", "none"}
    # patient, loyal, selfish, clumsy, elegant and brave have one form for both genders.
    assert shares[0].value == pytest.approx(6 / 28)
    assert [e.category for e in shares[:2]] == [None, "common form"]


@pytest.mark.long
def test_apertium_runs_through_the_measure() -> None:
    if shutil.which("apertium") is None:
        pytest.skip("Apertium is not installed")
    # In one batch: Apertium reads its dictionaries again for each.
    options: dict[str, Any] = {"data": "starter", "limit": 150, "batch_size": 1000}
    result = evaluate("dialogue", "apertium:eng-spa", to=("es",), report=True, **options)
    assert result.coverage > 0.8
    share = result.estimate("M", subset="stereo_adverb", language="es")
    assert share.value is not None
    assert share.value > 0.9
    assert result.folder is not None
    assert "Male share by condition" in (result.folder / "report.html").read_text(encoding="utf-8")


def test_an_unsupported_language_is_refused_before_anything_is_asked() -> None:
    with pytest.raises(UserError, match="Unknown target language 'de'; available: cs, es, is"):
        evaluate("dialogue", Planted(starter_vocabulary(), always_masculine), to=("de",), data="starter")


def test_a_suite_needs_its_column_and_its_vocabulary(tmp_path: Path) -> None:
    suite = tmp_path / "suite.csv"
    translator = Planted(starter_vocabulary(), always_masculine)
    for name, header in (("adjectives", "adjective,gender,sentiment,type"), ("adverbs", "adverb,gender")):
        (tmp_path / f"{name}.csv").write_text(f"{header}\n", encoding="utf-8")
    suite.write_text("text\nhello\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"occupations\.csv' cannot be read"):
        evaluate("dialogue", translator, to=("es",), data=str(suite))
    (tmp_path / "occupations.csv").write_text("occupation,gender\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"suite\.csv' has no column source \(its columns: text\)"):
        evaluate("dialogue", translator, to=("es",), data=str(suite))
    suite.write_text("source\nThe rain fell.\n", encoding="utf-8")
    with pytest.raises(UserError, match="does not match any template"):
        evaluate("dialogue", translator, to=("es",), data=str(suite))


def test_a_missing_statsmodels_costs_the_regressions_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "statsmodels", None)
    monkeypatch.setitem(sys.modules, "statsmodels.genmod", None)
    result = measured(follows_the_stereotype, limit=150)
    assert not any(e.name == "log_odds" for e in result.as_estimates())
    assert any("pip install 'genderscope[dialogue]'" in caution for caution in result.cautions)


def test_the_command_line_reads_adjectives(tmp_path: Path, command: CommandLine) -> None:
    suite = tmp_path / "suite.csv.gz"
    passages = [
        '"""I think I\'m honest,"" I said."',
        '"""I think I\'m honest,"" I said."',
        '"The man smiled. ""I think I\'m clean and you\'re ugly,"" he said."',
    ]
    suite.write_bytes(gzip.compress("\n".join(["source", *passages]).encode()))
    translations = tmp_path / "translations.txt"
    translations.write_text("«Creo que soy honesta», dije.\n«Soy limpio y tú eres fea», dijo.\n", encoding="utf-8")
    code, out, complaint = command("read", "adjectives", "--lang", "es", "--suite", suite, translations)
    assert code in {0, None}, complaint
    assert [line.split("\t") for line in out.splitlines()] == [
        ["0", "0", "honest", "honesta", "feminine", "", "dictionary"],
        ["1", "0", "clean", "limpio", "masculine", "", "dictionary"],
        ["1", "1", "ugly", "fea", "feminine", "", "dictionary"],
    ]
    translations.write_text("«Creo que soy honesta», dije.\n", encoding="utf-8")
    code, out, complaint = command("read", "adjectives", "--lang", "es", "--suite", suite, translations)
    assert (code, out) == (2, "")
    assert "has 1 lines, but" in complaint
    assert "2 unique sources" in complaint
    code, out, complaint = command("read", "adjectives", "--lang", "de", "--suite", suite, translations)
    assert (code, out) == (2, "")
    assert "available: cs, es, is" in complaint


@pytest.mark.long
def test_the_released_suite_says_where_its_file_differs(mirror: Path) -> None:
    if not (mirror / "wmt24").is_dir():
        pytest.skip("the mirror has no WMT24 suite")
    outputs = mirror / "wmt24" / "outputs" / "es" / "Aya23.txt.gz"
    assert os.environ["GENDERSCOPE_MIRROR"]
    result = evaluate("dialogue", f"file:{outputs}", to=("es",))
    assert len(result.rows) == 17966
    assert any("17,989 rows, 23 repeat an instance" in caution for caution in result.cautions)
    delta = result.estimate("cue_effect", subset="stereo_adverb", language="es")
    assert delta.low is not None
    assert 0 < delta.low < 0.39 < (delta.high or 0)
