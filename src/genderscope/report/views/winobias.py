"""The view of WinoBias: the rates over all sentences, then of each type and split."""

from collections.abc import Iterable

from rich.console import Group, RenderableType

from genderscope.report.views.base import Table, View
from genderscope.runs.result import Result


class WinoBiasView(View):
    """Overall first, subsets below."""

    meaning = {  # noqa: RUF012 - overrides a mapping that is only read
        "g_s_hat": "stereotype rate q_m_hat / q_f_hat",
        "q_m_hat": "masculine rate, male occupations",
        "q_f_hat": "masculine rate, female occupations",
        "pro_share": "share of stereotypical preferences",
    }

    def terminal(self, result: Result) -> Iterable[RenderableType]:
        estimates = result.as_estimates()
        bold = [e for e in estimates if e.name == "g_s_hat" and e.subset is None]
        yield Group(self.estimates_table(estimates, bold), "")

    def tables(self, result: Result) -> Iterable[Table]:
        estimates = result.as_estimates()
        yield self.page_table("Overall", [e for e in estimates if e.subset is None])
        if parts := [e for e in estimates if e.subset is not None]:
            yield self.page_table("By type and split", parts)
