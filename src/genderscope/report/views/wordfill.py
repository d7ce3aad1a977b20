"""The view of word filling: original beside control group as in the paper's Tables 1 to 3, and its Figures 1 and 2."""

from collections.abc import Iterable, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.table import Table as RichTable
from rich.text import Text

from genderscope.report.scatter import scatter
from genderscope.report.views.base import Figure, Table, View, interval, number
from genderscope.runs.result import Result
from genderscope.statistics.estimate import Estimate

SCORES = {"ss": "stereotype minus anti-stereotype", "csk": "keyword, group minus control", "cs": "shared tokens"}
COLUMNS = ("score", "original µ", "original +", "control µ", "control +", "ρ", "n", "unread")


class WordFillView(View):
    """f and the contrast first; ss and cs only beside their control group."""

    meaning = {  # noqa: RUF012 - overrides a mapping that is only read
        "f_mean": "ss minus ss of the control group: above 0 stereotypical",
        "f_plus": "share of samples with f above 0",
        "cs_contrast": "cs minus cs of the control pairs",
        "fpr": "of samples with ss > 0, share with f ≤ 0",
        "fnr": "of samples with ss ≤ 0, share with f > 0",
        "agreement": "share of samples with the same sign",
        "rho": "correlation over samples",
        "lms": "prefers meaningful words, 0 to 100",
        "icat": "lms × min(ss, 100 − ss) / 50, ideal 100",
    }

    def terminal(self, result: Result) -> Iterable[RenderableType]:
        estimates = result.as_estimates()
        for subset in _subsets(estimates):
            mine = [e for e in estimates if e.subset == subset]
            headline = [e for e in mine if e.name in {"f_mean", "f_plus", "cs_contrast"}]
            others = [e for e in mine if e not in headline and not _in_groups(e)]
            if headline:
                yield self.estimates_table(headline, headline)
                yield ""
            table = RichTable(box=None, pad_edge=False, header_style="bold", title_justify="left")
            for column in COLUMNS:
                table.add_column(column, no_wrap=True, justify="left" if column == "score" else "right")
            for row in _groups_table(mine):
                table.add_row(*map(Text, row))
            yield Group(Text(subset or "all", style="italic"), table, "")
            if others:
                yield Group(self.estimates_table(others), "")
        yield "; ".join(f"{what}: {count}" for what, count in sample_counts(result.config["data"])) + "."

    def figures(self, result: Result) -> Iterable[Figure]:
        read = result.rows[result.rows["unread"].isna()]
        for score, figure in (("ss", 1), ("cs", 2)):
            pairs = read[[score, f"{score}_control"]].dropna() if f"{score}_control" in read else None
            if pairs is not None and len(pairs) > 2:
                yield Figure(
                    f"{score} of the group and of its control group",
                    scatter(pairs[score], pairs[f"{score}_control"], f"{score}, original", f"{score}, control"),
                    f"Every sample's {score} for the group against its control group (as Figure {figure} of the paper; "
                    "natural logarithms), with the regression line and its 95 % band. On the dashed line a score does "
                    "not depend on the group at all; samples below it are more stereotypical for the group.",
                )

    def tables(self, result: Result) -> Iterable[Table]:
        estimates = result.as_estimates()
        headline = [e for e in estimates if e.name in {"f_mean", "f_plus", "cs_contrast"}]
        if headline:
            yield self.page_table("Contrast with the control group", headline)
        rows: list[Sequence[str]] = []
        for subset in _subsets(estimates):
            rows += [(subset or "all",), *_groups_table([e for e in estimates if e.subset == subset])]
        yield Table("Original and control group", COLUMNS, rows)
        others = [e for e in estimates if e not in headline and not _in_groups(e)]
        if others:
            yield self.page_table("False positives, agreement and correlations", others)
        yield Table("Samples", ("what", "how many"), sample_counts(result.config["data"]))
        yield self.page_table("All estimates with their intervals", estimates, folded=True)


def sample_counts(data: Mapping[str, object]) -> list[tuple[str, str]]:
    """Say how many samples there are, how many were dropped and why, and what was mended."""
    found = [(f"samples of {data['name']}", f"{data['samples']:,}")]
    for key in ("dropped", "mended"):
        counts = data.get(key)
        if isinstance(counts, Mapping):
            found += [(f"{key}: {reason}", f"{count:,}") for reason, count in counts.items()]
    return found if data.get("dropped") else [*found, ("dropped", "0")]


def _subsets(estimates: Sequence[Estimate]) -> list[str | None]:
    return list(dict.fromkeys(e.subset for e in estimates))


def _in_groups(estimate: Estimate) -> bool:
    """Tell whether the table of groups shows this estimate."""
    return (estimate.name.partition("_")[0] in SCORES and estimate.group is not None) or estimate.category in SCORES


def _groups_table(estimates: Sequence[Estimate]) -> list[tuple[str, ...]]:
    """Lay out µ and + of both groups and ρ, a line a score."""
    by_key = {(e.name, e.group, e.category): e for e in estimates}
    rows = []
    for score in SCORES:
        cells = [by_key.get((f"{score}_{k}", g, None)) for g in ("original", "control") for k in ("mean", "plus")]
        first = next((e for e in cells if e is not None), None)
        if first is not None:
            cells.append(by_key.get(("rho", None, score)))
            shown = ("–" if e is None else f"{number(e.value)} {interval(e)}" for e in cells)
            rows.append((score, *shown, f"{first.n:,}", f"{first.unread:,}"))
    return rows
