"""Results on the terminal."""

import shlex

from rich.console import Console
from rich.text import Text

from genderscope.judgement import control_line
from genderscope.reference import reference_sentences
from genderscope.report.terminal.first_screen import first_screen
from genderscope.report.views import view_of
from genderscope.report.views.plain_view import describe_coverage, first_sentence, known_measure
from genderscope.report.views.run_origin import describe_source, tool_terminal
from genderscope.runs import Result, age_of
from genderscope.util.safe_text import in_line


def show(result: Result, console: Console, completions: bool = False, again: str = "", full: bool = False) -> None:
    """Print the first screen of a result, or everything if `full` or `completions` is set.

    If answers were reused, a line reports when they were given; `again` is a sentence on how to repeat the run.
    """
    full = full or completions or known_measure(result.measure) is None
    if full:
        _show_everything(result, console, completions)
    else:
        console.print()
        for part in first_screen(result):
            console.print(part)
    if (age := age_of(result.config, result.reused, again)) is not None:
        console.print(Text(in_line(age), style="bold"), soft_wrap=True)
    if full:
        console.print(Text(in_line(f"Signature: {result.signature}")), soft_wrap=True)
    if result.folder is not None:
        console.print(Text(f"Report: {result.folder / 'report.html'}"), soft_wrap=True)
        if not full:
            console.print(Text(f"More: genderscope show {shlex.quote(str(result.folder))} --full"), soft_wrap=True)


def _show_everything(result: Result, console: Console, completions: bool) -> None:
    model, data = (in_line(result.config[part]["name"]) for part in ("model", "data"))
    title = Text.assemble("\n", (result.measure, "bold"), f" · {model} · {data}\n")
    console.print(title)
    view = view_of(result.measure)
    for part in view.terminal(result):
        console.print(part)
    for part in tool_terminal(result):
        console.print(part)
    for part in view.completions(result) if completions else ():
        console.print(part)
    first, rest = first_sentence(result.summary)
    console.print(Text.assemble((first, "bold"), " " if rest else "", rest))
    for caution in result.cautions:
        console.print(Text(in_line(f"Caution: {caution}"), style="yellow"))
    if (control := control_line(result.as_estimates())) is not None:
        console.print(Text(control))
    console.print(describe_coverage(result))
    if (source := describe_source(result)) is not None:
        console.print(Text(in_line(source)), soft_wrap=True)
    for sentence in (*reference_sentences(result), *filter(None, [view.note(result)])):
        console.print(Text(in_line(sentence)))
