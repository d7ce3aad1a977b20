"""What the written forms of a comparison have in common: the terminal's columns, with margins and verdicts."""

from genderscope.comparison import Comparison, Difference
from genderscope.judgement import describe_difference, short_difference
from genderscope.report.terminal.comparison_table import cells, columns
from genderscope.terminal_safe import in_line


def headings(comparison: Comparison, name: str) -> tuple[str, ...]:
    """The headings of the table of one later run."""
    return (*columns(comparison.first, name), "threshold", "verdict")


def texts(d: Difference) -> tuple[str, ...]:
    """Lay one difference out under the headings."""
    return (*cells(d), "–" if d.margin is None else str(d.margin), short_difference(d))


def runs_of(comparison: Comparison) -> list[tuple[str, str]]:
    """Return what each run is called, and what it is of."""
    return [(name, in_line(str(run.config["model"]["name"]))) for name, run in comparison.runs.items()]


def title_of(comparison: Comparison) -> str:
    """Name what was compared: measure and data."""
    return f"{comparison.measure}, data {in_line(comparison.runs[comparison.first].config['data']['name'])}"


def verdicts_of(comparison: Comparison, name: str) -> list[str]:
    """The verdict on the leading estimate of a later run, then those on others that differ."""
    lead = comparison.lead(name)
    others = [d for d in comparison.of(name) if d is not lead and d.differs]
    return [in_line(describe_difference(d)) for d in ((lead, *others) if lead is not None else others)]
