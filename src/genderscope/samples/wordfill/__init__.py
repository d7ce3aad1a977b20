"""Samples for the word-filling measures: sentences about a group and its control group."""

__all__ = ["crows", "parallel_crows", "quadruplet", "quadruplet_files", "stereoset"]
