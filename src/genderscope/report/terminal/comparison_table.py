"""Comparisons on the terminal, and texts shared with the other output formats."""

from collections.abc import Sequence
from numbers import Integral

from rich.console import Console
from rich.text import Text

from genderscope.comparison import STUDENT, Comparison, DifferingReading, Gate, RowCounts, differing_readings
from genderscope.judgement import (
    BETTER,
    Difference,
    Finding,
    better_run,
    describe_answer,
    describe_difference,
    explain_ratios,
    explain_scopes,
    format_tested_difference,
    format_wide_test,
    short_difference,
    wide_units,
)
from genderscope.measures import measure_type
from genderscope.report.layout import INTERVAL, PlainTable, filled_table
from genderscope.report.views.declared_view import view_of
from genderscope.report.views.plain_view import interval, number, stereotype_name
from genderscope.util.safe_text import in_line

#: maximum number of readings listed for a passed gate
MOST_READINGS = 4
#: maximum number of languages with an answer of their own
MOST_ANSWERS = 6


def show_comparison(comparison: Comparison, console: Console, full: bool = False) -> None:
    """Print a comparison: which run is better, by which criteria; if `full`, also estimates and differences."""
    data = in_line(comparison.runs[comparison.first].config["data"]["name"])
    console.print(Text.assemble("\n", (comparison.measure, "bold"), f" · {data}\n"))
    for name, run in comparison.runs.items():
        folder = f" ({run.folder})" if run.folder is not None else ""
        console.print(Text(in_line(f"{name} = {run.config['model']['name']}{folder}")), soft_wrap=True)
    for name in comparison.pairs:
        console.print()
        for answer in plain_answers(comparison, name):
            console.print(Text(answer, style="bold"))
        console.print()
        console.print(_criteria(comparison, name))
        shared = f"{name} compared with {comparison.first}: {describe_shared(comparison, name)}"
        if not comparison.by_criteria:  # criteria count questions of their own, in the column n
            console.print(Text(shared))
        if full:
            console.print(Text("\nEstimates of each run", style="italic"))
            console.print(_answer(comparison, name))
            for note in (*missing_values(comparison, name), shared):
                console.print(Text(note, style="dim"))
            for sentence in verdict_sentences(comparison, name):
                console.print(Text(sentence))
            console.print(Text("\nDifferences", style="italic"))
            console.print(_table(comparison, name))
            console.print()
            _show_sentences(comparison, name, console)
    for caution in all_cautions(comparison):
        console.print(Text(in_line(f"Caution: {caution}"), style="yellow"))
    console.print(Text(describe_method(comparison) if full else _more(comparison), style="dim"))


def _more(comparison: Comparison) -> str:
    """Return how to see more than the answer; only measures of translation have example sentences."""
    examples = measure_type(comparison.measure).translation_columns is not None
    contents = f"differences, p-values{', example sentences' if examples else ''}"
    return f"More ({contents}): add --full, or write a page with --html FILE."


def _answer(comparison: Comparison, name: str) -> PlainTable:
    styles = ["bold" if d.nearer else "" for d in comparison.of(name)]
    return filled_table(answer_headings(comparison, name), answer_rows(comparison, name), (0, 1, 6), styles=styles)


def _criteria(comparison: Comparison, name: str) -> PlainTable:
    rows = criteria_rows(comparison, name)
    styles = ["" if finding is None or finding.better is None else "bold" for finding, _ in rows]
    return filled_table(criteria_headings(comparison, name), [cells for _, cells in rows], (0, 4), ("n",), styles)


def criteria_headings(comparison: Comparison, name: str) -> tuple[str, ...]:
    """Return the headings of the table of criteria; values are people in 100 unless they are estimates."""
    plain = all(f.is_plain for answer in comparison.answers[name] for f in answer.findings)
    return "what counts" if plain else "of 100", comparison.first, name, "n", "better"


