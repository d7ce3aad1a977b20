"""Estimates and how sure they are."""

__all__ = [
    "bootstrap",
    "clustered",
    "clusters",
    "correlation",
    "crossed",
    "estimate",
    "logistic",
    "means",
    "paired",
    "power",
    "proportions",
    "ranks",
    "reliability",
    "sandwich",
    "scopes",
    "simultaneous",
    "skewed",
    "student",
    "tails",
    "unread",
]
