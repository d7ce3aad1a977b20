"""The terminal: at 60, 80 and 120 columns names, values, intervals and n are there; what gives way is prose."""

import io
import re
from dataclasses import replace

import pytest

from genderscope.comparison import compare, pool
from genderscope.comparison.run_comparison import answers_by_distance
from genderscope.judgement import AnswerKind, format_difference
from genderscope.measures import MEASURES, measure_type
from genderscope.report import (
    SafeConsole,
    comparison_markdown,
    comparison_page,
    interval,
    number,
    show,
    show_comparison,
    show_pooled,
)
from genderscope.report.layout import plain_table
from genderscope.report.views.declared_view import view_of
from genderscope.report.views.run_summary import estimates_in_words
from tests.report.examples import result, save

WIDTHS = (60, 80, 120)
#: wide enough for everything on one line
WIDE = 400
MODELS = ("HuggingFaceTB/SmolLM2-135M-Instruct", "bert-base-multilingual-cased", "gpt2")
INTERVAL = re.compile(r"\[[-−+\d.e]+, [-−+\d.e]+\]")
#: lines to be copied, which the terminal itself breaks where they are too long
COPIED = ("Signature:", "Report:", "checksum ", "A = ", "B = ", "1 = ", "2 = ", "Left out")

#: most lines of a first screen at 80 columns
LINES = 13
#: how a verdict begins
VERDICT = re.compile(r"^(Verdict|Cannot be judged|[A-Z][^:]*: (an effect|no effect|inconclusive|cannot be judged))\b")


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Finished runs on three models, of measures whose tables are unlike each other."""
    root = tmp_path_factory.mktemp("runs")
    for measure in ("gest", "winobias", "gest-mt", "honest", "stereoset"):
        for seed, model in enumerate(MODELS):
            save(result(measure, model, seed, n=128), root / measure / str(seed))
    return root


@pytest.mark.parametrize(
    ("caution", "brief"),
    [
        ("Few rows (12; at least 30 are needed); add more.", "Few rows (12; at least 30 are needed)"),
        ("Two sentences. The second is left out.", "Two sentences"),
        ("One (see a. B) only.", "One (see a. B) only"),
    ],
)
def test_a_caution_on_the_first_screen_ends_outside_brackets(caution, brief):
    found = replace(result("gest"), cautions=(caution,))
    assert f"Caution: {brief}.\n" in shown(found, 200, full=False)


def shown(found, width, full=True):
    file = io.StringIO()
    show(found, SafeConsole(file=file, width=width, color_system=None), full=full)
    return file.getvalue()


def fits(text, width):
    return [line for line in text.splitlines() if len(line.rstrip()) > width and not line.startswith(COPIED)] == []


@pytest.mark.long_but("gest", "gest-mt", "honest", "crows", "winobias", "gate", "stereoset", "mt-geneval")
@pytest.mark.parametrize("measure", MEASURES)
def test_the_first_screen_is_short_and_begins_with_the_verdict(measure):
    text = shown(result(measure, "example", n=320), 80, full=False)
    lines = text.strip().splitlines()
    assert len(lines) <= LINES
    assert fits(text, 80)
    verdict = next((k for k, line in enumerate(lines) if VERDICT.search(line)), len(lines))
    assert verdict <= 2, f"no verdict in the first three lines:\n{text}"
    assert verdict < next((k for k, line in enumerate(lines) if INTERVAL.search(line)), len(lines))
    assert any(line.startswith("Answers read: ") for line in lines)


@pytest.mark.parametrize("measure", MEASURES)
def test_the_first_screen_gives_n_and_explains_every_estimate(measure):
    found = result(measure, "example", n=320)
    lines = shown(found, 80, full=False).splitlines()
    if not any(judgement.is_meaningful for judgement in found.judgements):
        assert not any("95 % interval" in line for line in lines)
        return
    heading = next(k for k, line in enumerate(lines) if re.search(r"value +95 % interval +neutral +n$", line))
    rows = [line.split() for line in lines[heading + 1 : heading + 4] if re.match(r"[a-z_]+  ", line)]
    counts = {f"{e.n:,}" for e in found.as_estimates()}
    assert rows
    assert all(counts & set(row) for row in rows)
    below = " ".join(" ".join(lines[heading + 1 :]).split())
    for name in {row[0] for row in rows} - {e.name for e in estimates_in_words(found)}:
        view = view_of(measure)
        explained = (view.explain(e).partition("; ")[0] for e in found.as_estimates() if e.name == name)
        meanings = {view.brief.get(name), *explained} - {None}
        assert any(meaning and meaning in below for meaning in meanings), (name, meanings)


def test_the_first_screen_says_what_each_interval_generalises_to():
    wide = shown(result("gest-slavic", "example", n=320), 80, full=False)
    assert re.search(r"when generalising to\s+other stereotypes \(95 % interval", wide)
    assert re.search(r"^for other \w+ +value +95 % interval", wide, re.MULTILINE)
    assert "for other" not in shown(result("honest", "example", n=320), 80, full=False)


def test_the_first_screen_says_that_the_starter_set_is_for_trying():
    found = result("gest", "example", n=320)
    assert "trial set" not in shown(found, 80, full=False)
    trial = {**found.config, "configuration": {**found.config["configuration"], "data": "starter"}}
    title = shown(replace(found, config=trial), 80, full=False).strip().splitlines()[0]
    assert title.endswith("(trial set; publish numbers from the full data)")


@pytest.mark.parametrize("measure", MEASURES)
def test_a_result_shows_all_its_numbers_at_every_width(measure):
    found = result(measure, MODELS[0], n=320)
    whole = shown(found, WIDE)
    wanted = []
    for e in found.as_estimates():
        numbers = re.compile(rf"(^|\s){re.escape(number(e.value))} +{re.escape(interval(e))}", re.MULTILINE)
        if e.value is not None and numbers.search(whole):  # else this view does not show it
            wanted.append((e, numbers, re.compile(rf"\b{e.n:,}\b")))
    for width in WIDTHS:
        text = shown(found, width)
        assert fits(text, width)
        assert MODELS[0] in text
        assert INTERVAL.findall(text) == INTERVAL.findall(whole), width
        assert all(line.split()[0] in text for line in whole.splitlines() if INTERVAL.search(line))
        for e, numbers, n in wanted:
            assert numbers.search(text), (width, e)
            assert n.search(text), (width, e)


def printed(view):
    """Print a view at every width: function of a console -> text by width."""
    found = {}
    for width in (WIDE, *WIDTHS):
        file = io.StringIO()
        view(SafeConsole(file=file, width=width, color_system=None))
        found[width] = file.getvalue()
    return found


def complete(found, *names):
    """Check that nothing is lost or cut where there is less room; sentences may be broken within an interval."""
    whole = " ".join(found[WIDE].split())
    for width in WIDTHS:
        text = " ".join(found[width].split())
        assert fits(found[width], width), width
        assert all(name in found[width] for name in names), width
        assert INTERVAL.findall(text) == INTERVAL.findall(whole), width
        assert [text.count(f" {n}") for n in (64, 128)] == [whole.count(f" {n}") for n in (64, 128)], width


@pytest.mark.long
@pytest.mark.parametrize("measure", ["gest", "gest-mt", "honest", "stereoset"])
def test_a_comparison_has_its_numbers_at_every_width(runs, measure):
    comparison = compare(runs / measure / "0", runs / measure / "1")
    complete(printed(lambda console: show_comparison(comparison, console)), *MODELS[:2])


def test_a_comparison_of_values_that_are_not_meaningful_shows_them_without_a_test(runs):
    comparison = compare(runs / "gest" / "0", runs / "gest" / "1")
    assert all(d.p_adjusted is not None for d in comparison.differences)
    why = "A: the words are never written"
    silenced = replace(comparison, differences=tuple(replace(d, not_meaningful=why) for d in comparison.differences))
    kind, leads = measure_type("gest"), silenced.by_language("B")
    silenced = replace(silenced, answers={"B": answers_by_distance(kind, leads, ("A", "B"))})
    assert silenced.answer("B").kind is AnswerKind.CANNOT_JUDGE
    text = printed(lambda console: show_comparison(silenced, console, full=True))[WIDE]
    texts = (text, comparison_page(silenced), comparison_markdown(silenced))
    for d in comparison.differences:
        assert all(number(e.value) in shown for shown in texts for e in (d.of_first, d.of_second))
        assert not any(format_difference(d)[1] in shown for shown in texts)
    details = text.partition("Differences")[2]
    assert details.count("cannot be judged") == len(comparison.differences)
    assert not any(re.search(r"(?<![\w(])p [=<]|significant", shown) for shown in texts)


@pytest.mark.parametrize(("measure", "promised"), [("gest-mt", True), ("gest", False)])
def test_a_comparison_promises_example_sentences_only_of_translations(runs, measure, promised):
    comparison = compare(runs / measure / "0", runs / measure / "1")
    last = printed(lambda console: show_comparison(comparison, console))[WIDE].splitlines()[-1]
    assert last.startswith("More (differences, p-values")
    assert ("example sentences" in last) == promised


@pytest.mark.long
def test_pooled_runs_have_their_numbers_at_every_width(runs):
    pooled = pool(runs / "gest" / "0", runs / "gest" / "1")
    complete(printed(lambda console: show_pooled(pooled, console)), *MODELS[:2])


@pytest.mark.long
def test_the_other_views_have_their_numbers_at_every_width(cli, runs, monkeypatch):
    for command, names in (
        (("validity", *(runs / m / str(k) for m in ("gest", "winobias") for k in range(3))), MODELS),
        (("list", "runs", runs), MODELS),
        (("reproduce", "honest", runs / "honest" / "0"), ("an animals", MODELS[0])),
        (("power", "gest", "--over", "items"), ("642",)),
    ):
        found = {}
        for width in (WIDE, *WIDTHS):
            monkeypatch.setenv("COLUMNS", str(width))
            done = cli(*command)
            assert done.returncode == 0, done.stderr
            found[width] = done.stdout
        complete(found, *names)


@pytest.mark.parametrize("measure", ["gest", "gest-mt", "gest-slavic"])
@pytest.mark.parametrize("width", WIDTHS)
def test_the_neutral_points_of_a_plot_make_one_straight_line(measure, width):
    lines = shown(result(measure, n=320), width).splitlines()
    begin, end = (next(k for k, line in enumerate(lines) if line.startswith(start)) for start in ("women are", "16 "))
    plot = lines[begin : end + 1]
    at = plot[0].index("│")
    assert len(plot) == 18
    assert {line[at : at + 1] for line in plot} <= {"│", "┼", "●"}
    assert sum("●" in line for line in plot) == 16


def test_words_and_explanations_give_way_before_numbers():
    table = plain_table(("name",), ("value", "95 % interval", "n", "unread"), prose="meaning", optional=("unread",))
    table.add_row("a name of several words", "1.00", "[0.50, 2.00]", "1,234", "7", "what it is")
    printed = {}
    for width in (100, 58, 40, 24):
        file = io.StringIO()
        SafeConsole(file=file, width=width, color_system=None).print(table)
        printed[width] = file.getvalue()
        assert "[0.50, 2.00]" in printed[width]
        assert "1,234" in printed[width]
        assert "what it is" in printed[width]
    assert printed[100].splitlines()[0].split() == ["name", "value", "95", "%", "interval", "n", "unread", "meaning"]
    assert "a name of several words: what it is" in printed[58]
    assert "unread" in printed[58]
    assert "unread" not in printed[40]
    assert printed[24].splitlines()[1:3] == ["  value 1.00", "  [0.50, 2.00] · n 1,234"]