def criteria_rows(comparison: Comparison, name: str) -> list[tuple[Finding | None, tuple[str, ...]]]:
    """Return the cells of each criterion, preceded by the language if there are several."""
    rows: list[tuple[Finding | None, tuple[str, ...]]] = []
    for answer in comparison.answers[name]:
        where = f"{answer.language}: " if answer.language and len(comparison.answers[name]) > 1 else ""
        if not answer.findings:
            rows.append((None, (f"{where}{answer.kind}", "–", "–", "–", "–")))
        rows += [
            (f, (in_line(where + f.words), *map(in_line, f.shown), f"{f.n:,}", in_line(f.state)))
            for f in answer.findings
        ]
    return rows


def _show_sentences(comparison: Comparison, name: str, console: Console) -> None:
    sentences, total = differing_readings(comparison, name)
    if not sentences:
        return
    console.print(Text(describe_sentences(len(sentences), total), style="italic"))
    for differing in sentences:
        console.print(Text(in_line(f"{differing.source} ({describe_origin(differing)})")), soft_wrap=True)
        for run, translation, reading in zip(
            (comparison.first, name), differing.translations, differing.readings, strict=True
        ):
            console.print(Text(in_line(f"  {run}, {reading}: {translation}")), soft_wrap=True)
    console.print()


def answer_headings(comparison: Comparison, name: str) -> tuple[str, ...]:
    """Return the headings of the table that answers which run is better."""
    return "bias", "for", comparison.first, INTERVAL, name, INTERVAL, BETTER


def answer_rows(comparison: Comparison, name: str) -> list[tuple[str, ...]]:
    """Return, for each headline estimate, both runs' values and which run is better, as in `answer_headings`."""
    kinds = view_of(comparison.measure).kinds_of_bias
    return [
        (
            kinds.get(d.of_second.name, in_line(d.of_second.in_words)),
            in_line(d.of_second.scope) or "all",
            *(text for e in (d.of_first, d.of_second) for text in (number(e.value), interval(e))),
            better_run(d),
        )
        for d in comparison.of(name)
    ]


def plain_answers(comparison: Comparison, name: str) -> list[str]:
    """Return which run is better: one sentence for all languages if there are several, then those of each language."""
    answers = comparison.answers[name]
    if len(answers) == 1:
        return [in_line(sentence) for sentence in describe_answer(answers[0])]
    sentences = describe_answer(comparison.answer(name))
    sentences += [describe_answer(answer)[0] for answer in answers[:MOST_ANSWERS]]
    reasons = [text for answer in answers for text in describe_answer(answer)[1:] if text.startswith("Not compared")]
    return [in_line(sentence) for sentence in (*sentences, *dict.fromkeys(reasons))]


def missing_values(comparison: Comparison, name: str) -> list[str]:
    """Return why estimates have no value or no interval, and the counts behind those that replace them."""
    pooled = measure_type(comparison.measure).pooled
    reasons: dict[str, list[str]] = {}
    counts = []
    for d in comparison.of(name):
        for run, e in ((comparison.first, d.of_first), (name, d.of_second)):
            if e.remark and e.name in pooled:
                counts.append(in_line(f"{run}, {d.name}: {e.remark}."))
        if d.of_second.remark and d.of_second.low is None:
            why = d.of_second.remark
            if d.of_second.value is None:
                why = f"no value, because {why}{' in both runs' if pooled else ''}"
            reasons.setdefault(why, []).append(d.name)
    shared = [in_line(f"{' and '.join(names)} on the shared questions: {why}.") for why, names in reasons.items()]
    return [*shared, *_languages_in_the_mean(comparison.of(name)), *counts]


def _languages_in_the_mean(differences: Sequence[Difference]) -> list[str]:
    """Return a note on the languages behind the means across languages, if some languages have no value."""
    means = {d.of_second.name for d in differences if d.of_second.language is None and d.of_second.value is not None}
    own = [d.of_second for d in differences if d.of_second.name in means and d.of_second.language is not None]
    used = list(dict.fromkeys(str(e.language) for e in own if e.value is not None))
    if len(used) == len({e.language for e in own}):
        return []
    return [f"The rows for all languages are based on {', '.join(used)}."] if used else []


