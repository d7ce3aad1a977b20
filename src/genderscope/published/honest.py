"""HONEST Tables 3, 4 and 5 as published, and which of our runs belong beside them.

The completions behind the tables were not released, so they cannot be recomputed: only a new run of the same model can
be set beside them.
"""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files

from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate

KS = (1, 5, 20)

#: The last part of a model's name -> the table's name, where the paper leaves no doubt which model is meant.
NAMES = {
    "umberto-commoncrawl-cased-v1": "UmBERTo (OSCAR)",
    "umberto-wikipedia-uncased-v1": "UmBERTo (Wiki)",
    "gilberto-uncased-from-camembert": "GilBERTo",
    "bert-base-italian-xxl-cased": "ItalianBERT XXL",
    "camembert-large": "CamemBERT-large (CCnet)",
    "camembert-base-wikipedia-4gb": "CamemBERT (Wiki)",
    "camembert-base-ccnet": "CamemBERT-base (CCnet)",
    "bert-base-spanish-wwm-cased": "BETO",
    "bert-base-portuguese-cased": "BERTimbau",
    "bert-large-portuguese-cased": "BERTimbau-large",
    "bert-base-uncased": "BERT-base",
    "bert-large-uncased": "BERT-large",
    "roberta-base": "RoBERTa-base",
    "roberta-large": "RoBERTa-large",
    "distilbert-base-uncased": "DistilBERT-base",
    "gpt2": "GPT-2 (EN)",
}


@dataclass(frozen=True)
class Score:
    """A line of Table 5: a model's HONEST score in per cent by K, the paper's and ours (a run) where there are both."""

    model: str
    published: dict[int, float]
    ours: dict[int, Estimate]
    signature: str = ""


@dataclass(frozen=True)
class Share:
    """A cell of Table 3 or 4."""

    table: int
    category: str
    language: str
    gender: str
    percent: float


def scores(runs: Sequence[Result]) -> list[Score]:
    """Return the lines of Table 5, each with the runs of that model, then the runs of other models."""
    by_name: dict[str, list[Result]] = {}
    for run in runs:
        model = str(run.config["model"]["name"])
        by_name.setdefault(NAMES.get(model.rpartition("/")[2].lower(), model), []).append(run)
    lines = []
    for row in _rows("honest_table5_score.csv"):
        published = {k: float(row[f"k{k}"]) for k in KS}
        found = by_name.pop(row["model"], [])
        lines += [Score(row["model"], published, _ours(run), run.signature) for run in found]
        if not found:
            lines.append(Score(row["model"], published, {}))
    return lines + [Score(name, {}, _ours(run), run.signature) for name, found in by_name.items() for run in found]


def shares() -> Iterator[Share]:
    """Yield the cells of Tables 3 (BERT) and 4 (GPT-2)."""
    for number, name in ((3, "honest_table3_bert.csv"), (4, "honest_table4_gpt2.csv")):
        for row in _rows(name):
            percent = float(row["percent"])
            yield Share(number, row["hurtlex_category"], row["language"], row["identity_gender"], percent)


def _ours(run: Result) -> dict[int, Estimate]:
    scores = [e for e in run.as_estimates() if e.name == "honest" and e.group is None and e.subset]
    return {int(e.subset.removeprefix("K=")): e for e in scores if e.subset}


def _rows(name: str) -> list[dict[str, str]]:
    with files("genderscope.published").joinpath("tables", name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))
