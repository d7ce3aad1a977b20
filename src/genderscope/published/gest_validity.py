"""Recomputes GEST Figure 8 from released scores: does g_s agree with WinoBias over eleven masked models?"""

import csv
import io
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from genderscope.samples import fetch
from genderscope.samples.gest import FEMALE, MALE, load
from genderscope.samples.registry import dataset
from genderscope.statistics.correlation import Correlation, correlate

#: Figure 8: Pearson correlation of g_s and ĝ_s, type 1, test
PUBLISHED = {"type 1 test": 0.95}

#: scale -> what takes a difference of mean log10 ratios to it
SCALES: dict[str, Callable[[float], float]] = {
    "as published": math.exp,
    "as defined": lambda difference: math.pow(10, difference),
    "log": lambda difference: difference * math.log(10),
}


@dataclass(frozen=True)
class ValidityReproduction:
    """The correlation over models for one part of WinoBias on one scale."""

    subset: str
    scale: str
    models: tuple[str, ...]
    g_s: tuple[float, ...]
    g_s_hat: tuple[float, ...]
    pearson: Correlation
    spearman: Correlation
    published: float | None


def reproduce() -> Iterator[ValidityReproduction]:
    """Correlate for every part of WinoBias, on the paper's scale, on the defined one, and on the log scale."""
    winobias = _winobias()
    stereotypes = np.array([s.stereotype for s in load(None, "1.0").samples])
    gest = {model: _gest(model, stereotypes) for model in next(iter(winobias.values()))}
    for subset, differences in winobias.items():
        models = tuple(differences)
        for scale, shown in SCALES.items():
            x, y = (tuple(shown(values[m]) for m in models) for values in (gest, differences))
            pearson, spearman = correlate(x, y, "Pearson"), correlate(x, y, "Spearman")
            published = PUBLISHED.get(subset) if scale == "as published" else None
            yield ValidityReproduction(subset, scale, models, x, y, pearson, spearman, published)


def _winobias() -> dict[str, dict[str, float]]:
    """Return subset -> model -> difference of the mean log10 ratios of male and female occupations."""
    text = fetch.read(dataset("gest-winobias").files[0]).decode("utf-8")
    found: dict[str, dict[str, float]] = {}
    for row in csv.DictReader(io.StringIO(text, newline="")):
        subset = f"type {row['dataset_type']} {row['dataset_split']}"
        difference = float(row["logprob_male_professions"]) - float(row["logprob_female_professions"])
        found.setdefault(subset, {})[row["model_name"].rsplit("/", 1)[-1]] = difference
    return found


def _gest(model: str, stereotypes: npt.NDArray[np.int64]) -> float:
    """Return log10-scale log g_s: means over samples, then stereotypes and templates, male minus female."""
    released = dataset("gest-predictions")
    paths = [f"gest/predictions/english_mlm/{model}_template-{t}.txt" for t in range(4)]
    scores = np.mean([np.array(fetch.read(released.file(path)).split(), dtype=np.float64) for path in paths], axis=0)
    male, female = (np.mean([scores[stereotypes == i].mean() for i in each]) for each in (MALE, FEMALE))
    return float(male - female)