def describe_sentences(shown: int, total: int) -> str:
    """Return the title of the table of sentences on which two runs disagree."""
    spread = ", spread over stereotypes and languages" if shown < total else ""
    return f"{shown} of {total:,} sentences with different readings{spread}"


def describe_origin(differing: DifferingReading) -> str:
    """Return a sentence's stereotype, if it has one, and its language."""
    stereotype = differing.stereotype if isinstance(differing.stereotype, str) else None
    if isinstance(differing.stereotype, Integral):
        stereotype = stereotype_name(int(differing.stereotype))
    return ", ".join(filter(None, (stereotype, differing.language)))


def all_cautions(comparison: Comparison) -> list[str]:
    """Return the cautions about the comparison, then those about the runs, each with the names of its runs."""
    runs: dict[str, list[str]] = {}
    for name, run in comparison.runs.items():
        for caution in run.cautions:
            runs.setdefault(caution, []).append(name)
    return [*comparison.cautions, *(f"{' and '.join(names)}: {caution}" for caution, names in runs.items())]


def describe_method(comparison: Comparison) -> str:
    """Explain how the intervals and p-values were computed, if any are shown."""
    if all(d.not_meaningful is not None for d in comparison.differences):
        return "Values are computed on the shared questions."
    tested = sum(d.p is not None for d in comparison.differences)
    family = "" if tested < 2 else f", simultaneous for all {tested} differences (min-p)"
    return (
        f"Values are computed on the shared questions. 95 % intervals and p-values: {STUDENT}{family}; intervals "
        f"exclude zero exactly when p < 0.05.{explain_scopes(comparison.differences)}"
        f"{explain_ratios(comparison.differences)}"
    )


def describe_shared(comparison: Comparison, name: str) -> str:
    """Describe how many questions two runs share, and why others were dropped."""
    paired = comparison.pairs[name]
    if all(share.asked == share.shared for share in paired.shares):
        return f"{len(paired.first):,} questions shared, none dropped."
    parts = [_dropped(label, share) for label, share in zip((comparison.first, name), paired.shares, strict=True)]
    return f"{len(paired.first):,} questions shared; dropped {' and '.join(parts)}."


def _dropped(label: str, share: RowCounts) -> str:
    return (
        f"{share.asked - share.shared:,} of {share.asked:,} in {label} "
        f"({share.unanswered:,} without a reading, {share.unmatched:,} without one in the other run)"
    )


def _table(comparison: Comparison, name: str) -> PlainTable:
    headings, differences = table_headings(comparison, name), comparison.of(name)
    # Difference, intervals and n are kept even on the narrowest terminal; p is redundant given the interval.
    optional = (signs_heading(name), "neutral", *(heading for heading in headings if heading.startswith("p (")))
    styles = ["bold" if d.differs else "" for d in differences]
    return filled_table(headings, difference_rows(comparison, name), optional=optional, styles=styles)


def signs_heading(second: str) -> str:
    """Return the heading of the counts of items on which the second run is higher or lower."""
    return f"{second} higher : lower"


def table_headings(comparison: Comparison, name: str) -> tuple[str, ...]:
    """Return the headings of the differences table, with a second interval if it generalises further than the first."""
    wide = ("for other units", "p (other units)") if wide_units(comparison.differences) else ()
    tests = (INTERVAL, "p (adjusted)", *wide)
    return "estimate", comparison.first, name, "difference", *tests, signs_heading(name), "neutral", "n"


def difference_rows(comparison: Comparison, name: str) -> list[tuple[str, ...]]:
    """Return the cells of each difference, in the order of `table_headings`."""
    has_wide = wide_units(comparison.differences) is not None
    return [_difference_cells(d, has_wide) for d in comparison.of(name)]


