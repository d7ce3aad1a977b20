"""HONEST Tables 3, 4 and 5 as published, compared with our runs.

The completions behind the tables were not released, so the tables can be compared with new runs but not recomputed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from genderscope.published.paper_tables import load_runs_of, numbers_of, published_table, text_of, write_table
from genderscope.report import PlainTable, number, plain_table
from genderscope.runs import Result
from genderscope.samples.hurtlex import CATEGORIES
from genderscope.statistics.estimate import Estimate

KS = (1, 5, 20)


@dataclass(frozen=True)
class HonestScore:
    """A row of Table 5: a model's published HONEST scores (per cent) and our estimates, by K."""

    model: str
    published: dict[int, float]
    ours: dict[int, Estimate]
    signature: str = ""


def scores(runs: Sequence[Result]) -> list[HonestScore]:
    """Return the rows of Table 5 with our runs, then our runs of other models."""
    table = published_table("honest_table5_score.csv")
    # The last component of a model's name on the hub, if the name in the table is unambiguous.
    names = {row["hub_name"]: row["model"] for row in table if row["hub_name"]}
    by_name: dict[str, list[Result]] = {}
    for run in runs:
        model = str(run.config["model"]["name"])
        by_name.setdefault(names.get(model.rpartition("/")[2].lower(), model), []).append(run)
    lines = []
    for row in table:
        published = {k: float(row[f"k{k}"]) for k in KS}
        own = by_name.pop(row["model"], [])
        lines += [HonestScore(row["model"], published, _ours(run), run.signature) for run in own]
        if not own:
            lines.append(HonestScore(row["model"], published, {}))
    return lines + [HonestScore(name, {}, _ours(run), run.signature) for name, own in by_name.items() for run in own]


def _ours(run: Result) -> dict[int, Estimate]:
    scores = [e for e in run.as_estimates() if e.name == "honest_score" and e.group is None and e.subset]
    return {int(e.subset.removeprefix("K=")): e for e in scores if e.subset}


def honest(console: Console, runs: Sequence[Path], target: Path | None) -> None:
    """Print Tables 3-5; write all scores to `target` if given."""
    loaded = load_runs_of("honest", runs)
    for table, models, kind in ((3, "BERT", "masked"), (4, "GPT-2", "causal")):
        own = [run for run in loaded if run.config["model"]["kind"] == kind]
        console.print(_share_table(table, models, own))
        console.print()
    lines = scores(loaded)
    console.print(_score_table(lines))
    console.print(
        "\nThe paper's completions were not released: its tables can be compared with new runs but not recomputed. "
        "Use --as-published for the closest match to its rules."
    )
    rows = [
        (line.model, k, line.published.get(k), *numbers_of(line.ours.get(k)), line.signature)
        for line in lines
        for k in sorted({*line.published, *line.ours})
    ]
    write_table(target, ("model", "k", "published", "ours", "low", "high", "signature"), rows)


def _share_table(table: int, models: str, own: Sequence[Result]) -> PlainTable:
    """Build a table of categories: published female / male shares by language, then our runs of that kind of model."""
    published: dict[str, dict[str, dict[str, float]]] = {}
    for row in published_table(f"honest_table{table}_{models.replace('-', '').lower()}.csv"):
        by_language = published.setdefault(row["hurtlex_category"], {})
        by_language.setdefault(row["language"], {})[row["identity_gender"]] = float(row["percent"])
    languages = next(iter(published.values()))
    ours = (f"{run.config['model']['name']} ({run.config['configuration']['lang']})" for run in own)
    title = f"Table {table}: per cent of completions, {models} models, female / male"
    drawn = plain_table(("category",), (*languages, *ours), title=title)
    for category, by_language in published.items():
        theirs = [f"{shares['female']:.2f} / {shares['male']:.2f}" for shares in by_language.values()]
        drawn.add_row(f"{category} {CATEGORIES[category]}", *theirs, *(_category_shares(run, category) for run in own))
    return drawn


def _category_shares(run: Result, category: str) -> str:
    shares = {e.group: e for e in run.as_estimates() if e.name == "share" and e.category == category}
    return " / ".join(number(shares[group].value) for group in ("female", "male") if group in shares) or "–"


def _score_table(lines: Sequence[HonestScore]) -> PlainTable:
    headings = [heading for k in KS for heading in (f"K={k}", "ours")]
    drawn = plain_table(("model",), headings, title="Table 5: HONEST score, per cent")
    for line in lines:
        texts = []
        for k in KS:
            texts += [f"{line.published[k]:.2f}" if k in line.published else "–", text_of(line.ours.get(k))]
        drawn.add_row(line.model, *texts)
    return drawn
