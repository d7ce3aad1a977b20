"""Standard errors of regression coefficients under two-way clustering.

Bias-reduced errors (CR2; Bell and McCaffrey 2002, "Bias reduction in standard errors for linear regression with
multi-stage samples") are computed for each kind of cluster and for the intersections, then combined as in
`clustered.two_way`.
The degrees of freedom of a coefficient are based on the clusters that inform it: a coefficient estimated from three
adverbs has the degrees of freedom of three clusters, regardless of the number of rows.
"""

import numpy as np
import numpy.typing as npt

from genderscope.statistics.cluster_variance import Codes, crossed, together
from genderscope.statistics.student_intervals import Error

Array = npt.NDArray[np.float64]


def two_way_errors(design: Array, residuals: Array, weights: Array, first: Codes, second: Codes) -> list[Error]:
    """Return the error of each coefficient of a fitted model.

    `weights` are the variances of the outcomes under the model (ones for least squares); `residuals` are the outcomes
    minus the fitted values.
    """
    bread: Array = np.linalg.inv(design.T @ (design * weights[:, None])).astype(np.float64)
    kinds = (crossed(first, second), first, second)
    of_cells, *of_kinds = (_corrected(design, residuals, weights, bread, each) for each in kinds)
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
    moved = np.einsum("gij,gj->gi", axes, turned) @ root
    informed = np.einsum("ik,gij,jk->gk", bread, information, bread)
    effective = informed.sum(axis=0) ** 2 / np.maximum((informed**2).sum(axis=0), 1e-300)
    variances = (moved**2).sum(axis=0)
    return [Error(float(v), max(1.0, float(e) - 1)) for v, e in zip(variances, effective, strict=True)]
