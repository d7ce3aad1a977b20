"""GEST Figure 8, recomputed from released scores: the correlation of g_s with WinoBias across eleven masked models."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from rich.console import Console

from genderscope.published.paper_tables import released_table, write_table
from genderscope.report import correlation_cells, correlation_table
from genderscope.samples import fetch
from genderscope.samples.gest import FEMALE, MALE, load
from genderscope.samples.registry import dataset
from genderscope.statistics.correlation import Correlation, correlate

#: Pearson correlation of g_s and ĝ_s in Figure 8 (type 1, test)
PUBLISHED = {"type 1 test": 0.95}

#: scale -> transformation of a difference of mean log10 ratios
SCALES: dict[str, Callable[[float], float]] = {
    "as published": math.exp,
    "as defined": lambda difference: math.pow(10, difference),
    "log": lambda difference: difference * math.log(10),
}


@dataclass(frozen=True)
class ValidityReproduction:
    """The correlation across models for one WinoBias subset on one scale."""

    subset: str
    scale: str
    models: tuple[str, ...]
    g_s: tuple[float, ...]
    g_s_hat: tuple[float, ...]
    pearson: Correlation
    spearman: Correlation
    published: float | None


def reproduce() -> Iterator[ValidityReproduction]:
    """Correlate g_s with each WinoBias subset on the paper's, the defined and the log scale."""
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
    """Return the difference of mean log10 ratios between male and female occupations, by subset and model."""
    differences: dict[str, dict[str, float]] = {}
    for row in released_table(fetch.read(dataset("gest-winobias").files[0])):
        subset = f"type {row['dataset_type']} {row['dataset_split']}"
        difference = float(row["logprob_male_professions"]) - float(row["logprob_female_professions"])
        differences.setdefault(subset, {})[row["model_name"].rsplit("/", 1)[-1]] = difference
    return differences


def _gest(model: str, stereotypes: npt.NDArray[np.int64]) -> float:
    """Return log10 g_s: the mean over templates, samples and stereotypes, male minus female."""
    released = dataset("gest-predictions")
    paths = [f"gest/predictions/english_mlm/{model}_template-{t}.txt" for t in range(4)]
    scores = np.mean([np.array(fetch.read(released.file(path)).split(), dtype=np.float64) for path in paths], axis=0)
    male, female = (np.mean([scores[stereotypes == i].mean() for i in numbers]) for numbers in (MALE, FEMALE))
    return float(male - female)


def gest_validity(console: Console, _runs: Sequence[Path], target: Path | None) -> None:
    """Print the correlation of g_s with WinoBias across models, by subset and scale."""
    results = list(reproduce())
    table = correlation_table("WinoBias", "scale", "kind")
    for result in results:
        for correlation in (result.pearson, result.spearman):
            if correlation.kind == "Pearson" or result.scale == "as published":  # ranks are the same on every scale
                table.add_row(result.subset, result.scale, correlation.kind, *correlation_cells(correlation))
    console.print(table)
    console.print(f"\n{_summary(results)}")
    rows = [
        (result.subset, result.scale, model, round(x, 6), round(y, 6))
        for result in results
        for model, x, y in zip(result.models, result.g_s, result.g_s_hat, strict=True)
    ]
    write_table(target, ("subset", "scale", "model", "g_s", "g_s_hat"), rows)


def _summary(results: list[ValidityReproduction]) -> str:
    published = next(result for result in results if result.published is not None)
    defined, log = (
        next(result for result in results if result.subset == published.subset and result.scale == scale)
        for scale in ("as defined", "log")
    )
    ours, ends = published.pearson, published.pearson.without_one
    assert ends is not None
    assert ours.most_influential is not None
    verdict = "equal to" if f"{ours.r:.2f}" == f"{published.published:.2f}" else "different from"
    most = published.models[ours.most_influential]
    return (
        f"{published.subset}, {ours.n} models: Pearson {ours.r:.3f} on the paper's scale, {verdict} the published "
        f"{published.published:.2f} to both decimals.\n"
        f"With g_s and ĝ_s as defined (ratios, without the paper's log10 slip), it is {defined.pearson.r:.3f}, a "
        f"change of {defined.pearson.r - ours.r:+.3f}; for the logarithms, it is {log.pearson.r:.3f} on both scales.\n"
        f"Leaving out one model gives {ends[0]:.3f} to {ends[1]:.3f}; {most} is the most influential."
    )
