"""GEST Figure 8 beside our recomputation, on the terminal."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from genderscope.published.gest_validity import ValidityReproduction, reproduce
from genderscope.report import correlation_cells, correlation_table
from genderscope.runs import csv_file


def gest_validity(console: Console, _runs: Sequence[Path], target: Path | None) -> None:
    """Show the correlation of g_s with WinoBias over models for every part of WinoBias and every scale."""
    found = list(reproduce())
    table = correlation_table("WinoBias", "scale", "kind")
    for each in found:
        for correlation in (each.pearson, each.spearman):
            if correlation.kind == "Pearson" or each.scale == "as published":  # ranks are the same on every scale
                table.add_row(each.subset, each.scale, correlation.kind, *correlation_cells(correlation))
    console.print(table)
    console.print(f"\n{_told(found)}")
    if target is not None:
        _write(found, target)


def _told(found: list[ValidityReproduction]) -> str:
    published = next(each for each in found if each.published is not None)
    defined, log = (
        next(each for each in found if each.subset == published.subset and each.scale == scale)
        for scale in ("as defined", "log")
    )
    ours, ends = published.pearson, published.pearson.without_one
    assert ends is not None
    assert ours.most_influential is not None
    verdict = "equal" if f"{ours.r:.2f}" == f"{published.published:.2f}" else "different"
    most = published.models[ours.most_influential]
    return (
        f"{published.subset}, {ours.n} models: Pearson {ours.r:.3f} on the paper's scale, {verdict} to the published "
        f"{published.published:.2f} in both decimals.\n"
        f"As g_s and ĝ_s are defined (ratios, without the paper's log10 slip) it is {defined.pearson.r:.3f}, a change "
        f"of {defined.pearson.r - ours.r:+.3f}; of their logarithms {log.pearson.r:.3f}, where both scales agree.\n"
        f"Leaving out one model gives {ends[0]:.3f} to {ends[1]:.3f}; {most} matters most."
    )


def _write(found: list[ValidityReproduction], target: Path) -> None:
    with csv_file(target) as writer:
        writer.writerow(("subset", "scale", "model", "g_s", "g_s_hat"))
        for each in found:
            for model, x, y in zip(each.models, each.g_s, each.g_s_hat, strict=True):
                writer.writerow((each.subset, each.scale, model, round(x, 6), round(y, 6)))