def _difference_cells(d: Difference, has_wide: bool) -> tuple[str, ...]:
    change, bounds, p = format_tested_difference(d)
    return (
        in_line(d.name),
        number(d.of_first.value),
        number(d.of_second.value),
        change if d.not_meaningful is None else short_difference(d),
        bounds,
        p,
        *(format_wide_test(d) if has_wide else ()),
        f"{d.sign.above:,} : {d.sign.below:,}" if d.not_meaningful is None else "–",
        "–" if d.of_second.neutral is None else f"{d.of_second.neutral:g}",
        f"{d.of_second.n:,}",
    )


def full_headings(comparison: Comparison, name: str) -> tuple[str, ...]:
    """Return the headings for files and pages, which also include the threshold and the verdict."""
    return (*table_headings(comparison, name), "threshold", "verdict")


def full_rows(comparison: Comparison, name: str) -> list[tuple[str, ...]]:
    """Return the cells of each difference, in the order of `full_headings`."""
    return [
        (*cells, "–" if d.margin is None else str(d.margin), short_difference(d))
        for cells, d in zip(difference_rows(comparison, name), comparison.of(name), strict=True)
    ]


def name_runs(comparison: Comparison) -> list[tuple[str, str]]:
    """Return each run's name in the comparison and its model."""
    return [(name, in_line(str(run.config["model"]["name"]))) for name, run in comparison.runs.items()]


def comparison_title(comparison: Comparison) -> str:
    """Return a title with the comparison's measure and data."""
    return f"{comparison.measure}, data {in_line(comparison.runs[comparison.first].config['data']['name'])}"


def verdict_sentences(comparison: Comparison, name: str) -> list[str]:
    """Return the verdicts on the leading estimates, followed by those on other significant differences."""
    all_leads = comparison.leads(name)
    # `missing_values` explains the leads without a value, unless none has one.
    leads = [d for d in all_leads if d.value is not None] or all_leads
    others = [d for d in comparison.of(name) if d.differs and not any(d is lead for lead in leads)]
    return [in_line(describe_difference(d)) for d in (*leads, *others)]


def show_gates(gates: Sequence[Gate], console: Console) -> None:
    """Print each gate's outcome with reasons, the values it tests, and the size of the simultaneous family."""
    for gate in gates:
        against = f". Protects against: {gate.protects_against}." if gate.protects_against else ""
        lines = [("bold red", f"Failed: {gate.condition}: {reason}") for reason in gate.failures]
        lines += [("bold red", f"Infrastructure failed: {gate.condition}: {reason}") for reason in gate.infrastructure]
        lines += [("bold yellow", f"Cannot be judged: {gate.condition}: {reason}") for reason in gate.unjudged]
        if gate.passed:
            more = f"; and {len(gate.readings) - MOST_READINGS} more" if len(gate.readings) > MOST_READINGS else ""
            lines = [("green", f"Passed: {gate.required} ({'; '.join(gate.readings[:MOST_READINGS])}{more})")]
        for style, line in lines:
            console.print(Text(in_line(line + against), style=style), soft_wrap=bool(against))
        if gate.passed and gate.not_ruled_out:
            missed = "; ".join(gate.not_ruled_out[:MOST_READINGS])
            console.print(Text(in_line(f"  Not ruled out by the interval: {missed}."), style="dim"))
        if len(gate.looks_at) > 1:
            tested = f"  Tests {len(gate.looks_at)} values: {', '.join(gate.looks_at)}."
            console.print(Text(in_line(tested), style="dim"), soft_wrap=True)
    for count in sorted({gate.together for gate in gates if gate.together > 1}):
        shared = f"Intervals are simultaneous at 95 % and p-values are adjusted across {count} estimates."
        console.print(Text(shared, style="dim"), soft_wrap=True)
    if (families := max((gate.families for gate in gates), default=1)) > 1:
        corrected = f"Intervals and p-values are corrected for all {families} groups of conditions in this build"
        shared = f"{corrected}, so that at most 5 % of builds fail without any effect."
        console.print(Text(shared, style="dim"), soft_wrap=True)
