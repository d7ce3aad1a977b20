"""Runs of one measure set beside each other: paired tests, gates, rankings."""

from genderscope.comparison.comparing import compare

__all__ = ["compare"]
