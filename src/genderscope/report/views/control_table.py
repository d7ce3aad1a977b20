"""The controls on a run's page: their estimates, and the texts with a known answer that the system got wrong."""

from collections.abc import Iterator

from genderscope.judgement import CONTROLS
from genderscope.report.views.plain_view import ESTIMATES, SHARED_MEANING, KeyedRow, ReportTable, numbers
from genderscope.runs import Result


def control_tables(result: Result) -> Iterator[ReportTable]:
    """Yield the table of a run's controls, if it has any."""
    controls = [e for e in result.as_estimates() if e.name in CONTROLS]
    if controls:
        lines = [KeyedRow((e.name, e.scope or "all", *numbers(e), SHARED_MEANING[e.name])) for e in controls]
        yield ReportTable("Controls with a known answer", (*ESTIMATES, "meaning"), lines, folded=True)
