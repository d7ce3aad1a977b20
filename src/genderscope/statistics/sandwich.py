"""Errors of regression coefficients whose rows come in clusters of two crossed kinds.

The bias-reduced errors of Bell and McCaffrey (2002, "Bias reduction in standard errors for linear regression with
multi-stage samples", CR2), for each kind of cluster and for the cells of both, put together as in
`clustered.two_way`. A coefficient has as many degrees of freedom as clusters inform it: with three adverbs of a kind,
what is known about adverbs of that kind is known from three.
"""

import numpy as np
import numpy.typing as npt

from genderscope.statistics.clustered import Codes, crossed, together
from genderscope.statistics.student import Error

Array = npt.NDArray[np.float64]


def two_way_errors(design: Array, residuals: Array, weights: Array, first: Codes, second: Codes) -> list[Error]:
    """Return the error of each coefficient of a fitted model.

    `weights` are the variances of the outcomes as the model has them (ones for least squares), `residuals` the
    differences of outcomes and fitted values.
    """
    bread: Array = np.linalg.inv(design.T @ (design * weights[:, None])).astype(np.float64)
    kinds = (crossed(first, second), first, second)
    of_cells, *of_kinds = (_corrected(design, residuals, weights, bread, each) for each in kinds)
    return [together(own, [kind[k] for kind in of_kinds]) for k, own in enumerate(of_cells)]


def _corrected(design: Array, residuals: Array, weights: Array, bread: Array, clusters: Codes) -> list[Error]:
    """The errors over one kind of cluster."""
    count, width = int(clusters.max()) + 1, design.shape[1]
    scores, information = np.zeros((count, width)), np.zeros((count, width, width))
    np.add.at(scores, clusters, design * residuals[:, None])
    np.add.at(information, clusters, design[:, :, None] * design[:, None, :] * weights[:, None, None])
    values, vectors = np.linalg.eigh(bread)
    root = (vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T
    # Residuals shrink by as much as a cluster decides its own fit. One that decides it alone has none left to mend.
    leverage, axes = np.linalg.eigh(root @ information @ root)
    mended = np.where(leverage < 1 - 1e-8, 1 / np.sqrt(np.maximum(1 - leverage, 1e-8)), 0.0)
    turned = np.einsum("gji,gj->gi", axes, scores @ root) * mended
    moved = np.einsum("gij,gj->gi", axes, turned) @ root
    informed = np.einsum("ik,gij,jk->gk", bread, information, bread)
    effective = informed.sum(axis=0) ** 2 / np.maximum((informed**2).sum(axis=0), 1e-300)
    variances = (moved**2).sum(axis=0)
    return [Error(float(v), max(1.0, float(e) - 1)) for v, e in zip(variances, effective, strict=True)]
