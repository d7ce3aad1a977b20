"""Logistic regression with clustered errors and detection of separation."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from genderscope.core.errors import UserError
from genderscope.statistics.cluster_variance import Codes, codes, crossed, together
from genderscope.statistics.quantiles import student_tail
from genderscope.statistics.student_intervals import Error

if TYPE_CHECKING:
    import pandas as pd

    Clusters = tuple[pd.Series[Any], pd.Series[Any]]

Array = npt.NDArray[np.float64]

INTERCEPT = "Intercept"
HINT = "Logistic regressions need the package statsmodels: pip install 'genderscope[dialogue]'."
#: larger coefficients are treated as diverging, even if the optimiser reports convergence
LARGEST = 15.0
LARGEST_ERROR = 10.0


@dataclass(frozen=True)
class Coefficient:
    """Log-odds coefficient with 95 % interval, p-value and, for clustered errors, degrees of freedom."""

    value: float
    low: float
    high: float
    p: float
    freedom: float | None = None


@dataclass(frozen=True)
class Fit:
    """Result of a regression; `without` maps variables without a finite coefficient to the reason."""

    coefficients: dict[str, Coefficient] = field(default_factory=dict)
    without: dict[str, str] = field(default_factory=dict)
    n: int = 0


def logistic(outcome: pd.Series[float], variables: pd.DataFrame, clusters: Clusters | None) -> Fit:
    """Regress the outcome (0 or 1) on binary variables, with an intercept.

    `clusters` are two crossed cluster variables; None means model-based errors.

    If the outcome is constant at one level of a variable (separation), its coefficient is infinite. Rows with that
    level are dropped, which yields the limit of the other coefficients, and the variable is listed in `without`.
    """
    linear, perfect_separation = _statsmodels()
    kept = np.ones(len(outcome), dtype=bool)
    columns, without = list(variables.columns), dict[str, str]()
    while separated := _separated(outcome[kept], variables.loc[kept, columns]):
        name, level, reason = separated
        without[name] = reason
        columns.remove(name)
        if level is not None:
            kept &= (variables[name] != level).to_numpy()
        if level == 0:  # the remaining rows no longer include the intercept's baseline
            without[INTERCEPT] = reason.replace(" it ", f" {name} ")
    n = int(kept.sum())
    if n == 0 or outcome[kept].nunique() < 2:
        told = "the outcome never varies"
        return Fit({}, {name: without.get(name, told) for name in [INTERCEPT, *variables.columns]}, len(outcome))
    design = variables.loc[kept, columns].astype(float)
    design.insert(0, INTERCEPT, 1.0)
    model = linear.GLM(outcome[kept].astype(float), design, family=linear.families.Binomial())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            fit = model.fit(maxiter=200)
            fitted = _coefficients(fit, design, None if clusters is None else [labels[kept] for labels in clusters])
        except (np.linalg.LinAlgError, ValueError, perfect_separation) as error:
            told = f"the fit failed ({type(error).__name__})"
            if isinstance(error, np.linalg.LinAlgError):
                told = "some variables always occur together, so that their effects cannot be told apart"
            return Fit({}, dict.fromkeys([INTERCEPT, *variables.columns], told), len(outcome))
        # Under separation, clustered errors shrink to zero while model-based errors explode.
        errors = np.sqrt(np.diag(fit.normalized_cov_params))
    good: dict[str, Coefficient] = {}
    for name, error_of_model in zip(design.columns, errors, strict=True):
        if name in without:
            continue
        b = fitted[name]
        if not fit.converged:
            without[name] = "the fit did not converge"
        elif (
            not np.all(np.isfinite((b.value, b.low, b.high, b.p)))
            or abs(b.value) > LARGEST
            or not error_of_model < LARGEST_ERROR
        ):
            without[name] = "several variables together predict the outcome perfectly (separation)"
        else:
            good[name] = b
    return Fit(good, without, len(outcome))


def _coefficients(fit: Any, design: pd.DataFrame, clusters: list[pd.Series[Any]] | None) -> dict[str, Coefficient]:
    """Return every coefficient with its interval and p-value."""
    if clusters is None:
        intervals = fit.conf_int()
        numbers = {k: (fit.params[k], intervals.loc[k, 0], intervals.loc[k, 1], fit.pvalues[k]) for k in design.columns}
        return {str(name): Coefficient(*map(float, fields)) for name, fields in numbers.items()}
    fitted = np.asarray(fit.fittedvalues, dtype=np.float64)
    residuals = np.asarray(fit.resid_response, dtype=np.float64)
    first, second = (codes(labels.astype(str)) for labels in clusters)
    errors = two_way_errors(design.to_numpy(dtype=np.float64), residuals, fitted * (1 - fitted), first, second)
    clustered: dict[str, Coefficient] = {}
    for name, error in zip(design.columns, errors, strict=True):
        value, half = float(fit.params[name]), error.half_width()
        ratio = abs(value) / np.sqrt(error.variance) if error.variance > 0 else np.nan
        p = 2 * student_tail(ratio, error.freedom)
        clustered[str(name)] = Coefficient(value, value - half, value + half, p, error.freedom)
    return clustered


def two_way_errors(design: Array, residuals: Array, weights: Array, first: Codes, second: Codes) -> list[Error]:
    """Return the error of each coefficient of a fitted model, under two-way clustering.

    Bias-reduced errors (CR2; Bell and McCaffrey 2002, "Bias reduction in standard errors for linear regression with
    multi-stage samples") are computed for each kind of cluster and for the intersections, then combined as in
    `cluster_variance.two_way`. The degrees of freedom of a coefficient are based on the clusters that inform it: a
    coefficient estimated from three adverbs has those of three clusters, regardless of the number of rows.

    `weights` are the variances of the outcomes under the model (ones for least squares); `residuals` are the outcomes
    minus the fitted values.
    """
    bread: Array = np.linalg.inv(design.T @ (design * weights[:, None])).astype(np.float64)
    kinds = (crossed(first, second), first, second)
    of_cells, *of_kinds = (_corrected(design, residuals, weights, bread, clusters) for clusters in kinds)
    return [together(own, [kind[k] for kind in of_kinds]) for k, own in enumerate(of_cells)]


def _corrected(design: Array, residuals: Array, weights: Array, bread: Array, clusters: Codes) -> list[Error]:
    """Return the bias-reduced one-way clustered errors."""
    count, width = int(clusters.max()) + 1, design.shape[1]
    scores, information = np.zeros((count, width)), np.zeros((count, width, width))
    np.add.at(scores, clusters, design * residuals[:, None])
    np.add.at(information, clusters, design[:, :, None] * design[:, None, :] * weights[:, None, None])
    values, vectors = np.linalg.eigh(bread)
    root = (vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T
    # Leverage shrinks a cluster's residuals; with leverage 1 there is no residual left to correct.
    leverage, axes = np.linalg.eigh(root @ information @ root)
    mended = np.where(leverage < 1 - 1e-8, 1 / np.sqrt(np.maximum(1 - leverage, 1e-8)), 0.0)
    turned = np.einsum("gji,gj->gi", axes, scores @ root) * mended
    influences = np.einsum("gij,gj->gi", axes, turned) @ root
    informed = np.einsum("ik,gij,jk->gk", bread, information, bread)
    effective = informed.sum(axis=0) ** 2 / np.maximum((informed**2).sum(axis=0), 1e-300)
    variances = (influences**2).sum(axis=0)
    return [Error(float(v), max(1.0, float(e) - 1)) for v, e in zip(variances, effective, strict=True)]


def available() -> bool:
    """Return whether statsmodels is installed."""
    try:
        _statsmodels()
    except UserError:
        return False
    return True


def _separated(outcome: pd.Series[float], variables: pd.DataFrame) -> tuple[str, int | None, str] | None:
    """Return the first variable without a finite coefficient, the level that causes it, and the reason."""
    for name in variables.columns:
        levels = [int(level) for level in sorted(variables[name].unique())]
        if len(levels) < 2:
            return str(name), None, f"it is always {levels[0] if levels else 'absent'}"
        for level, where in ((1, "when it is 1"), (0, "when it is 0")):
            inside = outcome[variables[name] == level]
            if inside.nunique() == 1 and outcome.nunique() > 1:
                return str(name), level, f"the outcome is always {inside.iloc[0]:g} {where} (separation)"
    return None


def _statsmodels() -> Any:
    """Import the GLM module and the separation exception; importing all of statsmodels takes three times as long."""
    try:
        from statsmodels.genmod import generalized_linear_model
        from statsmodels.tools import sm_exceptions
    except ImportError:
        raise UserError(HINT) from None
    return generalized_linear_model, sm_exceptions.PerfectSeparationError
